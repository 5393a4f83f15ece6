"""The JSON document and the files of flagged records against a recomputation with plain loops, on random tables.

Beside `test_measures.py`: bins of both kinds, counted missing values, orders, overlaps, the risk ladder, persons.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf

QUASI, EDGES, SENSITIVE_EDGES = ['age of\n"x"', "place"], (-5, 0, 18), (0.5, 10, 20)
ORDER = ["mild", "schwer", "très grave"]
LADDER = (3, 5, 11, 20)
K, L, T = 3, 2, 0.35
Row = tuple[Any, ...]  # age, place, grade, dose, person

ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, -6, -5, -1, 0, 17, 18, 19]),
        st.sampled_from([None, "Zürich", "zürich", "", 'a,b\n"c"', "missing"]),
        st.sampled_from([None, *ORDER]),
        st.sampled_from([None, -2.5, 0.5, 3.25, 10.0, 20.0, 21.0]),
        st.sampled_from([None, "ann", "bob", "cy", "dee"]),
    ),
    min_size=1,
    max_size=30,
)


def binned(value: float | None, edges: Sequence[float]) -> str | None:
    if value is None:
        return None
    if value < edges[0]:
        return f"<{edges[0]:g}"
    inside = [(a, b) for a, b in pairwise(edges) if a <= value < b or value == b == edges[-1]]
    return f"{inside[0][0]:g}--{inside[0][1]:g}" if inside else f">={edges[-1]:g}"


@dataclass(frozen=True)
class Crowds:
    """Whom each record could be mistaken for, and so what is read off each."""

    rows: Sequence[Row]
    missing: str
    persons: bool

    @cached_property
    def keys(self) -> list[tuple[str | None, str | None]]:
        return [(binned(age, EDGES), place) for age, place, *_ in self.rows]

    def who(self, i: int) -> object:
        return self.rows[i][4] if self.persons and self.rows[i][4] is not None else i

    def alike(self, i: int, j: int) -> bool:
        one, other = self.keys[i], self.keys[j]
        if self.missing == "wildcard":
            return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))
        apart = self.missing == "never_matches" and None in one and self.who(i) != self.who(j)
        return one == other and not apart

    def crowd(self, i: int) -> list[int]:
        return [j for j in range(len(self.rows)) if self.alike(i, j)]

    def sizes(self) -> list[int]:
        return [len({self.who(j) for j in self.crowd(i)}) for i in range(len(self.rows))]

    def pairs(self, i: int, read: Callable[[Row], object]) -> set[tuple[object, object]]:
        return {(self.who(j), read(self.rows[j])) for j in self.crowd(i) if read(self.rows[j]) is not None}

    def diversity(self, read: Callable[[Row], object]) -> list[int]:
        found = [self.pairs(i, read) for i in range(len(self.rows))]
        return [min(len({value for _, value in pairs}), len({who for who, _ in pairs})) for pairs in found]

    def homogeneous(self, read: Callable[[Row], object]) -> int:
        one = [len({value for _, value in self.pairs(i, read)}) == 1 for i in range(len(self.rows))]
        return sum(single and size > 1 for single, size in zip(one, self.sizes(), strict=True))

    def ordered(self, column: int, order: Sequence[object]) -> list[float | None]:
        """The ordered distance; None for a record without the value, which is not flagged."""
        numbers = range(len(self.rows))
        own = {(self.keys[i], self.missing == "never_matches" and None in self.keys[i] and self.who(i), self.who(i),
                self.rows[i][column]) for i in numbers if self.rows[i][column] is not None}  # fmt: skip
        whole = Counter(value for *_, value in own)
        values = [value for value in order if value in whole]
        readings: list[float | None] = []
        for i in numbers:
            part = Counter(value for _, value in self.pairs(i, lambda row: row[column]))
            if self.rows[i][column] is None:
                readings.append(None)
                continue
            gaps = [part[value] / part.total() - whole[value] / whole.total() for value in values]
            readings.append(sum(map(abs, accumulate(gaps))) / max(len(values) - 1, 1))
        return readings


def assessed(rows: Sequence[Row], missing: str, *, persons: bool, count_missing: bool = False) -> sf.Assessment:
    names = [*QUASI, "grade", "dose", "who"]
    types = [pa.int64(), pa.string(), pa.string(), pa.float64(), pa.string()]
    columns = zip(names, types, zip(*rows, strict=True), strict=True)
    return sf.assess(
        pa.table({name: pa.array(values, kind) for name, kind, values in columns}),
        quasi=QUASI, sensitive=["grade", "dose"], subject="who" if persons else None, k=K, l=L, t=T,
        bins={QUASI[0]: EDGES}, sensitive_bins={"dose": SENSITIVE_EDGES}, orders={"grade": ORDER},
        missing_values=missing, count_missing=count_missing,
    )  # fmt: skip


def overlap(flags: dict[str, list[bool]]) -> dict[str, int]:
    families = {"k": "k_anonymity", "l": "distinct_l", "t": "t_ordered"}
    by_family = [[f for name, f in flags.items() if name.startswith(start)] for start in families.values()]
    raised = [[any(f) for f in zip(*several, strict=True)] for several in by_family]
    found = [tuple(record) for record in zip(*raised, strict=True)]
    only = {f"{name} only": sum(f[i] and sum(f) == 1 for f in found) for i, name in enumerate(families)}
    return only | {"several": sum(sum(f) > 1 for f in found), "any": sum(map(any, found))}


@pytest.mark.parametrize("missing", ["own_value", "wildcard", "never_matches"])
@pytest.mark.parametrize("persons", [False, True])
@settings(max_examples=6, deadline=None)
@given(rows=ROWS)
def test_the_document_counts_what_plain_loops_count(missing: str, persons: bool, rows: list[Row]) -> None:
    crowds, document = Crowds(rows, missing, persons), assessed(rows, missing, persons=persons).document()
    sizes, grades, doses = (
        crowds.sizes(),
        crowds.ordered(2, ORDER),
        crowds.ordered(3, sorted({r[3] or 0 for r in rows})),
    )
    flags = {
        "k_anonymity": [size < K for size in sizes],
        "distinct_l_diversity grade": [n < L for n in crowds.diversity(lambda row: row[2])],
        "distinct_l_diversity dose": [n < L for n in crowds.diversity(lambda row: binned(row[3], SENSITIVE_EDGES))],
        "t_ordered grade": [t is not None and t > T + 1e-9 for t in grades],
        "t_ordered dose": [t is not None and t > T + 1e-9 for t in doses],
    }
    said = {" ".join(filter(None, (r["measure"], r["sensitive"]))): r for r in document["readings"]}
    assert {label: reading["flagged"] for label, reading in said.items()} == {n: sum(f) for n, f in flags.items()}
    assert document["overlap"] == overlap(flags)
    assert [step["records"] for step in document["classes"]["ladder"]] == [sum(s < n for s in sizes) for n in LADDER]
    assert [step["below"] for step in document["classes"]["ladder"]] == list(LADDER)
    assert (document["records"], document["classes"]["smallest"]) == (len(rows), min(sizes))
    assert document["homogeneous"] == {
        "grade": crowds.homogeneous(lambda r: r[2]),
        "dose": crowds.homogeneous(lambda r: r[3]),
    }
    assert document["k_by_missing_values"] == {
        reading: min(Crowds(rows, reading, persons).sizes()) for reading in ("own_value", "wildcard", "never_matches")
    }
    if persons:
        everybody = range(len(rows))
        assert document["subjects"] == len({crowds.who(i) for i in everybody})
        assert [r["flagged_subjects"] for r in said.values()] == [
            len({crowds.who(i) for i in everybody if flagged[i]}) for flagged in flags.values()
        ]


@pytest.mark.parametrize("count_missing", [False, True])
@settings(max_examples=8, deadline=None)
@given(rows=ROWS)
def test_the_files_list_the_flagged_as_they_were_read_worst_first(
    tmp_path_factory: pytest.TempPathFactory, count_missing: bool, rows: list[Row]
) -> None:
    found = assessed(rows, "own_value", persons=False, count_missing=count_missing)
    folder = tmp_path_factory.mktemp("flagged")
    written = {path.name: path for path in sf.write_flagged(found, folder)}
    read = (lambda row: binned(row[3], SENSITIVE_EDGES) or "none") if count_missing else (
        lambda row: binned(row[3], SENSITIVE_EDGES))  # fmt: skip
    crowds = Crowds(rows, "own_value", persons=False)
    expected = {
        "flagged_k_anonymity.csv": [
            (n, str(i + 1), *shown(crowds.keys[i])) for i, n in enumerate(crowds.sizes()) if n < K
        ],
        "flagged_distinct_l_diversity_dose.csv": [
            (n, str(i + 1), *shown(crowds.keys[i]), binned(rows[i][3], SENSITIVE_EDGES) or "")
            for i, n in enumerate(crowds.diversity(read)) if n < L
        ],
    }  # fmt: skip
    for name, lines in expected.items():
        assert (name in written) == bool(lines)
        if lines:
            _, *records = list(csv.reader(written[name].open(encoding="utf-8", newline="")))
            assert sorted((int(n), *others) for *others, n in records) == sorted(lines)
            assert [int(record[-1]) for record in records] == sorted(n for n, *_ in lines)


def shown(key: tuple[str | None, ...]) -> list[str]:
    return ["missing" if part is None else part for part in key]
