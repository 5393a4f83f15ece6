"""Tables of 24 quasi-identifiers for the anytime search, with what each value becomes at each level.

Two are made up, with few levels and with many; two are of the people of the census.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
from card_table import clients, tree, trees

from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.hierarchies.hierarchy import Hierarchy

SHARED = Path(__file__).parents[3] / "shared" / "data"
Prepared = tuple[pa.Table, dict[str, Hierarchy]]

# By the beginning of a column's name in the table of clients: intervals from level to level, each within the next.
FINE: dict[str, list[list[float]]] = {
    "limit": [list(range(width, 800_000, width)) for width in (50_000, 100_000, 200_000, 400_000)],
    "sex": [],
    "education": [[1, 2, 3, 4], [1, 3], [3]],
    "marriage": [[1, 2, 3], [2]],
    "age": [list(range(20, 80, width)) for width in (5, 10, 20)] + [[40]],
    "status": [[-1, 0, 1, 2, 3, 4], [0, 1, 2], [0, 1], [1]],
    "bill": [list(range(0, 640_001, width)) for width in (5_000, 10_000, 20_000, 40_000, 80_000, 160_000)],
    "paid": [[1, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000], [1, 2_000, 10_000, 50_000], [1, 10_000]],
    "default": [],
}
# Of the census: what stands in it of a person, without the class of income.
COUNTED = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")


def few_levels() -> Prepared:
    """Made-up clients with two to five levels in each column."""
    table = clients()
    return table, trees(table)


def many_levels() -> Prepared:
    """The same clients with up to eight levels in a column."""
    table = clients()
    return table, {name: tree(table[name].to_numpy(), FINE[name.rstrip("123456")]) for name in table.column_names}


def three_people(records: int | None = None) -> Prepared:
    """Eight columns of the census for three people who stand one after the other, with the hierarchies of studies.

    With a number of records, people are drawn from the census so many times.
    """
    census = pa_csv.read_csv(SHARED / "adult" / "adult.csv", parse_options=pa_csv.ParseOptions(delimiter=";"))
    if records:
        census = census.take(np.random.default_rng(1).integers(0, len(census), records))
    order, columns, known = np.arange(len(census)), {}, {}
    for place in range(3):
        person = census.take(np.roll(order, -place))
        for name in COUNTED:
            columns[f"{name} {place + 1}"] = person[name]
            known[f"{name} {place + 1}"] = read_hierarchy(SHARED / "adult" / f"adult_hierarchy_{name}.csv")
    return pa.table(columns), known


TABLES: dict[str, Callable[[], Prepared]] = {
    "few levels": few_levels, "many levels": many_levels, "three people": three_people,
    "more people": lambda: three_people(120_000),
}  # fmt: skip
