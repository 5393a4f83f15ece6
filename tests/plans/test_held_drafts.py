"""Tables of a million rows are held with short texts. What comes of them is what comes of the texts themselves."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.errors import OutputError, SchemaError
from sfumato.plans.draft import Draft
from sfumato.plans.plan_file import read_plan
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB, short_texts
from sfumato.tables.short_table import ShortTable
from sfumato.tables.source import Column, Extract
from sfumato.tables.write import row_order
from sfumato.tables.write.formats import csv
from sfumato.tables.write.release import ReleasedColumn, WriteOptions
from sfumato.tables.write.table import write_table
from sfumato.utility.paired import record_join
from sfumato.utility.paired.pairing import Pairing
from sfumato.utility.step_effects import effects

TOWNS = ("", "[a]", "a;b", "~", "é", "'q'", 'say "x"', "A", 'two\n"lines"\r', None)
PLAN = """\
steps:
  - generalise: {column: age, level: 1, hierarchy: {kind: intervals, edges: [0, 30, 60, 90]}}
  - suppress_records: {class_size: 3, columns: [age, town, sex]}
  - drop: {columns: [cost]}
"""


def people(n: int = 400) -> pa.Table:
    """Made-up people, with texts that SQL, CSV or a list of values could take for something else."""
    drawn = random.Random(7)
    return pa.table(
        {
            "age": [drawn.choice([None, *range(20, 80)]) for _ in range(n)],
            "town": [drawn.choice(TOWNS) for _ in range(n)],
            "sex": [drawn.choice("fm") for _ in range(n)],
            "cost": [drawn.choice([0.0, -0.0, float("nan"), 1.5, None]) for _ in range(n)],
        }
    )


@pytest.fixture(params=[False, True], ids=["texts", "short"])
def many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether 400 rows are taken for many."""
    if request.param:
        monkeypatch.setattr(short_texts, "MANY", 100)
        monkeypatch.setattr(record_join, "MANY", 100)
    return bool(request.param)


def draft() -> Draft:
    engine = DuckDB()
    table = engine.load(people())
    return Draft.of(Extract("people", table, tuple(Column(n, k, "") for n, k in table.kinds.items())))


def released(folder: Path) -> dict[str, bytes]:
    """Every file of a release, made anew."""
    data = folder / "people.parquet"
    pq.write_table(people(), data)
    found = sf.anonymise(
        data, quasi=["age", "town", "sex"], non_sensitive=["cost"], k=4, suppress=0.3, method="optimal"
    )
    written = found.write(folder / "out")
    return {path.name: path.read_bytes() for path in written if "provenance" not in path.name}


def test_a_release_has_the_same_bytes_whether_its_texts_were_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "texts").mkdir()
    plain = released(tmp_path / "texts")
    monkeypatch.setattr(short_texts, "MANY", 100)
    monkeypatch.setattr(record_join, "MANY", 100)
    (tmp_path / "short").mkdir()
    assert released(tmp_path / "short") == plain
    assert len(plain["released.csv"].splitlines()) > 200


def test_steps_have_the_same_effects_whether_texts_are_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN)
    plan = read_plan(tmp_path / "plan.yaml")
    plain = effects(plan, people(), quasi=["age", "town", "sex"])
    monkeypatch.setattr(short_texts, "MANY", 100)
    monkeypatch.setattr(record_join, "MANY", 100)
    assert effects(plan, people(), quasi=["age", "town", "sex"]).plain() == plain.plain()


def test_few_rows_are_not_held() -> None:
    begun = draft()
    assert begun.held(begun.count(), made=True) is begun


def test_what_is_held_reads_as_the_texts_do(many: bool) -> None:
    begun = draft()
    held = begun.held(begun.count(), made=True)
    assert (held.short is not None) is many
    cells = "SELECT row, age, town, sex FROM {}"
    assert held.engine.fetch(cells.format(held.table)) == begun.engine.fetch(cells.format(begun.table))
    assert held.table.kinds == held.counted.kinds == begun.table.kinds
    assert held.table.kinds["town"] is Kind.TEXT


def test_a_step_after_a_held_draft_works_on_texts(many: bool) -> None:
    begun = draft()
    changed = begun.held(begun.count(), made=True).changed({"town": "concat(record.\"town\", '!')"})
    left = changed.held(400).where("record.\"sex\" = 'f' AND record.\"town\" <> '~!'")
    rows = left.engine.fetch(f"SELECT town, sex FROM {left.table}")
    assert {sex for _, sex in rows} == {"f"}
    assert {town for town, _ in rows} == {f"{town or ''}!" for town in TOWNS} - {"~!"}
    assert left.engine.fetch(f"SELECT count(*) FROM {left.counted}") == [(len(rows),)]


