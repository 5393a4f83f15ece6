"""Quasi-identifiers in three sets, as parts of sheets: primary, secondary, and final for the grade of a recipient."""

from __future__ import annotations

from sfumato.show.documents.identification import (
    IdentificationDocument,
    IdentificationsDocument,
    IdentifiedColumnDocument,
)
from sfumato.show.sheet import Section, named

MARKS = (0.25, 0.5, 0.75)  # the thresholds of the three grades of a recipient
BOUNDS = tuple(f">={mark:g}" for mark in MARKS)
BELOW = (
    "they identify by their meaning, so that they are not called harmless: with --write they are undecided, and no "
    "release is made until somebody says what each is."
)


def scored(column: IdentifiedColumnDocument) -> tuple[str, ...]:
    """Influence, score, and a mark for each bound that the score reaches."""
    if column.score is None:
        return ("", "", "", "", "")
    marks = ("x" if round(column.score, 12) >= mark else "" for mark in MARKS)
    return (f"{column.influence:.4f}", f"{column.score:.4f}", *marks)


def for_recipient(document: IdentificationDocument) -> Section:
    """The sets of one table, those of each grade, and what the grade of the recipient selects."""
    recipient, undecided = document.recipient, document.roles["undecided"]
    if recipient is None:
        return Section("")
    primary = [column.name for column in document.columns if column.quasi_identifier is not None]
    chosen = document.selected or ()
    below = [name for name in primary if name not in chosen]
    rows = (
        ("primary", "", str(len(primary)), ", ".join(primary)),
        ("secondary", "above 0", str(len(document.secondary)), ", ".join(document.secondary)),
        *(
            (f"final, grade {each.grade}", f"from {each.threshold:g}", str(len(each.columns)), ", ".join(each.columns))
            for each in document.grades
        ),
    )
    return Section(
        "For this recipient",
        ("quasi-identifiers", "score", "columns", "which"),
        rows,
        (
            f"Grade {recipient.grade}, threshold {recipient.threshold:g}: final quasi-identifiers "
            f"{', '.join(chosen) or 'none'}.",
            *(f"Below the threshold: {named(below)}; {BELOW}",) * bool(below),
            *(f"Undecided columns are not among them: decide about {named(undecided)} first.",) * bool(undecided),
        ),
        numbers=(2,),
    )


def by_grade(document: IdentificationsDocument) -> Section:
    """How many columns of each table are primary, secondary, and final for each grade; and in all."""
    rows = [
        (
            table.name, str(sum(c.quasi_identifier is not None for c in table.identification.columns)),
            str(len(table.identification.secondary)), *(str(len(each.columns)) for each in table.identification.grades),
        )
        for table in document.tables
    ]  # fmt: skip
    if not any(row[1] != "0" for row in rows):
        return Section("")
    primary = sum(int(row[1]) for row in rows)
    finals = tuple(str(each.columns) for each in document.grades)
    rows.append(("total", str(primary), str(document.totals["secondary"]), *finals))
    heads = tuple(f"{each.grade} >={each.threshold:g}" for each in document.grades)
    return Section(
        "Quasi-identifiers by the grade of the recipient",
        ("table", "primary", "secondary", *heads),
        tuple(rows),
        _graded(document),
        numbers=(1, 2, 3, 4, 5),
    )


def _graded(document: IdentificationsDocument) -> tuple[str, ...]:
    recipient = document.recipient
    if recipient is None:
        return ("`sfumato recipient` grades who receives the data; --recipient FILE selects by that grade.",)
    final = next(each.columns for each in document.grades if each.grade == recipient.grade)
    return (
        f"Grade {recipient.grade}, threshold {recipient.threshold:g}: {final} final quasi-identifiers in all.",
        f"The others: {BELOW}",
    )
