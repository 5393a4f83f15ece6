"""Speed of the optimal search, beside one grouping of the same table in NumPy, in one run and as ratios."""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from report import Bound, Comparison, Page, publish
from running import ADULT, COLUMNS, PEERS, made

CAP, REPEATS = 900, 7
LIMITS = (0.0, 0.02, 1.0)
TARGETS = {0.02: 25.0, 1.0: 60.0}  # times one grouping
FAST = 3.0  # the targets are divided by it where numba is at hand
# In times one lexsort of all records, with numba and with NumPy (issue 23).
LEXSORTS = {
    ("loss", 0.02, "1"): 8.0, ("nue", 0.02, "1"): 8.0, ("loss", 0.02, "0"): 15.0, ("nue", 0.02, "0"): 15.0,
    ("nue", 1.0, "1"): 40.0,
}  # fmt: skip
DONORS = ("nue", "class-size", "discernibility")  # objectives on a column of 100,000 leaves
OF_DONORS = 8.0  # lexsorts of the eight columns
GAIN = 0.5  # what numba takes of what NumPy takes, at most
YARDSTICKS = {
    "unique rows": "`np.unique(codes, axis=0)`, the different records by all columns",
    "lexsort": "`np.lexsort` of the columns of all records",
    "packed keys": "`np.unique` of the different records as one packed key each",
}

