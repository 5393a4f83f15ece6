"""Memory of reading a CSV file against its columns and its rows, beside the table in Arrow: `make bench`."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb
from report import Bound, Page, publish, table
from running import DATA

SPILLING = "2GB"  # what DuckDB may hold in the case that is larger than that
READ = """
__file__ = "reading"  # or DuckDB takes this for a person at a prompt, and draws how far it is
import json, sys, time
import duckdb, pyarrow
import sfumato.tables.read.formats.csv, sfumato.tables.read.proposals
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.load import load

def peak():  # of this program: what getrusage says begins with the peak of whoever started it
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith("VmHWM")).split()[1]) / 1024

path, memory = sys.argv[1], sys.argv[2] or None
before, began = peak(), time.process_time()
extract = load(path, engine=DuckDB(memory=memory))
result = {"peak_mb": peak() - before, "cpu": time.process_time() - began}
sizes = {"integer": 8, "real": 8, "date": 4, "timestamp": 8, "boolean": 0.125}
rows, size = extract.table.count(), 0.0
texts = [c.name for c in extract.columns if c.kind.value not in sizes]
size = rows * sum(sizes.get(c.kind.value, 4) for c in extract.columns)
for start in range(0, len(texts), 100):
    lengths = ", ".join('coalesce(sum(strlen("%s")), 0)' % name for name in texts[start : start + 100])
    size += sum(extract.table.engine.fetch(f"SELECT {lengths} FROM {extract.table}")[0])
print(json.dumps(result | {"arrow_mb": float(size) / 1024**2, "rows": rows, "columns": len(extract.columns)}))
"""


@dataclass(frozen=True)
class Sample:
    """A table of measurements, categories and codes."""

    rows: int
    columns: int
    memory: str = ""

    @property
    def path(self) -> Path:
        return DATA / f"reading-{self.rows}x{self.columns}.csv"

    def make(self) -> None:
        """One column in three is of numbers with decimals, one of whole numbers, one of text; the same each time."""
        columns = range(self.columns)
        if self.columns > 300:  # in SQL it would take longer than reading it
            with self.path.open("w", encoding="utf-8") as file:
                file.write(",".join(f"v{j}" for j in columns) + "\n")
                for i in range(self.rows):
                    file.write(",".join(value(i, j) for j in columns) + "\n")
            return
        items = [
            (f"round((i * {7919 + j} % 99991) / 97, 2)", f"i * {104729 + j} % 1000", f"'c' || i * {31 + j} % 50")[j % 3]
            + f" AS v{j}"
            for j in columns
        ]
        with duckdb.connect() as connection:
            select = f"SELECT {', '.join(items)} FROM range({self.rows}) AS r(i)"
            connection.execute(f"COPY ({select}) TO '{self.path}' (HEADER)")


def value(i: int, j: int) -> str:
    """A cell by its row and its column."""
    if j % 3 == 0:
        return f"{i * (7919 + j) % 99991 / 97:.2f}"
    return str(i * (104729 + j) % 1000) if j % 3 == 1 else f"c{i * (31 + j) % 50}"


WIDER = tuple(Sample(1_000, columns) for columns in (50, 500, 2_000, 5_000, 10_000))
TALLER = tuple(Sample(rows, 10) for rows in (10_000, 100_000, 1_000_000, 10_000_000))
FEW_ROWS = Sample(50, 10_000)
SPILLED = Sample(1_000_000, 300, SPILLING)


def measured(sample: Sample) -> dict[str, float]:
    """The peak of reading over that of the imports, in a process of its own, and the size of the table in Arrow."""
    DATA.mkdir(exist_ok=True)
    if not sample.path.exists():
        sample.make()
    command = [sys.executable, "-c", READ, str(sample.path), sample.memory]
    result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    if (result["rows"], result["columns"]) != (sample.rows, sample.columns):
        sys.exit(f"{sample}: {result} was read.")
    if sample.path.stat().st_size > 500 * 1024**2:
        sample.path.unlink()  # gigabytes that take a minute to make again
    print(f"{sample.rows:,} x {sample.columns:,}: {result['peak_mb']:.0f} MB", flush=True)
    return result


def main() -> None:
    """Measure, and write the page."""
    results = {sample: measured(sample) for sample in (*WIDER, FEW_ROWS, *TALLER, SPILLED)}
    publish(page(results))


def page(results: dict[Sample, dict[str, float]]) -> Page:
    """The bounds first: memory grows with the columns, not with their square, which would be four times."""
    peaks = {sample: result["peak_mb"] for sample, result in results.items()}
    doubled, same_cells = peaks[WIDER[-1]] / peaks[WIDER[-2]], peaks[WIDER[-1]] / peaks[TALLER[2]]
    return Page(
        name="reading",
        title="reading, in memory",
        bounds=(
            Bound("50 rows by 10,000 columns", "GB of memory", 1.0, peaks[FEW_ROWS] / 1024),
            Bound(f"1,000,000 by 300 columns, DuckDB held to {SPILLING}", "GB of memory", 4.0, peaks[SPILLED] / 1024),
            Bound("10,000 columns by 1,000 rows", "times the memory of half the columns", 2.2, doubled),
            Bound("10 million cells as 10,000 columns", "times the memory of the same as 10 columns", 3.0, same_cells),
        ),
        body=document(results),
    )


def document(results: dict[Sample, dict[str, float]]) -> str:
    """Every measurement, with its ratio."""
    head = ["rows", "columns", "in Arrow, MB", "peak of reading, MB", "ratio", "CPU s"]
    rows = [
        [f"{s.rows:,}", f"{s.columns:,}", f"{r['arrow_mb']:.1f}", f"{r['peak_mb']:.0f}",
         f"{r['peak_mb'] / r['arrow_mb']:.1f}", f"{r['cpu']:.1f}"]
        for s, r in results.items()
    ]  # fmt: skip
    return "\n".join(
        [
            "Peak memory of `load` on a CSV file, less that of the imports, in a process of its own; the size of the",
            "same table in Arrow is that of its values and offsets. Small tables cost what DuckDB and the buffers of",
            f"its reader take. The last is read with `--memory {SPILLING}`: what is beyond is spilled to disk.",
            "",
            table(head, rows),
        ]
    )


if __name__ == "__main__":
    main()