@pytest.mark.parametrize("most", [4096, 3], ids=["looked up", "too many"])
def test_labels_found_once_for_each_value_are_those_of_each_record(
    many: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(short_texts, "LOOKED_UP", most)
    labels = {
        "age": 'CASE WHEN record."age" >= 40 THEN CAST(record."age" // 20 AS VARCHAR) ELSE other.text END',
        "town": "CASE WHEN record.\"town\" IS NULL THEN 'it''s {0}' WHEN length(record.\"town\") > 1 THEN 'é' END",
    }
    begun = draft()
    other = begun.engine.load(pa.table({"text": ["young"]}))
    each, once = begun, begun.held(begun.count(), made=True)
    for column, label in labels.items():
        each = each.changed({column: label}, join=f"CROSS JOIN {other} AS other")
        once = once.labelled(column, label, join=f"CROSS JOIN {other} AS other")
    assert (once.short is not None and {"age", "town"} <= set(once.short.texts)) is (many and most > 3)
    cells = "SELECT row, age, town, sex FROM {} ORDER BY row"
    rows = each.engine.fetch(cells.format(each.table))
    for table in (once.table, once.counted, once.held(400).counted):
        assert begun.engine.fetch(cells.format(table)) == rows
    in_order = "SELECT town FROM {} GROUP BY town ORDER BY town NULLS FIRST"
    assert begun.engine.fetch(in_order.format(once.counted)) == [(None,), ("it's {0}",), ("é",)]


def test_the_names_of_short_texts_hide_no_column() -> None:
    engine = DuckDB()
    table = engine.load(pa.table({"a": ["x"], "A (Short 2)": ["y"], "a (short 3)": ["z"]}))
    beside, short = ShortTable(table, ("a",)).beside_texts()
    assert short == {"a": "a (short 4)"}
    assert engine.fetch(f"SELECT * FROM {beside}") == [("x", "y", "z", "x")]


def test_a_list_of_texts_with_brackets_is_of_texts() -> None:
    engine = DuckDB()
    engine.run("CREATE TYPE marks AS ENUM ('[a]', 'b[')")
    assert engine.query("SELECT CAST('[a]' AS marks) AS mark").kinds == {"mark": Kind.TEXT}
    assert engine.query("SELECT [CAST('[a]' AS marks)] AS several").kinds == {"several": Kind.OTHER}


@pytest.mark.parametrize("name", ["r.csv", "r.parquet"])
def test_rows_that_are_placed_together_are_placed_as_one_by_one(tmp_path: Path, name: str, monkeypatch) -> None:
    monkeypatch.setattr(short_texts, "MANY", 100)
    begun = draft()
    short = begun.held(400, made=True).short
    assert short is not None
    columns = [ReleasedColumn(column) for column in ("town", "cost", "sex")]
    write_table(begun.table, tmp_path / name, columns)
    one_by_one = (tmp_path / name).read_bytes()
    together, placed = row_order._placed_together, []
    monkeypatch.setattr(row_order, "_placed_together", lambda *given: placed.append(given) or together(*given))
    write_table(begun.table, tmp_path / name, columns, short=short)
    assert placed
    assert (tmp_path / name).read_bytes() == one_by_one


def test_a_row_that_is_there_many_times_is_refused_as_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = DuckDB()
    table = engine.load(pa.table({"town": ["a\0", "b", "a\0", None, "a\0"] * 20}))
    refused = []
    for few in (False, True):
        monkeypatch.setattr(DuckDB, "few", few)
        with pytest.raises(OutputError, match="60 values with a NUL") as error:
            write_table(table, tmp_path / "r.csv", [ReleasedColumn("town")])
        refused.append(str(error.value))
    assert refused[0] == refused[1]
    assert not list(tmp_path.iterdir())


def test_few_rows_that_are_equal_have_their_line_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, columns = draft(), [ReleasedColumn(column) for column in ("town", "sex")]
    for options in (WriteOptions(), WriteOptions(byte_order_mark=True), WriteOptions(delimiter="\t")):
        written = []
        for few in (False, True):
            monkeypatch.setattr(DuckDB, "few", few)
            monkeypatch.setattr(csv, "LINES_AT_ONCE", 7)
            assert write_table(begun.table, tmp_path / "r.csv", columns, options=options) == 400
            written.append((tmp_path / "r.csv").read_bytes())
        assert written[0] == written[1]


def test_a_number_that_no_record_of_the_original_has_is_refused() -> None:
    engine = DuckDB()
    before = engine.load(pa.table({"row": [1, 2, 3], "age": [31, 32, 33]}))
    for numbers, problem in (([1, 4], "1 record of the release"), ([0, 1], "1 record"), ([2, 2], "no key")):
        after = engine.load(pa.table({"row": numbers, "age": [31, 32]}))
        with pytest.raises(SchemaError, match=problem):
            Pairing.of(before, after, ["age"], key="row", numbered=True)
