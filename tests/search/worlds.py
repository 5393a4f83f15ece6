"""Small worlds: records, persons, a population and attackers, and what breaks a policy there, from the definitions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

from sfumato.hierarchies.hierarchy import Hierarchy

Row = tuple[str | None, ...]
Node = tuple[int, ...]
TINY = 1e-9


@dataclass(frozen=True)
class World:
    """Records with their sensitive values and persons, a population, and what attackers know: sets of columns."""

    rows: list[Row]
    secrets: list[str | None]
    hierarchies: list[Hierarchy]
    persons: list[int | None] | None = None
    everybody: list[tuple[Row, int | None]] | None = None  # rows and persons of the population
    scenarios: list[tuple[int, ...]] | None = None

    def key(self, row: Row, node: Node, columns: tuple[int, ...]) -> Row:
        return tuple(self.hierarchies[j].label(row[j], node[j]) for j in columns)

    def place(self, key: Row, node: Node, columns: tuple[int, ...]) -> tuple[int, ...]:
        """Where labels stand in their hierarchies; the missing value comes last."""
        lists = [[line[node[j]] for line in self.hierarchies[j].lines] for j in columns]
        return tuple(texts.index(label) if label in texts else len(texts)
                     for texts, label in zip(lists, key, strict=True))  # fmt: skip

    def view(self, node: Node, columns: tuple[int, ...], alive: set[int]) -> View:
        whole: dict[Row, Group] = {}
        for i, row in enumerate(self.rows):
            whole.setdefault(self.key(row, node, columns), Group()).add(self, i)
        total: Counter[str] = sum((group.known for group in whole.values()), Counter())
        classes: dict[Row, Group] = {}
        for i in sorted(alive):
            classes.setdefault(self.key(self.rows[i], node, columns), Group()).add(self, i)
        residents: dict[Row, set[object]] = defaultdict(set)
        for number, (row, person) in enumerate(self.everybody or []):
            residents[self.key(row, node, columns)].add(("row", number) if person is None else person)
        if self.everybody is None:
            residents = {key: group.people for key, group in classes.items()}
        places = {key: self.place(key, node, columns) for key in classes}
        return View(classes, total, {key: len(people) for key, people in residents.items()}, places,
                    lacking=None in self.secrets, complete=self.everybody is None)  # fmt: skip


class Group:
    """The records of a class and who they are of."""

    def __init__(self) -> None:
        self.records: list[int] = []
        self.holders: dict[str | None, set[object]] = defaultdict(set)

    def add(self, world: World, i: int) -> None:
        person = None if world.persons is None else world.persons[i]
        self.records.append(i)
        self.holders[world.secrets[i]].add(("row", i) if person is None else person)

    @property
    def people(self) -> set[object]:
        return set().union(*self.holders.values())

    @property
    def known(self) -> Counter[str]:
        return Counter({value: len(people) for value, people in self.holders.items() if value is not None})

    @property
    def size(self) -> int:
        """Persons who have a value."""
        return len(set().union(*(people for value, people in self.holders.items() if value is not None)))


@dataclass
class View:
    """The classes that an attacker sees, the values of everybody, and the population of each class."""

    classes: dict[Row, Group]
    total: Counter[str]
    population: dict[Row, int]
    places: dict[Row, tuple[int, ...]]
    lacking: bool
    complete: bool

    def shares(self, group: Group) -> dict[str, tuple[float, float]]:
        known, mass, everybody = group.known, group.known.total(), self.total.total()
        return {value: (known[value] / mass, n / everybody) for value, n in self.total.items()} if mass else {}

    def present(self, key: Row) -> float:
        return len(self.classes[key].people) / self.population[key] if key in self.classes else 0.0

    def broken(self, name: str, bound: float) -> set[Row]:
        if name == "least presence":
            return set(self.classes) if any(self.present(key) < bound - TINY for key in self.population) else set()
        return {key for key, group in self.classes.items() if BREAKS[name](self, key, group, bound)}

    def doomed(self, name: str, bound: float) -> set[Row]:
        """The classes of which no part could keep to the bound, as far as sizes and numbers of values tell."""
        if name in ("k", "distinct", "k map", "least presence"):
            return self.broken(name, bound)
        few = {key for key, group in self.classes.items() if self._lacks(name, bound, group)}
        return few | (self.broken(name, bound) if name == "presence" and self.complete else set())

    def _lacks(self, name: str, bound: float, group: Group) -> bool:
        if name == "delta":
            return not self.lacking and len(group.known) < len(self.total)
        return min(len(group.known), group.size) < {"entropy": bound - TINY, "recursive": 2}.get(name, 0)

    def risky(self, bound: float, gone: set[Row]) -> set[Row]:
        """The smallest classes, which go until the average risk of the others is low enough."""
        kept = sorted((key for key in self.classes if key not in gone),
                      key=lambda key: (len(self.classes[key].people), self.places[key]))  # fmt: skip
        riskiest: set[Row] = set()
        while kept and len(kept) / sum(len(self.classes[key].people) for key in kept) > bound + TINY:
            riskiest.add(kept.pop(0))
        return riskiest


def _entropy(values: Counter[str]) -> float:
    size = sum(values.values())
    return -sum(n / size * log(n / size) for n in values.values())


def _recursive(group: Group, c: float) -> bool:
    counts = sorted(group.known.values(), reverse=True)
    return len(counts) < 2 or group.size < 2 or counts[0] / sum(counts[1:]) >= c - TINY


def _uneven(group: Group, few: float) -> bool:
    return not group.known or min(exp(_entropy(group.known)), group.size) < few - TINY


BREAKS: dict[str, Callable[[View, Row, Group, float], bool]] = {
    "k": lambda view, key, own, k: len(own.people) < k,
    "distinct": lambda view, key, own, few: min(len(own.known), own.size) < few,
    "entropy": lambda view, key, own, few: _uneven(own, few),
    "recursive": lambda view, key, own, c: _recursive(own, c),
    "t": lambda view, key, own, t: sum(abs(q - p) for q, p in view.shares(own).values()) / 2 > t + TINY,
    "beta": lambda view, key, own, b: any((q - p) / p > b + TINY for q, p in view.shares(own).values()),
    "delta": lambda view, key, own, d: any(not q or abs(log(q / p)) >= d - TINY for q, p in view.shares(own).values()),
    "alpha": lambda view, key, own, a: any(n / own.size > a + TINY for n in own.known.values()),
    "k map": lambda view, key, own, k: view.population[key] < k,
    "presence": lambda view, key, own, b: view.present(key) > b + TINY,
}
