"""Figure 4 of Prasser et al. (2016): information loss while more and more records are suppressed.

The census table of 1994 (30,162 records, nine attributes) is generalised a little, somewhat or a lot, each attribute
as a whole, and then a growing share of its records is suppressed. Conventional non-uniform entropy first shows a gain
of information; the generic one grows about linearly.

    python docs/figures/information_loss.py                           draws information-loss.svg beside this file
    python docs/figures/information_loss.py --records 1193504 -o /tmp/large.svg

Without the census table, a made-up one of the same shape takes its place.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from sfumato.hierarchies.builders.from_file import hierarchies_in, read_hierarchy
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.outputs import write_text
from sfumato.show.charts.bars_and_lines import Series, lines
from sfumato.show.charts.chart import Chart
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.model_interface import Figure, read_cells
from sfumato.utility.models.generic_non_uniform_entropy import GenericNonUniformEntropy
from sfumato.utility.models.non_uniform_entropy import NonUniformEntropy
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing

HERE = Path(__file__).resolve().parent
CENSUS = HERE.parents[2] / "shared" / "data" / "adult"
SEED = 2016
SHARES = tuple(range(0, 101, 10))  # per cent
METHODS = {"conventional": NonUniformEntropy(), "generic": GenericNonUniformEntropy()}
# Of a hierarchy of this height. An attribute that has only its values and the top, as sex has, keeps its values in the
# first two and is removed in the last.
LEVELS = {
    "low": lambda height: height // 3,
    "medium": lambda height: height // 2,
    "high": lambda height: max(1, height - 1),
}

# Values, and levels up to the top, of the columns of a stand-in.
MADE_UP = {
    "sex": (2, 1), "age": (72, 4), "race": (5, 1), "marital-status": (7, 2), "education": (16, 3),
    "native-country": (41, 2), "workclass": (7, 2), "occupation": (14, 2), "salary-class": (2, 1),
}  # fmt: skip


@dataclass(frozen=True)
class Loss:
    """What was lost, in per cent of all that could be, by one method at one level and share of suppressed records."""

    method: str
    level: str
    share: int
    percent: float


def census(folder: Path) -> tuple[pa.Table, dict[str, Hierarchy]]:
    """The census table and the hierarchies of its attributes."""
    table = pa_csv.read_csv(folder / "adult.csv", parse_options=pa_csv.ParseOptions(delimiter=";"))
    files = hierarchies_in(folder)
    return table, {name: read_hierarchy(files[name]) for name in table.column_names}


def stand_in(records: int = 30_162, seed: int = SEED) -> tuple[pa.Table, dict[str, Hierarchy]]:
    """A made-up table of the same shape, the first values of each column the commonest, and its hierarchies."""
    draw = np.random.Generator(np.random.PCG64(seed))
    columns, hierarchies = {}, {}
    for name, (values, height) in MADE_UP.items():
        places = np.minimum(draw.exponential(values / 5, records).astype(int), values - 1)
        columns[name] = [f"{name} {place}" for place in places]
        base = max(2, round(values ** (1 / height)))
        widths = [base**level for level in range(1, height)]
        hierarchies[name] = Hierarchy(tuple(_line(name, place, widths) for place in range(values)))
    return pa.table(columns), hierarchies


def _line(name: str, place: int, widths: list[int]) -> tuple[str, ...]:
    groups = (f"{name} {place // width * width} to {place // width * width + width - 1}" for width in widths)
    return (f"{name} {place}", *groups, TOP)


def resampled(table: pa.Table, records: int, seed: int = SEED) -> pa.Table:
    """So many records of a table, drawn with replacement."""
    draw = np.random.Generator(np.random.PCG64(seed))
    return table.take(pa.array(draw.integers(0, len(table), records)))


def released(table: pa.Table, hierarchies: Mapping[str, Hierarchy], level: str, suppressed: pa.Array) -> pa.Table:
    """The table with each attribute at its level, and some records suppressed."""
    columns = {}
    for name, hierarchy in hierarchies.items():
        values = pc.dictionary_encode(table[name].combine_chunks().cast(pa.string()))
        height = LEVELS[level](hierarchy.height)
        labels = pa.array([hierarchy.label(value.as_py(), height) for value in values.dictionary], pa.string())
        columns[name] = pc.if_else(suppressed, TOP, labels.take(values.indices))
    return pa.table(columns)


def losses(
    table: pa.Table, hierarchies: Mapping[str, Hierarchy], shares: Iterable[int] = SHARES, seed: int = SEED
) -> list[Loss]:
    """Both methods at every level and share; who comes first is drawn once, so that each share holds the last."""
    place = np.random.Generator(np.random.PCG64(seed)).permutation(len(table))
    found = []
    for level in LEVELS:
        for share in shares:
            suppressed = pa.array(place < round(len(table) * share / 100))
            found += _read(table, released(table, hierarchies, level, suppressed), hierarchies, level, share)
    return found


def _read(
    table: pa.Table, release: pa.Table, hierarchies: Mapping[str, Hierarchy], level: str, share: int
) -> list[Loss]:
    engine = DuckDB()
    original = engine.load(table)
    engine.expect(original)
    pairing = Pairing.of(original, engine.load(release), list(hierarchies), hierarchies=hierarchies)
    read = read_cells(list(METHODS.values()), Comparison.of(pairing))
    found = []
    for method, comparison in METHODS.items():
        total = read[comparison.name()].total
        assert isinstance(total, Figure)  # columns are generalised only, which both can read
        found.append(Loss(method, level, share, total.more["percent"]))
    return found


def chart(found: Iterable[Loss], records: int) -> Chart:
    """The two methods beside each other, a line per level."""
    rows = list(found)
    series = [
        Series(level, tuple((r.share, r.percent) for r in rows if (r.method, r.level) == (method, level)), panel=method)
        for method in METHODS
        for level in LEVELS
    ]
    return lines(
        "Information loss while records are suppressed",
        series,
        x="suppressed records (%)",
        y="information loss (%)",
        note=f"Non-uniform entropy of {records:,} records after low, medium and high generalisation. "
        "0 %: the original; 100 %: nothing is left.".replace(",", "\u00a0", 1),
    )


def main(arguments: list[str] | None = None) -> None:
    """Draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--census", type=Path, default=CENSUS, help="folder of adult.csv and its hierarchies")
    parser.add_argument("--records", type=int, help="draw so many records of the table with replacement")
    parser.add_argument("-o", "--output", type=Path, default=HERE / "information-loss.svg")
    given = parser.parse_args(arguments)
    table, hierarchies = census(given.census) if given.census.is_dir() else stand_in()
    table = resampled(table, given.records) if given.records else table
    start = time.perf_counter()
    found = losses(table, hierarchies)
    write_text(given.output, chart(found, len(table)).svg)
    sys.stdout.write(f"{given.output}: {len(table)} records, {time.perf_counter() - start:.1f} seconds\n")
    for loss in found:
        sys.stdout.write(f"{loss.level:8}{loss.share:4} % suppressed: {loss.percent:8.3f} % lost, {loss.method}\n")


if __name__ == "__main__":
    main()
