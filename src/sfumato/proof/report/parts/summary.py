"""The summary: the decision and the data on one page. What leaves, to whom, what could be found, and what was lost."""

from __future__ import annotations

from sfumato.attackers.exposure import Exposure
from sfumato.proof.report.decisions import decision_on, not_stated, roles_decided, said_or_not
from sfumato.proof.report.document import Block, Part, Place
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.parts.at_a_glance import information_lost, smallest_groups
from sfumato.proof.report.parts.identifiability.attempts import attack_results
from sfumato.proof.report.parts.identifiability.everything_released import masked
from sfumato.proof.report.parts.identifiability.readings import required_rows
from sfumato.proof.report.parts.identifiability.scenarios import singled_out
from sfumato.proof.report.parts.released_columns import leaving_blocks, staying_block
from sfumato.proof.report.parts.transformations import UNNAMED, groups_hit
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.sheet import Section, named, number, percent

HIT = 3  # groups that suppression hits, of which the summary speaks
NOBODY = {False: "no group clearly", True: "not read"}  # a release that was given does not say who is missing
AUDIENCES = {
    "public": "everybody (public)", "restricted": "named recipients (restricted)",
    "internal": "the same organisation (internal)",
}  # fmt: skip


def summary_part(evidence: ReportEvidence, mask: SmallNumberMask) -> Part:
    """The first page, in the order in which a reader asks."""
    leaving, *others = leaving_blocks(evidence)
    blocks = (
        _decision(evidence), leaving, staying_block(evidence), _found(evidence, mask), _lost(evidence, mask), *others,
    )  # fmt: skip
    shown = tuple(block for block in blocks if block.section.rows or block.section.remarks)
    return Part("summary", "The decision and the data", (), shown)


def _decision(evidence: ReportEvidence) -> Block:
    """To whom, what for, what was required, and who decided."""
    bounds = [r.text for r in evidence.before.policy.requirements if r.bound is not None]
    preset = evidence.project.preset if evidence.project else None
    rows = (
        ("to whom", to_whom(evidence)),
        ("what for", said_or_not(evidence, "purpose")),
        ("required", (", ".join(bounds) or "nothing") + (f" (preset {preset})" if preset else "")),
        ("roles decided", roles_decided(evidence)),
        ("policy decided", decision_on(evidence.project, "policy")),
        ("release decided", decision_on(evidence.project, "release")),
    )
    return Block(Section("The decision", ("what", "answer"), rows), place=Place.FACTS)


def to_whom(evidence: ReportEvidence) -> str:
    """Who gets the data: by name, as what kind of audience, and how likely they are to re-identify people."""
    context = evidence.context
    name = context.responsibility.get("handed_to")
    audience = AUDIENCES.get(context.release or "")
    grade = f"grade {context.grade}" if context.grade else ""
    said = [part for part in (name, audience, grade) if part]
    return ", ".join(said) or not_stated("context: handed_to, release")


def _found(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """What could be found before and after: groups, risks, what was required, and what attacks found."""
    once, then = singled_out(evidence, mask)
    before, after = smallest_groups(evidence)
    rows = [
        ("smallest group that looks alike", before, after or "-", ""),
        ("singled out by all quasi-identifiers", once, then or "-", ""),
        *_alone(evidence, mask),
        *_risks(evidence.exposure),
        *required_rows(evidence),
        *((what, "-", risk, "") for what, risk in attack_results(evidence)),
    ]
    head = ("what", "before", "after", "met")
    return Block(Section("What could be found", head, tuple(rows), (), (1, 2)), place=Place.ASIDE)


def _alone(evidence: ReportEvidence, mask: SmallNumberMask) -> tuple[tuple[str, ...], ...]:
    if evidence.everything is None:
        return ()
    lone = evidence.everything.reading
    alone = f"{masked(evidence.everything, mask)(lone.alone)} of {number(lone.people)}"
    sides = ("-", alone) if evidence.released else (alone, "-")
    return (("alone on everything released", *sides, ""),)


def _risks(exposure: Exposure) -> list[tuple[str, ...]]:
    """The highest and the average risk that three attackers are."""
    sides = (exposure.attackers, exposure.after)
    highest = (number(each.prosecutor.highest) if each else "-" for each in sides)
    average = (number(each.marketer.average) if each else "-" for each in sides)
    return [("highest risk (prosecutor)", *highest, ""), ("average risk (marketer)", *average, "")]


def _lost(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """What was lost, how many were left out, and whom that hits."""
    if evidence.losses is None or evidence.released is None:
        return Block(Section("What was lost"))
    detail, entropy = information_lost(evidence.losses.content())
    left = max(evidence.before.records - evidence.released.records, 0)
    share = percent(left / max(evidence.before.records, 1))
    hit = [
        f"{f'a group of {column}' if UNNAMED in group else f'{column} {group}'}: {part}"
        for column, group, _, part, _ in groups_hit(evidence, mask)
    ]
    rows = (
        ("detail (loss)", percent(detail)),
        ("information (entropy)", percent(entropy)),
        ("records left out", f"{number(left)} of {number(evidence.before.records)} ({share})"),
        ("hit more than others", named(hit, HIT) if hit else NOBODY[evidence.anonymised is None]),
    )
    return Block(Section("What was lost", ("what", "how much"), rows), place=Place.ASIDE)
