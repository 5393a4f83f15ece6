"""Identifiability: who could be found, before and after."""

from __future__ import annotations

from sfumato.proof.report.document import Part
from sfumato.proof.report.dossier import Dossier
from sfumato.proof.report.parts.identifiability.attempts import attempt_blocks
from sfumato.proof.report.parts.identifiability.drivers import driver_blocks
from sfumato.proof.report.parts.identifiability.readings import reading_blocks
from sfumato.proof.report.parts.identifiability.scenarios import scenario_blocks, singled_out
from sfumato.proof.report.small_numbers import Mask
from sfumato.show.sheet import number


def identifiability_part(dossier: Dossier, mask: Mask, *, draw: bool = True) -> Part:
    """Readings, ladder, scenarios, attackers, what drives the risk, and attacks that were tried."""
    blocks = (
        *reading_blocks(dossier, mask, draw=draw),
        *scenario_blocks(dossier, mask, draw=draw),
        *driver_blocks(dossier, mask, draw=draw),
        *attempt_blocks(dossier, mask),
    )
    shown = tuple(block for block in blocks if block.section.rows or block.section.remarks)
    return Part("identifiability", "Identifiability", _words(dossier, mask), shown)


def _words(dossier: Dossier, mask: Mask) -> tuple[str, ...]:
    """The risk in three sentences."""
    before, after = dossier.before.sizes.smallest, [found.sizes.smallest for found in dossier.after.values()]
    who = "records" if dossier.before.subjects is None else "persons"
    once, then = singled_out(dossier, mask)
    released = f"; of the release, {then}" if then else ""
    smallest = f"{number(before)} before" + (f", {number(min(after))} after" if after else "")
    left = dossier.left_in
    return (
        "How easily somebody could find a person in the data: people who look like many others are hard to find, "
        "people who look like nobody else are easy.",
        f"The smallest group of {who} that look alike: {smallest}. Singled out by all quasi-identifiers: {once} of the "
        f"original{released}.",
        *([f"The release has columns that name people or tell them apart: {', '.join(left)}."] if left else []),
    )
