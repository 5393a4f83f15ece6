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


def make(name: str, rows: int, seed: int, path: Path) -> None:
    """Write one table: "census" as it is, "plain" resampled, "mix" with a tenth exchanged, "wide" three in a row."""
    draw = np.random.Generator(np.random.PCG64(seed))
    census = (
        pa_csv.read_csv(CENSUS, parse_options=pa_csv.ParseOptions(delimiter=";")) if CENSUS.exists() else stand_in()
    )
    draft = path.with_suffix(".draft")
    first = census.slice(0, 1)
    with pq.ParquetWriter(draft, with_cost(three_people(first) if name == "wide" else first, draw).schema) as file:
        for start in range(0, rows, CHUNK):
            n = min(CHUNK, rows - start)
            drawn = census if name == "census" else census.take(draw.integers(0, len(census), n))
            if name == "mix":
                drawn = mixed(drawn, census, draw)
            file.write_table(with_cost(three_people(drawn) if name == "wide" else drawn, draw), row_group_size=122_880)
    draft.rename(path)


def with_cost(table: pa.Table, draw: np.random.Generator) -> pa.Table:
    """The table with a numeric sensitive column of high cardinality: a lognormal cost, to the cent."""
    return table.append_column("cost", pa.array(np.round(draw.lognormal(7.0, 1.0, len(table)), 2)))


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
