"""Suppressing until a policy is met: classes are left out until those that stay keep to it among themselves."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedTable, CodedValue, added_up

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


def suppressed_until_met(rules: PolicyRules, classes: CodedClasses, suppressed: Flags) -> Flags:
    """The classes that have to go when some are gone already, and everybody else is the whole table.

    A measure such as t-closeness compares a class with everybody. When classes are left out, everybody is others than
    before, so a class that kept to its bound may break it now: it goes as well, until nothing changes. This ends, since
    classes only ever go. Where no class is compared with everybody, those who stay are judged as they were.
    """
    if not rules.compares:
        return suppressed
    while True:
        left = classes.without(suppressed)
        more = broken_among_themselves(rules, left) & (left.records > 0)
        if not more.any():
            return suppressed
        suppressed = suppressed | more


def broken_among_themselves(rules: PolicyRules, classes: CodedClasses) -> Flags:
    """Which of some classes break a policy when there is nobody else."""
    alone, of = by_themselves(classes)
    suppression = rules.suppression(alone, inf)
    assert suppression is not None  # there is no limit
    return suppression.here if of is None else suppression.here.take(of)


def by_themselves(classes: CodedClasses) -> tuple[CodedClasses, Whole | None]:
    """The classes as if there were nobody else, and the number there of each class; None: it is the same.

    Where persons are in several rows, everybody's shares depend on the classes of all who stay (`CodedClasses.coded`):
    so these get a table of their own, in which they are everybody.
    """
    table, rows = classes.table, classes.rows
    if table.persons is None:
        return replace(classes, table=_with_shares_of(classes)), None
    if table.population is None:
        own = table if rows is None else _rows_of(table, rows)
        alone = CodedClasses(own, classes.levels, classes.ids, classes.space)
        return replace(alone, table=_with_values_of(alone)), None
    # A class of the population has members of whom nobody stays, and a scenario sees them: so their rows stay too,
    # without records. Rows that were left out before are in the table of which this one was made only.
    whole, origins = table.origin
    every = CodedClasses.at(whole, classes.levels)
    examples = classes.examples if origins is None else origins.take(classes.examples)
    of, here = every.ids.take(examples), np.zeros(every.space, dtype=np.bool_)
    here[of[classes.records > 0]] = True
    alone = replace(every, table=_emptied(whole, ~here.take(every.ids)))
    return replace(alone, table=_with_values_of(alone)), of


def _rows_of(table: CodedTable, rows: Whole) -> CodedTable:
    """Some rows as a table of their own; only what rules read is right in it."""
    assert table.persons is not None
    return replace(
        table, codes=table.codes.take(rows, axis=1), records=table.records.take(rows),
        members=table.members.take(rows), persons=table.persons.take(rows), _origin=None, _labels={}, _squares=None,
        values={value: replace(coded, codes=coded.codes.take(rows)) for value, coded in table.values.items()},
    )  # fmt: skip


def _emptied(table: CodedTable, rows: Flags) -> CodedTable:
    """The table with nobody in some rows but the members of the population."""
    values = {v: replace(coded, codes=np.where(rows, -1, coded.codes)) for v, coded in table.values.items()}
    return replace(
        table, records=np.where(rows, 0, table.records), members=np.where(rows, 0, table.members), values=values,
        _origin=None, _labels={}, _squares=None,
    )  # fmt: skip


def _with_values_of(classes: CodedClasses) -> CodedTable:
    """The table of some classes, with those values only that somebody in them has."""
    values = {}
    for value, coded in classes.table.values.items():
        cells = classes.cells(value)
        values[value] = _of_those_who_have(coded, added_up(cells.value, cells.n, len(coded.shares)))
    return replace(classes.table, values=values)


def _with_shares_of(classes: CodedClasses) -> CodedTable:
    """The table with the shares of those who are in some classes."""
    together = replace(classes, ids=np.zeros(len(classes.ids), dtype=np.int64), space=1)
    values = {}
    for value, coded in classes.table.values.items():
        cells, have = together.cells(value), np.zeros(len(coded.shares))
        have[cells.value] = cells.n
        values[value] = _of_those_who_have(coded, have)
    return replace(classes.table, values=values)


def _of_those_who_have(coded: CodedValue, have: Real) -> CodedValue:
    """A sensitive value when so many have each of its values.

    A value that nobody has any more is none: the places between others, the range of numbers and the values that a
    class could lack are those of the release.
    """
    shares, kept = have / max(have.sum(), 1), have > 0
    if kept.all():
        return replace(coded, shares=shares)
    # The value of a row that is not here any more is never asked for, so its place may be anything.
    places = np.append(np.maximum(np.cumsum(kept) - 1, 0), -1)
    numbers = None if coded.numbers is None else coded.numbers[kept]
    return replace(coded, codes=places.take(coded.codes), shares=shares[kept], numbers=numbers)
