"""Reading delimited text."""

from __future__ import annotations

import csv
import gzip
import tempfile
import traceback
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import SfumatoError, UnknownColumn, UnreadableFile, WrongScale
from sfumato.tables.engine import Kind, literal
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.columns import BLANKS, without_tokens
from sfumato.tables.read.formats.csv import CSV
from sfumato.tables.source import MISSING_TOKENS, Extract, ReadOptions

SECRET = "Wilhelmina"


@pytest.fixture
def engine() -> DuckDB:
    return DuckDB(threads=1)


@pytest.fixture
def read(tmp_path, engine):
    def read(content: bytes | str, *, name: str = "t.csv", **options) -> Extract:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return CSV().read(str(path), ReadOptions(**options), engine)

    return read


def rows(extract: Extract) -> list[tuple]:
    return extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


def kinds(extract: Extract) -> dict[str, Kind]:
    assert {column.name: column.kind for column in extract.columns} == extract.table.kinds
    return extract.table.kinds


def kind_of(read, *values: str, delimiter: str = ";") -> tuple[Kind, str]:
    extract = read("v;w\n" + "".join(f"{value};x\n" for value in values), delimiter=delimiter)
    return kinds(extract)["v"], extract.columns[0].why


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(read, delimiter):
    assert rows(read(f"a{delimiter}b\n1{delimiter}x\n2{delimiter}y\n")) == [(1, "x"), (2, "y")]


def test_a_delimiter_inside_quotes_separates_nothing(read):
    assert rows(read('a;b\n"x,y;z";"he said ""no"""\n')) == [("x,y;z", 'he said "no"')]


def test_a_file_of_one_column_is_a_table_and_commas_in_it_are_text(read):
    assert rows(read("note\nred, blue\ngreen, grey\n")) == [("red, blue",), ("green, grey",)]


def test_the_delimiter_that_is_given_is_used(read):
    assert rows(read("a,b;c\n1,2;3\n", delimiter=";")) == [(1.2, 3)]


def test_a_blank_line_in_one_column_is_a_missing_value_but_not_at_the_end(read):
    extract = read("a\n1\n\n3\n\n\n")
    assert rows(extract) == [(1,), (None,), (3,)]
    assert extract.columns[0].missing == 1


def test_trailing_and_leading_blank_lines_are_harmless(read):
    assert rows(read("\n\na,b\n1,2\n\n\n")) == [(1, 2)]


