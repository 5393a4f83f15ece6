"""Anonymising: search a recoding that keeps to a policy, and write it down as steps of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sfumato.changing.tuple_file import write_tuples
from sfumato.column_hierarchies import ColumnHierarchy
from sfumato.condensed import Condensed
from sfumato.condensing import condense
from sfumato.dataset import Dataset
from sfumato.judging import Judges
from sfumato.method import Method, Wanted
from sfumato.outputs import write_text
from sfumato.policy import Policy
from sfumato.progress import Tell, quiet
from sfumato.required import stated
from sfumato.solution import Solution
from sfumato.transform.generalise import Generalise
from sfumato.transform.recode_tuples import RecodeTuples
from sfumato.transform.suppress_records import SuppressRecords
from sfumato.transformation import Transformation

RECODING = "recoding.csv"


@dataclass(frozen=True, eq=False)
class Solved:
    """A solution, and the table of different records in which it was searched."""

    table: Condensed
    solution: Solution


def condensed(dataset: Dataset, *policies: Policy, tell: Tell = quiet) -> Condensed:
    """The different records, grouped once in the engine for all that some policies read."""
    tell("Grouping the records")
    values = dict.fromkeys(value for policy in policies for value in Judges.of(policy).values)
    return condense(dataset, tuple(values))


def solve(
    table: Condensed, hierarchies: Mapping[str, ColumnHierarchy], method: Method, wanted: Wanted, tell: Tell = quiet
) -> Solved:
    """Search among the different records."""
    known = {name: found.hierarchy for name, found in hierarchies.items()}
    tell(f"Searching among {table.rows} different records")
    return Solved(table, method.solve(table, known, wanted, tell))


def steps_of(
    solution: Solution, hierarchies: Mapping[str, ColumnHierarchy], policy: Policy, orders: Mapping[str, Sequence[str]]
) -> tuple[Transformation, ...]:
    """What a solution does, as steps of a plan."""
    columns = tuple(hierarchies)
    if solution.levels is None:
        unknown = "leave_out" if solution.suppressed else "error"
        return (RecodeTuples(columns, RECODING, unknown=unknown),)
    steps: list[Transformation] = [
        Generalise(name, solution.levels[name], found.stated, found.unknown)
        for name, found in hierarchies.items()
        if solution.levels[name]
    ]
    return (*steps, *([suppression(policy, columns, orders)] if solution.suppressed else []))


def suppression(policy: Policy, columns: tuple[str, ...], orders: Mapping[str, Sequence[str]]) -> SuppressRecords:
    """The step that leaves out the records whose class breaks a policy."""
    required = [requirement for requirement in policy.requirements if requirement.bound is not None]
    if len(required) == 1 and required[0].measure.name() == "k_anonymity" and (required[0].bound or 0) >= 2:
        return SuppressRecords(class_size=_whole(required[0].bound), columns=columns)
    ordered = {name: list(order) for name, order in orders.items()}
    return SuppressRecords(requirements=[stated(r) for r in required], columns=columns, orders=ordered or None)


def write_files(folder: Path, solution: Solution, hierarchies: Mapping[str, ColumnHierarchy]) -> None:
    """Write the files that the steps name: hierarchies, and what each combination of values becomes."""
    if solution.lines is not None:
        write_tuples(solution.lines, tuple(hierarchies), folder / RECODING)
        return
    for name, found in hierarchies.items():
        if found.text is not None and solution.levels and solution.levels[name]:
            write_text(folder / found.file, found.text)


def _whole(bound: float | None) -> int:
    from math import ceil

    return ceil(bound or 0)
