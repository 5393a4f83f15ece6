"""Attacks: what an attacker tries on a release, and how often it succeeds.

Two kinds. A *linkage* looks for the released record of every original one; since both stand in the same row the truth
is known, and nothing is drawn. A *controlled attack* makes attempts on people drawn by chance, beside a control that
does without the release: that an attempt succeeds proves little when it would succeed anyhow, and so the risk is what
the release adds. The Article 29 Working Party asks three questions in this way: can a person be singled out, can
records of a person be linked, can something be inferred about a person.

Where a subject is known, both count persons and not their records (decision 0058).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.chance import Chance
from sfumato.errors import PolicyError
from sfumato.members import Named
from sfumato.show.documents.exposure import AttackDocument, LinkageDocument, TrialsDocument
from sfumato.tables.engine import Table

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole

NORMAL = 1.959963984540054  # the standard normal quantile of 97.5 %
# Different records of a person with which attempts are made: beyond it so many are drawn, which leaves the mean what it
# is. Chosen, not measured: 2,000 people with a thousand visits each would take as long as two million.
MOST_RECORDS = 20


class Attack(Named, ABC):
    """Something that an attacker tries on a release, decided completely by its fields.

    Subclasses are frozen dataclasses, one file each in `attacks/`, and extend `Linkage` or `ControlledAttack`. Every
    field has a default, but for `sensitive`, which an attack `about_sensitive` is given.
    """

    plainly: ClassVar[str]  # what the attacker does, in plain words
    place: ClassVar[int] = 100  # in which order attacks are tried and shown: lower first, then by name
    least_columns: ClassVar[int] = 1  # quasi-identifiers without which there is nothing to try
    about_sensitive: ClassVar[bool] = False  # tried once for each sensitive column, which is its field `sensitive`


@dataclass(frozen=True)
class LinkageResult:
    r"""How often an attacker names a released record for an original one, and how often the right one.

    With C(x) the released records that fit original x best, and y(x) its own record:

    .. math::

        \text{match rate} = \frac{1}{|X|} \sum_x [C(x) \ne \emptyset], \qquad
        \text{true-match rate} = \frac{1}{|X|} \sum_x \frac{[y(x) \in C(x)]}{|C(x)|}

    The false-match rate is the difference. The *found rate* is the share of originals whose own record is among those
    named, however many these are; under exact linkage it can only fall with further columns. The true-match rate may
    rise with them, as there are then fewer records to pick from. A record is *linkable* where exactly one released
    record fits best and it is the right one.

    Where a subject is known, all of this counts persons. With P the persons, X(p) the records of a person, and P(x) the
    persons whose released records are among C(x):

    .. math::

        \text{match rate} = \frac{1}{|P|} \sum_p \max_{x \in X(p)} [C(x) \ne \emptyset], \qquad
        \text{true-match rate} = \frac{1}{|P|} \sum_p \max_{x \in X(p)} \frac{[p \in P(x)]}{|P(x)|}

    The attacker knows one record of a person, whichever tells most, and picks one of the persons that it names: any
    record of the person is a true match, and ten records of somebody else are one person to be mistaken for. A person
    is found where some record of theirs names them among others, and linkable where some record names nobody else. One
    record a person gives the rates of records.

    Examples
    --------
    Table 7 of the hospital release: of 30 % matches 17 % are false and 13 % true.

    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> none = DuckDB().query("SELECT 1 AS row WHERE FALSE")
    >>> result = LinkageResult(method="exact_linkage", records=100, released=100, matched=30, own_named=20,
    ...                        expected=13.0, linkable=9, rows=none)
    >>> result.match_rate, result.true_match_rate, round(result.false_match_rate, 12), result.comparisons
    (0.3, 0.13, 0.17, 10000)

    The same counts of 50 persons with 100 records:

    >>> from dataclasses import replace
    >>> replace(result, persons=50).true_match_rate, replace(result, persons=50).unit
    (0.26, 'persons')
    """

    method: str
    records: int  # originals
    released: int
    matched: int  # originals, or persons, for which a released record is named
    own_named: int  # ... their own among those named
    expected: float  # right picks, where one of those named is picked at random
    linkable: int
    rows: Table = field(compare=False)  # the numbers of the originals that are linkable, in a column `row`
    persons: int | None = None  # whose records they are; None where no subject is known, and records are counted
    recoded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)  # what this method says besides

    @property
    def unit(self) -> str:
        """What is counted: persons where a subject is known, records otherwise."""
        return "records" if self.persons is None else "persons"

    @property
    def counted(self) -> int:
        """How many there are of them: what rates are of."""
        return self.records if self.persons is None else self.persons

    @property
    def match_rate(self) -> float:
        """The share of originals, or persons, for which a released record is named, rightly or not."""
        return self.matched / self.counted

    @property
    def true_match_rate(self) -> float:
        """The share whose own record is picked, on average."""
        return self.expected / self.counted

    @property
    def false_match_rate(self) -> float:
        """The share for which a record of somebody else is picked, on average."""
        return (self.matched - self.expected) / self.counted

    @property
    def found_rate(self) -> float:
        """The share whose own record is among those named."""
        return self.own_named / self.counted

    @property
    def comparisons(self) -> int:
        """The comparison space, |X| * |Y|."""
        return self.records * self.released

    def content(self) -> LinkageDocument:
        """The rates as plain values."""
        return LinkageDocument(
            method=self.method,
            unit=self.unit,
            records=self.records,
            released=self.released,
            persons=self.persons,
            match_rate=self.match_rate,
            true_match_rate=self.true_match_rate,
            false_match_rate=self.false_match_rate,
            true_matches=self.expected,
            found_rate=self.found_rate,
            linkable=self.linkable,
            comparisons=self.comparisons,
            recoded=self.recoded,
            notes=self.notes,
            details=self.details,
        )


class Linkage(Attack):
    """A way of linking original records to released ones.

    An attacker knows the quasi-identifiers of people and looks for each of them in the release. For every original
    record the released ones are named that fit best. Where c records fit equally well the attacker picks one of them,
    and is right with probability 1/c.
    """

    @abstractmethod
    def of(self, linked: LinkedRecords) -> LinkageResult:
        """Link every original record to the released ones."""


@dataclass(frozen=True)
class Trials:
    """Attempts, and how many succeeded; half a success is a guess between two answers of which one is right."""

    attempts: int
    successes: float

    @property
    def rate(self) -> float:
        """The share of attempts that succeeded; 0 where nothing was attempted."""
        return self.successes / self.attempts if self.attempts else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        r"""The 95 % confidence interval of the rate (Wilson).

        .. math:: \frac{\hat p + z^2 / 2n \pm z \sqrt{\hat p (1 - \hat p) / n + z^2 / 4n^2}}{1 + z^2 / n}

        References
        ----------
        Wilson (1927). Probable inference, the law of succession, and statistical inference. JASA 22(158), 209-212.

        Examples
        --------
        >>> [round(end, 4) for end in Trials(10, 1).interval], Trials(0, 0).interval
        ([0.0179, 0.4042], (0.0, 1.0))
        """
        if not self.attempts:
            return 0.0, 1.0
        n, p, z = self.attempts, self.rate, NORMAL
        middle, reach = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = (middle - reach) / (1 + z * z / n), (middle + reach) / (1 + z * z / n)
        return (max(low, 0.0) if p else 0.0), (min(high, 1.0) if p < 1 else 1.0)

    def content(self) -> TrialsDocument:
        """The counts, the rate and its interval as plain values."""
        return TrialsDocument(attempts=self.attempts, successes=self.successes, rate=self.rate, interval=self.interval)


@dataclass(frozen=True)
class AttackResult:
    r"""How often an attack succeeded, how often its control did, and the risk that the release adds.

    .. math:: R = \max\left(0, \frac{a - c}{1 - c}\right)

    The share of attempts that succeed among those that would fail without the release: 0 if it adds nothing, 1 if every
    attempt succeeds. Where the control always succeeds there is nothing to add, and the risk is 0.

    The interval of the risk takes the far ends of both rates, and so covers it in at least 95 % of cases.

    References
    ----------
    Article 29 Data Protection Working Party (2014). Opinion 05/2014 on anonymisation techniques (WP216).
    Giomi, Boenisch, Wehmeyer, Tasnadi (2023). A unified framework for quantifying privacy risk in synthetic data.
    PoPETs 2023(2), 312-328.

    Examples
    --------
    >>> result = AttackResult("inference", Trials(100, 75), Trials(100, 50))
    >>> result.risk, [round(end, 3) for end in result.interval]
    (0.5, [0.151, 0.706])
    """

    method: str
    attack: Trials
    control: Trials
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)  # what this attack says besides
    unit: str = "records"  # what an attempt is on: a record or, where a subject is known, a person

    @property
    def risk(self) -> float:
        """The share of attempts that succeed only thanks to the release."""
        return _added_risk(self.attack.rate, self.control.rate)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the risk, at least 95 %."""
        (low, high), (least, most) = self.attack.interval, self.control.interval
        return _added_risk(low, most), _added_risk(high, least)

    def content(self) -> AttackDocument:
        """The rates and the risk as plain values."""
        return AttackDocument(
            method=self.method,
            unit=self.unit,
            risk=self.risk,
            interval=self.interval,
            attack=self.attack.content(),
            control=self.control.content(),
            notes=self.notes,
            details=self.details,
        )