@pytest.mark.parametrize("content", ["a,b\r\n1,2\n3,4\r\n", "a,b\r1,2\r3,4", "a,b\n1,2\r\n3,4"])
def test_any_line_ends_are_understood(read, content):
    assert rows(read(content)) == [(1, 2), (3, 4)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_utf_8_and_byte_order_marks_are_understood(read, encoding):
    extract = read('"naïve é",b\nŁódź,2\n'.encode(encoding))
    assert extract.table.columns == ("naïve é", "b")
    assert rows(extract) == [("Łódź", 2)]


def test_latin_text_is_converted_and_said_so(read):
    extract = read("name,b\nJürgen,1\nHélène,2\n".encode("cp1252"))
    assert rows(extract) == [("Jürgen", 1), ("Hélène", 2)]
    assert "encoding cp1252" in extract.notes[0]


@pytest.mark.parametrize(
    "names", [["Málaga", "Cádiz", "A Coruña", "Córdoba"], ["Göteborg", "Västerås"], ["São Paulo", "Goiânia", "Maceió"]]
)
def test_western_names_are_not_taken_for_those_of_other_countries(read, names):
    extract = read(("place,b\n" + "".join(f"{name},1\n" for name in names * 20)).encode("cp1252"))
    assert {row[0] for row in rows(extract)} == set(names)
    assert "encoding cp1252" in extract.notes[0]


def test_a_guess_that_resembles_no_language_eats_no_letters(read):
    places = ["München", "Köln", "Düsseldorf"]
    lines = [f"{number},{place}\n" for number in range(5) for place in places]
    extract = read(("b,place\n" + "".join(lines)).encode("cp850"))
    assert [len(row[1]) for row in rows(extract)] == [len(place) for place in places] * 5


def test_the_encoding_that_is_given_is_used(read):
    assert rows(read("n,b\nЖ,1\n".encode("koi8-r"), encoding="koi8-r")) == [("Ж", 1)]


def test_a_wrong_encoding_names_the_line(read):
    with pytest.raises(UnreadableFile, match=r"line 3: this line is not ascii"):
        read("n,b\nx,1\né,1\n", encoding="ascii")
    with pytest.raises(UnreadableFile, match="no encoding 'nonsense'"):
        read("n,b\n", encoding="nonsense")


def test_mixed_encodings_name_the_first_line_that_is_not_utf_8(read):
    with pytest.raises(UnreadableFile, match=r"line 3: the file mixes encodings.*--encoding") as caught:
        read("n,b\né,1\n".encode() + f"{SECRET}é,1\n".encode("cp1252"))
    assert_secret(caught)


def test_a_binary_file_is_refused(read):
    with pytest.raises(UnreadableFile, match="not a text file"):
        read(b"PK\x03\x04\x00\x00")


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_a_header_is_refused(read, content):
    with pytest.raises(UnreadableFile, match="the file is empty"):
        read(content)


def test_a_missing_file_is_refused(engine, tmp_path):
    with pytest.raises(UnreadableFile, match="no such file"):
        CSV().read(str(tmp_path / "none.csv"), ReadOptions(), engine)


def test_a_header_alone_is_a_table_without_rows(read):
    extract = read("a,b\n")
    assert rows(extract) == []
    assert kinds(extract) == {"a": Kind.TEXT, "b": Kind.TEXT}


def test_header_names_survive_exactly(read):
    extract = read('"a b","say ""hi""","two\nlines",é,size\n1,2,3,4,5\n')
    assert extract.table.columns == ("a b", 'say "hi"', "two\nlines", "é", "size")
    assert rows(extract) == [(1, 2, 3, 4, 5)]


def test_duplicate_and_empty_names_are_told_apart(read):
    extract = read("age,,age,age (1)\n1,2,3,4\n")
    assert extract.table.columns == ("age (2)", "column 2", "age (3)", "age (1)")
    assert extract.notes == ("There are 2 columns called 'age'; they are read as 'age (2)' and 'age (3)'.",)
    assert rows(extract) == [(1, 2, 3, 4)]


def test_names_that_differ_in_capitals_only_are_told_apart(read):
    assert read("Age,age\n1,2\n").table.columns == ("Age (1)", "age (2)")


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (f"a,b\n1,2\n{SECRET}\n", 3, "has 1 field, and the header has 2"),
        (f'a,b\n1,2\n"x\ny",3\n{SECRET},4,5\n', 5, "has 3 fields, and the header has 2"),
        (f'a,b\r\n"x\r\n\r\ny",3\r\n\r\n{SECRET}\r\n1,2\r\n', 6, "has 1 field"),
        (f'a,b\n1,2\n"{SECRET},4\n5,6\n', 3, "not closed"),
        (f'a,b\n1,2\n"{SECRET}"x,4\n5,6\n', 3, "closing quotation mark"),
    ],
)
def test_a_wrong_record_is_named_by_its_first_line_and_never_quoted(read, content, line, words):
    with pytest.raises(UnreadableFile, match=words) as caught:
        read(content)
    assert caught.value.line == line
    assert "t.csv" in str(caught.value)
    assert_secret(caught)


def assert_secret(caught: pytest.ExceptionInfo[SfumatoError]) -> None:
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_missing_tokens_are_nulls_and_counted(read):
    extract = read("a,b\n1, NA \n,x\nN/A,na\n.,NULL\n")
    assert rows(extract) == [(1, None), (None, "x"), (None, "na"), (None, None)]
    assert [column.missing for column in extract.columns] == [3, 2]


def test_missing_tokens_can_be_named(read):
    assert rows(read("a,b\n-99,\nNA,x\n", missing=("-99",))) == [(None, ""), ("NA", "x")]


def test_blanks_around_values_are_kept(read):
    assert rows(read("a,b\n x ,  5\n")) == [(" x ", "  5")]


@pytest.mark.parametrize(
    "value", ["007", "+5", "1e5", ".5", "5.", "-0", "-0.0", "1" * 19, "1234567890.12345678", "1.5x", "0x1F", "٣"]
)
def test_what_a_number_would_lose_stays_text(read, value):
    extract = read(f"v,w\n12,x\n{value},x\n")
    assert kinds(extract)["v"] is Kind.TEXT


def test_the_decision_is_explained_without_a_value(read):
    assert kind_of(read, "1", "-20", "0") == (Kind.INTEGER, "every value is a whole number")
    assert kind_of(read, "1", "-0.50") == (Kind.REAL, "every value is a number, with a decimal point")
    assert kind_of(read, "007", "01", "00", "5") == (Kind.TEXT, "text: 3 values have a leading zero")
    assert kind_of(read, "NA", "") == (Kind.TEXT, "no values")
    assert kind_of(read, "true", "false") == (Kind.TEXT, "text: not every value is a number or a date")


def test_a_column_that_stops_being_a_number_late_is_text(read):
    extract = read("v,w\n" + "1,x\n" * 2500 + "A,x\n")
    assert extract.columns[0].kind is Kind.TEXT
    assert extract.columns[0].why == "text: 1 of 2501 values are not plain numbers"


