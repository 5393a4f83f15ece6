"""The release of a solution, made by a plan; read anew, compared with the original, and explained."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from sfumato.errors import OutOfMemory, PolicyError
from sfumato.plans.decided_columns import released_against_evidence, untreated_identifiers
from sfumato.plans.draft import Draft
from sfumato.plans.given_back import refuse_given_back
from sfumato.plans.plan import NOT_PROTECTED, FollowedPlan, Plan
from sfumato.plans.step_interface import Transformation
from sfumato.plans.steps.drop import Drop
from sfumato.plans.steps.generalise import Generalise
from sfumato.plans.steps.keep import Keep
from sfumato.plans.unshifted_dates import exceptions, left_unshifted, said_of_unshifted
from sfumato.privacy.assess import assess_dataset
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.coded.engine_table import TableInEngine
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.everything_released import EverythingReleased
from sfumato.progress import Tell, quiet
from sfumato.schema import Role
from sfumato.search.anonymisation import Anonymised
from sfumato.search.catalogue import method as method_named
from sfumato.search.explain import explain_levels
from sfumato.search.explanation import Explanation
from sfumato.search.method_interface import SearchRequest
from sfumato.search.methods.optimal import search
from sfumato.search.prepare import PreparedTable, dataset_of_draft
from sfumato.search.solution import Solution
from sfumato.search.solve import SolvedTable, steps_of, write_files
from sfumato.search.suppression_bias import SuppressionBias, bias_of, value_names
from sfumato.search.time_after import IN_ENGINE, NOT_COMPARED, NOT_EXPLAINED, TOO_LARGE_TO_COMPARE, UNLIMITED, TimeAfter
from sfumato.show.documents.anonymisation import PLAN_ONLY
from sfumato.show.documents.decided_columns import AgainstEvidenceDocument
from sfumato.show.sheets.decided_columns import against_evidence_words
from sfumato.tables.engine import Kind, Table, listed, quoted
from sfumato.tables.source import Column, Extract
from sfumato.temporary import scratch
from sfumato.utility.catalogue import chosen_models
from sfumato.utility.losses import Losses
from sfumato.utility.model_interface import Figure
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing


def make_release(
    ready: PreparedTable,
    method: str,
    request: SearchRequest,
    solved: SolvedTable,
    *,
    after: TimeAfter = UNLIMITED,
    compare: bool = True,
    explain: bool = True,
    tell: Tell = quiet,
) -> Anonymised:
    """The release of a solution, read anew; compared with the original and explained, where there is time for it."""
    followed, files = _follow(ready, request, solved, tell)
    contrary = released_against_evidence(followed.after, ready.before, ready.first, ready.confirmed)
    tell("Reading the release anew")
    read_anew = _after(ready, request, solved, followed.after)
    assessments = assess_release(read_anew, request, tell, released=followed.after.names)
    compared = compare and after.compares
    in_engine = isinstance(solved.table, TableInEngine)
    losses = _losses(ready, solved, followed.after, tell) if compared else None
    explained = explain and after.explains and not in_engine
    explanation, bias, at_levels = _explain(ready, request, solved, tell) if explained else (None, None, None)
    unexplained = IN_ENGINE if in_engine else NOT_EXPLAINED
    cut = (
        *([NOT_COMPARED] if compare > compared else []),
        *([TOO_LARGE_TO_COMPARE] if compared and losses is None else []),
        *([unexplained] if explain > explained else []),
    )
    return Anonymised(
        followed=followed,
        method=method,
        request=request,
        solution=solved.solution,
        hierarchies=ready.hierarchies,
        assessments=assessments,
        condensed=solved.table.rows,
        losses=losses,
        explanation=explanation,
        bias=bias,
        files=files,
        notes=(*ready.notes, *_unused(method, request), *cut, *followed.after.notes),
        steps_before=len(ready.first.steps),
        bias_released=at_levels,
        left_out_columns=ready.undecided,
        against_evidence=contrary,
        open=_open(ready, followed, contrary),
    )


def _unused(method: str, request: SearchRequest) -> tuple[str, ...]:
    """What to say where a share of records may be left out, and the method leaves out none."""
    if not request.suppression or method_named(method).leaves_out:
        return ()
    return (f"The method {method} leaves nobody out: the share of records that may be suppressed was not used.",)


def make_planned_release(ready: PreparedTable, request: SearchRequest, *, tell: Tell = quiet) -> Anonymised:
    """The release of the plan that comes before, with no search after it: read anew, and compared."""
    followed = _followed(ready, ready.first.then(*_unreleased(ready)), tell)
    after = followed.after
    contrary = released_against_evidence(after, ready.before, ready.first, ready.confirmed)
    tell("Reading the release anew")
    assessments = assess_release(_read_anew(ready, after), request, tell, released=after.names)
    losses = _all_losses(ready, (), after, tell)
    sizes, records = next(iter(assessments.values())).sizes, ready.before.count()
    total = losses["loss"].total
    lost = (total.normalised or 0.0) if isinstance(total, Figure) else 0.0
    solution = Solution(records, records - after.count(), sizes.count, (sizes.smallest, sizes.largest), lost, lost)
    notes = (*ready.notes, *after.notes)
    return Anonymised(
        followed=followed,
        method=PLAN_ONLY,
        request=request,
        solution=solution,
        hierarchies=ready.hierarchies,
        assessments=assessments,
        condensed=records,
        losses=losses,
        notes=notes,
        left_out_columns=ready.undecided,
        against_evidence=contrary,
        open=_open(ready, followed, contrary),
    )


def _explain(
    ready: PreparedTable, request: SearchRequest, solved: SolvedTable, tell: Tell
) -> tuple[Explanation | None, SuppressionBias | None, SuppressionBias | None]:
    """Why these levels, and whom suppression hits: in as much detail as there is, and at the levels of the release."""
    tell("Explaining the solution")
    table, solution = solved.table, solved.solution
    why = explain_levels(search(request), table, solution.levels_found) if solution.levels_found else None
    if not solution.suppressed or solution.gone is None:
        return why, None, None
    placed = {name: column.hierarchy for name, column in ready.hierarchies.items()}
    names = {value: value_names(ready.dataset, value) for value in table.values}
    fine, coarse = (bias_of(table, solution.gone, placed, names, levels) for levels in (None, solution.levels))
    return why, fine, coarse


def _follow(
    ready: PreparedTable, request: SearchRequest, solved: SolvedTable, tell: Tell
) -> tuple[FollowedPlan, dict[str, bytes]]:
    """The plan of a solution, followed to its end, and the files that it names."""
    plan = solution_plan(ready, request, solved)
    with scratch() as folder:
        write_files(folder, solved, ready.hierarchies)
        followed = _followed(ready, plan, tell, folder=folder)
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return followed, files


def _followed(ready: PreparedTable, plan: Plan, tell: Tell, folder: Path | None = None) -> FollowedPlan:
    """A plan that begins with what was done before the search, followed from there on; `folder` has its files."""
    rest = replace(plan, steps=plan.steps[len(ready.first.steps) :], folder=folder or plan.folder)
    followed = list(rest.followed(ready.draft, ready.secrets, tell))
    settled, drafts = tuple(step for step, _ in followed), tuple(draft for _, draft in followed)
    after = drafts[-1] if drafts else ready.draft
    refuse_given_back(after, ready.before, plan)
    return FollowedPlan(
        plan=plan,
        settled=replace(plan, steps=(*ready.first.steps, *settled)),
        source=ready.extract.name,
        before=ready.before,
        after=after,
        secrets=ready.secrets,
        state=ready.extract.state,
        unshifted=left_unshifted(plan, ready.before, after),
        drafts=() if ready.first.steps else drafts,
    )


def _open(ready: PreparedTable, followed: FollowedPlan, contrary: Sequence[AgainstEvidenceDocument]) -> tuple[str, ...]:
    """What a person has to answer for: what the roles leave open, and what undoes what the plan does at random."""
    said = (
        against_evidence_words(contrary),
        NOT_PROTECTED if NOT_PROTECTED in followed.after.notes else "",
        said_of_unshifted(followed.unshifted) if followed.unshifted else "",
    )
    return (*ready.open, *filter(None, said), *exceptions(followed.plan, followed.after))


def solution_plan(ready: PreparedTable, request: SearchRequest, solved: SolvedTable) -> Plan:
    """The plan of a solution: what comes before, the recoding, who is left out, and what is not released."""
    orders = {a.name: a.order for a in ready.dataset.schema if a.order and a.role is Role.SENSITIVE}
    coarser = {name for name, level in (solved.solution.levels or {}).items() if level}
    return ready.first.then(*steps_of(solved, ready.hierarchies, request, orders), *_unreleased(ready, coarser))


def _unreleased(ready: PreparedTable, coarser: Collection[str] = ()) -> tuple[Transformation, ...]:
    """The steps that take out direct identifiers and the subject, and all that nobody decided to release.

    Where a step before says what becomes of an identifier, it stays. Columns that nobody decided about are not named:
    a plan that is handed on tells nobody that they are there. `coarser` are columns that the search generalised: among
    them may be the subject.
    """
    draft, undecided = ready.draft, ready.undecided
    identifiers = untreated_identifiers(draft, ready.before, ready.first, draft.subject)
    columns = tuple(name for name in identifiers if name not in coarser)
    kept = tuple(name for name in draft.names if name not in columns and name not in undecided)
    if not kept:
        raise PolicyError(
            "Nothing would be released: nobody decided about any column that is left. Give columns a role, or name "
            "them with --non-sensitive."
        )
    return (Drop(columns), Keep(kept, only=True)) if columns else (Keep(kept, only=True),)


def assess_release(
    dataset: Dataset, request: SearchRequest, tell: Tell = quiet, *, released: Sequence[str] | None = None
) -> dict[str, Assessment]:
    """A release, read anew: for the columns of each scenario, or for all quasi-identifiers together.

    `released` are the columns that leave, of those that the dataset has.
    """
    everything = EverythingReleased.of(dataset, request.policy, released)
    if not request.scenarios:
        policy = request.policy
        return {"": assess_dataset(dataset, policy, source="the release", everything=everything, tell=tell)}
    assessments = {}
    for scenario in request.scenarios:
        others = {name: "non-sensitive" for name in dataset.quasi_identifiers if name not in scenario.quasi_identifiers}
        known, source = dataset.with_roles(others), f"the release, {scenario.name}"
        assessments[scenario.name] = assess_dataset(
            known, request.policy, source=source, everything=everything, tell=tell
        )
    return assessments


def _after(ready: PreparedTable, request: SearchRequest, solved: SolvedTable, after: Draft) -> Dataset:
    """The release as a dataset. The subject is still known here, so that persons are counted, though it is dropped."""
    dataset = _read_anew(ready, after)
    if ready.dataset.population is None:
        return dataset
    return dataset.with_population(_generalised_population(ready, request, solved, dataset.table))


def _read_anew(ready: PreparedTable, after: Draft) -> Dataset:
    kept = replace(after, columns=tuple(c for c in ready.draft.columns if c.name in after.table.columns))
    read = dataset_of_draft(kept, ready.dataset)
    return replace(read, table=kept.counted_table(), hierarchies={}, population=None)


def _generalised_population(ready: PreparedTable, request: SearchRequest, solved: SolvedTable, after: Table) -> Table:
    """The population at the levels of the release."""
    table = ready.dataset.population
    assert table is not None
    draft = Draft.of(
        Extract("the population", table, tuple(Column(name, kind, "") for name, kind in table.kinds.items()))
    )
    steps = [s for s in steps_of(solved, ready.hierarchies, request, {}) if isinstance(s, Generalise)]
    with scratch() as folder:
        write_files(folder, solved, ready.hierarchies)
        levels = replace(Plan(), folder=folder).then(*steps).apply(draft, ready.secrets).released_table()
    # Who is left out goes by a file of combinations, which makes texts of columns whose level is 0 as well.
    texts = [n for n in levels.columns if n in after.kinds and after.kinds[n] is Kind.TEXT is not levels.kinds[n]]
    cast = listed(f"CAST({quoted(n)} AS VARCHAR) AS {quoted(n)}" if n in texts else quoted(n) for n in levels.columns)
    return levels.engine.view(f"SELECT {cast} FROM {levels}") if texts else levels


def _losses(ready: PreparedTable, solved: SolvedTable, after: Draft, tell: Tell) -> Losses | None:
    """What was lost; None where a table that stays in its engine has less memory there than to compare it takes."""
    intervals = solved.solution.intervals
    if not isinstance(solved.table, TableInEngine):
        return _all_losses(ready, intervals, after, tell)
    solved.table.forget()
    try:
        # Each thread holds a block of every column that is read or written, and pairs have many.
        with ready.before.engine.one_thread():
            return _all_losses(ready, intervals, after, tell)
    except OutOfMemory:
        return None


def _all_losses(ready: PreparedTable, intervals: Sequence[str], after: Draft, tell: Tell) -> Losses:
    """What was lost on the quasi-identifiers, records paired by their number in the source."""
    tell("Comparing with the original")
    original = ready.before.compared_table()
    names = [name for name in ready.hierarchies if name in original.columns and name in after.names]
    placed = [] if ready.first.steps else [name for name in names if name not in intervals]
    known = {name: ready.hierarchies[name].hierarchy for name in placed}
    key, taken_along = ready.before.row, after.originals
    released = (
        after.released_table(numbered=True, originals=True) if taken_along else after.counted_table(numbered=True)
    )
    pairing = Pairing.of(
        original, released, names, hierarchies=known, key=key, numbered=True, originals=taken_along, whole=after.whole
    )
    compared = Comparison.of(pairing)
    return Losses.of(
        compared,
        chosen_models(),
        paired_by="the number of the record",
        source=ready.extract.name,
        released="the release",
        tell=tell,
    )
