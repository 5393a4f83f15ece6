"""How long 50 scenarios take on 1.2 million records; not a test. Run it with the folder of the census as argument.

Compared with bare SQL: grouping by all columns of all scenarios once, and grouping what that gives 50 times.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

RECORDS, PERSONS = 1_200_000, 300_000


def census(path: Path):
    """The records resampled with one value in ten exchanged, and with four visits each of a fourth of them."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv as pa_csv

    draw = np.random.Generator(np.random.PCG64(20240602))
    source = pa_csv.read_csv(path, parse_options=pa_csv.ParseOptions(delimiter=";"))
    plain = source.take(draw.integers(0, len(source), RECORDS))
    columns = [
        pc.if_else(pa.array(draw.random(RECORDS) < 0.1), source[name].take(draw.integers(0, len(source), RECORDS)),
                   plain[name])
        for name in plain.column_names
    ]  # fmt: skip
    mix = pa.table(columns, names=plain.column_names)
    who = np.repeat(np.arange(PERSONS), RECORDS // PERSONS)
    changed = np.where(draw.random(RECORDS) < 0.05, draw.integers(0, RECORDS, RECORDS), who)
    visits = mix.take(changed).append_column("patient", pa.array([f"p{number:06}" for number in who]))
    return {"plain": plain, "mix": mix, "visits": visits}


def clocked(work):
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    return time.perf_counter() - wall, time.process_time() - cpu, found


def compared(name, data) -> str:
    from sfumato.attackers.scenario_risks import scenario_risks
    from sfumato.privacy.dataset import Dataset
    from sfumato.privacy.policy import Scenario
    from sfumato.tables.engine import quoted
    from sfumato.tables.engines.duckdb import DuckDB

    engine = DuckDB()
    table = engine.load(data)
    subject = "patient" if "patient" in table.columns else None
    columns = [column for column in table.columns if column != subject]
    draw = random.Random(1)
    known = [draw.sample(columns, draw.randint(2, 6)) for _ in range(50)]
    by = quoted(*columns, *([subject] if subject else []))
    size = f"count(DISTINCT {subject})" if subject else "sum(n)"
    union = clocked(lambda: engine.query(f"SELECT {by}, count(*) AS n FROM {table} GROUP BY {by}"))
    classes = "SELECT size, count(*) FROM (SELECT {} AS size FROM {} GROUP BY {}) AS class GROUP BY size"
    each = clocked(lambda: [engine.fetch(classes.format(size, union[2], quoted(*s))) for s in known])
    dataset = Dataset.of(table, dict.fromkeys(columns, "quasi"), subject=subject)
    ours = clocked(lambda: scenario_risks(dataset, [Scenario(f"{i}", s) for i, s in enumerate(known)]))
    numbers = [
        f"{what}: union {union[t]:.2f} s, 50 groupings {each[t]:.2f} s, 50 scenarios {ours[t]:.2f} s, "
        f"{ours[t] / (union[t] + each[t]):.2f} of both, {ours[t] / union[t]:.2f} of the union"
        for t, what in enumerate(("wall", "CPU"))
    ]
    return "\n".join(f"{name}, {number}" for number in numbers)


if __name__ == "__main__":
    for name, data in census(Path(sys.argv[1]) / "adult.csv").items():
        sys.stdout.write(compared(name, data) + "\n")
