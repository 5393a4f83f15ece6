"""The few numbers that a reader should take along."""

from __future__ import annotations

from sfumato.proof.report.dossier import Dossier
from sfumato.proof.report.parts.identifiability.scenarios import singled_out
from sfumato.proof.report.small_numbers import Mask
from sfumato.show.sheet import number, percent
from sfumato.show.sheets.losses import entropy_of


def at_a_glance(dossier: Dossier, mask: Mask) -> tuple[tuple[str, str], ...]:
    """Whether it is good enough, how large the smallest group is, who is singled out, and what it costs."""
    met = {True: "met", False: "NOT met", None: "not read" if dossier.required else "none"}[dossier.met]
    alike = "records" if dossier.before.subjects is None else "people"
    after = [found.sizes.smallest for found in dossier.after.values()]
    once, then = singled_out(dossier, mask)
    open_questions = f"{dossier.context.unanswered} of {dossier.context.questions}"
    return (
        ("requirements", met),
        (f"smallest group of {alike} that look alike", _both(number(dossier.before.sizes.smallest), after)),
        ("singled out", f"{once} → {then}" if then else once),
        *_cost(dossier),
        ("questions of the context unanswered", open_questions),
    )


def _both(before: str, after: list[int]) -> str:
    return f"{before} → {number(min(after))}" if after else before


def _cost(dossier: Dossier) -> tuple[tuple[str, str], ...]:
    if dossier.losses is None or dossier.released is None:
        return ()
    entropy = entropy_of(dossier.losses.content().total)
    left = max(dossier.before.records - dossier.released.records, 0)
    return ("information lost (entropy)", percent(entropy.normalised if entropy else None)), (
        "records left out",
        f"{number(left)} of {number(dossier.before.records)}",
    )
