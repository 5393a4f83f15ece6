"""Search a recoding that keeps to a policy, and write it down as steps of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.hierarchies.column_hierarchy import ColumnHierarchy
from sfumato.outputs import write_text
from sfumato.plans.blocks.tuple_file import write_tuples
from sfumato.plans.step_interface import Transformation
from sfumato.plans.steps.generalise import Generalise
from sfumato.plans.steps.recode_tuples import RecodeTuples
from sfumato.plans.steps.suppress_records import SuppressRecords
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.policy import Policy
from sfumato.privacy.requirement_text import stated
from sfumato.progress import Tell, quiet
from sfumato.search.deadline import until
from sfumato.search.method_interface import Method, SearchRequest
from sfumato.search.solution import Solution

if TYPE_CHECKING:
    import pyarrow as pa

RECODING = "recoding.csv"


@dataclass(frozen=True, eq=False)
class SolvedTable:
    """A solution, and the table of different records in which it was searched."""

    table: CodedTable
    solution: Solution
    reads_population: bool = False


def different_records(dataset: Dataset, *policies: Policy, in_engine: bool = False, tell: Tell = quiet) -> CodedTable:
    """The different records, grouped once in the engine for all that some policies read.

    They may stay there where there are too many of them, and whoever searches can do with that (`in_engine`).
    """
    tell("Grouping the records")
    every = [PolicyRules.of(policy) for policy in policies]
    values = dict.fromkeys(value for rules in every for value in rules.values)
    population = any(rules.reads_population for rules in every)
    return condense(dataset, tuple(values), population=population, in_engine=in_engine)


def solve(
    table: CodedTable,
    hierarchies: Mapping[str, ColumnHierarchy],
    method: Method,
    request: SearchRequest,
    tell: Tell = quiet,
) -> SolvedTable:
    """Search among the different records."""
    known = {name: column.hierarchy for name, column in hierarchies.items()}
    tell(f"Searching among {table.rows} different records")
    reads_population = PolicyRules.of(request.policy).reads_population
    with until(request.ends()):
        return SolvedTable(table, method.solve(table, known, request, tell), reads_population)


def steps_of(
    solved: SolvedTable,
    hierarchies: Mapping[str, ColumnHierarchy],
    request: SearchRequest,
    orders: Mapping[str, Sequence[str]],
) -> tuple[Transformation, ...]:
    """What a solution does, as steps of a plan."""
    columns, solution = tuple(hierarchies), solved.solution
    if solution.levels is None:
        return (RecodeTuples(columns, RECODING, unknown="leave_out" if solution.suppressed else "error"),)
    steps: list[Transformation] = [
        Generalise(name, solution.levels[name], column.stated, column.unknown)
        for name, column in hierarchies.items()
        if solution.levels[name]
    ]
    if not solution.suppressed:
        return tuple(steps)
    if solved.reads_population:
        return (*steps, RecodeTuples(columns, RECODING, unknown="leave_out"))
    return (*steps, suppression(request, columns, orders))


def suppression(
    request: SearchRequest, columns: tuple[str, ...], orders: Mapping[str, Sequence[str]]
) -> SuppressRecords:
    """The step that leaves out the records whose class breaks a policy."""
    required = [requirement for requirement in request.policy.requirements if requirement.bound is not None]
    alone = len(required) == 1 and not request.scenarios
    if alone and required[0].measure.counts_members and (required[0].bound or 0) >= 2:
        return SuppressRecords(class_size=_whole(required[0].bound), columns=columns)
    known = {scenario.name: list(scenario.quasi_identifiers) for scenario in request.scenarios}
    return SuppressRecords(
        requirements=[stated(r) for r in required],
        columns=columns,
        orders={name: list(order) for name, order in orders.items()} or None,
        scenarios=known or None,
        against="original" if request.original else "release",
    )


def write_files(folder: Path, solved: SolvedTable, hierarchies: Mapping[str, ColumnHierarchy]) -> None:
    """Write the files that the steps name: hierarchies, and what each combination of values becomes."""
    solution = solved.solution
    if solution.lines is not None:
        write_tuples(solution.lines, tuple(hierarchies), folder / RECODING)
        return
    assert solution.levels is not None
    if solution.suppressed and solved.reads_population:
        write_tuples(_kept(solved, hierarchies), tuple(hierarchies), folder / RECODING)
    for name, column in hierarchies.items():
        text = column.text if solution.levels[name] else None  # made once: a column can have 20,000 lines
        if text is not None:
            write_text(folder / column.file, text)


def _kept(solved: SolvedTable, hierarchies: Mapping[str, ColumnHierarchy]) -> pa.Table:
    """The combinations of labels that stay, which become themselves: which they are depends on the population."""
    import numpy as np
    import pyarrow as pa

    table, solution = solved.table, solved.solution
    assert solution.gone is not None
    assert solution.levels is not None
    rows = np.flatnonzero(~solution.gone & (table.records > 0))
    labels = {}
    for j, column in enumerate(table.columns):
        hierarchy = hierarchies[column.name].hierarchy
        lines = (*hierarchy.lines, hierarchy.missing)
        texts = pa.array([line[solution.levels[column.name]] for line in lines], pa.string())
        labels[f"l{j}"] = texts.take(pa.array(table.codes[j][rows]))
    different = pa.table(labels).group_by(list(labels)).aggregate([]).select(list(labels))
    return pa.table([*different.columns, *different.columns], names=[f"c{i}" for i in range(2 * len(labels))])


def _whole(bound: float | None) -> int:
    from math import ceil

    return ceil(bound or 0)