@pytest.mark.parametrize(
    ("values", "first"),
    [
        (("2020-02-29", "1999-12-31"), date(2020, 2, 29)),
        (("1.2.2020", "13.01.2020"), date(2020, 2, 1)),
        (("1/2/2020", "13/01/2020"), date(2020, 2, 1)),
        (("1/2/2020", "01/13/2020"), date(2020, 1, 2)),
        (("2020-01-02T03:04", "2020-01-02 03:04:05.25"), datetime(2020, 1, 2, 3, 4)),
    ],
)
def test_dates_are_read_where_the_data_say_how(read, values, first):
    assert rows(read("v;w\n" + "".join(f"{value};x\n" for value in values)))[0][0] == first


@pytest.mark.parametrize("values", [("1/2/2020", "3/4/2020"), ("1.2.2020", "3.4.2020")])
def test_a_date_whose_day_may_be_its_month_stays_text(read, values):
    assert kind_of(read, *values) == (
        Kind.TEXT,
        "text: these may be dates, but nothing tells the day from the month",
    )


@pytest.mark.parametrize("value", ["2020-02-30", "0000-01-01", "31.02.2020", "2020-01-01 25:00"])
def test_an_impossible_date_stays_text(read, value):
    assert kind_of(read, value)[0] is Kind.TEXT


def test_a_decimal_comma_is_found_and_said(read):
    extract = read("a;b;c\n1,5;1.234;1.25\n1.234,5;5;x\n")
    assert rows(extract) == [(1.5, 1234, "1.25"), (1234.5, 5, "x")]
    assert extract.notes[0].startswith("Commas are read as the decimal sign")


def test_contradicting_decimal_signs_leave_the_commas_as_text(read):
    extract = read("a;b\n1,5;1.25\n")
    assert rows(extract) == [("1,5", 1.25)]
    assert "--decimal" in extract.notes[0]


def test_dots_that_may_separate_thousands_are_said(read):
    extract = read("a;n\nx;1.234\ny;2.500\n")
    assert [row[1] for row in rows(extract)] == [1.234, 2.5]
    assert any("--decimal" in note for note in extract.notes)
    assert not read("a;n\nx;1.234\ny;2.50\n").notes
    assert not read("a;n\nx;1.234\ny;2.500\n", decimal=".").notes
    assert [row[1] for row in rows(read("a;n\nx;1.234\ny;2.500\n", decimal=","))] == [1234, 2500]


@pytest.mark.parametrize("delimiter", ['"', "\n", "ab"])
def test_what_cannot_be_a_delimiter_is_refused_in_plain_words(read, delimiter):
    with pytest.raises(UnreadableFile, match="the delimiter must be one character"):
        read("a,b\n1,2\n", delimiter=delimiter)


def test_the_decimal_sign_that_is_given_is_used(read):
    assert rows(read('a,b\n"1,5",1.000\n', decimal=",")) == [(1.5, 1000)]
    assert rows(read("a;b\n1,5;2\n", decimal=".")) == [("1,5", 2)]


def test_a_person_decides_the_kind(read):
    content = "a,b,c,d\n007,1/2/2020,yes,5\n08,3/4/2020,N,6\n"
    decided = {"a": Kind.INTEGER, "b": Kind.DATE, "c": Kind.BOOLEAN, "d": Kind.TEXT}
    extract = read(content, kinds=decided)
    assert kinds(extract) == decided
    assert rows(extract) == [(7, date(2020, 2, 1), True, "5"), (8, date(2020, 4, 3), False, "6")]
    assert extract.columns[1].why == "decided by a person, read as day/month/year"


@pytest.mark.parametrize("kind", [Kind.INTEGER, Kind.REAL, Kind.DATE, Kind.TIMESTAMP, Kind.BOOLEAN])
def test_a_decision_that_does_not_fit_names_column_and_count_but_no_value(read, kind):
    with pytest.raises(WrongScale, match=r"Column 'a' cannot be read as .*: 2 values do not fit") as caught:
        read(f"a,b\n{SECRET},1\n{SECRET}s,2\nNA,3\n", kinds={"a": kind})
    assert_secret(caught)


def test_a_decision_on_an_unknown_column_suggests_the_nearest(read):
    with pytest.raises(UnknownColumn, match="Did you mean 'age'"):
        read("age\n1\n", kinds={"agee": Kind.TEXT})


def test_gzip_is_read_and_a_truncated_one_refused(read):
    packed = gzip.compress(b"a,b\n1,2\n" * 1000)
    assert len(rows(read(packed, name="t.csv.gz", kinds={"a": Kind.TEXT}))) == 1999
    with pytest.raises(UnreadableFile, match="not a whole gzip file"):
        read(packed[:-12], name="u.csv.gz")


