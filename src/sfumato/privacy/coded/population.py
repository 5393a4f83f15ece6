"""The population of a coded table: how many of its members have each combination of quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SchemaError
from sfumato.privacy.coded.person_counts import members_by_class
from sfumato.privacy.coded.table import CodedTable, row_keys

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole


@dataclass(frozen=True, eq=False)
class CodedPopulation:
    """The different records of a population, as numbers of the same hierarchies."""

    codes: Whole  # of each column and row
    members: Whole  # of each row
    persons: Whole | None  # of each row: the number of a person who is in several; -1 for all others


def with_population(table: CodedTable, everybody: CodedPopulation) -> CodedTable:
    """The table with the members of the population that share the quasi-identifiers of each row.

    They stand beside one of the rows with these quasi-identifiers. Those of whom nobody is in the table get rows
    without records, and so does everybody who is in several rows of the population.
    """
    codes = np.concatenate([table.codes, everybody.codes], axis=1)
    numbers = np.unique(row_keys((row, int(row.max()) + 1) for row in codes), return_inverse=True)[1].reshape(-1)
    ours, theirs = numbers[: table.rows], numbers[table.rows :]
    _check(table, ours, everybody, theirs)
    first = np.full(int(numbers.max()) + 1, -1, dtype=np.int64)
    first[ours[::-1]] = np.arange(table.rows)[::-1]
    shared = first.take(theirs) >= 0
    if everybody.persons is not None:
        shared &= everybody.persons < 0
    population = np.zeros(table.rows, dtype=np.int64)
    population[first.take(theirs[shared])] = everybody.members[shared]
    added = np.flatnonzero(~shared)
    order = np.argsort(np.concatenate([ours, theirs.take(added)]), kind="stable")
    residents = None if everybody.persons is None else everybody.persons.take(added)
    return replace(
        _longer(table, everybody.codes.take(added, axis=1), order),
        population=np.concatenate([population, everybody.members.take(added)]).take(order),
        residents=None if residents is None else _appended(np.full(table.rows, -1), residents, order),
    )


def _longer(table: CodedTable, codes: Whole, order: Whole) -> CodedTable:
    """The table with rows that have no records, in this order."""
    nothing = np.zeros(codes.shape[1], dtype=np.int64)
    records = _appended(table.records, nothing, order)
    members = records if table.one_record_each else _appended(table.members, nothing, order)
    values = {value: replace(coded, codes=_appended(coded.codes, nothing - 1, order))
              for value, coded in table.values.items()}  # fmt: skip
    persons = None if table.persons is None else _appended(table.persons, nothing - 1, order)
    return replace(
        table, codes=np.concatenate([table.codes, codes], axis=1).take(order, axis=1), records=records,
        members=members, values=values, persons=persons, _labels={},
    )  # fmt: skip


def _appended(numbers: Whole, more: Whole, order: Whole) -> Whole:
    every: Whole = np.concatenate([numbers, more]).take(order)
    return every


def _check(table: CodedTable, ours: Whole, everybody: CodedPopulation, theirs: Whole) -> None:
    """Refuse a table that is no sample of the population."""
    space = int(max(ours.max(), theirs.max(initial=0))) + 1
    here = members_by_class(ours, table.member_weights, table.persons, space)
    there = members_by_class(theirs, everybody.members.astype(float), everybody.persons, space)
    lacking, larger = int(((here > 0) & (there == 0)).sum()), int(((there > 0) & (here > there)).sum())
    if lacking:
        raise SchemaError(
            f"The population lacks {_combinations(lacking)} that the sample has. Whoever is in the sample is in its "
            f"population too: check that both tables write the quasi-identifiers in the same way."
        )
    if larger:
        raise SchemaError(
            f"The sample has more members than the population with {_combinations(larger)}, so it is no sample of it. "
            f"Check that the population is complete."
        )


def _combinations(number: int) -> str:
    return f"{number} combination{'s' * (number != 1)} of quasi-identifiers"
