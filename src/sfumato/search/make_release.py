"""Making: the release of a solution, by a plan; read anew, compared with the original, and explained."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.plans.draft import Draft
from sfumato.plans.plan import FollowedPlan, Plan
from sfumato.plans.step_interface import Transformation
from sfumato.plans.steps.drop import Drop
from sfumato.plans.steps.generalise import Generalise
from sfumato.plans.steps.keep import Keep
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.read_measures import assess_dataset
from sfumato.progress import Tell, quiet
from sfumato.schema import Role
from sfumato.search.anonymised import Anonymised
from sfumato.search.catalogue import methods
from sfumato.search.explain import explained
from sfumato.search.explanation import Explanation
from sfumato.search.method_interface import Wanted
from sfumato.search.methods.optimal import search
from sfumato.search.prepare import Prepared, drafted, released
from sfumato.search.solution import Solution
from sfumato.search.solve import Solved, steps_of, write_files
from sfumato.search.suppression_bias import SuppressionBias, bias_of, value_names
from sfumato.show.sheets.anonymised import PLAN_ONLY
from sfumato.tables.engine import Table
from sfumato.tables.source import Column, Extract
from sfumato.utility.comparison_interface import Compared, Figure
from sfumato.utility.losses import Losses
from sfumato.utility.paired.pairing import Pairing
from sfumato.utility.read_comparisons import cautions, chosen_models, read_all


def made(
    ready: Prepared,
    method: str,
    wanted: Wanted,
    solved: Solved,
    *,
    compare: bool = True,
    explain: bool = True,
    tell: Tell = quiet,
) -> Anonymised:
    """The release of a solution, read anew and compared with the original."""
    done, files = _followed(ready, wanted, solved, tell)
    tell("Reading the release anew")
    assessments = assessed(_after(ready, wanted, solved, done.after), wanted, tell)
    losses = _losses(ready, solved.solution.intervals, done.after, tell) if compare else None
    explanation, bias, at_levels = _explained(ready, wanted, solved, tell) if explain else (None, None, None)
    return Anonymised(
        done, method, wanted, solved.solution, ready.hierarchies, assessments, solved.table.rows, losses, explanation,
        bias, files, (*ready.notes, *_unused(method, wanted), *done.after.notes), len(ready.first.steps), at_levels,
    )  # fmt: skip


def _unused(method: str, wanted: Wanted) -> tuple[str, ...]:
    """What to say where a share of records may be left out, and the method leaves out none."""
    if not wanted.suppression or methods()[method].leaves_out:
        return ()
    return (f"The method {method} leaves nobody out: the share of records that may be suppressed was not used.",)


def followed(ready: Prepared, wanted: Wanted, *, tell: Tell = quiet) -> Anonymised:
    """The release of the plan that comes before, with no search after it: read anew, and compared."""
    plan = ready.first.then(*_unreleased(ready))
    rest = replace(plan, steps=plan.steps[len(ready.first.steps) :])
    after, settled = rest.settle(ready.draft, ready.secret, tell)
    done = FollowedPlan(
        plan, replace(plan, steps=(*ready.first.steps, *settled.steps)), ready.extract.name, ready.before, after
    )
    tell("Reading the release anew")
    found = assessed(_read_anew(ready, after), wanted, tell)
    losses = _losses(ready, (), after, tell)
    sizes, records = next(iter(found.values())).sizes, ready.before.count()
    total = losses["loss"].total
    lost = (total.normalised or 0.0) if isinstance(total, Figure) else 0.0
    solution = Solution(records, records - after.count(), sizes.count, (sizes.smallest, sizes.largest), lost, lost)
    notes = (*ready.notes, *after.notes)
    return Anonymised(done, PLAN_ONLY, wanted, solution, ready.hierarchies, found, records, losses, notes=notes)


def _explained(
    ready: Prepared, wanted: Wanted, solved: Solved, tell: Tell
) -> tuple[Explanation | None, SuppressionBias | None, SuppressionBias | None]:
    """Why these levels, and whom suppression hits: in as much detail as there is, and at the levels of the release."""
    tell("Explaining the solution")
    table, solution = solved.table, solved.solution
    why = explained(search(wanted), table, solution.found) if solution.found else None
    if not solution.suppressed or solution.gone is None:
        return why, None, None
    placed = {name: found.hierarchy for name, found in ready.hierarchies.items()}
    names = {value: value_names(ready.dataset, value) for value in table.values}
    fine, coarse = (bias_of(table, solution.gone, placed, names, levels) for levels in (None, solution.levels))
    return why, fine, coarse


def _followed(ready: Prepared, wanted: Wanted, solved: Solved, tell: Tell) -> tuple[FollowedPlan, dict[str, bytes]]:
    """The plan of a solution, followed to its end, and the files that it names."""
    plan = planned(ready, wanted, solved)
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        write_files(Path(folder), solved, ready.hierarchies)
        rest = replace(plan, steps=plan.steps[len(ready.first.steps) :], folder=Path(folder))
        after, settled = rest.settle(ready.draft, ready.secret, tell)
        files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    settled = replace(plan, steps=(*ready.first.steps, *settled.steps))
    return FollowedPlan(plan, settled, ready.extract.name, ready.before, after), files


def planned(ready: Prepared, wanted: Wanted, solved: Solved) -> Plan:
    """The plan of a solution: what comes before, the recoding, who is left out, and what is not released."""
    orders = {a.name: a.order for a in ready.dataset.schema if a.order and a.role is Role.SENSITIVE}
    return ready.first.then(*steps_of(solved, ready.hierarchies, wanted, orders), *_unreleased(ready))


def _unreleased(ready: Prepared) -> tuple[Transformation, ...]:
    """The steps that take out direct identifiers and the subject, and whatever other data may have besides.

    Where a step before says what becomes of an identifier, it stays.
    """
    treated = {name for step in ready.first.steps for name in _touched(step.transformation.settings())}
    subject = [ready.draft.subject] if ready.draft.subject in ready.draft.names else []
    named = dict.fromkeys([*ready.draft.with_role(Role.DIRECT), *subject])
    columns = tuple(str(name) for name in named if name not in treated and name not in ready.hierarchies)
    kept = Keep(tuple(name for name in ready.draft.names if name not in columns), only=True)
    return (Drop(columns), kept) if columns else (kept,)


def _touched(settings: Mapping[str, Any]) -> set[str]:
    """The columns that a step names."""
    found: set[str] = set()
    for key in ("column", "columns"):
        given = settings.get(key, ())
        found |= {given} if isinstance(given, str) else set(given)
    return found


def assessed(dataset: Dataset, wanted: Wanted, tell: Tell = quiet) -> dict[str, Assessment]:
    """A release, read anew: for the columns of each scenario, or for all quasi-identifiers together."""
    if not wanted.scenarios:
        return {"": assess_dataset(dataset, wanted.policy, source="the release", tell=tell)}
    found = {}
    for scenario in wanted.scenarios:
        others = {name: "non-sensitive" for name in dataset.quasi_identifiers if name not in scenario.quasi_identifiers}
        seen = dataset.with_roles(others)
        found[scenario.name] = assess_dataset(seen, wanted.policy, source=f"the release, {scenario.name}", tell=tell)
    return found


def _after(ready: Prepared, wanted: Wanted, solved: Solved, after: Draft) -> Dataset:
    """The release as a dataset. The subject is still known here, so that persons are counted, though it is dropped."""
    dataset = _read_anew(ready, after)
    if ready.dataset.population is None:
        return dataset
    return dataset.with_population(_generalised_population(ready, wanted, solved))


def _read_anew(ready: Prepared, after: Draft) -> Dataset:
    kept = replace(after, columns=tuple(c for c in ready.draft.columns if c.name in after.table.columns))
    return replace(drafted(kept, ready.dataset), hierarchies={}, population=None)


def _generalised_population(ready: Prepared, wanted: Wanted, solved: Solved) -> Table:
    """The population at the levels of the release."""
    table = ready.dataset.population
    assert table is not None
    draft = Draft.of(
        Extract("the population", table, tuple(Column(name, kind, "") for name, kind in table.kinds.items()))
    )
    steps = [s for s in steps_of(solved, ready.hierarchies, wanted, {}) if isinstance(s, Generalise)]
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        write_files(Path(folder), solved, ready.hierarchies)
        return released(replace(Plan(), folder=Path(folder)).then(*steps).apply(draft, ready.secret))


def _losses(ready: Prepared, intervals: Sequence[str], after: Draft, tell: Tell) -> Losses:
    """What was lost on the quasi-identifiers, records paired by their number in the source."""
    tell("Comparing with the original")
    names = [name for name in ready.hierarchies if name in ready.before.names and name in after.names]
    placed = [] if ready.first.steps else [name for name in names if name not in intervals]
    known = {name: ready.hierarchies[name].hierarchy for name in placed}
    tables = released(ready.before, numbered=True), released(after, numbered=True)
    compared = Compared.of(Pairing.of(*tables, names=names, hierarchies=known, key=ready.before.row))
    read = read_all(compared, chosen_models(), tell)
    return Losses(compared, read, "the number of the record", ready.extract.name, "the release", cautions(compared))
