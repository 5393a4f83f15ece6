"""An independent reader: every measure from its definition, in plain Python, off the file that was written.

Nothing of Sfumato is imported, and nothing is made fast. Definitions are those of docs/measures.md and of the
decisions: a missing quasi-identifier is a value (0001); a class counts persons, somebody with two values counts once
for each, and the shares of everybody are over the same pairs of person and value in a class (0003); a missing sensitive
value is no value (0005); a reading may miss its bound by one part in 10^9 (0006).
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import exp, inf, log
from pathlib import Path

Row = Mapping[str, str | None]
Key = tuple[str | None, ...]
Holders = dict[Hashable, set[Hashable]]  # of each value, who has it

LOWER = frozenset({"k_anonymity", "distinct_l_diversity", "entropy_l_diversity", "k_map", "least_presence"})
STRICT = frozenset({"recursive_l_diversity", "delta_disclosure"})  # a reading at the bound is too much
MISSING = ("missing",)


@dataclass(frozen=True)
class Asked:
    """A measure with its parameters and its bound."""

    measure: str
    bound: float
    sensitive: str | None = None
    count_missing: bool = False
    edges: tuple[float, ...] = ()  # of the intervals in which numbers are read
    l: int = 2  # noqa: E741
    k: int = 1

    @property
    def text(self) -> str:
        """As a user writes it."""
        named = [self.sensitive or "", *(["count_missing=true"] * self.count_missing)]
        named += [f"l={self.l}"] * (self.measure == "recursive_l_diversity")
        named += [f"k={self.k}"] * (self.measure == "alpha_k_anonymity")
        about = f"({', '.join(named)})" if self.sensitive else ""
        return f"{self.measure}{about} {'>=' if self.measure in LOWER else '<='} {self.bound}"

    def kept_by(self, reading: float | None) -> bool:
        """Whether a reading keeps to the bound; where nobody has a value there is nothing to disclose."""
        if reading is None:
            return True
        slack = 1e-9 * max(abs(self.bound), 0.001)
        slack = -slack if self.measure in STRICT else slack
        return reading >= self.bound - slack if self.measure in LOWER else reading <= self.bound + slack


@dataclass(frozen=True)
class ReleasedTable:
    """The rows that were released, who they are of, and the population at the levels of the release."""

    rows: Sequence[Row]
    persons: Sequence[Hashable]  # of each row; where nobody is named, somebody of their own
    numeric: frozenset[str] = frozenset()  # sensitive columns whose values are numbers
    population: Sequence[tuple[Mapping[str, str | None], Hashable]] = field(default_factory=list)

    def classes(self, columns: Sequence[str]) -> dict[Key, list[int]]:
        """The rows that are alike on some columns."""
        classes: dict[Key, list[int]] = defaultdict(list)
        for i, row in enumerate(self.rows):
            classes[tuple(row[column] for column in columns)].append(i)
        return classes

    def holders(self, members: Iterable[int], asked: Asked) -> Holders:
        """Who of some rows has each value."""
        holders: Holders = defaultdict(set)
        for i in members:
            value = self.value(self.rows[i], asked)
            if value is not None:
                holders[value].add(self.persons[i])
        return holders

    def value(self, row: Row, asked: Asked) -> Hashable | None:
        """The sensitive value of a row as a measure reads it; None where it has none."""
        assert asked.sensitive is not None
        text = row[asked.sensitive]
        if text is None:
            return MISSING if asked.count_missing else None
        if asked.sensitive not in self.numeric:
            return text
        number = Fraction(text)
        return sum(number >= Fraction(edge) for edge in asked.edges) if asked.edges else number

    def reading(self, asked: Asked, columns: Sequence[str]) -> float | None:
        """What a measure reads off the classes on some columns; None where no class has a reading."""
        classes = self.classes(columns)
        people = {key: {self.persons[i] for i in members} for key, members in classes.items()}
        if asked.sensitive is None:
            return self._of_sizes(asked.measure, columns, people)
        holders = {key: self.holders(members, asked) for key, members in classes.items()}
        everybody: Counter[Hashable] = Counter()
        for own in holders.values():
            everybody.update({value: len(who) for value, who in own.items()})
        every = [
            OF_CLASS[asked.measure](Distribution(holders[key], len(people[key]), everybody), asked) for key in classes
        ]
        readings = [reading for reading in every if reading is not None]
        if not readings:
            return None
        return min(readings) if asked.measure in LOWER else max(readings)

    def _of_sizes(self, measure: str, columns: Sequence[str], people: Mapping[Key, set[Hashable]]) -> float:
        sizes = [len(who) for who in people.values()]
        if measure == "k_anonymity":
            return min(sizes)
        if measure == "maximum_risk":
            return 1 / min(sizes)
        if measure == "average_risk":
            return len(sizes) / sum(sizes)
        residents: dict[Key, set[Hashable]] = defaultdict(set)
        for row, person in self.population:
            residents[tuple(row[column] for column in columns)].add(person)
        if measure == "k_map":
            return min(len(residents[key]) for key in people)
        shares = [len(people.get(key, ())) / len(who) for key, who in residents.items()]
        return max(shares) if measure == "delta_presence" else min(shares)


@dataclass(frozen=True)
class Distribution:
    """The values of a class, beside those of everybody."""

    holders: Holders
    size: int  # members, whether they have a value or not
    everybody: Counter[Hashable]

    @property
    def counts(self) -> list[int]:
        """Members with each value, the commonest first."""
        return sorted((len(who) for who in self.holders.values()), reverse=True)

    @property
    def known(self) -> int:
        """Members who have a value."""
        return len(set().union(*self.holders.values())) if self.holders else 0

    def shares(self) -> dict[Hashable, tuple[Fraction, Fraction]]:
        """Of every value of the table the share in the class, and that of everybody."""
        mass, total = sum(self.counts), self.everybody.total()
        return {
            value: (Fraction(len(self.holders.get(value, ())), mass), Fraction(n, total))
            for value, n in self.everybody.items()
        }


def _entropy(own: Distribution, asked: Asked) -> float:
    mass = sum(own.counts)
    return min(exp(-sum(n / mass * log(n / mass) for n in own.counts)), own.known) if mass else 0


def _recursive(own: Distribution, asked: Asked) -> float:
    rest = sum(own.counts[asked.l - 1 :])
    return own.counts[0] / rest if rest and own.known >= asked.l else inf


def _alpha(own: Distribution, asked: Asked) -> float | None:
    if not own.holders:
        return None
    return own.counts[0] / own.known if own.size >= asked.k else inf


def _compared(measure: Callable[[Distribution], float]) -> Callable[[Distribution, Asked], float | None]:
    return lambda own, asked: measure(own) if own.holders else None


def _variation(own: Distribution) -> float:
    return float(sum(abs(q - p) for q, p in own.shares().values()) / 2)


def _moved(own: Distribution, length: Callable[[Hashable, Hashable], Fraction]) -> Fraction:
    """The earth that is moved along the values in their order, where one lies so far from the next."""
    shares, ahead, moved = own.shares(), Fraction(0), Fraction(0)
    values = sorted(shares)  # type: ignore[type-var]
    for value, following in pairwise(values):
        ahead += shares[value][0] - shares[value][1]
        moved += abs(ahead) * length(value, following)
    return moved


def _ordered(own: Distribution) -> float:
    return float(_moved(own, lambda value, following: Fraction(1)) / max(len(own.everybody) - 1, 1))


def _wasserstein(own: Distribution) -> float:
    return float(_moved(own, lambda value, following: following - value))  # type: ignore[operator,return-value]


def _normalised(own: Distribution) -> float:
    span = max(own.everybody) - min(own.everybody)  # type: ignore[type-var,operator]
    return _wasserstein(own) / float(span) if span else 0.0


def _gains(own: Distribution) -> list[tuple[float, float]]:
    return [(float((q - p) / p), float(p)) for q, p in own.shares().values()]


def _basic_beta(own: Distribution) -> float:
    return max(0.0, *(gain for gain, _ in _gains(own)))


def _enhanced_beta(own: Distribution) -> float:
    gains = _gains(own)
    return inf if any(gain > -log(p) + 1e-12 for gain, p in gains) else max(0.0, *(gain for gain, _ in gains))


def _delta(own: Distribution) -> float:
    return max(abs(log(q / p)) if q else inf for q, p in own.shares().values())


OF_CLASS: dict[str, Callable[[Distribution, Asked], float | None]] = {
    "distinct_l_diversity": lambda own, asked: min(len(own.holders), own.known),
    "entropy_l_diversity": _entropy,
    "recursive_l_diversity": _recursive,
    "alpha_k_anonymity": _alpha,
    "t_closeness": _compared(_variation),
    "t_ordered": _compared(_ordered),
    "t_wasserstein": _compared(_wasserstein),
    "t_wasserstein_normalised": _compared(_normalised),
    "basic_beta_likeness": _compared(_basic_beta),
    "enhanced_beta_likeness": _compared(_enhanced_beta),
    "delta_disclosure": _compared(_delta),
}


def read_rows(path: Path) -> list[dict[str, str | None]]:
    """The rows of a file that was written; an empty field is a missing value."""
    with path.open(newline="", encoding="utf-8") as file:
        return [{name: text or None for name, text in row.items()} for row in csv.DictReader(file)]
