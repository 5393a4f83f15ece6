"""The verb of anonymisation: find the release that keeps to a policy and loses least."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from sfumato.errors import InfeasiblePolicy
from sfumato.hierarchies.build import Hierarchies
from sfumato.plans.apply import sources_of
from sfumato.plans.plan import Plan
from sfumato.privacy.coded.engine_table import TableInEngine
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.meaning_of_columns import project_and_source
from sfumato.privacy.policy import Requirement
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.search.anonymisation import Anonymised
from sfumato.search.catalogue import method as method_named
from sfumato.search.feasibility import advice
from sfumato.search.levels.engine_nodes import searchable_in_engine
from sfumato.search.make_release import make_release
from sfumato.search.method_interface import SearchRequest
from sfumato.search.methods.optimal import Optimal, search
from sfumato.search.prepare import PreparedTable, Source, prepare
from sfumato.search.rare_values import RareValues, rare_values
from sfumato.search.request import AUTO, RELEASE, Levels, search_request, share_left_out, with_project_settings
from sfumato.search.solution import Solution
from sfumato.search.solve import SolvedTable, different_records, solve
from sfumato.search.suppression_bias import value_names
from sfumato.search.time_after import TimeAfter
from sfumato.secrets import Secrets
from sfumato.tables.engine import Engine
from sfumato.tables.source import ReadOptions


def anonymise(
    data: Any,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    direct: Sequence[str] | str = (),
    non_sensitive: Sequence[str] | str = (),
    release_rest: bool = False,
    subject: str | None = None,
    k: int | None = None,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    requirements: Iterable[Requirement | str] = (),
    scenarios: Mapping[str, Sequence[str]] | None = None,
    population: Any = None,
    hierarchies: Hierarchies | None = None,
    suppress: float | None = None,
    objective: str = "loss",
    aggregate: str | None = None,
    method: str = AUTO,
    levels: Levels | None = None,
    weights: Mapping[str, float] | None = None,
    balance: float = 0.5,
    nodes: float = inf,
    seconds: float = inf,
    heuristic: str | None = None,
    against: str = RELEASE,
    compare: bool = True,
    explain: bool = True,
    plan: Plan | str | Path | None = None,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    key_file: str | Path | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Anonymised:
    """Find the release that keeps to a policy and loses least, and make it.

    `data` is a frame, a file, or an `Extract`. The policy is k, l, t and further `requirements` on the
    quasi-identifiers; at most a share `suppress` of the records may be left out. The method `auto` compares the others,
    leaves out 5 % at the most if nothing is said, and takes the one that loses least; `alternatives` has them all. With
    `scenarios`, which map names to columns, the policy holds for each of them instead of for all quasi-identifiers
    together; `population` is a table of everybody, for k-map and presence; `against` says whom measures such as t
    compare a class with: everybody in the release, or in the original.

    `hierarchies` is a folder with one file per column or a mapping; for columns without one it is inferred. `objective`
    is what is made small, `aggregate` how columns count together, `weights` how much each matters, `levels` the level
    of a column, or its lowest and highest. `nodes` and `seconds` limit the search, and a `heuristic` takes the place of
    the proof. A `plan` is followed before it. Direct identifiers and the subject are not released unless a step of the
    plan replaces their values, and neither is what nobody decided about: name columns as `non_sensitive`, or release
    all others with `release_rest`. `compare` measures what was lost, `explain` says why these levels, and whom
    suppression hits.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [21, 24, 25, 33, 36, 38, 64], "sex": ["f", "f", "f", "m", "m", "m", "f"]})
    >>> release = anonymise(table, quasi=["age", "sex"], k=3, suppress=0.2, method="optimal")
    >>> release.levels, release.solution.suppressed, release.met
    ({'age': 2, 'sex': 0}, 1, True)
    """
    begun = monotonic()
    question = Question.written(
        quasi=quasi, sensitive=sensitive, direct=direct, non_sensitive=non_sensitive, release_rest=release_rest,
        subject=subject, k=k, l=l, t=t, requirements=requirements,
    )  # fmt: skip
    source = Source(data, None, hierarchies, plan, Secrets.of(secrets, key_file=key_file), options, engine, population)
    ready = prepare(source, question, tell)
    request = search_request(
        ready, objective, aggregate=aggregate, balance=balance, weights=weights,
        suppress=share_left_out(method, suppress), levels=levels, scenarios=scenarios, nodes=nodes, seconds=seconds,
        heuristic=heuristic, against=against,
    )  # fmt: skip
    return anonymise_prepared(ready, method, replace(request, begun=begun), compare=compare, explain=explain, tell=tell)


def anonymise_source(
    data: Any,
    project: str | Path | None,
    question: Question,
    settings: Mapping[str, Any],
    *,
    compare: bool = True,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    key_file: str | Path | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> tuple[Anonymised, list[Path]]:
    """Anonymise a source, or what a project file describes, and the files that were read.

    What the question and the settings say goes before the file.
    """
    known, place = project_and_source(data, project, "anonymise")
    source = Source(place, known, secrets=Secrets.of(secrets, key_file=key_file), options=options, engine=engine)
    anonymised = anonymise_with_settings(source, question, settings, compare=compare, tell=tell)
    return anonymised, [*sources_of(place, anonymised.plan), *([Path(known.path).resolve()] if known else [])]


def anonymise_with_settings(
    source: Source,
    question: Question,
    settings: Mapping[str, Any],
    *,
    compare: bool = True,
    proposals: bool = False,
    tell: Tell = quiet,
) -> Anonymised:
    """Anonymise a source as its project file says, and settings, which go before it.

    With `proposals`, roles that nobody confirmed are taken for decisions: to tell what would be released, not to do it.
    """
    begun = monotonic()
    source, method, asked = with_project_settings(source, settings)
    ready = prepare(source, question, tell, proposals=proposals)
    request = replace(search_request(ready, **asked), begun=begun)
    return anonymise_prepared(ready, method, request, compare=compare, tell=tell)


def anonymise_prepared(
    ready: PreparedTable,
    method: str,
    request: SearchRequest,
    *,
    compare: bool = True,
    explain: bool = True,
    tell: Tell = quiet,
) -> Anonymised:
    """Search a table that is ready, and make the release."""
    way = None if method == AUTO else method_named(method)
    in_engine = isinstance(way, Optimal) and searchable_in_engine(ready.dataset, request)
    table = different_records(ready.dataset, request.policy, in_engine=in_engine, tell=tell)
    after = TimeAfter.of(request, len(ready.hierarchies))
    request = after.kept_free(request, compare=compare, explain=explain)
    make = partial(make_release, ready, after=after, compare=compare, explain=explain, tell=tell)
    try:
        if way is None:
            return _best_release(ready, table, request, make, after=after if explain else None, tell=tell)
        solved = solve(table, ready.hierarchies, way, request, tell)
    except InfeasiblePolicy:
        if isinstance(table, TableInEngine):
            raise
        tell("Looking for what would help")
        raise advice(search(request), table).error from None
    explained = explain and after.explains and not isinstance(table, TableInEngine)
    rare = _rare(table, [(request, solved.solution)]) if explained else None
    return replace(make(method, request, solved), rare=rare)


def _best_release(
    ready: PreparedTable,
    table: CodedTable,
    request: SearchRequest,
    make: Callable[[str, SearchRequest, SolvedTable], Anonymised],
    *,
    after: TimeAfter | None,
    tell: Tell,
) -> Anonymised:
    """The release of the way that loses least, of those whose release keeps to the policy when it is read anew."""
    from sfumato.search.alternatives import alternatives_of  # here: who names a method waits for no other
    from sfumato.search.choice import choose, ranked

    placed = {name: column.hierarchy for name, column in ready.hierarchies.items()}
    trials = choose(table, placed, request, tell)
    reads_population = PolicyRules.of(request.policy).reads_population
    for trial in ranked(trials):
        assert trial.solution is not None
        chosen = trial
        anonymised = make(trial.method, trial.request, SolvedTable(table, trial.solution, reads_population))
        if anonymised.met:
            break
    names = {value: value_names(ready.dataset, value) for value in table.values}
    tried = [(trial.request, trial.solution) for trial in trials if trial.solution]
    return replace(
        anonymised,
        alternatives=alternatives_of(trials, chosen, table, placed, names),
        rare=_rare(table, tried) if after and after.explains else None,
    )


def _rare(table: CodedTable, tried: Sequence[tuple[SearchRequest, Solution]]) -> RareValues | None:
    """The rare values that keep one level for each column up, where fewest records may be left out."""
    levels = [(request, solution.levels_found) for request, solution in tried if solution.levels_found]
    if not levels:
        return None
    request, best = min(levels, key=lambda pair: pair[0].suppression)
    return rare_values(search(request), table, best)
