"""Everything that is released: who is alone on all columns together, by which few of them, and which adds most.

A policy reads the columns that were named to it. Somebody who holds the release reads all of them, and nobody knows
which of them they know of a person already. So this reading has no roles: it stands beside the verdict on the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import comb

from sfumato.privacy.dataset import Dataset
from sfumato.privacy.policy import Policy
from sfumato.schema import Role
from sfumato.show.documents.everything_released import AddedDocument, EverythingDocument, LoneSetDocument
from sfumato.show.sheet import named, number
from sfumato.tables.engine import Kind, Table, listed, one_value, quoted

LARGEST = 3  # columns of a set: what somebody may know of a person by chance; also what the sheet has room to say
# Of so many columns, those with the most different values, every pair and every three are looked at: 8 columns are 84
# sets, which take 0.4 seconds of processor on the 30,162 records of the census, and all of an assessment 0.24.
COMBINED = 8
FEWEST = 3  # columns that are combined however many records there are: 3 pairs and their 3 together
# Rows that may be grouped for pairs and threes: beyond that fewer columns are combined. 8 columns up to 71,000 records,
# 3 from 600,000 on: the reading of 1.2 million records takes 3.6 seconds of processor (decision 0032).
GROUPED = 6_000_000
ONE_BY_ONE = 400  # columns that are looked at by themselves, the first ones (chosen, not measured)
TOGETHER = 2_000_000  # rows grouped in one statement: an engine may hold the groups of all its parts at the same time
LISTED = 3  # sets of each size that are listed: those that single out most


@dataclass(frozen=True)
class LoneSet:
    """Some columns, and how many people are alone on them."""

    columns: tuple[str, ...]
    alone: int


@dataclass(frozen=True)
class AddedColumn:
    """The column that adds most: the largest gain in people alone when it joins a set that was looked at without it."""

    column: str
    gain: int
    beside: tuple[str, ...]  # the set that it joins; none where it gains most by itself
    alone_without: int  # people alone on all other columns together


@dataclass(frozen=True, kw_only=True)
class LonePeople:
    """What was counted: people are persons where the subject is known, records otherwise."""

    people: int
    alone: int  # on all columns together
    alone_on_asked: int  # on the columns that the policy asks something of
    sets: tuple[LoneSet, ...]  # those that single out more than each of their parts, the smallest first
    adds_most: AddedColumn | None
    combined: int  # columns of which every pair and every three were looked at
    possible: int  # sets of up to three columns
    examined: int
    implied: int  # known without being looked at: more columns can only single out more people

    @property
    def left(self) -> int:
        """Sets of which nothing is known."""
        return self.possible - self.examined - self.implied


@dataclass(frozen=True)
class EverythingReleased:
    """The released columns of a table, whatever their role, read together when somebody asks.

    Somebody is alone on a set of columns if no other person has the same values there; a null is a value. Persons have
    several records: one of them that nobody else shares is enough. More columns can only single out more people, so a
    set that singles out as many as all columns together tells what every set around it does.

    >>> from sfumato.studies.printed_tables import inpatients
    >>> table = inpatients().table
    >>> lone = EverythingReleased(table, ("zip", "age", "condition"), asked=("zip",)).reading
    >>> lone.people, lone.alone, lone.alone_on_asked, [(each.columns, each.alone) for each in lone.sets]
    (12, 12, 0, [(('age',), 12), (('zip', 'condition'), 6)])
    >>> lone.adds_most.column, lone.adds_most.gain, lone.adds_most.alone_without
    ('age', 12, 6)
    """

    table: Table
    columns: tuple[str, ...]
    subject: str | None = None
    asked: tuple[str, ...] = ()  # columns that the policy asks something of
    apart: tuple[str, ...] = ()  # columns that are not read: they name people, or only tell them apart

    @classmethod
    def of(
        cls, dataset: Dataset, policy: Policy, released: Sequence[str] | None = None, *, dropped: Collection[str] = ()
    ) -> EverythingReleased:
        """The columns of a release; of a table that is none yet, all but direct identifiers, which never leave.

        What a plan is known to drop is left out.

        The subject, which may leave as a pseudonym, tells everybody apart and nobody knows it: it is left apart.
        """
        there = tuple(name for name in dataset.table.columns if name not in dropped)
        names = there if released is None else tuple(name for name in released if name in there)
        direct = dataset.schema.columns_with(Role.DIRECT) if released is None else ()
        apart = tuple(name for name in names if name in direct or name == dataset.subject)
        bounded = [r.measure for r in policy.requirements if r.bound is not None]
        read = {getattr(measure, "sensitive", None) for measure in bounded}
        quasi = dataset.schema.columns_with(Role.QUASI) if bounded else ()
        columns = tuple(name for name in names if name not in apart)
        asked = tuple(name for name in columns if name in quasi or name in read)
        return cls(dataset.table, columns, dataset.subject, asked, apart)

    @property
    def unasked(self) -> tuple[str, ...]:
        """Released columns that the policy asks nothing of."""
        return tuple(name for name in self.columns if name not in self.asked)

    @cached_property
    def reading(self) -> LonePeople:
        """The reading, made once."""
        count = _Count.of(self)
        try:
            return _Search(self, count).run()
        finally:
            count.records.engine.drop(count.records)

    @property
    def open(self) -> tuple[str, ...]:
        """What to say where people are alone by columns that the policy asks nothing of."""
        return self.questions(number)

    def questions(self, count: Callable[[int], str]) -> tuple[str, ...]:
        """The same with counts as their reader may see them."""
        if not self.asked or not self.unasked:
            return ()
        lone = self.reading
        if lone.alone <= lone.alone_on_asked:
            return ()
        most = max(lone.sets, key=lambda each: (each.alone, -len(each.columns)), default=None)
        told = f" By {' + '.join(most.columns)} alone: {count(most.alone)} of them." if most else ""
        who = f"{count(lone.alone)} of {number(lone.people)} {self.members} {'is' if lone.alone == 1 else 'are'} alone"
        return (f"{who} on everything that is released, and nothing is required of {named(self.unasked)}.{told}",)

    @property
    def members(self) -> str:
        """Who is counted."""
        return "records" if self.subject is None else "persons"

    def content(self) -> EverythingDocument:
        """The reading as plain values. It holds no cell value."""
        lone, added = self.reading, self.reading.adds_most
        return EverythingDocument(
            columns=self.columns,
            apart=self.apart,
            asked=self.asked,
            members=self.members,
            people=lone.people,
            alone=lone.alone,
            alone_on_asked=lone.alone_on_asked,
            sets=[LoneSetDocument(columns=each.columns, alone=each.alone) for each in lone.sets],
            adds_most=AddedDocument(**vars(added)) if added else None,
            combined=lone.combined,
            possible=lone.possible,
            examined=lone.examined,
            implied=lone.implied,
            left=lone.left,
        )


Places = tuple[int, ...]  # columns of a set, by their places from 0 on


@dataclass(frozen=True)
class _Count:
    """How many people are alone on sets of columns, counted in the engine."""

    records: Table  # c0, c1, ... and, where persons are known, person
    rows: int
    persons: bool
    ready: bool = False  # whether the rows are held, and need not be for more questions

    @classmethod
    def of(cls, released: EverythingReleased) -> _Count:
        """The columns under neutral names; held at once, and near, where each question takes its time to start."""
        table, kinds = released.table, released.table.kinds
        items = [f"{_compared(name, kinds[name])} AS c{place}" for place, name in enumerate(released.columns)]
        items += [f"record.{quoted(released.subject)} AS person"] if released.subject else []
        select, rows, waits = f"SELECT {listed(items)} FROM {table} AS record", table.count(), table.engine.waits
        records = table.engine.near(select, rows) if waits else table.engine.view(select)
        return cls(records, rows, released.subject is not None, ready=waits)

    @contextmanager
    def held(self) -> Iterator[_Count]:
        """The same, held for many questions: a release is a chain of views, and would be made anew for each."""
        if self.ready:
            yield self
            return
        engine = self.records.engine
        records = engine.query(f"SELECT * FROM {self.records}")
        try:
            yield replace(self, records=records)
        finally:
            engine.drop(records)

    def people(self) -> int:
        """Everybody. A record without a subject is somebody too."""
        if not self.persons:
            return self.rows
        counted = "count(DISTINCT person) + count(*) - count(person)"
        return int(self.records.engine.fetch(f"SELECT {counted} FROM {self.records}")[0][0])

    def alone(self, sets: Sequence[Places]) -> dict[Places, tuple[int, int]]:
        """How many different combinations of values each set has, and how many people are alone on it."""
        part = max(1, TOGETHER // max(self.rows, 1))
        counts: dict[Places, tuple[int, int]] = {}
        for start in range(0, len(sets), part):
            some = sets[start : start + part]
            rows = self.records.engine.fetch(" UNION ALL ".join(self._counted(i, s) for i, s in enumerate(some)))
            counts |= {some[int(i)]: (int(different), int(alone)) for i, different, alone in rows}
        return counts

    def _counted(self, number: int, places: Places) -> str:
        keys = listed(f"c{place}" for place in places)
        if not self.persons:
            alone, sizes = "count(CASE WHEN size = 1 THEN 1 END)", "count(*) AS size"
        else:
            # One person: every record has a subject, and it is the same; or one record, of which nobody knows whose.
            known = "CASE WHEN known = size AND lowest = highest THEN lowest END"
            alone = f"count(DISTINCT {known}) + count(CASE WHEN size = 1 AND known = 0 THEN 1 END)"
            sizes = "count(*) AS size, count(person) AS known, min(person) AS lowest, max(person) AS highest"
        return f"""
            SELECT {number} AS number, count(*) AS different, {alone} AS alone
            FROM (SELECT {sizes} FROM {self.records} GROUP BY {keys}) AS combination"""


@dataclass(frozen=True)
class _Search:
    """All columns together, each by itself, then pairs and threes of those with the most different values."""

    released: EverythingReleased
    count: _Count
    alone_on: dict[Places, int] = field(default_factory=dict)  # by set: some are asked about twice

    def run(self) -> LonePeople:
        columns, people = self.released.columns, self.count.people()
        every = tuple(range(len(columns)))
        possible = sum(comb(len(columns), size) for size in range(1, LARGEST + 1))
        whole = self._alone(every)
        if not whole:  # no set of fewer columns singles anybody out
            return LonePeople(
                people=people, alone=0, alone_on_asked=0, sets=(), adds_most=None, combined=0,
                possible=possible, examined=0, implied=possible,
            )  # fmt: skip
        with self.count.held() as held:
            return replace(self, count=held)._of_lone(people, possible, whole)

    def _of_lone(self, people: int, possible: int, whole: int) -> LonePeople:
        """By what so many are alone."""
        columns = self.released.columns
        every = tuple(range(len(columns)))
        singles = self.count.alone([(place,) for place in every[:ONE_BY_ONE]])
        looked = {places: alone for places, (_, alone) in singles.items()}
        complete = {place for (place,), alone in looked.items() if alone == whole}
        others = [places for places in singles if places[0] not in complete]
        by_values = sorted(others, key=lambda places: (-singles[places][0], places))
        combined = sorted(place for (place,) in by_values[: _combinable(self.count.rows)])
        for size in range(2, LARGEST + 1):
            sets = [s for s in combinations(combined, size) if not _known(s, looked, whole)]
            looked |= {places: alone for places, (_, alone) in self.count.alone(sets).items()}
        return LonePeople(
            people=people,
            alone=whole,
            alone_on_asked=self._alone(tuple(p for p in every if columns[p] in self.released.asked)),
            sets=tuple(self._listed(looked)),
            adds_most=self._added(looked, every),
            combined=len(combined),
            possible=possible,
            examined=len(looked),
            implied=_implied(len(columns), looked, whole),
        )

    def _alone(self, places: Places) -> int:
        if places and places not in self.alone_on:
            self.alone_on[places] = self.count.alone([places])[places][1]
        return self.alone_on.get(places, 0)

    def _listed(self, looked: dict[Places, int]) -> Iterator[LoneSet]:
        """Sets that single out more than each of their parts: the smallest first, then those that single out most."""
        for size in range(1, LARGEST + 1):
            whole = {s: n for s, n in looked.items() if len(s) == size}
            more = [s for s, n in whole.items() if n > max((looked.get(p, 0) for p in _parts(s)), default=0)]
            for places in sorted(more, key=lambda s: (-looked[s], s))[:LISTED]:
                yield LoneSet(self._names(places), looked[places])

    def _added(self, looked: dict[Places, int], every: Places) -> AddedColumn:
        """The column with the largest gain; of several, that which gains it beside the fewest, then the first."""
        gains = (
            (looked[places] - looked.get(part, 0), -len(part), -place, part)
            for places in looked
            for place, part in ((p, tuple(q for q in places if q != p)) for p in places)
            if not part or part in looked
        )
        gain, _, negative, beside = max(gains, key=lambda each: each[:3])
        without = self._alone(tuple(place for place in every if place != -negative))
        return AddedColumn(self.released.columns[-negative], gain, self._names(beside), without)

    def _names(self, places: Places) -> tuple[str, ...]:
        return tuple(self.released.columns[place] for place in places)


def _compared(name: str, kind: Kind) -> str:
    """A column as it is compared: what an engine may not group (lists, maps) as a text."""
    raw = f"record.{quoted(name)}"
    return f"CAST({raw} AS VARCHAR)" if kind is Kind.OTHER else one_value(raw, kind)


def _combinable(rows: int) -> int:
    """Of how many columns every pair and three are looked at.

    >>> [_combinable(rows) for rows in (5_000, 100_000, 250_000, 1_200_000, 12_000_000)]
    [8, 7, 5, 3, 3]
    """
    allowed = (m for m in range(COMBINED, FEWEST, -1) if (comb(m, 2) + comb(m, 3)) * rows <= GROUPED)
    return next(allowed, FEWEST)


def _parts(places: Places) -> Iterator[Places]:
    """Every smaller set within a set."""
    return (part for size in range(1, len(places)) for part in combinations(places, size))


def _known(places: Places, looked: dict[Places, int], whole: int) -> bool:
    """Whether a part of a set singles out everybody that all columns single out."""
    return any(looked.get(part) == whole for part in _parts(places))


def _implied(columns: int, looked: dict[Places, int], whole: int) -> int:
    """How many sets of up to three columns, not looked at, have a part that singles out as many as all columns."""
    complete = [places for places, alone in looked.items() if alone == whole]
    single = sum(len(places) == 1 for places in complete)
    others = columns - single
    around = sum(comb(columns, size) - comb(others, size) for size in range(2, LARGEST + 1))
    alone = {place for places in complete if len(places) == 1 for place in places}
    pairs = [set(places) for places in complete if len(places) == 2]
    wider = {frozenset(pair | {place}) for pair in pairs for place in range(columns) if place not in pair | alone}
    return around + len(wider)