Found = dict[tuple[str, float, str], dict[str, Any]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mix", action="store_true", help="1.2 million records with many small classes as well")
    options.add_argument("--repeats", type=int, default=REPEATS)
    given = options.parse_args()
    parts = [measured_part("The census table", ADULT / "adult.csv", LIMITS, given.repeats)]
    if given.mix:
        mix = "Mix: 1.2 million records, one value in ten exchanged"
        parts.append(measured_part(mix, made("mix", 1_200_000), (0.02,), 3))
    publish(page([*parts, donors_part(given.repeats)]))


@dataclass(frozen=True)
class Part:
    """A table: how long one grouping of it takes in each way, and each search."""

    title: str
    sticks: dict[str, dict[str, Any]]
    found: Found
    bounded: bool  # by the bounds of the census table
    lexsorts: float | None = None  # that any search of it may take, where there is a bound of its own

    @property
    def quickest(self) -> str:
        """The grouping that takes the least: a bound in times of a slower one would say little."""
        return min(self.sticks, key=lambda how: self.sticks[how]["cpu"])


def page(parts: list[Part]) -> Page:
    return Page(
        name="search",
        title="the optimal search",
        bounds=tuple(bound for part in parts for bound in [*bounds(part), *in_lexsorts(part)]),
        comparisons=tuple(same(part) for part in parts),
        body="\n\n".join([preface(), *map(document, parts)]),
    )


def in_lexsorts(part: Part) -> list[Bound]:
    """The bounds of issue 23: in times one lexsort, and what numba gains."""
    if not part.bounded and part.lexsorts is None:
        return []
    stick, rows = part.sticks["lexsort"]["cpu"], []
    for (objective, limit, fast), m in part.found.items():
        most = LEXSORTS.get((objective, limit, fast)) if part.bounded else part.lexsorts
        what = f"{part.title}: {objective}, up to {limit:.0%} suppressed"
        if most is not None:
            name = f"{what}, {'numba' if fast == '1' else 'NumPy'}"
            rows.append(Bound(name, "times one lexsort, CPU", most, m["cpu"] / stick))
        if fast == "1" and limit > 0:
            plain = part.found[objective, limit, "0"]["cpu"]
            rows.append(Bound(f"{what}, numba", "times NumPy, CPU", GAIN, m["cpu"] / plain))
    return rows


def donors_part(repeats: int) -> Part:
    """A table with a column of 100,000 leaves."""
    task = {"path": str(ADULT / "adult.csv"), "donors": True, "k": 5, "repeats": min(repeats, 3), "limit": 0.02}
    sticks = {how: measured("numpy_grouping", "0", how=how, records=how == "lexsort", **task) for how in YARDSTICKS}
    found = {
        (objective, 0.02, fast): measured("sfumato_search", fast, objective=objective, **task)
        for objective in DONORS for fast in ("0", "1")
    }  # fmt: skip
    return Part("Donors: eight quasi-identifiers, one of 100,000 leaves", sticks, found, False, OF_DONORS)


def bounds(part: Part) -> list[Bound]:
    stick = part.sticks[part.quickest]["cpu"]
    return [
        Bound(
            f"{objective}, up to {limit:.0%} suppressed, {'numba' if fast == '1' else 'NumPy'}",
            f"times one grouping ({part.quickest}), CPU",
            TARGETS[limit] / (FAST if fast == "1" else 1.0),
            m["cpu"] / stick,
        )
        for (objective, limit, fast), m in part.found.items()
        if part.bounded and limit in TARGETS
    ]


def preface() -> str:
    return """k = 5, nine quasi-identifiers with their hierarchies, processor time, best of several runs. The table is
condensed before the clock starts, and one search comes before it too, so that nothing is compiled then; NumPy and
numba run in processes of their own (`SFUMATO_FAST=0` and `1`), each measurement in one. The bound says "one grouping of
it by all nine attributes in NumPy": verdicts are about the quickest of the ways in which NumPy groups."""


def measured_part(title: str, path: Path, limits: tuple[float, ...], repeats: int) -> Part:
    task = {"path": str(path), "hierarchies": str(ADULT), "quasi": COLUMNS, "k": 5, "repeats": repeats}
    sticks = {how: measured("numpy_grouping", "0", how=how, records=how == "lexsort", **task) for how in YARDSTICKS}
    found = {
        (objective, limit, fast): measured("sfumato_search", fast, objective=objective, limit=limit, **task)
        for limit in limits for objective in ("loss", "nue") for fast in ("0", "1")
    }  # fmt: skip
    return Part(title, sticks, found, bounded=path.suffix == ".csv")  # the bounds are about the census table


def document(part: Part) -> str:
    first = next(iter(part.found.values()))["found"]
    head = f"{first['records']:,} records, {first['rows']:,} different, {first['lattice']:,} combinations of levels."
    return "\n\n".join(
        [f"## {part.title}", head, "\n".join(yardsticks(part.sticks)), "\n".join(table(part.found, part.sticks))]
    )


def measured(who: str, fast: str, **task: Any) -> dict[str, Any]:
    child = subprocess.run(
        [sys.executable, str(PEERS / f"{who}.py"), json.dumps(task)],
        capture_output=True, text=True, timeout=CAP, check=True, env={**os.environ, "SFUMATO_FAST": fast},
    )  # fmt: skip
    result: dict[str, Any] = json.loads(child.stdout)
    print(who, fast, task.get("objective", task.get("how")), task.get("limit", ""), f"{result['cpu'] * 1e3:.1f} ms")
    return result


def yardsticks(sticks: dict[str, dict[str, Any]]) -> list[str]:
    lines = ["| one grouping | rows | classes | CPU ms |", "| --- | --- | --- | --- |"]
    for how, m in sticks.items():
        lines.append(
            f"| {YARDSTICKS[how]} | {m['found']['rows']:,} | {m['found']['classes']:,} | {m['cpu'] * 1e3:.1f} |"
        )
    return lines


def table(found: Found, sticks: dict[str, dict[str, Any]]) -> list[str]:
    lines = [
        "| objective | suppressed at most | by | looks | ruled out unseen | CPU ms | "
        + " | ".join(f"times {how}" for how in sticks)
        + " | peak GB |",
        "|" + " --- |" * (7 + len(sticks)),
    ]
    for (objective, limit, fast), m in found.items():
        ratios = [m["cpu"] / stick["cpu"] for stick in sticks.values()]
        own = m["found"]
        lines.append(
            f"| {objective} | {limit:.0%} | {'numba' if fast == '1' else 'NumPy'} | {own['examined']:,} "
            f"| {own['pruned'] / own['lattice']:.1%} | {m['cpu'] * 1e3:.0f} "
            f"| {' | '.join(f'{ratio:.1f}' for ratio in ratios)} | {m['peak_gb']:.2f} |"
        )
    return lines


def same(part: Part) -> Comparison:
    """Whether NumPy and numba found the same, proved."""
    numbers: dict[str, dict[str, float]] = {"0": {}, "1": {}}
    for (objective, limit, fast), m in part.found.items():
        for name in ("score", "suppressed", "optimal"):
            # What is not proved is no number to compare: it differs from everything.
            value = float(m["found"][name]) if m["found"]["optimal"] else float("nan")
            numbers[fast][f"{objective}, {limit:.0%}, {name}"] = value
    return Comparison.of(f"{part.title}, NumPy with numba", numbers["0"], numbers["1"])


if __name__ == "__main__":
    main()
