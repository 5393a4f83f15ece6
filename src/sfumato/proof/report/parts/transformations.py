"""The transformations: each step with its parameters and its effect, why these levels, and whom suppression hits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sfumato.plans.catalogue import transformations
from sfumato.plans.plan import Step
from sfumato.plans.provenance import SAYS_HOW
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.released_labels import common_labels
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.search.frontier import Frontier
from sfumato.show.sheet import Section, counted, number, percent
from sfumato.show.sheets.effects import singled_out_remark
from sfumato.show.sheets.plan import reason
from sfumato.utility.catalogue import utility_models

UNNAMED = "no label of the release"
LOST = {"generic_non_uniform_entropy": "entropy", "loss": "loss", "total_variation": "distribution"}


def transformations_part(evidence: ReportEvidence, mask: SmallNumberMask, *, draw: bool = True) -> Part:
    """What was done to the data, step by step."""
    blocks = (
        _steps(evidence), _effects(evidence, mask), _levels(evidence), _ways(evidence, mask), _binding(evidence, mask),
        _bias(evidence, mask), _curve(evidence, mask, draw=draw),
    )  # fmt: skip
    shown = tuple(block for block in blocks if block.section.rows or block.section.remarks)
    words = _words(evidence)
    return Part("transformations", "Transformations", words, shown, gist=words[1])


def _words(evidence: ReportEvidence) -> tuple[str, ...]:
    first = "What was done to the data, and what each step did to the risk and to the use of the data."
    released = evidence.released
    if released is None:
        return (first, "Nothing was done yet: there is no release.")
    left = evidence.before.records - released.records
    out = f"{counted(left, 'record')} left out" if left > 0 else "no record left out"
    how = (
        f"{counted(len(released.plan.steps), 'step')}" if released.plan else "Which steps made the release is not known"
    )
    return (first, f"{how}; {out} of {number(evidence.before.records)}.", *_search(evidence))


def _search(evidence: ReportEvidence) -> tuple[str, ...]:
    anonymised = evidence.anonymised
    if anonymised is None:
        return ()
    proof = "no combination of levels loses less" if anonymised.solution.optimal else "a better one may exist"
    objective = "cells" if anonymised.method == "cells" else anonymised.request.objective.name()
    return (f"Found by search (method {anonymised.method}, least {objective}): {proof}.",)


def _steps(evidence: ReportEvidence) -> Block:
    plan = evidence.released.plan if evidence.released else None
    steps = plan.steps if plan else ()
    reasoned = any(step.because or step.proposed_by for step in steps)
    rows = tuple(
        (str(i), step.name, step.transformation.told(), _settings(step),
         *((reason(step.because, step.proposed_by) or "-",) * reasoned))
        for i, step in enumerate(steps, 1)
    )  # fmt: skip
    named = dict.fromkeys(step.name for step in steps)
    told = tuple(explained(name, transformations()[name]) for name in named)
    head = ("no.", "step", "what it does", "parameters", *(("because",) * reasoned))
    return Block(Section("Steps", head, rows, numbers=(0,)), explained=told)


def _settings(step: Step) -> str:
    settings = step.document()[step.name].items()
    said = {name: value for name, value in settings if value not in (None, [], {}, "")}
    shown = {name: value for name, value in said.items() if name in SAYS_HOW or not isinstance(value, str)}
    return "; ".join(f"{name}: {_shown(name, value)}" for name, value in shown.items()) or "-"


def _shown(name: str, value: Any) -> str:
    if isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, Mapping):
        parts = [f"{key} {_shown(key, part)}" for key, part in value.items() if key in SAYS_HOW]
        return ", ".join(parts) if parts else f"({counted(len(value), 'entry').replace('entrys', 'entries')})"
    if name not in SAYS_HOW:
        return f"({counted(len(value), 'value')}, in the plan)"
    return ", ".join(map(_one, value)) if isinstance(value, list) else str(value)


def _one(value: Any) -> str:
    return str(value.get("measure", "…")) if isinstance(value, Mapping) else str(value)


def _effects(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """The loop: risk and utility before, and after each step."""
    effects = evidence.effects
    if effects is None:
        return Block(Section("Risk and utility after each step"))
    plan = evidence.released.plan if evidence.released else None
    words = ["before", *(step.transformation.told() for step in (plan.steps if plan else ()))]
    rows = []
    for i, (said, step) in enumerate(zip(words, (effects.before, *effects.steps), strict=True)):
        alone = step.singled_out
        rows.append((
            str(i), said, number(step.records), number(step.k),
            "-" if alone is None else mask.count(alone, step.records), number(step.average_risk),
            *(percent(step.lost.get(model)) for model in LOST),
        ))  # fmt: skip
    head = ("no.", "step", "records", "k", "singled out", "average risk", *(f"{name} lost" for name in LOST.values()))
    remarks = [singled_out_remark(effects)]
    if evidence.dataset.subject is not None:
        remarks.append("Once the subject is left out, records are counted here and not persons.")
    models = utility_models()
    told = tuple(explained(m, models[m], models[m].plainly, str(models[m].bounds)) for m in LOST)
    section = Section("Risk and utility after each step", head, tuple(rows), tuple(remarks), (0, *range(2, len(head))))
    return Block(section, explained=told)


def _levels(evidence: ReportEvidence) -> Block:
    anonymised, title = evidence.anonymised, "What becomes of the columns"
    if anonymised is None:
        return Block(Section(title))
    content = anonymised.content()
    lost = content.lost.columns or {}
    rows = []
    for name, hierarchy in content.hierarchies.items():
        level = content.levels[name] if content.levels else None
        of = "its own for each class" if level is None else f"{level} of {hierarchy.height}"
        labels = "-" if level is None else number(hierarchy.labels[level])
        rows.append((name, of, labels, percent(lost.get(name, {}).get("loss")), hierarchy.kind))
    return Block(Section(title, ("column", "level", "labels left", "lost", "hierarchy"), tuple(rows), (), (2, 3)))


def _ways(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """The ways to a release that were compared; whom each would hit names groups of the original, and is not shown."""
    anonymised, title = evidence.anonymised, "Ways to a release that were compared"
    ways = anonymised.content().alternatives if anonymised else ()
    rows = tuple(
        (f"{way.method}{' (taken)' if way.chosen else ''}", percent(way.suppression_limit), percent(way.lost),
         *("-" if n is None else mask.count(n) for n in (way.suppressed, way.cells)), way.options)
        for way in ways
    )  # fmt: skip
    head = ("way", "may leave out", "lost", "records left out", "cells left out", "options")
    return Block(Section(title, head, rows, (), (1, 2, 3, 4)))


def _binding(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """What binds: which requirement keeps the loss up."""
    anonymised, title = evidence.anonymised, "Why not less: what keeps the loss up"
    if anonymised is None or anonymised.explanation is None:
        return Block(Section(title))
    explanation = anonymised.explanation.content()
    rows = tuple(
        (
            f"{requirement.measure}({requirement.about})" if requirement.about else requirement.measure,
            number(requirement.bound),
            mask.count(requirement.breaks, evidence.before.records),
            number(requirement.without.score),
            {True: "yes", False: "no", None: "not known"}[requirement.without.binds],
        )
        for requirement in explanation.requirements
    )
    head = ("requirement", "bound", "records that would break it", "score without it", "keeps the loss up")
    remark = f"Score: {number(explanation.score)}, {explanation.means}."
    return Block(Section(title, head, rows, (remark,), (1, 2, 3)))


def _bias(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """Groups that are left out clearly more often than everybody."""
    anonymised, title = evidence.anonymised, "Whom suppression hits"
    if anonymised is None or anonymised.bias is None:
        return Block(Section(title))
    rows = groups_hit(evidence, mask)
    remark = "Groups of which clearly more are left out than of everybody." if rows else "No group is hit clearly more."
    head = ("column", "group", "left out", "share of the group", "times everybody's") if rows else ()
    return Block(Section(title, head, rows, (remark,), (2, 3, 4) if rows else ()))


def groups_hit(evidence: ReportEvidence, mask: SmallNumberMask) -> tuple[tuple[str, str, str, str, str], ...]:
    """Column, group, how many are left out, their share, times everybody's; labels only where the release has them."""
    bias = evidence.anonymised.bias if evidence.anonymised else None
    rows = []
    for column in bias.columns if bias else ():
        labels = common_labels(evidence.released, column.column, mask)
        for i, group in enumerate(column.groups, 1):
            if group.hit and group.records >= mask.least:
                label = group.label if group.label in labels else f"group {i} ({UNNAMED})"
                hidden = mask.hides(group.suppressed, group.records)
                ratio = "-" if hidden or group.ratio is None else f"{group.ratio:.2f}"
                rows.append((column.column, label, mask.count(group.suppressed, group.records),
                             mask.share(group.share, group.records), ratio))  # fmt: skip
    return tuple(rows)


def _curve(evidence: ReportEvidence, mask: SmallNumberMask, *, draw: bool) -> Block:
    """Risk against loss of other releases that were possible."""
    explored, title = evidence.explored, "Risk against loss: other releases that were possible"
    if explored is None:
        return Block(Section(title))
    rows = tuple(
        (", ".join(point.requirements), number(point.risk), percent(point.score), mask.count(point.suppressed),
         "yes" if point in explored.frontier.front else "no", "knee" if point == explored.frontier.knee else "")
        for point in explored.frontier.points
    )  # fmt: skip
    head = ("required", "highest risk", "lost", "left out", "no other beats it", "mark")
    remark = f"Loss: {explored.frontier.loss}. Searches were cut short where they would take long."
    notes = tuple(mask.words(note) for note in explored.notes if note not in evidence.notes)
    told = explained("knee", Frontier, bounds="risk and loss from 0 to 1")
    charts = (explored.chart(),) if draw else ()
    return Block(Section(title, head, rows, (remark, *notes), (1, 2, 3)), charts, (told,))
