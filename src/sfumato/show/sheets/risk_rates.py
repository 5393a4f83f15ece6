"""The g-distinct risk rate of every column, by itself: lists, advice, and what changes as the thresholds move."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.show.documents.identification import IdentificationDocument, IdentifiedColumnDocument
from sfumato.show.sheet import Section, named, number, percent

LISTS = {"Sensitive attributes": "sensitive", "Quasi-identifiers": "quasi", "Non-sensitive attributes": "non-sensitive"}
MOVES = 40  # lines of the table of thresholds: of a wide table the others are in the JSON


def risk_rate_sections(document: IdentificationDocument) -> tuple[Section, ...]:
    """What is left out, the rates, three lists by descending rate, the advice, and what other thresholds would say."""
    columns = {column.name: column for column in document.columns}
    missing = tuple((name, percent(columns[name].missing)) for name in document.excluded)
    rates = tuple(
        (c.name, f"{100 * c.risk_rate:.2f}", f"{c.g_sum:.4f}") for c in document.columns if c.risk_rate is not None
    )
    lists = tuple(
        _list(title, [columns[name] for name in document.roles[role] if columns[name].risk_rate is not None])
        for title, role in LISTS.items()
    )
    return (
        Section("Columns excluded because of missing values:", ("column", "missing"), missing, numbers=(1,)),
        Section("Re-identification risk rate", ("column", "risk rate %", "sum of g"), rates, numbers=(1, 2)),
        *lists,
        Section("Advice", remarks=_advice(document)),
        _moves(document),
    )


def _list(title: str, columns: Sequence[IdentifiedColumnDocument]) -> Section:
    rows = tuple((column.name, f"{100 * (column.risk_rate or 0):.2f}") for column in columns)
    return Section(title, ("column", "risk rate %"), rows, numbers=(1,)) if rows else Section(title, remarks=("None.",))


def _advice(document: IdentificationDocument) -> tuple[str, ...]:
    rated = [column for column in document.columns if column.risk_rate is not None]
    order = f": {', '.join(column.name for column in rated)}." if rated else "."
    quasi = [column.name for column in rated if column.role == "quasi"]
    which = f" ({', '.join(quasi)})" if quasi else ""
    return (
        "De-identify the columns in descending order of their re-identification risk rates, from the highest to the "
        f"lowest{order}",
        f"Then go on to the dimension of quasi-identifiers{which}: how many of them, in this order, need it.",
        f"Method: g-distinct (Mansour), alpha {100 * document.alpha:g} %, beta {100 * document.beta:g} %. "
        "Read it with caution: it sees how rare values are, and not what they mean.",
    )


def _moves(document: IdentificationDocument) -> Section:
    """How many columns each threshold would call what, if it were moved to where a column changes its class."""
    moves = document.moves or ()
    rows = tuple(
        (m.threshold, f"{100 * m.value:.2f}", named(m.columns), *map(number, (m.sensitive, m.quasi, m.non_sensitive)))
        for m in moves[:MOVES]
    )
    left = (f"{len(moves) - MOVES} more, with --json.",) if len(moves) > MOVES else ()
    told = (
        "A column is a quasi-identifier with alpha from its rate on, and sensitive with a lower one; with beta up to "
        "its rate, and non-sensitive with a higher one. The other threshold stays.",
    )
    return Section(
        "What changes as alpha and beta move",
        ("threshold", "at %", "columns that change there", "SA", "QI", "NSA"),
        rows,
        (*told, *left) if rows else (),
        numbers=(1, 3, 4, 5),
    )