@dataclass(frozen=True)
class ControlledAttack(Attack):
    """A number of attempts on people drawn by a seed, each beside a control; of a table with fewer people, one each.

    Where a subject is known people are persons, and an attempt on one is made with each of their different records: its
    success is the share that succeeds, as if the attacker knew one of them, any of them alike. Its control is tried as
    often. Not the best of them, as in linkage: a control that may try ten times nearly always succeeds, and what the
    attack adds to it would say nothing.
    """

    attempts: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.attempts, int) or isinstance(self.attempts, bool) or self.attempts < 1:
            raise PolicyError(f"{self.name()}: attempts must be a whole number from 1 on.")

    @abstractmethod
    def of(self, linked: LinkedRecords) -> AttackResult:
        """Try the attack on a release, and its control."""

    def drawn(self, n: Whole, chance: Chance) -> Whole:
        """Different records of groups of n records each, drawn by chance: the group of each; all if there are few."""
        ends = np.cumsum(n)
        everybody = int(ends[-1]) if len(ends) else 0
        if self.attempts >= everybody:
            return np.repeat(np.arange(len(n)), n)
        moved: dict[int, int] = {}  # of a pack of cards in order, those that have changed places
        chosen = []
        for place in range(self.attempts):
            other = chance.whole(place, everybody - 1)
            chosen.append(moved.get(other, other))
            moved[other] = moved.get(place, place)
        return np.searchsorted(ends, np.array(chosen), side="right")

    def tried(self, tuples: Whole, chance: Chance) -> Whole:
        """The different tuples of a person with which attempts are made: all, or so many drawn by chance."""
        left = np.unique(tuples).tolist()
        if len(left) <= MOST_RECORDS:
            return np.array(left)
        return np.array([left.pop(chance.whole(0, len(left) - 1)) for _ in range(MOST_RECORDS)])


def share(successes: Sequence[float]) -> float:
    """The share of several tries that succeeded; of a single one, itself."""
    return successes[0] if len(successes) == 1 else fsum(successes) / len(successes)


def _added_risk(attack: float, control: float) -> float:
    return max(0.0, (attack - control) / (1 - control)) if control < 1 else 0.0
