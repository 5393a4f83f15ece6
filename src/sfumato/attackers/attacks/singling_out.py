"""Singling out: can a description taken from the release fit exactly one person?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.attack_interface import AttackResult, ControlledAttack, Trials, share
from sfumato.attackers.matching.coded_tuples import MISSING, MatchedColumn, Tuples
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.attackers.matching.tuple_holders import TupleHolders
from sfumato.chance import Chance
from sfumato.errors import PolicyError

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole

Description = tuple[int | None, ...]  # by column, the code of a label; None where it says nothing


@dataclass(frozen=True)
class SinglingOut(ControlledAttack):
    r"""The share of released records whose description fits exactly one original record.

    .. math:: a = P\big( |\{ x \in X : x \models y \}| = 1 \big), \qquad y \in Y \text{ drawn}

    An attempt takes the values of one released record on all columns, or on so many `columns` drawn by chance, and
    counts the original records that they fit: an original value fits a label that it equals or, where the column was
    recoded, that the release gives to it anywhere. A suppressed cell says nothing. If two fit, the attempt fails.

    The control draws each value of the description from another released record: what the columns say one by one. On
    one column that is the same thing, so there the risk is 0 by definition, and the rate of the attack is what counts.

    Where a subject is known, y is a record of a person drawn, and the attempt succeeds if all records that it fits are
    of one person:

    .. math:: a = \frac{1}{|P|} \sum_p \frac{1}{|Y(p)|} \sum_{y \in Y(p)} \big[ |\{ \pi(x) : x \models y \}| = 1 \big]

    References
    ----------
    Article 29 Data Protection Working Party (2014). Opinion 05/2014 on anonymisation techniques, section 3.
    Giomi et al. (2023). A unified framework for quantifying privacy risk in synthetic data. PoPETs 2023(2).

    Examples
    --------
    Ages in decades: two of the four people are alone in theirs.

    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> pairs = DuckDB().query('''
    ...     SELECT o1, o2, concat(o1 // 10, '*') AS r1, o2 AS r2, TRUE AS kept
    ...     FROM (VALUES (21, 'f'), (23, 'f'), (31, 'm'), (48, 'm')) AS person(o1, o2)''')
    >>> SinglingOut().of(LinkedRecords.of(pairs, ["age", "sex"])).attack
    Trials(attempts=4, successes=2)
    """

    columns: int | None = None

    plainly = "describes a person by the values of a released record, and sees whether the description fits only one"
    place = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.columns is not None and self.columns < 1:
            raise PolicyError(f"{self.name()}: columns must be a whole number from 1 on.")

    def of(self, linked: LinkedRecords) -> AttackResult:
        tuples = Tuples.of(linked, raw=True)
        chance = Chance.of(self.seed)
        if not len(tuples.releases):
            failed = Trials(min(self.attempts, tuples.pair_holders.people), 0)
            return AttackResult(self.name(), failed, failed, ("Nothing was released.",), unit=linked.unit)
        fitting, released = _Fitting(tuples.columns, tuples.original_holders), tuples.release_holders
        chosen = self.drawn(released.units, chance)
        people = [self.tried(released.tuples_of(int(unit)), chance) for unit in chosen]
        kept = [[self._kept(len(tuples.columns), chance) for _ in person] for person in people]
        attack = sum(share([fitting.one(_of_record(tuples, record, which))
                            for record, which in zip(person, columns, strict=True)])
                     for person, columns in zip(people, kept, strict=True))  # fmt: skip
        control = sum(share([fitting.one(_of_marginals(tuples, chance, which)) for which in columns])
                      for columns in kept)  # fmt: skip
        return AttackResult(
            self.name(), Trials(len(people), attack), Trials(len(people), control), unit=linked.unit
        )  # fmt: skip

    def _kept(self, width: int, chance: Chance) -> tuple[int, ...]:
        """The columns of one description."""
        places = list(range(width))
        if self.columns is None or self.columns >= width:
            return tuple(places)
        return tuple(sorted(places.pop(chance.whole(0, len(places) - 1)) for _ in range(self.columns)))


def _of_record(tuples: Tuples, record: int, kept: Sequence[int]) -> Description:
    labels = (int(column.released[record]) if k in kept else MISSING for k, column in enumerate(tuples.columns))
    return tuple(None if label == MISSING else label for label in labels)


def _of_marginals(tuples: Tuples, chance: Chance, kept: Sequence[int]) -> Description:
    """A description of which each value comes from a record of its own."""
    description: list[int | None] = [None] * len(tuples.columns)
    for k in kept:
        record = tuples.release_holders.drawn_tuple(chance)
        description[k] = int(tuples.columns[k].released[record]) or None
    return tuple(description)


@dataclass(frozen=True)
class _Fitting:
    """The original tuples by their values, so that those that fit a description are found without looking at all."""

    columns: Sequence[MatchedColumn]
    originals: TupleHolders
    _known: dict[Description, bool] = field(default_factory=dict)  # a release has far fewer descriptions than records

    @cached_property
    def _orders(self) -> list[tuple[Whole, Whole]]:
        """By column: the tuples in the order of their codes, and where each code starts."""
        return [(np.argsort(c.value, kind="stable"), np.searchsorted(np.sort(c.value), np.arange(c.codes + 1)))
                for c in self.columns]  # fmt: skip

    def one(self, description: Description) -> bool:
        """Whether a description fits exactly one original record, or the records of one person."""
        if description not in self._known:
            self._known[description] = self._fits_one(description)
        return self._known[description]

    def _fits_one(self, description: Description) -> bool:
        asked = sorted(self._fits(description), key=lambda one: self._many(*one))  # the rarest first
        if not asked:
            return self.originals.people == 1
        order, starts = self._orders[asked[0][0]]
        rows = np.concatenate([order[starts[code] : starts[code + 1]] for code in asked[0][1]])
        for k, fits in asked[1:]:
            fitting = np.zeros(self.columns[k].codes + 1, dtype=np.bool_)
            fitting[fits] = True
            rows = rows[fitting[self.columns[k].value[rows]]]
        return self.originals.count(rows) == 1

    def _fits(self, description: Description) -> Iterator[tuple[int, Whole]]:
        """By column that the description names, the codes of the values that fit it."""
        for k, label in enumerate(description):
            if label is None:
                continue
            values = self._values[k].get(label)  # none for a column that was not recoded
            yield k, np.array([label]) if values is None else np.union1d(values, [label])

    @cached_property
    def _values(self) -> list[dict[int, Whole]]:
        """By recoded column and label, the values to which the release gives it."""
        values_of: list[dict[int, Whole]] = []
        for column in self.columns:
            together = np.array([], dtype=np.int64) if column.labelled is None else column.labelled
            values, labels = together // column.codes, together % column.codes
            values_of.append({int(label): values[labels == label] for label in np.unique(labels)})
        return values_of

    def _many(self, k: int, fits: Whole) -> int:
        starts = self._orders[k][1]
        return int((starts[fits + 1] - starts[fits]).sum())
