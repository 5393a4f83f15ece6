"""The context of a release: why, for whom and under which controls, and where that puts it."""

from __future__ import annotations

import shlex
from pathlib import Path

from sfumato.project.context import risk_benefit
from sfumato.project.file import Project
from sfumato.project.recipient.recipient import Recipient
from sfumato.proof.report.context_page import matrix_chart
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.show.sheets.context import answered_sections

MATRIX = "Risk-benefit matrix"


def context_part(evidence: ReportEvidence, *, draw: bool = True) -> Part:
    """What was answered of Five Safes, impact assessment, benefit and recipient; what was not, a line each."""
    context = evidence.context
    charts = (matrix_chart(context),) if draw else ()
    told = (explained("risk-benefit matrix", risk_benefit),)
    sections = answered_sections(context.content(), _command(evidence.project))
    blocks = [Block(s, charts, told) if s.title == MATRIX else Block(s) for s in sections]
    verdict = context.sheet().verdict
    words = (
        "Who wants the data, what for, and what keeps people safe beside the data themselves. A risk is a risk in a "
        "context: the same table is one thing in a locked room and another on the web.",
        verdict,
        _silence(context.unanswered, context.questions),
        *context.notes,
    )
    return Part("context", "Context", words, (*blocks, *_recipient(evidence.recipient)), gist=verdict)


def _command(project: Project | None) -> str:
    """The command that asks the questions of the context."""
    name = Path(project.path).name if project else "sfumato.yaml"
    return f"sfumato context --ask -p {shlex.quote(name)}"


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
