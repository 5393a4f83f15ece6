"""Speed of the optimal search, beside one grouping of the same table in NumPy, in one run and as ratios."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from running import ADULT, COLUMNS, HERE, PEERS, made

CAP, REPEATS = 900, 7
LIMITS = (0.0, 0.02, 1.0)
TARGETS = {0.02: 25.0, 1.0: 60.0}  # times one grouping
FAST = 3.0  # the targets are divided by it where numba is at hand
YARDSTICKS = {
    "unique rows": "`np.unique(codes, axis=0)`, the different records by nine columns",
    "lexsort": "`np.lexsort` of the nine columns of all records",
    "packed keys": "`np.unique` of the different records as one packed key each",
}

Found = dict[tuple[str, float, str], dict[str, Any]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mix", action="store_true", help="1.2 million records with many small classes as well")
    options.add_argument("--repeats", type=int, default=REPEATS)
    given = options.parse_args()
    parts = [part("The census table", ADULT / "adult.csv", LIMITS, given.repeats)]
    if given.mix:
        parts.append(part("Mix: 1.2 million records, one value in ten exchanged", made("mix", 1_200_000), (0.02,), 3))
    text = "\n\n".join(["# Results of `benchmarks/search.py`: the optimal search", preface(), *parts]) + "\n"
    print("\n" + text)
    (HERE / "RESULTS-search.md").write_text(text, encoding="utf-8")


def preface() -> str:
    return """k = 5, nine quasi-identifiers with their hierarchies, processor time, best of several runs. The table is
condensed before the clock starts, and one search comes before it too, so that nothing is compiled then; NumPy and
numba run in processes of their own (`SFUMATO_FAST=0` and `1`), each measurement in one. The bound says "one grouping of
it by all nine attributes in NumPy": read as `np.unique` over the nine columns, which is what NumPy offers for it. A
grouping by hand is faster, and packing nine codes into one number leaves NumPy little to do; the ratios to these are
given beside it, and verdicts are about the first only."""


def part(title: str, path: Path, limits: tuple[float, ...], repeats: int) -> str:
    task = {"path": str(path), "hierarchies": str(ADULT), "quasi": COLUMNS, "k": 5, "repeats": repeats}
    sticks = {how: measured("numpy_grouping", "0", how=how, records=how == "lexsort", **task) for how in YARDSTICKS}
    found = {
        (objective, limit, fast): measured("sfumato_search", fast, objective=objective, limit=limit, **task)
        for limit in limits for objective in ("loss", "nue") for fast in ("0", "1")
    }  # fmt: skip
    first = next(iter(found.values()))["found"]
    head = f"{first['records']:,} records, {first['rows']:,} different, {first['lattice']:,} combinations of levels."
    return "\n\n".join(
        [f"## {title}", head, "\n".join(yardsticks(sticks)), "\n".join(table(found, sticks)), same(found)]
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
        + " | target | verdict | peak GB |",
        "|" + " --- |" * (9 + len(sticks)),
    ]
    for (objective, limit, fast), m in found.items():
        ratios = [m["cpu"] / stick["cpu"] for stick in sticks.values()]
        target = TARGETS.get(limit, 0.0) / (FAST if fast == "1" else 1.0)
        verdict = ("met" if ratios[0] <= target else "NOT MET") if target else ""
        own = m["found"]
        lines.append(
            f"| {objective} | {limit:.0%} | {'numba' if fast == '1' else 'NumPy'} | {own['examined']:,} "
            f"| {own['pruned'] / own['lattice']:.1%} | {m['cpu'] * 1e3:.0f} "
            f"| {' | '.join(f'{ratio:.1f}' for ratio in ratios)} | {f'{target:.1f}' if target else ''} | {verdict} "
            f"| {m['peak_gb']:.2f} |"
        )
    return lines


def same(found: Found) -> str:
    """Whether both found the same, proved."""
    pairs = [(m["found"], found[objective, limit, "1"]["found"]) for (objective, limit, fast), m in found.items()
             if fast == "0"]  # fmt: skip
    differ = sum(plain != fast or not plain["optimal"] for plain, fast in pairs)
    return f"{len(pairs)} searches by NumPy and by numba: {differ} differ or are not proved."


if __name__ == "__main__":
    main()
