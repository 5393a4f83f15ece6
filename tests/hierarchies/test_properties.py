"""What holds for every hierarchy, whatever builds it and whatever the values are."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.hierarchies.catalogue import builder, builders
from sfumato.tables.engine import Kind, one_value
from sfumato.tables.engines.duckdb import DuckDB

INTEGERS = st.integers(-300, 300)
REALS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3) + 0.0)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6)
CODES = st.from_regex(r"[A-TV-Z][0-9][0-9]([.][0-9]{1,2})?", fullmatch=True)
ATC = st.from_regex(r"[ABCDGHJLMNPRSV][0-9]{2}[A-Z]{2}[0-9]{2}", fullmatch=True)
DAYS = st.dates(date(1000, 1, 1), date(9999, 12, 31))
MOMENTS = st.datetimes(datetime(1600, 1, 1), datetime(2262, 1, 1)).map(lambda m: m.replace(microsecond=0))
PARTIAL = st.one_of(DAYS.map(str), DAYS.map(lambda d: str(d)[:7]), DAYS.map(lambda d: str(d)[:4]), MOMENTS.map(str))
TREE = {"a": "vowel", "e": "vowel", "b": "plosive", "plosive": "consonant", "m": "consonant"}
EVERY_DATE = ("minute", "hour", "time_of_day", "day", "period", "week", "month", "quarter", "year", "decade")

CASES: list[tuple[str, dict[str, Any], st.SearchStrategy[Any]]] = [
    ("intervals", {"width": 5}, INTEGERS),
    ("intervals", {"width": 5, "origin": -2, "factor": 3, "style": "integers"}, INTEGERS),
    ("intervals", {"width": 1, "style": "integers"}, INTEGERS),
    ("intervals", {"width": 0.1, "levels": 3}, REALS),
    ("intervals", {"width": 0.25, "origin": 0.05, "style": "dashes"}, REALS),
    ("intervals", {"edges": (-10, 0, 0.5, 18, 65)}, REALS),
    ("intervals", {"edges": (0, 18, 65, 90), "style": "integers", "factor": 3}, INTEGERS),
    ("quantiles", {}, REALS),
    ("quantiles", {"groups": 5, "width": 2}, INTEGERS),
    ("density", {"at_least": 3}, REALS),
    ("density", {"at_least": 2, "style": "integers", "factor": 3}, INTEGERS),
    ("ages", {}, st.integers(0, 115)),
    ("ages", {"widths": (10,), "top": 85}, REALS),
    ("masks", {}, TEXTS),
    ("masks", {"side": "left", "character": "x", "step": 2, "padding": "0"}, TEXTS),
    ("masks", {"padding": "_", "pad": "right"}, st.integers(0, 99999)),
    ("dates", {}, DAYS),
    ("dates", {"levels": EVERY_DATE}, MOMENTS),
    ("dates", {"levels": EVERY_DATE, "days": 5, "origin": "2020-03-01"}, PARTIAL),
    ("dates", {"levels": ("period", "year"), "days": 2}, DAYS),
    ("icd10", {}, CODES),
    ("atc", {}, ATC),
    ("priority", {"at_least": 2}, st.sampled_from(["flu", "asthma", "other", "gout's", "lupus", ""])),
    ("groups", {"size": 3}, INTEGERS),
    ("groups", {"order": ("I", "II", "III", "IV", "V")}, st.sampled_from(["I", "II", "III", "IV", "V"])),
    ("tree", {"mapping": TREE}, st.sampled_from(sorted(TREE))),
]
NAMES = [f"{kind} {' '.join(f'{k}={v}' for k, v in given.items())}"[:60] for kind, given, _ in CASES]
EACH = pytest.mark.parametrize("case", CASES, ids=NAMES)


def columns(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.one_of(values, st.none()), min_size=1, max_size=12)


def column_of(values: list[Any], like: Any) -> pa.Table:
    sort = {int: pa.int64(), float: pa.float64(), str: pa.string(), date: pa.date32(), datetime: pa.timestamp("us")}
    return pa.table({"value": pa.array(values, type=sort[type(like)])})


def texts_of(engine: Any, values: list[Any], like: Any) -> tuple[Any, list[str | None], str]:
    """The column in an engine, its values as the engine writes them, and the column as it is compared."""
    table = engine.load(column_of(values, like))
    value = one_value("value", table.kinds["value"])
    return table, [row[0] for row in engine.fetch(f"SELECT CAST({value} AS VARCHAR) FROM {table}")], value


@EACH
def test_every_value_has_one_ancestor_at_every_level_and_the_top_is_one(case):
    kind, parameters, values = case

    @settings(max_examples=25)
    @given(columns(values))
    def holds(drawn: list[Any]) -> None:
        texts = [None if value is None else str(value) for value in drawn]
        found = builder(kind, parameters).build(texts, unknown="top")
        assert set(found.values) == {text for text in texts if text is not None}
        assert {found.label(text, found.height) for text in texts} == {found.top}
        for level in range(found.height):
            above: dict[Any, set[Any]] = {}
            for text in (*texts, None):
                above.setdefault(found.label(text, level), set()).add(found.label(text, level + 1))
            assert all(len(labels) == 1 for labels in above.values())
        assert found.label(None, 0) is None
        assert all(found.label(text, 0) == text for text in texts)

    holds()


@EACH
def test_what_is_built_is_what_the_sql_says(case):
    kind, parameters, values = case
    duck = DuckDB()
    like = _example(values)

    @settings(max_examples=3 if kind == "icd10" else 10)  # its SQL is long
    @given(columns(values))
    def holds(drawn: list[Any]) -> None:
        table, texts, value = texts_of(duck, drawn, like)
        counts: dict[str | None, int] = {text: texts.count(text) for text in texts}
        made = builder(kind, parameters)
        formula, found = made.formula(counts), made.build(counts, unknown="top")
        for level in range(formula.height + 1):
            rows = duck.fetch(f"SELECT {formula.sql(value, level)} FROM {table}")
            assert [label for (label,) in rows] == [found.label(text, level) for text in texts]
        lacking = duck.fetch(f"SELECT count(*) FROM {table} WHERE {formula.unplaced(value)}")[0][0]
        assert lacking == sum(formula.lacking(counts).values())

    holds()


@EACH
def test_what_was_decided_builds_the_same_without_the_data(case):
    kind, parameters, values = case

    @settings(max_examples=25)
    @given(columns(values))
    def holds(drawn: list[Any]) -> None:
        texts = [None if value is None else str(value) for value in drawn]
        counts: dict[str | None, int] = {text: texts.count(text) for text in texts}
        formula = builder(kind, parameters).formula(counts)
        settled = formula.settled()
        again = builder(settled.pop("kind"), settled).formula({})
        assert again.height == formula.height
        for level in range(formula.height + 1):
            assert [again.label(text, level) for text in texts] == [formula.label(text, level) for text in texts]

    holds()


def _example(values: st.SearchStrategy[Any]) -> Any:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return values.example()


def test_a_case_stands_for_every_kind_of_hierarchy():
    assert {kind for kind, _, _ in CASES} == set(builders()) - {"from_file"}


NUMBERS = [-0.5, 0.0, 0.1, 0.29, 0.3, 0.7, 17.999, 18.5, 40.0, 65.0, 1234.567, None]
SEEN: list[tuple[str, dict[str, Any], list[Any]]] = [
    ("ages", {}, [-7, 0, 4, 5, 39, 89, 90, 115, None]),
    ("intervals", {"width": 5, "origin": -2, "style": "integers"}, [-7, -2, -1, 0, 3, 40, None]),
    ("intervals", {"width": 0.1, "levels": 2}, NUMBERS),
    ("density", {"at_least": 2}, NUMBERS),
    ("masks", {"padding": "0"}, ["0151", "151", "é", "it's", "", None]),
    ("dates", {"levels": EVERY_DATE[3:]}, [date(1999, 12, 31), date(2020, 2, 29), date(2021, 1, 1), None]),
    ("dates", {"levels": EVERY_DATE[:4]}, [datetime(2020, 3, 1, 0, 0), datetime(2021, 1, 3, 23, 59, 59), None]),
    ("dates", {"levels": EVERY_DATE[4:], "days": 5}, ["2020-03", "1987", "2020-02-30", "2020-12-31T05:59Z", "x", None]),
    ("icd10", {}, ["E11.9", "c4a", "O9A.2", "X99", "U99", "flu", "A10BA02", None]),
    ("atc", {}, ["A10BA02", "n02", "E11.9", None]),
    ("priority", {"at_least": 2}, ["flu", "flu", "flu", "gout's", None]),
    ("tree", {"mapping": TREE}, ["a", "b", "plosive", "z", None]),
]


@pytest.mark.parametrize(
    ("kind", "parameters", "drawn"), SEEN, ids=[f"{kind} {n}" for n, (kind, _, _) in enumerate(SEEN)]
)
def test_every_engine_gives_the_same_labels(kind, parameters, drawn, engine):
    """In one statement per level: Spark takes its time for each."""
    table, texts, value = texts_of(engine, drawn, drawn[0])
    formula = builder(kind, parameters).formula({text: texts.count(text) for text in texts})
    for level in range(1, formula.height):
        rows = engine.fetch(f"SELECT {formula.sql(value, level)} FROM {table}")
        assert [label for (label,) in rows] == [formula.label(text, level) for text in texts]


def test_a_number_in_single_precision_is_read_as_it_is_written():
    """0.7 in single precision is 0.699999988...: as text it is 0.7, and so it is where 0.7 begins."""
    duck = DuckDB()
    table = duck.load(pa.table({"value": pa.array([0.7, 0.1], pa.float32())}))
    formula = builder("intervals", {"width": 0.1, "levels": 1}).formula({})
    assert table.kinds["value"] is Kind.REAL
    assert duck.fetch(f"SELECT {formula.sql('value', 1)} FROM {table}") == [("[0.7, 0.8)",), ("[0.1, 0.2)",)]
