"""The tables of the benchmark: the census table, resampled, with a cost per record. Made once, in data/."""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

CENSUS = Path(__file__).parents[2] / "shared" / "data" / "adult" / "adult.csv"
CHUNK = 1_000_000  # rows drawn at a time: the seed gives the same table whatever the memory

# Values per column of a stand-in for the census table, where that is absent.
CARDINALITIES = {
    "sex": 2, "age": 72, "race": 5, "marital-status": 7, "education": 16, "native-country": 41,
    "workclass": 7, "occupation": 14, "salary-class": 2,
}  # fmt: skip

# Values per column of what a broad table has besides; those of many values are numbers, the others texts.
MORE = {"region": 13, "household": 7, "month": 12, "insurance": 4, "weekday": 7, "height": 40}
NUMBERS = 12


def make(name: str, rows: int, seed: int, path: Path) -> None:
    """Write one table: "census", "plain" resampled, "mix" a tenth exchanged, "wide" three in a row, "broad" with 15.

    "varied" is broad with a tenth exchanged: by its first nine columns there are 200,000 combinations, and not 19,000.
    """
    draw = np.random.Generator(np.random.PCG64(seed))
    census = (
        pa_csv.read_csv(CENSUS, parse_options=pa_csv.ParseOptions(delimiter=";")) if CENSUS.exists() else stand_in()
    )
    draft = path.with_suffix(".draft")
    first = census.slice(0, 1)
    with pq.ParquetWriter(draft, with_cost(with_columns(first, name, draw), draw).schema) as file:
        for start in range(0, rows, CHUNK):
            n = min(CHUNK, rows - start)
            drawn = census if name == "census" else census.take(draw.integers(0, len(census), n))
            if name in ("mix", "varied"):
                drawn = mixed(drawn, census, draw)
            file.write_table(with_cost(with_columns(drawn, name, draw), draw), row_group_size=122_880)
    draft.rename(path)


def with_cost(table: pa.Table, draw: np.random.Generator) -> pa.Table:
    """The table with a numeric sensitive column of high cardinality: a lognormal cost, to the cent."""
    return table.append_column("cost", pa.array(np.round(draw.lognormal(7.0, 1.0, len(table)), 2)))


def with_columns(table: pa.Table, name: str, draw: np.random.Generator) -> pa.Table:
    """The columns that a table has besides those of the census, by its name."""
    if name == "wide":
        return three_people(table)
    return broadened(table, draw) if name in ("broad", "varied") else table


def broadened(table: pa.Table, draw: np.random.Generator) -> pa.Table:
    """The table with six columns more, each with common and rare values: nearly everybody is alone on all fifteen."""
    for name, values in MORE.items():
        places = np.minimum(draw.exponential(values / 3, len(table)).astype(int), values - 1)
        texts = pa.array([f"{name}-{i:02}" for i in range(values)])
        table = table.append_column(name, pa.array(places) if values >= NUMBERS else texts.take(pa.array(places)))
    return table


def mixed(drawn: pa.Table, census: pa.Table, draw: np.random.Generator) -> pa.Table:
    """The table with each value replaced, with probability 0.10, by that of another record."""
    columns = []
    for name in drawn.column_names:
        exchanged = pa.array(draw.random(len(drawn)) < 0.10)
        other = census[name].take(draw.integers(0, len(census), len(drawn)))
        columns.append(pc.if_else(exchanged, other, drawn[name]))
    return pa.table(columns, names=drawn.column_names)


def three_people(drawn: pa.Table) -> pa.Table:
    """The columns of a record, of the next one and of the one after that: 27 columns, dependent by nines."""
    order = np.arange(len(drawn))
    people = {place: drawn.take(np.roll(order, -place)) for place in range(3)}
    columns = {name if place == 0 else f"{name} {place + 1}": person[name]
               for place, person in people.items() for name in drawn.column_names}  # fmt: skip
    return pa.table(columns)


def stand_in() -> pa.Table:
    """A table of the census's shape and cardinalities, the first values of each column the commonest."""
    draw = np.random.Generator(np.random.PCG64(1994))
    columns = {}
    for name, values in CARDINALITIES.items():
        places = np.minimum(draw.exponential(values / 5, 30_162).astype(int), values - 1)
        columns[name] = pa.array(places + 17) if name == "age" else pa.array([f"{name}-{i:02}" for i in places])
    return pa.table(columns)


if __name__ == "__main__":
    make(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
