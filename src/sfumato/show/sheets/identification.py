"""What the columns of a table, or of many, seem to be, as a sheet."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.show.documents.identification import (
    IdentificationDocument,
    IdentificationsDocument,
    IdentifiedColumnDocument,
    IdentifiedTableDocument,
)
from sfumato.show.sheet import Section, Sheet, counted, number, percent

MARKS = (0.25, 0.5, 0.75)  # the thresholds of the three grades of a recipient
BOUNDS = tuple(f">={mark:g}" for mark in MARKS)
SHOWN = 10  # combinations
# From which number on a proposal is called so: chosen, not measured. A plain name alone (0.9) is high, a name of which
# some words are not understood (0.65) middle, two weak findings that disagree (0.5 each, so 0.375) low.
SURE = ((0.75, "high"), (0.4, "middle"), (0.01, "low"), (-1, "-"))
LISTS = {"Sensitive attributes": "sensitive", "Quasi-identifiers": "quasi", "Non-sensitive attributes": "non-sensitive"}
SHORT = {"undecided": "undecided", "direct": "DID", "quasi": "QI", "sensitive": "SA", "non-sensitive": "NSA"}


def identification_sheet(document: IdentificationDocument) -> Sheet:
    """The proposed roles, the evidence, what to look at first, from the document of an identification."""
    parts = _by_risk_rate(document) if document.method == "risk-rate" else _by_evidence(document)
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


def _by_evidence(document: IdentificationDocument) -> tuple[Section, ...]:
    return (
        _roles(document),
        _methods(document),
        _first(document),
        _combinations(document),
        _recipient(document),
        _notes(document.notes),
    )


def _roles(document: IdentificationDocument) -> Section:
    rows = tuple(
        (c.name, c.role, _who(c), " ".join(_reasons(c)), _share(c.influence), _share(c.missing))
        for c in document.columns
    )
    return Section(
        "Proposed roles",
        ("column", "role", "sure", "because", "share of risk", "missing"),
        rows,
        (
            "The last word is yours: roles are proposals until you confirm them.",
            "Share of risk: how much of the average re-identification risk goes when the column is left out.",
        ),
        numbers=(4, 5),
    )


def _who(column: IdentifiedColumnDocument) -> str:
    if column.decided:
        return "decided"
    return next(word for bound, word in SURE if column.sure >= bound)


def _reasons(column: IdentifiedColumnDocument) -> list[str]:
    statistics = ("risk-rate", "uniqueness-influence", "separation")
    telling = [finding for finding in column.evidence if finding.method not in statistics]
    reasons = [f"Leave out? {f.sentence}" if f.verdict == "drop" else f.sentence for f in telling]
    return reasons or ["Nothing is known of it: look at it."]


def _methods(document: IdentificationDocument) -> Section:
    rows = []
    for column in document.columns:
        by_method = {finding.method: finding for finding in column.evidence}
        rate, separation = by_method.get("risk-rate"), by_method.get("separation")
        rows.append((
            column.name,
            "" if column.risk_rate is None else f"{column.risk_rate:.2f}",
            (rate.verdict if rate else None) or "",
            f"{column.uniqueness:.4f}",
            *_scored(column),
            f"{separation.number:.4f}" if separation else "",
        ))  # fmt: skip
    return Section(
        "What each method says",
        (
            "column",
            "g-distinct %",
            "(Mansour)",
            "values seen once",
            "influence",
            "score",
            *BOUNDS,
            "separation",
        ),
        tuple(rows),
        (
            "g-distinct: the mean of 1/frequency of a column's values. Score: values seen once per record + influence.",
            "The two methods draw opposite conclusions from high numbers; they are shown, and decide nothing.",
        ),
        numbers=(1, 3, 4, 5, 9),
    )


def _scored(column: IdentifiedColumnDocument) -> tuple[str, ...]:
    """Influence, score, and a mark for each bound that the score reaches."""
    if column.score is None:
        return ("", "", "", "", "")
    marks = ("x" if round(column.score, 12) >= mark else "" for mark in MARKS)
    return (f"{column.influence:.4f}", f"{column.score:.4f}", *marks)


def _first(document: IdentificationDocument) -> Section:
    rows = tuple(
        (
            str(i), r.name, _share(r.share_of_risk), number(r.now.unique_records),
            number(r.without.unique_records),
            number(r.coarser.unique_records) if r.coarser else "", r.coarser.how if r.coarser else "",
        )
        for i, r in enumerate(document.ranking, 1)
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


def _recipient(document: IdentificationDocument) -> Section:
    recipient = document.recipient
    if recipient is None:
        return Section("")
    return Section(
        "For this recipient",
        remarks=(
            f"Grade {recipient.grade}, threshold {recipient.threshold:g}: final quasi-identifiers "
            f"{', '.join(document.selected or ()) or 'none'}.",
        ),
    )


def _by_risk_rate(document: IdentificationDocument) -> tuple[Section, ...]:
    columns = {column.name: column for column in document.columns}
    missing = tuple((name, percent(columns[name].missing)) for name in document.excluded)
    rates = tuple((c.name, f"{c.risk_rate:.2f}") for c in document.columns if c.risk_rate is not None)
    lists = tuple(
        _list(title, [columns[name] for name in document.roles[role] if columns[name].risk_rate is not None])
        for title, role in LISTS.items()
    )
    return (
        Section("Columns excluded because of missing values:", ("column", "missing"), missing, numbers=(1,)),
        Section("Re-identification risk rate", ("column", "risk rate %"), rates, numbers=(1,)),
        *lists,
        Section("Advice", remarks=_advice(document)),
        _notes(document.notes),
    )


def _list(title: str, columns: Sequence[IdentifiedColumnDocument]) -> Section:
    rows = tuple((column.name, f"{column.risk_rate:.2f}") for column in columns)
    return Section(title, ("column", "risk rate %"), rows, numbers=(1,)) if rows else Section(title, remarks=("None.",))


def _advice(document: IdentificationDocument) -> tuple[str, ...]:
    order = [c.name for c in document.columns if c.role == "quasi" and c.risk_rate is not None]
    first = f": {', '.join(order)}." if order else "."
    return (
        f"De-identify the quasi-identifiers in descending order of their risk rate{first}",
        "Then go on to the dimension of quasi-identifiers: how many of them, in this order, need it.",
        f"Method: g-distinct (Mansour), alpha {document.alpha:g} %, beta {document.beta:g} %. "
        "Read it with caution: it sees how rare values are, and not what they mean.",
    )


def _notes(notes: Sequence[str]) -> Section:
    """What else a person should know."""
    return Section("Notes", remarks=tuple(notes))


def identifications_sheet(document: IdentificationsDocument) -> Sheet:
    """The roles of many tables, counted by table, and every primary quasi-identifier with its score."""
    sections = (_failures(document), _counts(document), _primary(document.tables), _notes(document.notes))
    return Sheet(
        title=f"Tables of {document.source}",
        verdict=(
            f"{counted(document.totals['tables'], 'table')}, {counted(document.totals['columns'], 'column')}"
            + (f"; {counted(len(document.failures), 'table')} could not be read." if document.failures else ".")
        ),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _counts(document: IdentificationsDocument) -> Section:
    rows = [(t.name, *(str(t.counts[role]) for role in SHORT), str(sum(t.counts.values()))) for t in document.tables]
    totals = document.totals
    rows.append(("total", *(str(totals[role]) for role in SHORT), str(totals["columns"])))
    return Section(
        "Columns by role",
        ("table", *SHORT.values(), "columns"),
        tuple(rows),
        ("DID direct identifier, QI quasi-identifier, SA sensitive attribute, NSA non-sensitive attribute.",),
        numbers=(1, 2, 3, 4, 5, 6),
    )


def _primary(tables: Sequence[IdentifiedTableDocument]) -> Section:
    rows = tuple(
        (table.name, column.name, f"{column.uniqueness:.4f}", *_scored(column))
        for table in tables
        for column in sorted(table.identification.columns, key=lambda c: -(c.score or 0))
        if column.score is not None
    )
    return Section(
        "Primary quasi-identifiers",
        ("table", "column", "uniqueness", "influence", "sum", *BOUNDS),
        rows,
        numbers=(2, 3, 4),
    )


def _failures(document: IdentificationsDocument) -> Section:
    rows = tuple((failure.name, failure.problem) for failure in document.failures)
    return Section("Not read", ("table", "what is wrong"), rows)
