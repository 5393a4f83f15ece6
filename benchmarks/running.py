"""What the benchmarks share: where tables and contenders are, and one measurement in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA, PEERS = HERE / "data", HERE / "peers"
ADULT = HERE.parents[1] / "shared" / "data" / "adult"
CAP = 600  # seconds
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


def measured(who: str, path: Path, *, repeats: int = 2, **task: Any) -> dict[str, Any]:
    """Run a contender: the best of some runs, wall and processor time, and the peak of its memory."""
    child = subprocess.run(
        [sys.executable, str(PEERS / f"{who}.py"), json.dumps({"path": str(path), "repeats": repeats, **task})],
        capture_output=True, text=True, timeout=CAP, check=True,
    )  # fmt: skip
    result: dict[str, Any] = json.loads(child.stdout)
    print(f"{who}: {result['wall']:.2f} s, {result['cpu']:.2f} s of processor, {result['peak_gb']:.2f} GB")
    return result
