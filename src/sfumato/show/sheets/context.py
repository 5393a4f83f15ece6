"""The context of a release as a sheet: what was answered, what was not, and what follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sfumato.show.documents.context import (
    BenefitDocument,
    BenefitsDocument,
    ChecklistDocument,
    ContextDocument,
    ImpactDocument,
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


def answered_sections(document: ContextDocument, ask: str) -> tuple[Section, ...]:
    """The same for a report: only what was answered; questionnaires that nobody answered take one line each.

    `ask` is the command that asks the questions.
    """
    lists = (*document.five_safes, document.impact_assessment)
    matrix = document.matrix
    placed = matrix.risk.level is not None and matrix.benefit.level is not None
    safes = any(_answers_to(section) for section in document.five_safes)
    sections = (
        _about(document),
        _matrix(matrix) if placed else None,
        _overview(document.five_safes) if safes else None,
        *(_answered(section, ask) for section in lists if _answers_to(section)),
        _benefits_answered(document.benefits, ask) if _said_of_columns(document.benefits) else None,
        Section("What nobody has answered", remarks=tuple(_silent(document, ask))),
    )
    return tuple(section for section in sections if section is not None and (section.rows or section.remarks))


def _answers_to(section: ChecklistDocument) -> int:
    return section.yes + section.partly + section.no


def _said_of_columns(benefits: BenefitsDocument) -> int:
    return sum(column.need != UNANSWERED for column in benefits.columns)


def _answered(section: ChecklistDocument, ask: str) -> Section:
    """The questions that were answered, and how many were not."""
    whole = _checklist(section)
    rows = tuple(row for row in whole.rows if row[1] != UNANSWERED)
    total = len(whole.rows)
    rest = (f"{len(rows)} of {total} answered; `{ask}` asks the others.",) if len(rows) < total else ()
    follows = (section.sentence,) if isinstance(section, ImpactDocument) else ()
    return replace(whole, rows=rows, remarks=(*follows, section.about, *rest))


def _benefits_answered(benefits: BenefitsDocument, ask: str) -> Section:
    whole = _benefits(benefits)
    rows = tuple(row for row, column in zip(whole.rows, benefits.columns, strict=True) if column.need != UNANSWERED)
    released = sum(column.released for column in benefits.columns)
    silent = len(benefits.unanswered)
    count = f"{released - silent} of {counted(released, 'column')} that leave answered; `{ask}` asks the others."
    remarks = (*_needless(benefits), *((count,) if silent else ()))
    return replace(whole, rows=rows, remarks=remarks or whole.remarks)


def _silent(document: ContextDocument, ask: str) -> Iterator[str]:
    """A line for each questionnaire that nobody answered, with the command that asks it."""
    silent = [section for section in document.five_safes if not _answers_to(section)]
    if len(silent) == len(document.five_safes):
        questions = sum(len(section.controls) for section in silent)
        yield f"Five Safes: 0 of {questions} answered; `{ask}` asks them."
    else:
        yield from (f"{s.title}: 0 of {len(s.controls)} answered; `{ask}` asks them." for s in silent)
    impact = document.impact_assessment
    if not _answers_to(impact):
        yield (
            f"Impact assessment: 0 of {len(impact.controls)} criteria answered, and whether a DPIA is required cannot "
            f"be said; `{ask}` asks them."
        )
    benefits = document.benefits
    if not _said_of_columns(benefits):
        released = sum(column.released for column in benefits.columns)
        yield f"Benefit: 0 of {counted(released, 'column')} answered; `{ask}` asks them."
    if document.grade is None:
        yield "Recipient: not graded; `sfumato recipient` asks, and `context: recipient:` says the grade."
    if document.matrix.risk.level is None or document.matrix.benefit.level is None:
        sides = [f"{side} {axis.level or UNANSWERED}" for side, axis in
                 (("risk", document.matrix.risk), ("benefit", document.matrix.benefit))]  # fmt: skip
        yield f"Risk-benefit matrix: not placed ({', '.join(sides)})."


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
    remarks = _needless(benefits)
    if benefits.unanswered:
        remarks.append(f"Nobody has said what these are needed for: {', '.join(benefits.unanswered)}.")
    return remarks or ["The purpose needs every column that is released, as somebody has said."]


def _needless(benefits: BenefitsDocument) -> list[str]:
    """What the purpose does not need, and what of it stays all the same."""
    needless = f"Remove what the purpose does not need: {', '.join(benefits.irrelevant)}."
    stays = [f"Stays though the purpose does not need it: {name} ({why})." for name, why in benefits.exempted.items()]
    sealed = [f"Stays, and cannot be searched: {name} ({why})." for name, why in benefits.unsearchable.items()]
    whole = [f"Stays as it is: {name} ({why})." for name, why in benefits.as_they_are.items()]
    stricter = [f"In the place of {name} must hold: {bound}." for name, bound in benefits.instead.items()]
    return [*([needless] if benefits.irrelevant else []), *stays, *sealed, *whole, *stricter]


def _silence(unanswered: int) -> str:
    if not unanswered:
        return "Every question is answered. An answer is what somebody says, not what was checked."
    return f"{counted(unanswered, 'question')} unanswered: that counts neither as yes nor as no."
