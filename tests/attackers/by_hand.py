"""Risks counted record by record, in plain Python, to compare with."""

from __future__ import annotations

from itertools import combinations

import pyarrow as pa
from hypothesis import strategies as st

from sfumato.privacy.dataset import Dataset
from sfumato.schema import Missing
from sfumato.tables.engines.duckdb import DuckDB

DUCKDB = DuckDB()
NAMES = ["age", 'the "zip" code', "sex; --", "size"]


@st.composite
def tables(draw, least=1, most=4, records=25):
    """Rows of few values, some missing, in up to `most` columns, and whom they are about, which may be missing too."""
    width = draw(st.integers(least, most))
    values = st.one_of(st.none(), st.integers(0, draw(st.integers(0, 3))))
    rows = draw(st.lists(st.tuples(*[values] * width), min_size=1, max_size=records))
    subjects = draw(st.none() | st.lists(st.none() | st.integers(0, 6), min_size=len(rows), max_size=len(rows)))
    return rows, [*NAMES, *(f"c{i}" for i in range(width))][:width], subjects


def dataset(rows, names, subjects=None, missing=Missing.OWN_VALUE, engine=DUCKDB) -> Dataset:
    columns = {name: pa.array([row[i] for row in rows], pa.int64()) for i, name in enumerate(names)}
    if subjects is not None:
        columns["who"] = pa.array([None if s is None else f"s{s}" for s in subjects], pa.string())
    roles = dict.fromkeys(names, "quasi")
    found = Dataset.of(engine.load(pa.table(columns)), roles, subject="who" if subjects is not None else None)
    return Dataset(found.table, found.schema, found.subject, missing)


def persons(rows, subjects):
    """Whom each row is about; a row without a subject is a person of its own."""
    return [
        ("row", i) if subjects is None or subjects[i] is None else ("subject", subjects[i]) for i in range(len(rows))
    ]


def alike(left, right, left_person, right_person, places, missing):
    """Whether two records have the same values at some places."""
    if missing is Missing.WILDCARD:
        return all(left[p] is None or right[p] is None or left[p] == right[p] for p in places)
    if missing is Missing.NEVER_MATCHES and any(left[p] is None or right[p] is None for p in places):
        return left_person == right_person and all(left[p] == right[p] for p in places)
    return all(left[p] == right[p] for p in places)


def crowds(rows, subjects, places, missing=Missing.OWN_VALUE):
    """For each record, the persons who could be meant by its values at some places."""
    people = persons(rows, subjects)
    return [
        {people[j] for j in range(len(rows)) if alike(rows[i], rows[j], people[i], people[j], places, missing)}
        for i in range(len(rows))
    ]


def singled_out(rows, subjects, places, missing=Missing.OWN_VALUE) -> int:
    return sum(len(crowd) == 1 for crowd in crowds(rows, subjects, places, missing))


def all_sets(width, largest):
    return [places for size in range(1, largest + 1) for places in combinations(range(width), size)]
