"""What the columns of a table, or of many, seem to be, as a sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sfumato.show.documents.identification import IdentificationDocument, IdentifiedColumnDocument
from sfumato.show.sheet import NAMED, Section, Sheet, counted, number, percent
from sfumato.show.sheets.column_groups import ColumnGroup, column_groups
from sfumato.show.sheets.decided_columns import column_option
from sfumato.show.sheets.quasi_identifier_sets import BOUNDS, for_recipient, scored
from sfumato.show.sheets.risk_rates import risk_rate_sections

SHOWN = 10  # combinations
# Lines of a table with more columns than these, so that all of it is two screens: every column has its own where
# `every_column` asks for it.
LINES = 40
OPEN = 20  # of them for undecided columns
STATISTICS = ("risk-rate", "seen-once-influence", "separation")  # numbers, that decide nothing
NOT_RELEASED = "An undecided column is not released: that nothing is known of it does not make it harmless."
DECIDING = 3  # findings that are named as the reason
CONTRARY = 0.4  # weight of a finding for another role that is named as well
# From which number on a proposal is called so; what is high can be confirmed together. A plain name alone (0.9) is
# high, a name of which some words are not understood (0.65) middle, two weak findings that disagree (0.5 each, so
# 0.375) low.
SURE = ((0.8, "high"), (0.4, "middle"), (0.01, "low"), (-1, "-"))
SHORT = {"undecided": "undecided", "direct": "DID", "quasi": "QI", "sensitive": "SA", "non-sensitive": "NSA"}


def identification_sheet(document: IdentificationDocument, *, every_column: bool = False) -> Sheet:
    """The undecided columns, the proposed roles, the evidence, what to look at first, of an identification.

    A table of more than `LINES` columns is shown on two screens, columns that are alike on one line; with
    `every_column` each has its own.
    """
    lines = len(document.columns) if every_column else LINES
    parts = _by_rate(document) if document.method == "risk-rate" else _by_evidence(document, lines)
    return Sheet(
        title=f"Columns of {document.source}",
        verdict=_verdict(document),
        sections=tuple(section for section in parts if section.rows or section.remarks),
    )


def _share(share: float | None) -> str:
    return "" if share is None else percent(share)


def _verdict(document: IdentificationDocument) -> str:
    roles = document.roles
    counts = ", ".join(f"{len(roles[role])} {role}" for role in SHORT if roles[role])
    size = f"{counted(document.records, 'record')}, {counted(len(document.columns), 'column')}"
    return f"{size}: {counts}." if counts else f"{size}."


def _by_rate(document: IdentificationDocument) -> tuple[Section, ...]:
    return (*risk_rate_sections(document), notes(document.notes))


def _by_evidence(document: IdentificationDocument, lines: int) -> tuple[Section, ...]:
    wide = len(document.columns) > lines
    return (
        undecided_columns(document, OPEN if wide else lines),
        _roles(document, lines),
        _confirmable(document, NAMED if wide else lines),
        # The statistics decide nothing: of a wide table they are left to who asks for them.
        Section("") if wide else _methods(document),
        _first(document, SHOWN if wide else lines),
        _combinations(document),
        for_recipient(document),
        notes(document.notes),
    )


def undecided_columns(document: IdentificationDocument, lines: int) -> Section:
    """The columns that nothing decides, and what would."""
    columns = [column for column in document.columns if column.role == "undecided"]
    groups = _groups(document, columns, lines)
    rows = tuple(
        (group.title, _because(group), group.columns[0].would_decide or "", _missing(group)) for group in groups
    )
    return Section(
        "Undecided: you decide",
        ("column", "what is known", "what would decide", "missing"),
        rows,
        (f"{NOT_RELEASED} You decide by --direct, --quasi, --sensitive or --non-sensitive COLUMN.",) * bool(rows),
        numbers=(3,),
    )


def _roles(document: IdentificationDocument, lines: int) -> Section:
    columns = [column for column in document.columns if column.role != "undecided"]
    groups = _groups(document, columns, lines)
    rows = tuple(
        (group.title, group.columns[0].role, _levels(group), _because(group), _risk(group), _missing(group))
        for group in groups
    )
    shared = (f"{len(columns)} columns on {len(rows)} lines: --every-column lists each.",)
    return Section(
        "Proposed roles",
        ("column", "role", "sure", "because", "share of risk", "missing"),
        rows,
        (
            *shared * (len(rows) < len(columns)),
            "The last word is yours: roles are proposals until you confirm them.",
            "Share of risk: how much of the average re-identification risk goes when the column is left out.",
        ),
        numbers=(4, 5),
    )


def _groups(
    document: IdentificationDocument, columns: Sequence[IdentifiedColumnDocument], lines: int
) -> tuple[ColumnGroup, ...]:
    def reason(column: IdentifiedColumnDocument) -> str:
        return column_reasons(column)[0]

    return column_groups(columns, document.families, reason=reason, level=_who, most=lines)


def _levels(group: ColumnGroup) -> str:
    """How sure the columns of a line are: one word, or the lowest and the highest."""
    words = {_who(column): column.sure for column in sorted(group.columns, key=lambda column: column.sure)}
    lowest, *_, highest = (*words, *words)
    return lowest if len(words) == 1 else f"{lowest} to {highest}"


def _because(group: ColumnGroup) -> str:
    """The reasons of a column; of several, the reason that most of them have."""
    if len(group.columns) == 1:
        return " ".join(column_reasons(group.columns[0]))
    return Counter(column_reasons(column)[0] for column in group.columns).most_common(1)[0][0]


def _risk(group: ColumnGroup) -> str:
    return _share(group.columns[0].influence) if len(group.columns) == 1 else ""


def _missing(group: ColumnGroup) -> str:
    most = percent(max(column.missing for column in group.columns))
    return most if len({column.missing for column in group.columns}) == 1 else f"up to {most}"


def _confirmable(document: IdentificationDocument, most: int) -> Section:
    """What is so sure that it can be confirmed together, as options."""
    options = [f"--{role} {column_option(names, most)}" for role, names in document.confirmable.items() if names]
    number = sum(map(len, document.confirmable.values()))
    if not options:
        return Section("")
    return Section(
        "Sure, and to be confirmed together",
        remarks=(
            f"{counted(number, 'column')}: {' '.join(options)}",
            "As options of what follows; or `sfumato confirm --sure high` writes them into sfumato.yaml as decided.",
        ),
    )


def _who(column: IdentifiedColumnDocument) -> str:
    if column.decided:
        return "decided"
    return sure_word(column.sure)


def sure_word(sure: float) -> str:
    """How sure a proposal is, in a word."""
    return next(word for bound, word in SURE if sure >= bound)


def column_reasons(column: IdentifiedColumnDocument) -> list[str]:
    """What decided, the weightiest first; what speaks against it; and whether the column had better be left out."""
    heavy = sorted((f for f in column.evidence if f.method not in STATISTICS), key=lambda finding: -finding.weight)
    drop = [f"Leave out? {f.sentence}" for f in heavy if f.verdict == "drop"]
    telling = [f for f in heavy if f.verdict != "drop" and (f.weight > 0 or f.verdict is None)]
    speaking = [f.sentence for f in telling if column.decided or f.verdict in (column.role, None)]
    against = [f"But: {f.sentence}" for f in telling if f.sentence not in speaking and f.weight >= CONTRARY]
    if column.role == "undecided":
        speaking, against = [f.sentence for f in telling], []
    return [*speaking[:DECIDING], *against[:1], *drop] or ["Nothing is known of it."]


def _methods(document: IdentificationDocument) -> Section:
    rows: list[tuple[str, ...]] = []
    for column in document.columns:
        by_method = {finding.method: finding for finding in column.evidence}
        rate, separation = by_method.get("risk-rate"), by_method.get("separation")
        rows.append((
            column.name,
            "" if column.risk_rate is None else f"{100 * column.risk_rate:.2f}",
            (rate.verdict if rate else None) or "",
            f"{column.values_seen_once:.4f}",
            number(column.unique_records),
            *scored(column),
            f"{separation.number:.4f}" if separation else "",
        ))  # fmt: skip
    if len(document.ranking) > 1:
        rows.append(_together(document))
    return Section(
        "What each method says",
        (
            "column",
            "risk rate %",
            "(Mansour)",
            "values seen once",
            "unique records",
            "influence",
            "score",
            *BOUNDS,
            "separation",
        ),
        tuple(rows),
        (
            "Risk rate: g-distinct, the mean of 1/frequency of a column's values. Values seen once: per record.",
            "Unique records: nobody else has the same value; in the last line, the same values on those columns.",
            "Score: values seen once + influence. "
            "The two methods draw opposite conclusions from high numbers; they are shown, and decide nothing.",
        ),
        numbers=(1, 3, 4, 5, 6, 10),
    )


def _together(document: IdentificationDocument) -> tuple[str, ...]:
    """The line of all columns whose classes were counted together."""
    scope = {each.name for each in document.ranking}
    which = "quasi-identifiers" if scope == set(document.roles["quasi"]) else "scored"
    blank = ("",) * (3 + len(BOUNDS))
    return (f"all {len(document.ranking)} {which}", "", "", "", number(document.ranking[0].now.unique_records), *blank)


def _first(document: IdentificationDocument, lines: int) -> Section:
    rows = tuple(
        (
            str(i), r.name, _share(r.share_of_risk), number(r.now.unique_records),
            number(r.without.unique_records),
            number(r.coarser.unique_records) if r.coarser else "", r.coarser.how if r.coarser else "",
        )
        for i, r in enumerate(document.ranking[:lines], 1)
    )  # fmt: skip
    return Section(
        "Which column first",
        ("", "column", "share of risk", "unique records", "without it", "coarser", "read as"),
        rows,
        ("Unique records: nobody else has the same values on the quasi-identifiers.",) if rows else (),
        numbers=(0, 2, 3, 4, 5),
    )


def _combinations(document: IdentificationDocument) -> Section:
    title, combinations = "Which columns identify together", document.combinations
    if combinations is None or not combinations.found:
        return Section(title)
    rows = tuple(
        (" + ".join(c.columns), number(c.unique_records), f"{c.distinction:.4f}", f"{c.separation:.4f}")
        for c in combinations.found[:SHOWN]
    )
    examined = f"{combinations.examined} of {combinations.possible} combinations were looked at."
    return Section(
        title, ("columns", "unique records", "distinction", "separation"), rows, (examined,), numbers=(1, 2, 3)
    )


def notes(said: Sequence[str]) -> Section:
    """What else a person should know."""
    return Section("Notes", remarks=tuple(said))
