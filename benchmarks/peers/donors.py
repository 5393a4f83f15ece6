"""Made-up donors: a table with a column of 100,000 leaves, for the optimal search."""

import numpy as np

from sfumato.privacy.coded.table import CodedColumn, CodedTable

# Of each column: how many values its hierarchy lists, and how many of them a label stands for at each level.
DONOR_LEVELS = {
    "postcode": (100_000, (1, 10, 100, 1_000, 10_000, 100_000)), "state": (56, (1, 56)),
    "age": (99, (1, 5, 10, 20, 99)), "sex": (5, (1, 5)), "income": (8, (1, 4, 8)), "gifts": (238, (1, 5, 20, 100, 238)),
    "smallest": (1_001, (1, 5, 25, 100, 1_001)), "total": (10_000, (1, 50, 500, 2_500, 10_000)),
}  # fmt: skip


def donors(rows: int = 95_412, seed: int = 19980817) -> dict[str, np.ndarray]:
    """Made-up donors, by column: eight quasi-identifiers, of which the postal code has 100,000 possible values.

    Made to the figures that issue 23 names: the table that was measured there is not at hand, and its seconds are not
    those of this one.
    """
    draw = np.random.Generator(np.random.PCG64(seed))
    towns = np.sort(draw.choice(100_000, 20_000, replace=False))
    people = 1 / np.arange(1, 20_001) ** 0.7
    draw.shuffle(people)
    postcode = draw.choice(towns, rows, p=people / people.sum())
    known, ages = draw.random(rows) >= 0.25, np.clip(draw.normal(61, 16, rows), 1, 98)
    sex = draw.choice(5, rows, p=[0.54, 0.41, 0.03, 0.01, 0.01])
    income = draw.choice(8, rows, p=[0.22, 0.09, 0.14, 0.09, 0.13, 0.16, 0.08, 0.09])
    gifts = np.minimum(draw.lognormal(1.9, 0.8, rows).astype(int) + 1, 237)
    smallest = np.round(
        draw.choice([1, 2, 3, 5, 5, 5, 10, 10, 15, 20, 25, 50], rows) * draw.choice([1, 1, 1, 0.5], rows)
    )
    total = np.minimum((gifts * smallest * draw.lognormal(0.5, 0.35, rows)).astype(int), 9_999)
    return {
        "postcode": postcode, "state": np.searchsorted(np.linspace(0, 90_000, 57)[1:-1], postcode),
        "age": np.where(known, ages, 0).astype(int), "sex": sex,
        "income": income, "gifts": gifts,
        "smallest": smallest.astype(int), "total": total,
    }  # fmt: skip


def coded_donors() -> CodedTable:
    """The made-up donors: values are numbers already, and a label stands for so many that follow each other."""
    codes = np.stack(list(donors().values())).astype(np.int64)
    codes = codes[:, np.lexsort(codes[::-1])]
    first = np.flatnonzero(np.append(True, (np.diff(codes, axis=1) != 0).any(axis=0)))
    records = np.diff(np.append(first, codes.shape[1]))
    columns = tuple(donor_column(name, *levels) for name, levels in DONOR_LEVELS.items())
    return CodedTable(columns, np.ascontiguousarray(codes[:, first]), records, records, {}, one_record_each=True)


def donor_column(name: str, domain: int, steps: tuple[int, ...]) -> CodedColumn:
    labels, leaves = [], []
    for step in steps:
        own = np.arange(domain) // step
        missing = 0 if step == domain else own[-1] + 1  # at the top there is one label for all
        labels.append(np.append(own, missing))
        leaves.append(np.maximum(np.bincount(own, minlength=missing + 1), 1))
    return CodedColumn(name, tuple(labels), tuple(leaves), domain)
