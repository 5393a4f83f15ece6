"""What the columns of a table, or of many, seem to be, as a sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sfumato.show.documents.identification import (
    IdentificationDocument,
    IdentificationsDocument,
    IdentifiedColumnDocument,
    IdentifiedTableDocument,
)
from sfumato.show.sheet import NAMED, Section, Sheet, counted, named, number, percent
from sfumato.show.sheets.column_groups import ColumnGroup, column_groups
from sfumato.show.sheets.decided_columns import column_option

MARKS = (0.25, 0.5, 0.75)  # the thresholds of the three grades of a recipient
BOUNDS = tuple(f">={mark:g}" for mark in MARKS)
SHOWN = 10  # combinations
# Lines of a table with more columns than these, so that all of it is two screens: every column has its own where
# `every_column` asks for it.
LINES = 40
OPEN = 20  # of them for undecided columns
STATISTICS = ("risk-rate", "uniqueness-influence", "separation")  # numbers, that decide nothing
NOT_RELEASED = "An undecided column is not released: that nothing is known of it does not make it harmless."
DECIDING = 3  # findings that are named as the reason
CONTRARY = 0.4  # weight of a finding for another role that is named as well
# From which number on a proposal is called so; what is high can be confirmed together. A plain name alone (0.9) is
# high, a name of which some words are not understood (0.65) middle, two weak findings that disagree (0.5 each, so
# 0.375) low.
SURE = ((0.8, "high"), (0.4, "middle"), (0.01, "low"), (-1, "-"))
LISTS = {"Sensitive attributes": "sensitive", "Quasi-identifiers": "quasi", "Non-sensitive attributes": "non-sensitive"}
SHORT = {"undecided": "undecided", "direct": "DID", "quasi": "QI", "sensitive": "SA", "non-sensitive": "NSA"}


def identification_sheet(document: IdentificationDocument, *, every_column: bool = False) -> Sheet:
    """The undecided columns, the proposed roles, the evidence, what to look at first, of an identification.

    A table of more than `LINES` columns is shown on two screens, columns that are alike on one line; with
    `every_column` each has its own.
    """
    lines = len(document.columns) if every_column else LINES
    parts = _by_risk_rate(document) if document.method == "risk-rate" else _by_evidence(document, lines)
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


def _by_evidence(document: IdentificationDocument, lines: int) -> tuple[Section, ...]:
    wide = len(document.columns) > lines
    return (
        _undecided(document, OPEN if wide else lines),
        _roles(document, lines),
        _confirmable(document, NAMED if wide else lines),
        # The statistics decide nothing: of a wide table they are left to who asks for them.
        Section("") if wide else _methods(document),
        _first(document, SHOWN if wide else lines),
        _combinations(document),
        _recipient(document),
        _notes(document.notes),
    )


def _undecided(document: IdentificationDocument, lines: int) -> Section:
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


def _recipient(document: IdentificationDocument) -> Section:
    recipient, undecided = document.recipient, document.roles["undecided"]
    if recipient is None:
        return Section("")
    return Section(
        "For this recipient",
        remarks=(
            f"Grade {recipient.grade}, threshold {recipient.threshold:g}: final quasi-identifiers "
            f"{', '.join(document.selected or ()) or 'none'}.",
            *(f"Undecided columns are not among them: decide about {named(undecided)} first.",) * bool(undecided),
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


def identifications_sheet(document: IdentificationsDocument, *, every_column: bool = False) -> Sheet:
    """The roles of many tables, counted by table, and every primary quasi-identifier with its score."""
    sections = (
        _failures(document),
        _undecided_in(document.tables, every_column=every_column),
        _counts(document),
        _primary(document.tables),
        _notes(document.notes),
    )
    return Sheet(
        title=f"Tables of {document.source}",
        verdict=(
            f"{counted(document.totals['tables'], 'table')}, {counted(document.totals['columns'], 'column')}"
            + (f"; {counted(len(document.failures), 'table')} could not be read." if document.failures else ".")
        ),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _undecided_in(tables: Sequence[IdentifiedTableDocument], *, every_column: bool) -> Section:
    """The columns of each table that nothing decides, and what would."""
    sections = {
        table.name: _undecided(table.identification, len(table.identification.columns) if every_column else OPEN)
        for table in tables
    }
    rows = tuple((name, *row) for name, section in sections.items() for row in section.rows)
    if not rows:
        return Section("")
    one = next(section for section in sections.values() if section.rows)
    return Section(one.title, ("table", *one.columns), rows, one.remarks, numbers=(4,))


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
