"""The context of a release: why, for whom and under which controls, and where that puts it."""

from __future__ import annotations

from sfumato.project.context import risk_benefit
from sfumato.project.recipient.recipient import Recipient
from sfumato.proof.report.context_page import matrix_chart
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.evidence import ReportEvidence

LAST = "What this is"  # the end of the sheet is the end of the report


def context_part(evidence: ReportEvidence, *, draw: bool = True) -> Part:
    """Five Safes, impact assessment, benefit and matrix; the recipient where questions about them were answered."""
    context = evidence.context
    sheet = context.sheet()
    blocks = [Block(section) for section in sheet.sections if section.title != LAST]
    charts = (matrix_chart(context),) if draw else ()
    told = (explained("risk-benefit matrix", risk_benefit),)
    blocks = [Block(b.section, charts, told) if b.section.title == "Risk-benefit matrix" else b for b in blocks]
    words = (
        "Who wants the data, what for, and what keeps people safe beside the data themselves. A risk is a risk in a "
        "context: the same table is one thing in a locked room and another on the web.",
        sheet.verdict,
        _silence(context.unanswered, context.questions),
        *context.notes,
    )
    return Part("context", "Context", words, (*blocks, *_recipient(evidence.recipient)))


def _silence(unanswered: int, questions: int) -> str:
    if not unanswered:
        return "Every question is answered. An answer is what somebody says, not what was checked."
    return f"{unanswered} of {questions} questions are unanswered: that counts neither as yes nor as no."


def _recipient(recipient: Recipient | None) -> tuple[Block, ...]:
    if recipient is None:
        return ()
    first, *others = recipient.sheet().sections
    told = explained("grade of the recipient", Recipient, bounds="each score from 0 to 10")
    return (Block(first, explained=(told,)), *(Block(section) for section in others))
