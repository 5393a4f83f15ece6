"""What attackers may know, and what that singles out: scenarios, subsets, attackers, the population."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.attackers.attack_interface import LinkageResult
from sfumato.attackers.exposure import Exposure, ScenarioBeforeAfter
from sfumato.attackers.population.choice import Dankar
from sfumato.attackers.scenario import Mode, ScenarioRisk
from sfumato.attackers.three_attackers import Attacker, Attackers
from sfumato.privacy.sizes import LADDER
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.charts.chart import Chart
from sfumato.show.charts.grids import heat_map
from sfumato.show.sheet import Section, number, over

WORDS = ("alone", *(f"below {size}" for size in LADDER))


def scenario_blocks(evidence: ReportEvidence, mask: SmallNumberMask, *, draw: bool) -> tuple[Block, ...]:
    """Scenarios and subsets with their heat map, attackers, and the population where something is known of it."""
    exposure = evidence.exposure
    return (
        _scenarios("Scenarios: what an attacker may know", exposure.scenarios, mask, draw=draw),
        _scenarios("Subsets: what an attacker is certain of besides", exposure.subsets, mask, draw=False),
        _attackers(exposure, mask),
        _population(exposure),
    )


def singled_out(evidence: ReportEvidence, mask: SmallNumberMask) -> tuple[str, str]:
    """The share of records that all quasi-identifiers single out, before and after; nothing where there is no after."""
    met = evidence.exposure.scenarios[0]
    after = _after(met, mask)
    told = after[3] if met.perturbed else after[1]
    return _shares(met.before, mask)[0], told if told != "-" else ""


def by_columns(evidence: ReportEvidence) -> str:
    """By which columns they are singled out: a share without them says nothing."""
    return over(evidence.exposure.scenarios[0].before.quasi_identifiers).replace("over", "by", 1)


def _counts(risk: ScenarioRisk) -> list[int]:
    return [risk.singled_out, *(risk.below[size] for size in LADDER)]


def _shares(risk: ScenarioRisk, mask: SmallNumberMask) -> tuple[str, ...]:
    return mask.step_shares(_counts(risk), risk.records)


def _scenarios(title: str, scenarios: Sequence[ScenarioBeforeAfter], mask: SmallNumberMask, *, draw: bool) -> Block:
    released = any(met.after for met in scenarios)
    rows = tuple((*_before(met.before, mask), *(_after(met, mask) if released else ())) for met in scenarios)
    head = ("scenario", "known", "records", "k", "average risk", *(f"{word}, %" for word in WORDS))
    head += ("after: records", "singled out", "k", "linked rightly") if released else ()
    persons = any(met.linkage and met.linkage.unit == "persons" for met in scenarios)
    remark = (
        "Alone: records in classes of one, the share that is singled out. Linked rightly: the share of the "
        f"{'persons of whom an attacker picks a' if persons else 'original records whose own'} released record"
        f"{'' if persons else ' an attacker picks'}. Where a column was perturbed, being alone in the release "
        "says nothing, and only the share that is linked is shown."
    )
    told = [explained("singled out", ScenarioRisk, bounds="0 to 100 %")]
    told += [explained("linked", LinkageResult, bounds="0 to 100 %")] if released else []
    numbers = tuple(range(2, len(head)))
    charts = (_heat_map(scenarios, mask),) if draw and rows else ()
    return Block(Section(title, head, rows, (remark,) if rows else (), numbers), charts, tuple(told) if rows else ())


def _before(risk: ScenarioRisk, mask: SmallNumberMask) -> tuple[str, ...]:
    known = " + ".join(risk.quasi_identifiers) + (" + a condition (in the project file)" if risk.condition else "")
    return (risk.name, known, _records(risk, mask), number(risk.k), number(risk.average_risk), *_shares(risk, mask))


def _after(met: ScenarioBeforeAfter, mask: SmallNumberMask) -> tuple[str, str, str, str]:
    if met.after is None:
        return "-", "-", "-", "-"
    classes = ("-", "-") if met.perturbed else (_shares(met.after, mask)[0], number(met.after.k))
    return _records(met.after, mask), *classes, _linked(met.linkage, mask)


def _linked(linkage: LinkageResult | None, mask: SmallNumberMask) -> str:
    if linkage is None:
        return "-"
    if not linkage.linkable:
        return f"{linkage.true_match_rate * 100:.1f} %"
    return mask.share(linkage.true_match_rate, linkage.counted)


def _records(risk: ScenarioRisk, mask: SmallNumberMask) -> str:
    """The records that a share is of; how many satisfy a condition may itself be a small number."""
    of_some = risk.condition is not None and risk.condition.mode is Mode.SUBSET
    return mask.count(risk.records) if of_some else number(risk.records)


def _heat_map(scenarios: Sequence[ScenarioBeforeAfter], mask: SmallNumberMask) -> Chart:
    """Scenarios by class size, before and after; a number that may not be shown is left out."""
    rows, numbers = [], []
    for met in scenarios:
        sides = [("before", met.before), *([("after", met.after)] if met.after else [])]
        for side, risk in sides:
            rows.append(f"{met.before.name}, {side}" if len(sides) > 1 else met.before.name)
            known = mask.known(_counts(risk), risk.records)
            numbers.append([None if n is None else round(100 * n / risk.records, 1) for n in known])
    return heat_map(
        "Records at risk, by scenario and class size (%)", rows, WORDS, numbers,
        note=f"A dash: the number would tell of 1 to {mask.least - 1} records.",
    )  # fmt: skip


def _attackers(exposure: Exposure, mask: SmallNumberMask) -> Block:
    sides = [(side, each) for side, each in (("before", exposure.attackers), ("after", exposure.after)) if each]
    rows, caveats = [], []
    for side, attackers in sides:
        alone = _alone(exposure, side)
        for attacker in (attackers.prosecutor, attackers.journalist, attackers.marketer):
            rows.append((attacker.name, side, attacker.knows, number(attacker.highest), number(attacker.average),
                         *_at_risk(attacker, alone, mask)))  # fmt: skip
            caveats.append(attacker.caveat)
    head = ("attacker", "when", "knows", "highest risk", "average risk", *(f"above {risk}" for risk in LADDER.values()))
    told = explained("attackers", Attackers, bounds="0 to 1")
    remarks = tuple(dict.fromkeys(caveat for caveat in caveats if caveat))
    return Block(Section("Attackers", head, tuple(rows), remarks, tuple(range(3, len(head)))), explained=(told,))


def _alone(exposure: Exposure, side: str) -> int:
    """The records that are alone: differences to them must not tell of few people either."""
    met = exposure.scenarios[0]
    risk = met.before if side == "before" else met.after
    return risk.singled_out if risk else 0


def _at_risk(attacker: Attacker, alone: int, mask: SmallNumberMask) -> tuple[str, ...]:
    counts = [step.records for step in attacker.at_risk]
    if not any(counts):
        return tuple("0.0 %" if counts else "-" for _ in LADDER)
    whole = next(round(step.records / step.share) for step in attacker.at_risk if step.share)
    return mask.step_shares([min(alone, counts[0]), *counts], whole)[1:]


def _population(exposure: Exposure) -> Block:
    rows = tuple(
        (name, number(estimate.value), number(estimate.lowest), number(estimate.highest), estimate.caveat)
        for name, estimate in exposure.population.items()
    )
    head = ("model", "population uniques", "at least", "at most", "caveat")
    remark = f"A population of {number(exposure.population_size)}; the rule takes {exposure.chosen}." if rows else ""
    told = (explained("population uniques", Dankar, bounds="0 upwards"),) if rows else ()
    title = "Population: how many are unique in it (estimates)"
    return Block(Section(title, head, rows, (remark,) if rows else (), (1, 2, 3)), explained=told)
