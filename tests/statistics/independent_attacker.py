"""Somebody who has the published file and nothing else, and solves for what is hidden in it.

Written apart from the program: it reads the CSV, counts the rows in plain Python for what is true, and asks SciPy for
the least and the most that each hidden number can be, over all tables of whole persons.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

INFEASIBLE = 2  # a status of SciPy
Row = Mapping[str, Any]
Place = tuple[str | None, ...]  # None is the total


@dataclass(frozen=True)
class Rules:
    """What is known of how a table was made, also to an attacker."""

    threshold: int = 10
    base: int = 1
    zeros_shown: bool = False
    p: float = 10.0
    largest: int = 2
    share: float = 90.0


class PublishedTable:
    """The file: which cells are shown, and what they say."""

    def __init__(self, text: bytes, columns: Sequence[str], rules: Rules) -> None:
        rows = list(csv.reader(io.StringIO(text.decode())))
        self.header, body = rows[0], rows[1:]
        self.total = body[-1][0]  # the last cell is the total of everything
        self.columns, self.rules, width = list(columns), rules, len(columns)
        self.cells: dict[Place, list[str]] = {}
        for row in body:
            place = tuple(None if value == self.total else value for value in row[:width])
            assert place not in self.cells
            self.cells[place] = row[width:]
        labels = [sorted({place[i] for place in self.cells if place[i] is not None}) for i in range(width)]
        self.inner = list(product(*labels))
        self.told: dict[Place, tuple[float, float]] = {}  # counts that something else tells more exactly

    def read_means_of_whole_numbers(self, figure: int) -> None:
        """Of the counts that a rounded one stands for, keep those whose sum would be whole, by the mean beside it."""
        for place, figures in self.cells.items():
            if figures[-1] == "hidden" or not figures[figure]:
                continue
            mean, (low, high) = float(figures[figure]), self._known_count(figures)
            half = 0.5 * 10.0 ** (len(str(int(mean))) - 5)  # five digits are published
            fits = [n for n in range(int(low), int(high) + 1) if abs(mean * n - round(mean * n)) <= half * n + 1e-9]
            self.told[place] = (float(fits[0]), float(fits[-1]))

    def hidden(self) -> list[Place]:
        return [place for place, figures in self.cells.items() if figures[-1] == "hidden"]

    def within(self, place: Place) -> Any:
        return np.array([all(p is None or p == v for p, v in zip(place, cell, strict=True)) for cell in self.inner])

    def _known_count(self, figures: Sequence[str]) -> tuple[float, float]:
        rules = self.rules
        if figures[-1] == "hidden":
            return (1.0 if rules.zeros_shown else 0.0), np.inf
        shown = int(figures[0])
        if shown == 0:
            return 0.0, 0.0
        return max(shown - rules.base // 2, rules.threshold), shown + (rules.base - 1) // 2

    def least(self, place: Place) -> float:
        """The least that a count can be where nothing is shown but what is empty."""
        if not self.rules.zeros_shown:
            return 0.0
        shown = self.cells
        self.cells = {p: f if f[0] == "0" else ["", "hidden"] for p, f in shown.items()}
        try:
            return self.interval(place)[0]
        finally:
            self.cells = shown

    def interval(self, place: Place, figure: int = 0, *, below_nothing: bool = False) -> tuple[float, float]:
        """The least and the most that a hidden number can be: the count (0), or the sum in another column."""
        known = {}
        for other, figures in self.cells.items():
            if figure == 0:
                known[other] = self.told.get(other) or self._known_count(figures)
            elif figures[-1] != "hidden":
                known[other] = (float(figures[figure] or 0.0),) * 2
        aim = self.within(place).astype(float)
        low = -np.inf if figure and below_nothing else 0.0
        lines = np.array([self.within(other) for other in known], dtype=float).reshape(len(known), len(self.inner))
        ends = np.array(list(known.values()), dtype=float).reshape(-1, 2)
        scale = max(1.0, np.abs(ends[np.isfinite(ends)]).max(initial=1.0) / 1e4) if figure else 1.0
        slack = 1e-9 * scale if figure else 0.0
        found = []
        for direction in (1, -1):
            for presolve in (True, False):  # that of SciPy 1.12 takes the truth itself for impossible now and then
                solved = milp(
                    direction * aim,
                    constraints=LinearConstraint(lines, ends[:, 0] / scale - slack, ends[:, 1] / scale + slack),
                    bounds=Bounds(low, np.inf),
                    integrality=np.full(len(self.inner), int(figure == 0)),
                    options={"presolve": presolve},
                )
                if solved.status != INFEASIBLE:
                    break
            assert solved.status in (0, 3, 4), solved.message
            found.append(direction * solved.fun * scale if solved.status == 0 else -direction * np.inf)
        return found[0], found[1]


@dataclass(frozen=True)
class Truth:
    """What the rows say, counted one by one."""

    rows: Sequence[Row]
    columns: Sequence[str]

    def members(self, place: Place) -> list[Row]:
        return [
            row for row in self.rows
            if all(v is None or str(row[c]) == v for c, v in zip(self.columns, place, strict=True))
        ]  # fmt: skip


def faults(text: bytes, truth: Truth, rules: Rules, sums: Sequence[str] = ()) -> Iterator[str]:
    """What is published wrongly, and every hidden number that can be worked out too closely."""
    table = PublishedTable(text, truth.columns, rules)
    for place, figures in table.cells.items():
        members = truth.members(place)
        few = is_small(len(members), rules)
        hidden = figures[-1] == "hidden"
        if few and not hidden:
            yield f"{place} is small, and shown"
        if not hidden:
            true = (len(members) + rules.base // 2) // rules.base * rules.base
            if int(figures[0]) != true:
                yield f"{place} is {true}, and says {figures[0]}"
        elif few:
            low, high = table.interval(place)
            if low > table.least(place) + 1e-6 or high < rules.threshold - 1e-6:
                yield f"{place} is known to be from {low} to {high}"
        for number, column in enumerate(sums, 1):
            yield from _sum_faults(table, place, [row[column] for row in members], number, rules)


def is_small(count: int, rules: Rules) -> bool:
    return count < rules.threshold and not (rules.zeros_shown and count == 0)


def _sum_faults(
    table: PublishedTable, place: Place, parts: Sequence[float], number: int, rules: Rules
) -> Iterator[str]:
    """Parts are not below nothing here."""
    largest = sorted(parts, reverse=True)
    dominated = bool(parts) and (
        sum(parts) - sum(largest[:2]) < rules.p / 100 * largest[0] * (1 - 1e-9)
        or sum(largest[: rules.largest]) > rules.share / 100 * sum(parts) * (1 + 1e-9)
    )
    hidden = table.cells[place][-1] == "hidden"
    if dominated and not hidden:
        yield f"the sum of {place} is dominated, and shown"
    if hidden and parts and (dominated or is_small(len(parts), rules)):
        low, high = table.interval(place, number)
        need = rules.p / 100 * largest[0]
        if high < sum(parts) + need * (1 - 1e-4) or low > max(0.0, sum(parts) - need * (1 - 1e-4)):
            yield f"the sum of {place} is known to be from {low} to {high}"


def fewest(text: bytes, truth: Truth, rules: Rules) -> int:
    """How few cells could be hidden, by trying every choice: all cells that are small, and any others."""
    table = PublishedTable(text, truth.columns, rules)
    counts = {place: len(truth.members(place)) for place in table.cells}
    small = [place for place, count in counts.items() if is_small(count, rules)]
    others = [p for p, count in counts.items() if p not in small and not (rules.zeros_shown and count == 0)]
    for more in range(len(others) + 1):
        for chosen in combinations(others, more):
            hidden = {*small, *chosen}
            cells = {
                place: ["", "hidden"] if place in hidden
                else [str((count + rules.base // 2) // rules.base * rules.base), "shown"]
                for place, count in counts.items()
            }  # fmt: skip
            table.cells = cells
            if all(_safe(table, place) for place in small):
                return len(hidden)
    raise AssertionError("not even hiding everything is safe")


def _safe(table: PublishedTable, place: Place) -> bool:
    low, high = table.interval(place)
    return low <= table.least(place) + 1e-6 and high >= table.rules.threshold - 1e-6
