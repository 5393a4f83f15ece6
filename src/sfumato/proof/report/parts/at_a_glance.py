"""The few numbers that a reader should take along."""

from __future__ import annotations

from dataclasses import replace

from sfumato.privacy.verdict import Verdict
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.parts.identifiability.everything_released import masked
from sfumato.proof.report.parts.identifiability.scenarios import by_columns, singled_out
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.documents.losses import LossesDocument
from sfumato.show.sheet import number, over, percent
from sfumato.show.sheets.losses import entropy_of


def at_a_glance(evidence: ReportEvidence, mask: SmallNumberMask) -> tuple[tuple[str, str], ...]:
    """Whether it is good enough, how large the smallest group is, who is singled out, and what it costs."""
    state = evidence.verdict.state
    met = {"met": "met", "met, but": "met, but: see what is open", "not met": "NOT met"}.get(state or "", "")
    met = met or ("not read" if evidence.required else "none")
    alike = "records" if evidence.before.subjects is None else "people"
    before, after = smallest_groups(evidence)
    once, then = singled_out(evidence, mask)
    open_questions = f"{evidence.context.unanswered} of {evidence.context.questions}"
    return (
        ("requirements", met),
        (f"smallest group of {alike} that look alike", f"{before} → {after}" if after else before),
        (f"singled out {by_columns(evidence)}", f"{once} → {then}" if then else once),
        *_alone(evidence, mask),
        *_cost(evidence),
        ("questions of the context unanswered", open_questions),
    )


def masked_verdict(evidence: ReportEvidence, mask: SmallNumberMask) -> Verdict:
    """The verdict, with what is open said without small numbers."""
    count = masked(evidence.everything, mask) if evidence.everything else number
    verdict = evidence.verdict_told(count)
    return replace(verdict, open=tuple(map(mask.words, verdict.open)))


def _alone(evidence: ReportEvidence, mask: SmallNumberMask) -> tuple[tuple[str, str], ...]:
    everything = evidence.everything
    if everything is None:
        return (("alone on everything that is released", "not looked at"),)
    lone = everything.reading
    alone = masked(everything, mask)(lone.alone)
    return (("alone on everything that is released", f"{alone} of {number(lone.people)}"),)


def smallest_groups(evidence: ReportEvidence) -> tuple[str, str]:
    """The smallest group of people that look alike, before and after; nothing where there is no after."""
    after = [assessment.sizes.smallest for assessment in evidence.after.values()]
    return number(evidence.before.sizes.smallest), number(min(after)) if after else ""


def information_lost(losses: LossesDocument) -> tuple[float | None, float | None]:
    """The share of the detail (loss) and of the information (entropy) that was lost."""
    entropy, loss = entropy_of(losses.total), losses.total.get("loss")
    return loss.normalised if loss else None, entropy.normalised if entropy else None


def _cost(evidence: ReportEvidence) -> tuple[tuple[str, str], ...]:
    if evidence.losses is None or evidence.released is None:
        return ()
    losses = evidence.losses.content()
    detail, entropy = information_lost(losses)
    left = max(evidence.before.records - evidence.released.records, 0)
    return (
        (f"detail lost (loss {over(losses.quasi_identifiers)})", percent(detail)),
        ("information lost (entropy)", percent(entropy)),
        ("records left out", f"{number(left)} of {number(evidence.before.records)}"),
    )
