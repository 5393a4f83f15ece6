"""A made-up table of 24 quasi-identifiers, in the shape of a public one on clients of a bank that studies of ARX use.

That table (30,000 clients: credit line, four attributes of the person, for each of six months the status of payment,
the bill and what was paid, and at last whether they default) is not in this project. This one is drawn: as many records
and columns, about as many levels and different values in each column, and months that depend on each other.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from sfumato.hierarchies.hierarchy import Hierarchy

MONTHS = range(6)
Numbers = np.ndarray


def clients(rows: int = 30_000, seed: int = 1) -> pa.Table:
    """The table, a column of whole numbers each."""
    draw = np.random.default_rng(seed)
    wealth = draw.normal(size=rows)
    late = draw.normal(size=rows) - 0.3 * wealth
    limit = np.clip(np.round(np.exp(11.6 + 0.8 * wealth) / 1e4), 1, 80) * 1e4
    columns = {
        "limit": limit,
        "sex": draw.choice([1, 2], rows, p=[0.4, 0.6]),
        "education": draw.choice(7, rows, p=[0.0005, 0.353, 0.467, 0.164, 0.004, 0.009, 0.0025]),
        "marriage": draw.choice(4, rows, p=[0.002, 0.455, 0.532, 0.011]),
        "age": np.clip(np.round(21 + draw.gamma(2.6, 5.6, rows)), 21, 79),
    }
    status = statuses(late, draw)
    bills, paid = accounts(limit, late, status, draw)
    for name, months in (("status", status), ("bill", bills), ("paid", paid)):
        columns |= {f"{name}{month + 1}": numbers for month, numbers in enumerate(months)}
    columns["default"] = draw.random(rows) < 0.22
    return pa.table({name: pa.array(np.asarray(numbers).astype(np.int64)) for name, numbers in columns.items()})


def statuses(late: Numbers, draw: np.random.Generator) -> list[Numbers]:
    """Months of delay, -1 and -2 where nothing is owed; mostly as in the month before."""
    rows, months = len(late), []
    active = draw.random(rows) < 0.85
    for month in MONTHS:
        delay = late + 0.5 * draw.normal(size=rows)
        status = np.where(delay > 1.35, 2, np.where(delay > 1.1, 1, 0))
        status = np.where(delay > 2.2, np.minimum(8, 2 + draw.geometric(0.6, rows)), status)
        nothing = np.where(draw.random(rows) < 0.5, -2, -1)
        status = np.where(~active | (draw.random(rows) < 0.05), nothing, status)
        status = np.where((status == 0) & (draw.random(rows) < 0.12), -1, status)
        months.append(np.where(draw.random(rows) < 0.72, months[-1], status) if month else status)
    return months


def accounts(
    limit: Numbers, late: Numbers, status: Sequence[Numbers], draw: np.random.Generator
) -> tuple[list[Numbers], list[Numbers]]:
    """What is billed and what is paid, each month from what was left of the one before."""
    rows, bills, payments = len(limit), [], []
    owed = limit / (1 + np.exp(-(draw.normal(size=rows) * 1.5 - 0.6 + 0.6 * late)))
    for month in MONTHS:
        bill = np.round(owed * np.exp(0.05 * draw.normal(size=rows)))
        bill = np.where((status[month] < 0) & (draw.random(rows) < 0.55), 0, bill)
        bill = np.where(draw.random(rows) < 0.02, -np.round(draw.exponential(1500, rows)), bill)
        least, any_part = bill * 0.04 + draw.exponential(800, rows), bill * draw.random(rows)
        paid = np.where(bill <= 0, 0, np.round(np.where(draw.random(rows) < 0.75, least, any_part)))
        paid = np.where(draw.random(rows) < 0.35, np.round(paid, -3), paid)
        paid = np.where((status[month] > 1) & (draw.random(rows) < 0.5), 0, np.maximum(paid, 0))
        owed = np.maximum(owed - paid + limit * 0.03 * draw.random(rows), 0)
        bills.append(bill)
        payments.append(paid)
    return bills, payments


# By the beginning of a column's name: for each level between the value and the top, where a label ends.
CUTS: dict[str, list[Sequence[float]]] = {
    "limit": [range(50_000, 800_000, 50_000), (250_000, 500_000, 750_000)],
    "sex": [],
    "education": [(1, 4)],
    "marriage": [(2,)],
    "age": [range(25, 80, 5), range(30, 80, 10), (40, 60)],
    "status": [(0, 3), (0,)],
    "bill": [(0, 100_000, 300_000), (100_000,)],
    "paid": [(1, 10_000, 100_000), (10_000,)],
    "default": [],
}


def trees(table: pa.Table) -> dict[str, Hierarchy]:
    """What each value becomes at each level."""
    return {name: tree(table[name].to_numpy(), CUTS[name.rstrip("123456")]) for name in table.column_names}


def tree(numbers: Numbers, cuts: Sequence[Sequence[float]]) -> Hierarchy:
    values = np.unique(numbers)
    levels = [np.searchsorted(np.array(ends, dtype=float), values, side="right").tolist() for ends in cuts]
    between = [[f"{place}:{part}" for part in level] for place, level in enumerate(levels, start=1)]
    return Hierarchy(tuple(zip(map(str, values.tolist()), *between, ["*"] * len(values), strict=True)))
