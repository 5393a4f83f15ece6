"""The assessment as a sheet: what a data protection officer reads first."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.show.documents.assessment import AssessmentDocument, ReadingDocument
from sfumato.show.sheet import Section, Sheet, State, but_open, counted, number, open_section, percent
from sfumato.show.sheets.everything_released import everything_section


def assessment_sheet(document: AssessmentDocument) -> Sheet:
    """The readings, the risk ladder and what else is worth knowing, from the assessment's document."""
    return Sheet(
        title=f"Assessment of {document.source}",
        verdict=_verdict(document),
        sections=tuple(
            section
            for section in (
                open_section(document.open),
                _what(document),
                _readings("Readings", document.readings, document),
                _ladder(document),
                _overlap(document),
                _missing(document),
                everything_section(document.everything),
                _readings("Also read, not required", document.alongside, document),
                _notes(document),
            )
            if section.rows or section.remarks
        ),
        state=State(document.verdict) if document.verdict else None,
    )


def _verdict(document: AssessmentDocument) -> str:
    if document.met is None:
        return "Nothing was required: these are readings, not a verdict."
    if document.met:
        return f"Every requirement is met{but_open(document.open)}."
    broken = [r for r in document.readings if r.met is False]
    return (
        f"Not met: {len(broken)} of {len(document.readings)} requirements; "
        f"{number(document.overlap['any'])} of {counted(document.records, 'record')} at risk."
    )


def _what(document: AssessmentDocument) -> Section:
    subjects = document.subjects
    people = f", {counted(subjects, 'subject')} ({document.subject})" if subjects is not None else ""
    return Section(
        "What was assessed",
        remarks=(
            f"{counted(document.records, 'record')}{people}.",
            f"Quasi-identifiers: {_named(document, document.quasi_identifiers)}.",
            *([f"Sensitive: {_named(document, document.sensitive)}."] if document.sensitive else []),
        ),
    )


def _named(document: AssessmentDocument, names: Sequence[str]) -> str:
    """Columns by name, each with what it was read as."""
    kinds = {column.name: f" ({column.type})" for column in document.columns}
    return ", ".join(f"{name}{kinds.get(name, '')}" for name in names)


def _readings(title: str, readings: Sequence[ReadingDocument], document: AssessmentDocument) -> Section:
    rows = tuple(
        (
            r.measure,
            r.sensitive or "",
            "infinite" if (r.note or "").startswith("infinite") else number(r.value),
            number(r.bound),
            {True: "yes", False: "NO", None: ""}[r.met],
            number(r.flagged) if r.bound is not None else "",
            percent(r.flagged / document.records) if r.bound is not None else "",
            r.means,
        )
        for r in readings
    )
    lacking = {r.sensitive: r.left_out for r in readings if r.left_out}
    left_out = tuple(
        f"{counted(n, 'record')} without a value of {column}: left out of its distribution, and no distinct value."
        for column, n in lacking.items()
    )
    columns = ("measure", "sensitive", "value", "bound", "met", "flagged", "share", "what it says")
    return Section(title, columns, rows, left_out, numbers=(2, 3, 5, 6))


def _ladder(document: AssessmentDocument) -> Section:
    sizes = document.classes
    rows = tuple(
        (f"fewer than {step.below}", f"above {step.risk}", number(step.classes), number(step.records),
         percent(step.share))
        for step in sizes.ladder
    )  # fmt: skip
    small = (
        f"{counted(step.records, 'record')} in classes of {step.size}: a risk of {step.risk:.0%} each."
        for step in sizes.small
    )
    classes = "1 class" if sizes.count == 1 else f"{number(sizes.count)} classes"
    summary = (
        f"{classes}: smallest {number(sizes.smallest)}, 5th percentile "
        f"{number(sizes.fifth_percentile)}, median {number(sizes.median)}, average "
        f"{number(round(sizes.average, 2))}; {number(sizes.singletons)} of them with one member. "
        f"Maximum risk {number(sizes.maximum_risk)}, average risk {number(sizes.average_risk)}."
    )
    columns = ("class size", "risk", "classes", "records", "share")
    return Section("Risk ladder", columns, rows, (*small, summary), numbers=(2, 3, 4))


def _overlap(document: AssessmentDocument) -> Section:
    overlap = document.overlap
    if not overlap["any"]:
        return Section("Who is flagged by what")
    rows = tuple((kind, number(records), percent(records / document.records)) for kind, records in overlap.items())
    return Section("Who is flagged by what", ("flagged by", "records", "share"), rows, numbers=(1, 2))


def _missing(document: AssessmentDocument) -> Section:
    by_reading = document.k_by_missing_values
    if len(set(by_reading.values())) == 1:
        return Section("Missing quasi-identifiers")
    rows = tuple((reading, number(k)) for reading, k in by_reading.items())
    remark = f"This assessment reads them as {document.missing_values}."
    return Section("Missing quasi-identifiers", ("read as", "k"), rows, (remark,), numbers=(1,))


def _notes(document: AssessmentDocument) -> Section:
    homogeneous = tuple(
        f"{counted(records, 'record')} in classes where everybody has the same {column}: "
        f"who finds the class knows the value."
        for column, records in document.homogeneous.items()
        if records
    )
    return Section("Notes", remarks=(*homogeneous, *document.notes, document.reminder))
