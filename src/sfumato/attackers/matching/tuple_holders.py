"""Tuple holders: who has which tuples, each record by itself or the persons whose records they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.chance import Chance
from sfumato.privacy.coded.distinct_rows import first_places, row_numbers, value_numbers

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole


@dataclass(frozen=True)
class TupleHolders:
    """Who has each of the tuples 0, 1, 2, ...: records, or persons, each person once a tuple however many records.

    Attempts are on `units`: groups of people among whom `ControlledAttack.drawn` draws. Where every record counts for
    itself a unit is a tuple, with as many people as records; where persons count, a unit is one person. Persons stand
    in the order of their first tuple, so that where each has one record the same people are drawn in both ways; who
    they are, whichever side is looked at, says their own number.

    >>> holders = TupleHolders.of(np.array([0, 1, 1, 1]), np.array([2, 1, 1, 1]), np.array([7, 7, 8, 8]))
    >>> holders.count(np.array([1])), holders.count(np.array([0, 1])), holders.tuples_of(0).tolist()
    (2, 2, [0, 1])
    >>> holders.persons_of(np.array([1])).tolist()
    [7, 8]
    >>> alone = TupleHolders.of(np.array([0, 1]), np.array([2, 1]))
    >>> alone.count(np.array([0, 1])), alone.units.tolist()
    (3, [2, 1])
    """

    n: Whole  # records of each tuple
    tuples: Whole | None = None  # of each pair of tuple and person, in order
    places: Whole | None = None  # ... the place of the person among all, from 0 on
    person: Whole | None = None  # by place, the number that the person has on either side

    @classmethod
    def of(cls, tuples: Whole, n: Whole, person: Whole | None = None) -> TupleHolders:
        """From records by tuple (and person, any number), in the order in which they first occur."""
        records = np.bincount(tuples, weights=n, minlength=int(tuples.max(initial=-1)) + 1).astype(np.int64)
        if person is None:
            return cls(records)
        order = np.argsort(tuples, kind="stable")
        tuples, person = tuples[order], person[order]
        places = value_numbers(person)  # who has the first tuple comes first
        once = first_places(row_numbers([tuples, places]))
        return cls(records, tuples[once], places[once], person[first_places(places)])

    @property
    def people(self) -> int:
        """How many people there are: records, or persons."""
        return int(self.n.sum()) if self.person is None else len(self.person)

    @property
    def units(self) -> Whole:
        """The people of each unit."""
        return self.n if self.person is None else np.ones(self.people, dtype=np.int64)

    def drawn_tuple(self, chance: Chance, *, but: int | None = None) -> int:
        """A tuple of somebody drawn by chance, of anybody or of anybody but one of a unit."""
        drawn = chance.whole(0, self.people - 1 - (but is not None))
        if but is not None:
            drawn += int(drawn >= self._ends[but] - 1)
        tuples = self.tuples_of(int(np.searchsorted(self._ends, drawn, side="right")))
        return int(tuples[0] if len(tuples) == 1 else tuples[chance.whole(0, len(tuples) - 1)])

    def tuples_of(self, unit: int) -> Whole:
        """The different tuples of a unit, in order."""
        if self.tuples is None:
            return np.array([unit])
        start, end = self._by_person[1][unit : unit + 2]
        return self.tuples[self._by_person[0][start:end]]

    def who(self, unit: int) -> int:
        """Whom a unit stands for: the number of its tuple, or that of the person."""
        return unit if self.person is None else int(self.person[unit])

    def count(self, tuples: Whole) -> int:
        """How many people have any of some tuples."""
        return int(self.n[tuples].sum()) if self.person is None else len(self.persons_of(tuples))

    def persons_of(self, tuples: Whole) -> Whole:
        """The numbers of the persons who have any of some tuples, ascending."""
        return np.unique(self.held(tuples)[0])

    def held(self, tuples: Whole) -> tuple[Whole, Whole]:
        """Who has which of some tuples: the numbers of persons, and the tuple that each has."""
        assert self.person is not None
        assert self.places is not None
        assert self.tuples is not None
        pairs = self._pairs_of(tuples)
        return self.person[self.places[pairs]], self.tuples[pairs]

    def tuples_held_by(self, person: int) -> Whole:
        """The tuples of a person by their number; none where they have none."""
        assert self.person is not None
        place = np.flatnonzero(self.person == person)
        return self.tuples_of(int(place[0])) if len(place) else np.array([], dtype=np.int64)

    def _pairs_of(self, tuples: Whole) -> Whole:
        """Where the pairs of some tuples stand among all pairs of tuple and person."""
        starts = self._starts[tuples]
        lengths = self._starts[tuples + 1] - starts
        before = np.cumsum(lengths) - lengths
        pairs: Whole = np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
        return pairs

    @cached_property
    def _ends(self) -> Whole:
        return np.cumsum(self.units)

    @cached_property
    def _starts(self) -> Whole:
        """By tuple, where its pairs begin."""
        assert self.tuples is not None
        return np.searchsorted(self.tuples, np.arange(len(self.n) + 1))

    @cached_property
    def _by_person(self) -> tuple[Whole, Whole]:
        """The pairs in the order of persons, and where those of each person begin."""
        assert self.places is not None
        order = np.argsort(self.places, kind="stable")
        return order, np.searchsorted(self.places[order], np.arange(self.people + 1))
