"""The context of a release as a sheet: what was answered, what was not, and what follows."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.show.documents.context import (
    BenefitDocument,
    BenefitsDocument,
    ChecklistDocument,
    ContextDocument,
    MatrixDocument,
)
from sfumato.show.sheet import Section, Sheet, counted

UNANSWERED = "unanswered"
HERE = "[here]"


def context_sheet(document: ContextDocument) -> Sheet:
    """The Five Safes, the impact assessment, the benefits and the matrix, from the document of a context."""
    matrix = document.matrix
    risk, benefit = (axis.level or UNANSWERED for axis in (matrix.risk, matrix.benefit))
    area = f": {matrix.area}" if matrix.area else ""
    answered = document.questions - document.unanswered
    return Sheet(
        "Context of the release",
        f"Risk {risk}, benefit {benefit}{area}. {answered} of {document.questions} questions are answered.",
        (
            _about(document),
            _matrix(matrix),
            _overview(document.five_safes),
            *(_checklist(section) for section in document.five_safes),
            _checklist(document.impact_assessment, (document.impact_assessment.sentence,)),
            _benefits(document.benefits),
            Section("What this is", remarks=(_silence(document.unanswered), *document.notes, document.reminder)),
        ),
    )


def _about(document: ContextDocument) -> Section:
    answers = {"purpose": document.purpose, "release": document.release, "grade": document.grade}
    rows = tuple((name, answer or UNANSWERED) for name, answer in answers.items())
    said = {"handed to": document.handed_to, "controller": document.controller, "officer": document.officer,
            "legal basis": document.legal_basis, "preset": document.preset}  # fmt: skip
    more = tuple((name, answer) for name, answer in said.items() if answer)
    return Section("The release", ("what", "answer"), (*rows, *more))


def _matrix(matrix: MatrixDocument) -> Section:
    """The matrix in words, highest risk first, with a mark where the release stands."""
    cells = {(cell.risk, cell.benefit): cell.area for cell in matrix.areas}
    levels = list(dict.fromkeys(benefit for _, benefit in cells))
    place = matrix.risk.level, matrix.benefit.level
    rows = tuple(
        (risk, *(cells[risk, benefit] + (f" {HERE}" if (risk, benefit) == place else "") for benefit in levels))
        for risk in reversed(levels)
    )
    sides = {"Risk": matrix.risk, "Benefit": matrix.benefit}
    remarks = [f"{side}: {why}" for side, axis in sides.items() for why in axis.why]
    head = ("risk", *(f"{level} benefit" for level in levels))
    return Section("Risk-benefit matrix", head, rows, (matrix.sentence, *remarks))


def _overview(sections: Sequence[ChecklistDocument]) -> Section:
    rows = tuple((s.title, str(s.yes), str(s.partly), str(s.no), str(s.unanswered)) for s in sections)
    return Section("Five Safes", ("section", "yes", "partly", "no", UNANSWERED), rows, numbers=(1, 2, 3, 4))


def _checklist(section: ChecklistDocument, remarks: tuple[str, ...] = ()) -> Section:
    rows = tuple((c.key, c.answer, c.question, c.why) for c in section.controls)
    head = ("control", "answer", "question", "why it matters")
    return Section(section.title, head, rows, (*remarks, section.about))


def _benefits(benefits: BenefitsDocument) -> Section:
    head = ("column", "released", "needed", "likelihood", "benefit", "form", "for whom", "effect on people")
    rows = tuple(
        (
            c.column,
            "yes" if c.released else "no",
            *_answers(c),
            *(words or "-" for words in (c.form, c.recipients, c.effect)),
        )
        for c in benefits.columns
    )
    return Section("Benefit of each column", head, rows, tuple(_on_columns(benefits)))


def _answers(column: BenefitDocument) -> tuple[str, str, str]:
    """Need, likelihood and level; of a column that is not released nothing is asked."""
    if not column.released and column.need == UNANSWERED:
        return "-", "-", "-"
    level = column.level or ("none" if column.need == "none" else UNANSWERED)
    return column.need, column.likelihood, level


def _on_columns(benefits: BenefitsDocument) -> list[str]:
    remarks = []
    if benefits.irrelevant:
        remarks.append(f"Remove what the purpose does not need: {', '.join(benefits.irrelevant)}.")
    if benefits.unanswered:
        remarks.append(f"Nobody has said what these are needed for: {', '.join(benefits.unanswered)}.")
    return remarks or ["The purpose needs every column that is released, as somebody has said."]


def _silence(unanswered: int) -> str:
    if not unanswered:
        return "Every question is answered. An answer is what somebody says, not what was checked."
    return f"{counted(unanswered, 'question')} unanswered: that counts neither as yes nor as no."
