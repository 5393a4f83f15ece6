"""Reading a CSV file, and a first `identify` and `anonymise` of one, beside DuckDB reading it and grouping it."""

import argparse
import compileall
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import duckdb
from report import Bound, Page, publish, table
from running import ADULT, COLUMNS, DATA, HERE, ROWS, TURNS, made

from columns import COMMAND, SAMPLES, make_tall

SOURCES = HERE.parent / "src" / "sfumato"
UNIT = "times DuckDB reading and grouping the file, CPU"
GROUPED = ("birth_year", "sex", "zip", "admission_date", "icd10", "ward", "hospital", "los", "marital_status")
# Both say their own seconds of processor, without those of the imports. The file is read once before.
START = """
__file__ = "from_csv"  # or DuckDB takes this for a person at a prompt, and draws how far it is
import json, sys, time
import duckdb, pyarrow
path = sys.argv[1]
with open(path, "rb") as file:
    while file.read(1 << 24):
        pass
"""
BARE = """
began, keys = time.process_time(), ", ".join('"%s"' % name for name in sys.argv[2:])
with duckdb.connect() as connection:
    connection.execute("CREATE TABLE t AS SELECT * FROM read_csv($1)", [path])
    connection.execute(f"SELECT count(*), max(n) FROM (SELECT count(*) AS n FROM t GROUP BY {keys})").fetchall()
print(json.dumps(time.process_time() - began))
"""
READ = """
import sfumato.tables.read.formats.csv, sfumato.tables.read.proposals
from sfumato.tables.load import load
began = time.process_time()
load(path)
print(json.dumps(time.process_time() - began))
"""


@dataclass(frozen=True)
class Row:
    """What is measured beside DuckDB, and how many times the seconds of DuckDB it may take.

    The bounds are the seconds of the issue that set them, in which DuckDB took 1.4.
    """

    says: str
    bound: float
    base: str  # the file that DuckDB reads
    run: Callable[[], float]


def said_by(code: str, *arguments: str) -> float:
    """The seconds of processor that a script says it took."""
    command = [sys.executable, "-c", START + code, *arguments]
    return float(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def whole(*arguments: str) -> float:
    """Seconds of processor of one command from its start to its end."""
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen([str(COMMAND), *arguments], stdout=subprocess.DEVNULL, cwd=folder)
        _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"sfumato {arguments[0]} ended with {status}.")
    return usage.ru_utime + usage.ru_stime


def files() -> dict[str, Path]:
    """The tall file of `identify`, and the mixed census table of `anonymise`; made once."""
    DATA.mkdir(exist_ok=True)
    tall, census = SAMPLES[0].path, DATA / f"mix-{ROWS}.csv"
    if not tall.exists():
        make_tall(tall)
    if not census.exists():
        duckdb.connect().execute(f"COPY (FROM '{made('mix', ROWS)}') TO '{census}' (HEADER)")
    return {"tall": tall, "census": census}


def rows(paths: dict[str, Path]) -> tuple[Row, ...]:
    asked = ("--quasi", ",".join(COLUMNS), "--k", "5", "--suppress", "0.02", "--method", "optimal", "--out", "out")
    asked += ("--hierarchies", str(ADULT)) if ADULT.exists() else ()
    tall, census = str(paths["tall"]), str(paths["census"])
    identify = partial(whole, "identify", tall, "--json", "-")
    small = partial(whole, "anonymise", str(ADULT / "adult.csv"), *asked)
    first = [Row("`anonymise`, 30,162 rows, beside 1.2 million", 1.5 / 1.4, "tall", small)] if ADULT.exists() else []
    return (
        Row("reading, 18 columns by 1.2 million rows (208 MB)", 2.5, "tall", partial(said_by, READ, tall)),
        Row("reading, 10 columns by 1.2 million rows (108 MB)", 2.5, "census", partial(said_by, READ, census)),
        Row("`identify`, 18 columns by 1.2 million rows", 8 / 1.4, "tall", identify),
        *first,
        Row("`anonymise`, 1.2 million rows", 5 / 1.4, "census", partial(whole, "anonymise", census, *asked)),
    )  # fmt: skip


def main() -> None:
    """Make the files, measure by turns, and write the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=TURNS)
    turns = options.parse_args().turns
    # As an installation by pip does: a checkout where Python may not keep its bytecode compiles all at every start.
    compileall.compile_dir(SOURCES, quiet=1)
    paths = files()
    keys = {"tall": GROUPED, "census": COLUMNS}
    measured = rows(paths)
    bare: dict[str, list[float]] = {name: [] for name in paths}
    ours: dict[str, list[float]] = {row.says: [] for row in measured}
    for _ in range(turns):
        for name, path in paths.items():
            bare[name].append(said_by(BARE, str(path), *keys[name]))
            print(f"DuckDB, {name}: {bare[name][-1]:.2f} s", flush=True)
        for row in measured:
            ours[row.says].append(row.run())
            print(f"{row.says}: {ours[row.says][-1]:.2f} s", flush=True)
    publish(page(measured, bare, ours))


def page(measured: tuple[Row, ...], bare: dict[str, list[float]], ours: dict[str, list[float]]) -> Page:
    seconds = {row: (median(bare[row.base]), median(ours[row.says])) for row in measured}
    ratios = {row: mine / base for row, (base, mine) in seconds.items()}
    head = ["what", "DuckDB CPU s", "Sfumato CPU s", "ratio", "at most"]
    shown = [[row.says, *(f"{number:.2f}" for number in (*seconds[row], ratios[row], row.bound))] for row in measured]
    turns = len(next(iter(bare.values())))
    lines = [
        "DuckDB reads the file with the types that it finds, and groups it by nine columns. Reading is `load`, without",
        "imports; `identify` and `anonymise` are whole commands from start to end, `anonymise` with explanation,",
        "comparison and the written release (optimal search, k 5, 2 % suppression). The first `anonymise` reads 2.5",
        f"MB, and is set against DuckDB on 208 MB. Medians of {turns} turn{'s' if turns > 1 else ''}.",
        "",
        table(head, shown),
    ]
    bounds = tuple(Bound(row.says, UNIT, row.bound, ratios[row]) for row in measured)
    return Page(name="from_csv", title="from a CSV file, the first time", bounds=bounds, body="\n".join(lines))


if __name__ == "__main__":
    main()
