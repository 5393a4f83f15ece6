"""Speed and memory of `sfumato identify` on a file, as a user runs it, beside DuckDB reading it: `make bench`."""

import argparse
import csv
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import duckdb
from report import Bound, Page, publish
from running import DATA, TURNS

COMMAND = Path(sys.executable).with_name("sfumato")
READ = """
import duckdb, sys
with duckdb.connect() as connection:
    connection.execute("CREATE TABLE t AS SELECT * FROM read_csv($1, header = true, all_varchar = true)", [sys.argv[1]])
    for name in [row[0] for row in connection.execute("DESCRIBE t").fetchall()]:
        connection.execute(f'SELECT count(*), max(n) FROM (SELECT count(*) AS n FROM t GROUP BY "{name}")').fetchall()
"""


@dataclass(frozen=True)
class Sample:
    """A file, and the seconds of processor within which its columns are to be identified."""

    name: str
    says: str
    bound: float

    @property
    def path(self) -> Path:
        return DATA / f"columns-{self.name}.csv"


SAMPLES = (
    Sample("tall", "18 columns by 1.2 million rows: a key, dates, a postcode, codes, measurements, a note", 8.0),
    Sample("wide", "10,000 columns by 50 rows: measurements and categories", 60.0),
)


def make_tall(path: Path) -> None:
    """Admissions with the columns that a hospital's extract has; the same values each time."""
    duckdb.connect().execute(f"""
        COPY (SELECT i AS patient_id, 1930 + i * 7919 % 80 AS birth_year,
            CASE WHEN i % 2 = 0 THEN 'F' ELSE 'M' END AS sex,
            lpad(CAST(i * 104729 % 90000 AS VARCHAR), 5, '0') AS zip,
            DATE '2015-01-01' + CAST(i * 31 % 2000 AS INTEGER) AS admission_date,
            DATE '2015-01-05' + CAST(i * 31 % 2000 + i % 9 AS INTEGER) AS discharge_date,
            chr(CAST(65 + i * 13 % 20 AS INTEGER)) || lpad(CAST(i * 17 % 99 AS VARCHAR), 2, '0')
                || '.' || i % 9 AS icd10,
            round(i * 37 % 2000 / 10, 1) AS glucose, round(40 + i * 41 % 1000 / 10, 1) AS weight,
            round(140 + i * 43 % 600 / 10, 1) AS height, i * 47 % 300 AS sbp, i % 9 AS ward,
            'Hospital ' || i % 50 AS hospital,
            i * 53 % 100 AS los, CASE WHEN i % 10 = 0 THEN NULL ELSE round(i * 59 % 9973 / 997, 3) END AS creatinine,
            md5(CAST(i AS VARCHAR)) AS token, i % 5 AS marital_status,
            'note ' || i * 61 % 999983 || ' the patient was seen and feels well' AS note
        FROM range(1200000) AS r(i)) TO '{path}' (HEADER)""")


def make_wide(path: Path) -> None:
    """Many columns of few records, as expression tables and wide questionnaires have."""
    draw = random.Random(20260101)
    columns = range(10_000)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f"gene_{i}" if i % 3 else f"visit{i}_value" for i in columns])
        for _ in range(50):
            writer.writerow(
                [f"{draw.gauss(0, 1):.3f}" if i % 3 else draw.choice(("low", "mid", "high")) for i in columns]
            )


def measured(command: list[str]) -> tuple[float, float]:
    """Seconds of processor, and the peak in gigabytes, of one command that ends well."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{command[0]} ended with {status}.")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024**2


@dataclass(frozen=True)
class Row:
    """A file: the CPU of DuckDB and ours, in the middle of the turns, and our highest peak."""

    sample: Sample
    bare: float
    ours: float
    peak: float


def main() -> None:
    """Make the files, measure by turns, and write the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=TURNS)
    turns = options.parse_args().turns
    DATA.mkdir(exist_ok=True)
    rows = []
    for sample, make in zip(SAMPLES, (make_tall, make_wide), strict=True):
        if not sample.path.exists():
            make(sample.path)
        bare, ours, peaks = [], [], []
        for _ in range(turns):
            bare.append(measured([sys.executable, "-c", READ, str(sample.path)])[0])
            seconds, peak = measured([str(COMMAND), "identify", str(sample.path), "--json", "-"])
            ours.append(seconds)
            peaks.append(peak)
        rows.append(Row(sample, median(bare), median(ours), max(peaks)))
        print(f"{sample.name}: DuckDB {rows[-1].bare:.1f} s, Sfumato {rows[-1].ours:.1f} s of processor", flush=True)
    publish(page(rows, turns))


def page(rows: list[Row], turns: int) -> Page:
    return Page(
        name="columns",
        title="identify, from a file",
        bounds=tuple(Bound(row.sample.says, "seconds of CPU", row.sample.bound, row.ours) for row in rows),
        body=document(rows, turns),
    )


def document(rows: list[Row], turns: int) -> str:
    lines = [
        "Seconds of processor of `sfumato identify FILE --json -`, with start and reading, beside DuckDB reading the",
        f"file as text and counting the values of each column; medians of {turns} turns. The bounds are seconds on a",
        "machine of its own: on a busy one look at the ratio.",
        "",
        "| file | DuckDB CPU s | Sfumato CPU s | ratio | peak GB |",
        "|" + " --- |" * 5,
    ]
    for row in rows:
        numbers = f"{row.bare:.1f} | {row.ours:.1f} | {row.ours / row.bare:.1f} | {row.peak:.2f}"
        lines.append(f"| {row.sample.says} | {numbers} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
