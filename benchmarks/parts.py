"""Single functions that once had to answer within seconds in a test: CPU as ratios to one sort, `make bench`.

The yardstick is one `np.lexsort` of nine columns of 30,162 records, measured in the same run. What counts is that no
ratio jumps from one run to the next.
"""

from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import numpy as np
import pyarrow as pa
from report import Page, publish

from sfumato.attackers.column_sets import subsets_up_to
from sfumato.attackers.population.choice import estimates
from sfumato.columns.evidence.keys import Keys
from sfumato.columns.evidence.values import Values
from sfumato.columns.profile import ColumnProfile
from sfumato.plans.steps.microaggregate import mdav
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.sizes import Sizes
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB

REPEATS = 3
UNBOUNDED = "No bound is set: what counts is that no ratio jumps from one run to the next"


def main() -> None:
    codes = np.random.Generator(np.random.PCG64(1)).integers(0, 70, (9, 30_162))
    sort, _ = least(lambda: np.lexsort(codes), 20)
    lines = [
        f"CPU, the least of {REPEATS} runs, and the ratio to one `np.lexsort` of nine columns of 30,162 records,",
        f"which took {sort * 1000:.1f} ms in the same run.",
        "",
        "| function | CPU ms | sorts |",
        "| --- | --- | --- |",
    ]
    for name, run in parts().items():
        seconds, _ = least(run, REPEATS)
        lines.append(f"| {name} | {seconds * 1000:.2f} | {seconds / sort:,.2f} |")
        print(lines[-1])
    publish(Page("parts", "single functions", "\n".join(lines), unbounded=UNBOUNDED))


def parts() -> dict[str, Callable[[], Any]]:
    """What is measured, on made-up input that is hard for it."""
    draw = Random(3)
    points = np.array([[draw.gauss(0, 1) for _ in range(5)] for _ in range(10_000)])
    # The sizes of 0.6 million classes of a sample of 4 million people, as a power law has them.
    zipf = {size: max(1, 600_000 // size**2) for size in range(1, 700)} | {300_000: 1}
    sizes = Sizes(tuple((size, classes, size * classes) for size, classes in sorted(zipf.items())))
    columns = {f"c{i:02}": [draw.randrange(4) for _ in range(2000)] for i in range(30)}
    thirty = Dataset.of(DuckDB().load(pa.table(columns)), dict.fromkeys(columns, "quasi"))
    long_keys = column([f"{i}{'a' * 5000}12ab" for i in range(50)] + [f"{i}{'7' * 5000}9" for i in range(50, 100)])
    return {
        "MDAV, 10,000 records of 5 numbers, k = 3": lambda: mdav(points, 3),
        "population models, a sample of 4 million": lambda: estimates(sizes, 317_238_626),
        "500 sets of up to 6 of 30 columns, 2,000 records": lambda: subsets_up_to(thirty, 6, at_most=500),
        "keys: 100 values of 5,000 letters": lambda: Keys().of(long_keys),
        "values: 1,000 texts of 5,000 letters and dots": lambda: Values().of(
            column([f"{i}{'a.' * 2500}" for i in range(1000)])
        ),
        "values: 1,000 numbers of 5,000 digits": lambda: Values().of(column([f"{i}{'7' * 5000}" for i in range(1000)])),
        "values: 1,000 addresses with 2,500 dots": lambda: Values().of(
            column([f"a@{'b.' * 2500}{i}" for i in range(1000)])
        ),
    }


def column(values: list[str]) -> ColumnProfile:
    return ColumnProfile("v1", Kind.TEXT, len(values), 0, len(values), 0, 0.0, 0, tuple(values))


def least(run: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    times, outcome = [], None
    for _ in range(repeats):
        start = process_time()
        outcome = run()
        times.append(process_time() - start)
    return min(times), outcome


if __name__ == "__main__":
    main()
