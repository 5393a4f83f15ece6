"""Identifiability: who could be found, before and after."""

from __future__ import annotations

from sfumato.proof.report.document import Part
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.parts.identifiability.attempts import attempt_blocks
from sfumato.proof.report.parts.identifiability.drivers import driver_blocks
from sfumato.proof.report.parts.identifiability.everything_released import everything_blocks
from sfumato.proof.report.parts.identifiability.readings import reading_blocks
from sfumato.proof.report.parts.identifiability.scenarios import by_columns, scenario_blocks, singled_out
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.sheet import counted, number


def identifiability_part(evidence: ReportEvidence, mask: SmallNumberMask, *, draw: bool = True) -> Part:
    """Readings, ladder, scenarios, attackers, what drives the risk, and attacks that were tried."""
    blocks = (
        *reading_blocks(evidence, mask, draw=draw),
        *everything_blocks(evidence, mask),
        *scenario_blocks(evidence, mask, draw=draw),
        *driver_blocks(evidence, mask, draw=draw),
        *attempt_blocks(evidence, mask),
    )
    shown = tuple(block for block in blocks if block.section.rows or block.section.remarks)
    tried = evidence.exposure.tried.questions
    attacks = f", {counted(len(tried), 'attack')} tried" if tried else ""
    gist = f"Readings, risk ladder, {counted(len(evidence.exposure.scenarios), 'scenario')}, attackers{attacks}."
    return Part("identifiability", "Identifiability", _words(evidence, mask), shown, gist=gist)


def _words(evidence: ReportEvidence, mask: SmallNumberMask) -> tuple[str, ...]:
    """The risk in three sentences."""
    before, after = (
        evidence.before.sizes.smallest,
        [assessment.sizes.smallest for assessment in evidence.after.values()],
    )
    who = "records" if evidence.before.subjects is None else "persons"
    once, then = singled_out(evidence, mask)
    released = f"; of the release, {then}" if then else ""
    smallest = f"{number(before)} before" + (f", {number(min(after))} after" if after else "")
    left = evidence.left_in
    return (
        "How easily somebody could find a person in the data: people who look like many others are hard to find, "
        "people who look like nobody else are easy.",
        f"The smallest group of {who} that look alike: {smallest}. Singled out {by_columns(evidence)}: {once} of "
        f"the original{released}.",
        *([f"The release has columns that name people or tell them apart: {', '.join(left)}."] if left else []),
    )
