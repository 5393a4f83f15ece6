"""Everything that is released, read together: apart from the policy, which speaks of the columns named to it."""

from __future__ import annotations

from collections.abc import Callable

from sfumato.privacy.everything_released import EverythingReleased
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.sheets.everything_released import everything_section, told


def everything_blocks(evidence: ReportEvidence, mask: SmallNumberMask) -> tuple[Block, ...]:
    """Who is alone on all released columns, by which few, and which adds most; small numbers are hidden."""
    everything = evidence.everything
    if everything is None:
        return (Block(everything_section(None)),)
    document = everything.content()

    def share(n: int) -> str:
        return mask.share(n / max(document.people, 1), document.people, document.alone)

    source = explained("alone", EverythingReleased, bounds="0 to everybody")
    return (Block(told(document, masked(everything, mask), share), explained=(source,)),)


def masked(everything: EverythingReleased, mask: SmallNumberMask) -> Callable[[int], str]:
    """How a number of people who are alone may be shown: within all who are, of everybody."""
    lone = everything.reading
    return lambda n: mask.count(n, of=lone.people, within=lone.alone)