def test_a_path_with_wildcards_is_one_file(read):
    read("a,b\n9,9\n", name="x1.csv")
    assert rows(read("a,b\n1,2\n", name="x[1]*?.csv")) == [(1, 2)]


def test_400_columns_and_fields_of_a_megabyte_are_read(read):
    header = ",".join(f"c{i}" for i in range(400))
    extract = read(f"{header}\n{','.join('7' * 400)}\n")
    assert set(kinds(extract).values()) == {Kind.INTEGER}
    assert len(rows(read(f'a,b\n1,"{"é" * 1_000_000}"\n'))[0][1]) == 1_000_000


def test_no_copy_of_the_data_is_left_behind(read, tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    read("n,b\né,1\n".encode("cp1252"))
    with pytest.raises(UnreadableFile):
        read("n,b\né\n".encode("cp1252"))
    assert list(scratch.iterdir()) == []


cell = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=6)


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=5))


@settings(max_examples=150, deadline=None)
@given(tables(), st.sampled_from([",", ";", "\t", "|"]))
def test_any_cells_that_the_csv_module_writes_come_back_identical(table, delimiter):
    names = [f"c{i}" for i in range(len(table[0]))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=delimiter).writerows([names, *table])
        options = ReadOptions(delimiter=delimiter, missing=(), kinds=dict.fromkeys(names, Kind.TEXT))
        extract = CSV().read(str(path), options, ENGINE)
        assert [list(row) for row in rows(extract)] == table


ENGINE = DuckDB(threads=1)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(1e-3, 1e15), min_size=1, max_size=8), st.sampled_from(["{!r}", "{:.17g}", "{:.16g}"]))
def test_numbers_that_a_program_wrote_in_full_are_numbers(values: list[float], written: str) -> None:
    texts = [written.format(value) for value in values]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_text("v,w\n" + "".join(f"{text},x\n" for text in [*texts, "0.5"]), encoding="utf-8")
        extract = CSV().read(str(path), ReadOptions(), DuckDB(threads=1))
        plain = all("e" not in text for text in texts)
        assert extract.columns[0].kind is (Kind.REAL if plain else Kind.TEXT)
        found = [row[0] for row in rows(extract)][:-1]
        assert found == ([float(text) for text in texts] if plain else texts)


@pytest.mark.parametrize("text", ["23.456789012345678", "0.1234567890123456789", "12345678901234567.5"])
def test_digits_that_no_number_would_show_again_keep_a_column_text(read, text):
    assert kind_of(read, text, "1.5", "84.67452313490351")[0] is Kind.TEXT


def test_only_values_that_would_lose_digits_are_counted(read):
    why = "text: 1 value has more digits than a number keeps"
    assert kind_of(read, "23.456789012345678", "84.67452313490351", "1.5") == (Kind.TEXT, why)


def test_full_numbers_with_a_decimal_comma_are_numbers(read):
    assert kind_of(read, "84,67452313490351", "1,5")[0] is Kind.REAL


def test_thousands_of_columns_are_read_as_few_are(read):
    """Very many columns are read in parts: the same kinds, values and order as a part by itself."""
    names = [f"c{i}" for i in range(1201)]
    cells = (
        lambda i, row: str(i % 7 + row),
        lambda i, row: f"2020-01-{1 + (i + row) % 28:02d}",
        lambda i, row: "NA x"[row:],
    )
    made = [[cells[i % 3](i, row) for i in range(len(names))] for row in range(4)]
    lines = [",".join(line) for line in (names, *made)]
    wide = read("\n".join(lines) + "\n")
    few = read("\n".join(",".join(line.split(",")[-40:]) for line in lines) + "\n", name="few.csv")
    assert [c.name for c in wide.columns] == names
    assert [c.kind for c in wide.columns[:3]] == [Kind.INTEGER, Kind.DATE, Kind.TEXT]
    assert wide.columns[-40:] == few.columns
    assert [row[-40:] for row in rows(wide)] == rows(few)


@given(st.lists(st.text(alphabet=" \t\u00a0NA./ULLx!", max_size=6), min_size=1, max_size=8))
def test_a_text_is_missing_exactly_where_it_is_a_token_between_blanks(texts):
    engine = DuckDB(threads=1)
    listed = ", ".join(f"({literal(text)})" for text in texts)
    cleaned = engine.fetch(f"SELECT {without_tokens('x', MISSING_TOKENS)} FROM (VALUES {listed}) AS t(x)")
    assert [value for (value,) in cleaned] == [None if t.strip(BLANKS) in MISSING_TOKENS else t for t in texts]
