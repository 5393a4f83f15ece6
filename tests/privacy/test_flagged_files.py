"""Files of flagged records: written by the engine, the same bytes however it holds texts, CSV or Parquet."""

from __future__ import annotations

import random
import stat

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.errors import OutputError
from sfumato.tables.engine import ShortKeys
from sfumato.tables.engines.duckdb import DuckDB, short_texts

# What a text can hurt a CSV file with, and what sorts otherwise by letters than by bytes.
TEXTS = ["", "a", "B", "b", "ä", "Z", "a,b", 'a "b"', "a\nb", "NULL", "missing", " a", "10", "9", "é", "\U0001f600"]


def people(*, missing: bool) -> pa.Table:
    draw = random.Random(5)
    texts = [*TEXTS, None] if missing else TEXTS
    rows = [(draw.choice(texts), draw.choice(texts), draw.randrange(8, 12), draw.choice([0.5, 1.0])) for _ in range(90)]
    names = ("town", "name", "age", "weight")
    return pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)} | {"who": TEXTS[:15] * 6})


def assessed(table: pa.Table, **asked) -> sf.Assessment:
    return sf.assess(table, quasi=["town", "name", "age", "weight"], sensitive=["who"], k=2, l=2, **asked)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("reading", ["own_value", "never_matches"])
def test_files_have_the_same_bytes_whether_texts_are_listed_or_not(tmp_path, monkeypatch, missing, reading):
    table = people(missing=missing)
    monkeypatch.setattr(short_texts, "MANY", 1)
    short = sf.write_flagged(assessed(table, missing_values=reading), tmp_path / "short")
    monkeypatch.setattr(DuckDB, "short_keys", lambda *_: ShortKeys())
    long = sf.write_flagged(assessed(table, missing_values=reading), tmp_path / "long")
    assert [file.name for file in short] == ["flagged_k_anonymity.csv", "flagged_distinct_l_diversity_who.csv"]
    assert [file.read_bytes() for file in short] == [file.read_bytes() for file in long]


def test_texts_are_listed_where_they_are_few_and_of_many_records(monkeypatch):
    engine = DuckDB()
    table = engine.load(people(missing=True))
    columns = ["town", "name", "age", "weight"]
    assert engine.short_keys(table, columns).texts == {}
    monkeypatch.setattr(short_texts, "MANY", 90)
    assert list(engine.short_keys(table, columns).texts) == ["town", "name"]
    monkeypatch.setattr(short_texts, "LISTED", 3)
    assert engine.short_keys(table, columns).texts == {}


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("reading", ["own_value", "never_matches", "wildcard"])
def test_classes_and_files_are_the_same_whether_combinations_are_numbered_or_not(
    tmp_path, monkeypatch, missing, reading
):
    """Negative numbers, truth values and missing values have their places in the order, and a person several rows."""
    table = people(missing=missing)
    draw = random.Random(6)
    table = table.append_column("debt", pa.array([draw.choice([-7, -1, 0, 3, None][: 4 + missing]) for _ in range(90)]))
    table = table.append_column("well", pa.array([draw.choice([True, False]) for _ in range(90)]))

    def read(folder: str) -> tuple[sf.Assessment, list[bytes]]:
        quasi = ["name", "debt", "well"]
        found = sf.assess(table, quasi=quasi, sensitive=["town"], subject="who", k=3, l=2, missing_values=reading)
        files = [*sf.write_flagged(found, tmp_path / folder)]
        return found, [file.read_bytes() for file in files]

    monkeypatch.setattr(short_texts, "MANY", 1)
    numbered, short = read("numbered")
    monkeypatch.setattr(short_texts, "HELD", 0)
    in_view, looked_at = read("view")
    monkeypatch.setattr(DuckDB, "short_keys", lambda *_: ShortKeys())
    plain, long = read("plain")
    alone = reading == "never_matches"  # whoever lacks a value is a class of its own, and in no order of keys
    assert (numbered.classes.in_order, bool(numbered.classes.own)) == (not alone, not alone)
    assert (in_view.classes.in_order, in_view.classes.own, plain.classes.in_order) == (not alone, (), False)
    assert len(short) == 2
    assert short == looked_at == long
    assert numbered.to_json() == in_view.to_json() == plain.to_json()
    assert numbered.flags.equals(plain.flags)


def test_combinations_have_a_number_only_where_all_of_them_fit_into_one():
    engine = DuckDB()
    rows = {"a": [0, 2**40], "b": [0, 2**40], "c": ["x", "y"], "d": [0.5, 1.5]}
    table = engine.load(pa.table(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(short_texts, "MANY", 1)
        assert engine.short_keys(table, ["a", "c"]).number is not None
        assert engine.short_keys(table, ["a", "b", "c"]).number is None
        assert engine.short_keys(table, ["c", "d"]).number is None


def test_files_have_the_bytes_that_they_had_before_texts_were_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(short_texts, "MANY", 1)
    table = pa.table({"town": ["b", "", "a,b", 'a "b"', "Z", "ä", "Z"], "age": [9, 10, 9, 9, 10, 9, 9]})
    (file,) = sf.write_flagged(sf.assess(table, quasi=["town", "age"], k=2), tmp_path)
    assert file.read_text(encoding="utf-8") == (
        'record,town,age,k_count\n2,"",10,1\n7,Z,9,1\n5,Z,10,1\n4,"a ""b""",9,1\n3,"a,b",9,1\n1,b,9,1\n6,ä,9,1\n'
    )


def test_parquet_holds_the_same_records_for_its_owner_only(tmp_path, monkeypatch):
    monkeypatch.setattr(short_texts, "MANY", 1)
    found = assessed(people(missing=False))
    csv, parquet = sf.write_flagged(found, tmp_path / "csv"), sf.write_flagged(found, tmp_path, file_format="parquet")
    assert [file.name for file in parquet] == [
        "flagged_k_anonymity.parquet",
        "flagged_distinct_l_diversity_who.parquet",
    ]
    for one, other in zip(csv, parquet, strict=True):
        assert stat.S_IMODE(other.stat().st_mode) == 0o600
        table = pq.read_table(other)
        as_texts = pa_csv.ConvertOptions(column_types=dict.fromkeys(table.column_names, pa.string()))
        parsing = pa_csv.ParseOptions(newlines_in_values=True)
        written = pa_csv.read_csv(one, convert_options=as_texts, parse_options=parsing)
        assert len(table) > 0
        assert written.to_pydict() == {
            name: pc.cast(table[name], pa.string()).to_pylist() for name in table.column_names
        }


def test_a_folder_holds_the_files_of_one_run(tmp_path):
    found = assessed(people(missing=False))
    sf.write_flagged(found, tmp_path)
    (tmp_path / "flagged_by_hand.csv").touch()
    sf.write_flagged(found, tmp_path, file_format="parquet")
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "flagged_by_hand.csv", "flagged_distinct_l_diversity_who.parquet", "flagged_k_anonymity.parquet",
    ]  # fmt: skip


def test_another_format_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(OutputError, match="csv or parquet, not as 'xlsx'"):
        sf.write_flagged(assessed(people(missing=False)), tmp_path / "out", file_format="xlsx")
    assert not (tmp_path / "out").exists()
