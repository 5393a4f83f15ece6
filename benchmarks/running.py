"""What the benchmarks share: where tables and contenders are, and one measurement in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parent
DATA, PEERS = HERE / "data", HERE / "peers"
ADULT = HERE.parents[1] / "shared" / "data" / "adult"
CAP = 600  # seconds
TURNS = 3  # the least of few runs differed by 15 % between two benchmarks of one revision; medians of turns by far less
ROWS = 1_200_000  # of the tables that bounds are about: a run with others is only printed
COLUMNS = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class",
)  # fmt: skip


def made(name: str, rows: int) -> Path:
    """A table of the benchmark: plain or mix, with so many rows; made once."""
    path = DATA / f"{name}-{rows}.parquet"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        arguments = [name, str(rows), "20240601", str(path)]
        subprocess.run([sys.executable, str(HERE / "tables.py"), *arguments], check=True)
    return path


def as_csv(path: Path) -> Path:
    """The same table as a CSV file, made once."""
    import duckdb

    out = path.with_suffix(".csv")
    if not out.exists():
        draft = out.with_suffix(".draft")
        with duckdb.connect() as connection:
            connection.execute(f"COPY (FROM '{path}') TO '{draft}' (HEADER)")
        draft.rename(out)
    return out


def measured(who: str, path: Path, *, repeats: int = 2, cap: float | None = CAP, **task: Any) -> dict[str, Any]:
    """Run a contender: the best of some runs, wall and processor time, and the peak of its memory."""
    child = subprocess.run(
        [sys.executable, str(PEERS / f"{who}.py"), json.dumps({"path": str(path), "repeats": repeats, **task})],
        capture_output=True, text=True, timeout=cap, check=True,
    )  # fmt: skip
    result: dict[str, Any] = json.loads(child.stdout)
    print(f"{who}: {result['wall']:.2f} s, {result['cpu']:.2f} s of processor, {result['peak_gb']:.2f} GB")
    return result


def in_turns(contenders: Mapping[Any, Callable[[], dict[str, Any]]], turns: int = TURNS) -> dict[Any, dict[str, Any]]:
    """Measure contenders one after the other, several times round, so that a busy machine is busy for all of them.

    Of each: the medians of wall and processor time, the highest peak, and what it found last.
    """
    rounds: dict[Any, list[dict[str, Any]]] = {who: [] for who in contenders}
    for _ in range(turns):
        for who, run in contenders.items():
            rounds[who].append(run())
    return {who: typical(results) for who, results in rounds.items()}


def typical(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Several measurements of one contender as one."""
    middle = {name: median(one[name] for one in results) for name in ("wall", "cpu")}
    return {**results[-1], **middle, "peak_gb": max(one["peak_gb"] for one in results)}
