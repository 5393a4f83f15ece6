"""Two revisions by turns: CPU of `assess`, the search and `anonymise` in another checkout and in this one.

    git worktree add ../before REVISION
    .venv/bin/python benchmarks/revisions.py ../before

Each measurement is a process of its own; both checkouts run by turns, so that a busy machine is busy for both. What
counts is the ratio of the medians of their CPU: the least of five turns still differed by up to 15 % between two runs
of the same revisions, medians of eight by 2 %.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

from running import ADULT, COLUMNS, HERE, made

BOUND = 1.05  # of the CPU before


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("before", type=Path)
    options.add_argument("--turns", type=int, default=8)
    options.add_argument("--rows", type=int, default=1_200_000)
    asked = options.parse_args()
    print("| task | CPU s before | CPU s after | after / before | verdict |\n| --- | --- | --- | --- | --- |")
    for name, (script, fast, task) in tasks(asked.rows).items():
        turns: dict[Path, list[float]] = {asked.before.resolve(): [], HERE.parent: []}
        for _ in range(asked.turns):
            for checkout, spent in turns.items():
                spent.append(measured(checkout, script, fast, task))
        before, after = map(median, turns.values())
        verdict = "met" if after <= before * BOUND else "NOT MET"
        print(f"| {name} | {before:.4f} | {after:.4f} | {after / before:.3f} | {verdict} |", flush=True)


def measured(checkout: Path, script: str, fast: str, task: dict[str, Any]) -> float:
    settings = {**os.environ, "PYTHONPATH": str(checkout / "src"), "SFUMATO_FAST": fast}
    command = [sys.executable, str(checkout / "benchmarks" / "peers" / script), json.dumps(task)]
    child = subprocess.run(command, capture_output=True, text=True, check=True, env=settings)
    return float(json.loads(child.stdout)["cpu"])


def tasks(rows: int) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """The same work as `assess.py`, `search.py` and `anonymise.py` measure, in small."""
    census, large = made("census", 1), made("plain", rows)
    measures = {"k": "k_anonymity", "l": "distinct_l_diversity(occupation)", "t": "t_closeness(occupation)"}
    reading = {
        "quasi": [name for name in COLUMNS if name != "occupation"], "sensitive": ["occupation"], "flags": True,
        "files": False, "measures": measures, "bounds": {"k": ">= 2", "l": ">= 2", "t": "<= 0.5"}, "repeats": 7,
    }  # fmt: skip
    search = {"path": str(census), "hierarchies": str(ADULT), "quasi": COLUMNS, "k": 5, "repeats": 9}
    release = {
        "path": str(large),
        "quasi": COLUMNS,
        "k": 200,
        "suppress": 0.02,
        "hierarchies": str(ADULT),
        "repeats": 2,
    }
    return {
        "assess, census": ("sfumato_assess.py", "0", {"path": str(census), **reading}),
        f"assess, {rows:,} rows": ("sfumato_assess.py", "0", {"path": str(large), **reading, "repeats": 2}),
        **{
            f"search, census, {objective}, {limit:.0%}, {how}": (
                "sfumato_search.py", fast, {**search, "objective": objective, "limit": limit},
            )
            for objective in ("loss", "nue") for limit in (0.02, 1.0) for how, fast in (("NumPy", "0"), ("numba", "1"))
        },
        f"anonymise, {rows:,} rows": ("sfumato_anonymise.py", "0", release),
    }  # fmt: skip


if __name__ == "__main__":
    main()
