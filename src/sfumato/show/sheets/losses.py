"""What was lost, as a sheet: the total on every model, then column by column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from sfumato.show.documents.losses import FigureDocument, LossesDocument, NotApplicableDocument, OutcomeDocument
from sfumato.show.sheet import Section, Sheet, counted, named, number, over, percent

GENERIC, CONVENTIONAL = "generic_non_uniform_entropy", "non_uniform_entropy"
LISTED = 500  # columns with a line of their own: what nobody reads on a terminal is in the JSON
NAMED_COLUMNS = 100  # of which a model says nothing
SHOWN = {  # of each column, beside what became of it
    "loss": "loss",
    "total_variation": "distribution",
    "missing_share": "missing",
}


def losses_sheet(document: LossesDocument) -> Sheet:
    """The comparison of a release with its original, from its document."""
    sections = (
        _what(document),
        _columns(document),
        _total(document),
        _not_applied(document),
        Section("Notes", remarks=tuple(document.notes)),
    )
    return Sheet(
        title=f"{document.released} compared with {document.original}",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def whole_sheet(document: LossesDocument) -> Sheet:
    """The same with every model of every column, for a page that has room."""
    sheet = losses_sheet(document)
    *first, last = sheet.sections
    names = document.quasi_identifiers
    rows = tuple(
        (model, *(_lost(document.columns[name].get(model)) for name in names))
        for model in document.total
        if any(model in document.columns[name] for name in names)
    )
    numbers = tuple(range(1, len(names) + 1))
    every_model = Section("Every model by column, lost", ("model", *names), rows, numbers=numbers)
    return replace(sheet, sections=(*first, every_model, last))


def entropy_of(outcomes: Mapping[str, OutcomeDocument]) -> OutcomeDocument | None:
    """The entropy to quote: the generic one, unless it says less of the columns than the conventional one."""
    generic, conventional = outcomes.get(GENERIC), outcomes.get(CONVENTIONAL)
    if generic is None or generic.value is None:
        return conventional
    return conventional if conventional and (generic.columns or 0) < (conventional.columns or 0) else generic


def _lost(outcome: OutcomeDocument | None) -> str:
    """A normalised value in per cent."""
    return percent(outcome.normalised if outcome else None)


def _verdict(document: LossesDocument) -> str:
    quoted = (
        (entropy_of(document.total), "information (entropy"),
        (document.total.get("loss"), "detail (loss"),
    )
    parts, columns = [], len(document.quasi_identifiers)
    for outcome, words in quoted:
        if outcome is not None and outcome.normalised is not None:
            of = f" of {outcome.columns} of {columns} columns" if (outcome.columns or 0) < columns else ""
            parts.append(f"{_lost(outcome)} of the {words}{of})")
    lost = f"Lost: {' and '.join(parts)}, {over(document.quasi_identifiers)}. " if parts else ""
    share = percent(document.suppressed / document.records)
    return f"{lost}{number(document.suppressed)} of {counted(document.records, 'record')} suppressed ({share})."


def _what(document: LossesDocument) -> Section:
    classes = document.classes
    return Section(
        "What was compared",
        remarks=(
            f"{counted(document.records, 'record')}, paired by {document.paired_by}.",
            f"{number(classes.original)} different records before, {number(classes.released)} after.",
        ),
    )


def _columns(document: LossesDocument) -> Section:
    rows = tuple(
        (name, document.changes[name].words, _lost(entropy_of(outcomes)), *(_lost(outcomes.get(m)) for m in SHOWN))
        for name, outcomes in islice(document.columns.items(), LISTED)
    )
    columns = ("column", "what became of it", "entropy", *SHOWN.values())
    remark = "Per cent of all that could be lost: 0 is the original itself, 100 is all information removed."
    more = len(document.columns) - LISTED
    rest = (f"{more} more are not listed here: --json FILE has them all.",) if more > 0 else ()
    return Section("Column by column", columns, rows, (remark, *rest), numbers=tuple(range(2, len(columns))))


def _total(document: LossesDocument) -> Section:
    rows = tuple(
        (
            name,
            number(outcome.value),
            _lost(outcome),
            "all" if outcome.columns is None else f"{outcome.columns} of {len(document.quasi_identifiers)}",
            document.models[name].better,
            document.models[name].means,
        )
        for name, outcome in document.total.items()
        if isinstance(outcome, FigureDocument) and outcome.value is not None
    )
    columns = ("model", "value", "lost", "of columns", "better", "what it says")
    return Section("The table as a whole", columns, rows, numbers=(1, 2))


def _not_applied(document: LossesDocument) -> Section:
    """Which models say nothing, where, and why."""
    columns_by_reason: dict[tuple[str, str], list[str]] = {}
    for name, outcomes in document.columns.items():
        for model, outcome in outcomes.items():
            if isinstance(outcome, NotApplicableDocument):
                columns_by_reason.setdefault((model, outcome.why_not), []).append(name)
    rows = [(model, named(names, NAMED_COLUMNS), why) for (model, why), names in columns_by_reason.items()]
    by_column = {model for model, _ in columns_by_reason}
    rows += [
        (model, "the table", outcome.why_not)
        for model, outcome in document.total.items()
        if isinstance(outcome, NotApplicableDocument) and model not in by_column
    ]
    return Section("Not applicable", ("model", "where", "why"), tuple(rows))
