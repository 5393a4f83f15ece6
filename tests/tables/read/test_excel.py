"""Workbooks, written with openpyxl and read back."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import openpyxl
import pytest

from sfumato.errors import UnknownColumn, UnreadableFile, WrongScale
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.excel import Excel
from sfumato.tables.source import Extract, ReadOptions


def written(path: Path, *rows: list[object], title: str = "Data") -> str:
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)
    return str(path)


def read(source: str, **options: object) -> tuple[Extract, list[tuple[object, ...]]]:
    extract = Excel().read(source, ReadOptions(**options), DuckDB())  # type: ignore[arg-type]
    return extract, extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


def kinds(extract: Extract) -> dict[str, Kind]:
    return {column.name: column.kind for column in extract.columns}


def test_every_sort_of_cell_keeps_its_kind_and_value(tmp_path: Path) -> None:
    source = written(
        tmp_path / "a.xlsx",
        ["n", "x", "born", "seen", "alive", "nom é"],
        [1, 1.5, dt.date(2001, 2, 3), dt.datetime(2020, 1, 1, 10, 30), True, "Zoë"],
        [2, 2, dt.date(1999, 12, 31), dt.datetime(2020, 1, 2), False, "O'Hara"],
    )
    extract, rows = read(source)
    assert list(kinds(extract).values()) == ["integer", "real", "date", "timestamp", "boolean", "text"]
    assert rows == [
        (1, 1.5, dt.date(2001, 2, 3), dt.datetime(2020, 1, 1, 10, 30), True, "Zoë"),
        (2, 2.0, dt.date(1999, 12, 31), dt.datetime(2020, 1, 2), False, "O'Hara"),
    ]
    assert extract.name == "a.xlsx"
    assert extract.table.kinds == kinds(extract)


def test_a_column_of_numbers_and_text_is_text_without_trailing_decimals(tmp_path: Path) -> None:
    extract, rows = read(written(tmp_path / "a.xlsx", ["code"], [7], ["007"], [1.5], [dt.date(2020, 1, 2)]))
    assert kinds(extract) == {"code": Kind.TEXT}
    assert rows == [("7",), ("007",), ("1.5",), ("2020-01-02",)]


def test_missing_tokens_do_not_make_a_number_text_and_are_counted(tmp_path: Path) -> None:
    rows = [["age", "city"], [30, "NA"], ["NA", "Bath"], ["N/A", "."], [None, "x"], [" . ", "x"]]
    extract, found = read(written(tmp_path / "a.xlsx", *rows))
    assert kinds(extract) == {"age": Kind.INTEGER, "city": Kind.TEXT}
    assert [column.missing for column in extract.columns] == [4, 2]
    assert found == [(30, None), (None, "Bath"), (None, None), (None, "x"), (None, "x")]


def test_missing_tokens_that_a_person_names_replace_the_usual_ones(tmp_path: Path) -> None:
    extract, found = read(written(tmp_path / "a.xlsx", ["city"], ["NA"], ["unknown"]), missing=("unknown",))
    assert found == [("NA",), (None,)]


def test_the_first_row_that_is_not_empty_is_the_header_and_empty_rows_are_no_records(tmp_path: Path) -> None:
    source = written(tmp_path / "a.xlsx", [], [None, "a", None, "b"], [None, 1, 9, "x"], [], [None, 2, None, "y"])
    extract, found = read(source)
    assert list(kinds(extract)) == ["a", "column 3", "b"]
    assert found == [(1, 9, "x"), (2, None, "y")]
    assert extract.notes == ("1 empty row in the sheet was left out.",)


def test_columns_of_one_name_are_all_numbered_and_noted(tmp_path: Path) -> None:
    extract, found = read(written(tmp_path / "a.xlsx", ["age", "sex", "Age"], [1, "f", 2]))
    assert list(kinds(extract)) == ["age (1)", "sex", "Age (2)"]
    assert found == [(1, "f", 2)]
    assert len(extract.notes) == 1


def test_a_column_without_values_is_text_and_wholly_missing(tmp_path: Path) -> None:
    extract, found = read(written(tmp_path / "a.xlsx", ["a", "b"], [1, None], [2, "NA"]))
    assert extract.columns[1].kind is Kind.TEXT
    assert extract.columns[1].missing == 2


def test_a_sheet_is_chosen_by_name_and_a_wrong_name_suggests_the_nearest(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["a"])
    other = book.create_sheet("Visits é 'x'")
    other.append(["b"])
    other.append([5])
    book.save(tmp_path / "a.xlsx")
    extract, found = read(str(tmp_path / "a.xlsx"), table="Visits é 'x'")
    assert found == [(5,)]
    with pytest.raises(UnreadableFile, match=r"no sheet 'Visit é'.*Did you mean \"Visits é 'x'\""):
        read(str(tmp_path / "a.xlsx"), table="Visit é")


def test_a_header_alone_gives_no_records(tmp_path: Path) -> None:
    extract, found = read(written(tmp_path / "a.xlsx", ["a", "b"]))
    assert (found, list(kinds(extract))) == ([], ["a", "b"])


def test_an_empty_sheet_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="the sheet 'Data' is empty"):
        read(written(tmp_path / "a.xlsx"))


@pytest.mark.parametrize("suffix", [".xlsx", ".xls", ".ods", ".xlsb"])
def test_a_file_of_another_kind_or_cut_short_is_unreadable(tmp_path: Path, suffix: str) -> None:
    whole = Path(written(tmp_path / "a.xlsx", ["name"], ["Ermintrude"])).read_bytes()
    for content in (b"name\nErmintrude\n", whole[: len(whole) // 2], b""):
        (tmp_path / f"b{suffix}").write_bytes(content)
        with pytest.raises(UnreadableFile, match="not a whole workbook") as caught:
            read(str(tmp_path / f"b{suffix}"))
        assert "Ermintrude" not in str(caught.value)


def test_a_file_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="there is no such file"):
        read(str(tmp_path / "none.xlsx"))


def test_a_person_decides_a_kind_and_values_that_do_not_fit_are_counted_not_shown(tmp_path: Path) -> None:
    source = written(tmp_path / "a.xlsx", ["zip", "code"], [1234, "12"], [99, "Ermintrude"], [5, "7.5"])
    extract, found = read(source, kinds={"zip": Kind.TEXT})
    assert [row[0] for row in found] == ["1234", "99", "5"]
    with pytest.raises(WrongScale, match=r"'code'.*integer.*2 values") as caught:
        read(source, kinds={"code": Kind.INTEGER})
    assert "Ermintrude" not in str(caught.value)
    with pytest.raises(UnknownColumn, match="Did you mean 'zip'"):
        read(source, kinds={"zpi": Kind.TEXT})


def test_numbers_beyond_a_batch_are_all_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.tables.read.formats.excel.ROWS_AT_ONCE", 7)
    extract, found = read(written(tmp_path / "a.xlsx", ["n"], *([i] for i in range(100))))
    assert sorted(found) == [(i,) for i in range(100)]


def book_of(path: Path, **sheets: list[list[object]]) -> str:
    """A workbook of several sheets; one whose name begins with `hidden` is."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name.startswith("hidden") else "visible"
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)


HEADER: list[object] = ["id", "age", "sex"]
WARD = [HEADER, *([i, 20 + i, "f"] for i in range(30))]
LEGEND: list[list[object]] = [["code", "meaning"], ["f", "female"], ["m", "male"]]


def test_the_sheet_that_holds_the_data_is_read_and_the_others_are_named_with_their_size(tmp_path: Path) -> None:
    source = book_of(tmp_path / "a.xlsx", Legend=LEGEND, Ward=WARD, hidden=[HEADER, [1, 2, "f"]], Empty=[])
    extract, found = read(source)
    assert len(found) == 30
    (note,) = extract.notes
    assert note == (
        "The sheet 'Ward' (30 x 3) is read. Not read: 'Legend' (2 x 2), 'hidden' (hidden, 1 x 3), 'Empty' (empty)."
    )


def test_sheets_that_look_alike_are_asked_about(tmp_path: Path) -> None:
    nearly = [[*HEADER, "weight", "height"], [1, 2, "f", 3, 4]]
    source = book_of(tmp_path / "a.xlsx", A=WARD, B=[["sex", "id", "age"], ["m", 1, 2]], Legend=LEGEND)
    with pytest.raises(UnreadableFile, match=r"look alike: 'A' \(30 x 3\), 'B' \(1 x 3\).*--table '\*'"):
        read(source)
    source = book_of(tmp_path / "b.xlsx", A=WARD, B=[*nearly, *nearly[1:] * 20])
    with pytest.raises(UnreadableFile, match="may each be the data"):
        read(source)


def test_sheets_of_one_shape_are_one_table_whose_records_say_their_sheet(tmp_path: Path) -> None:
    other = [["sex", "AGE", "id"], ["m", 1.5, 7]]
    source = book_of(tmp_path / "a.xlsx", North=WARD, South=other, Legend=LEGEND, hidden=WARD)
    extract, found = read(source, table="*")
    assert kinds(extract) == {"id": Kind.INTEGER, "age": Kind.REAL, "sex": Kind.TEXT, "sheet": Kind.TEXT}
    assert len(found) == 31
    assert found[-1] == (7, 1.5, "m", "South")
    assert {row[3] for row in found} == {"North", "South"}
    assert "2 sheets are read as one table: 'North' (30 x 3), 'South' (1 x 3)" in extract.notes[0]
    assert "Not read: 'Legend' (2 x 2), 'hidden' (hidden, 30 x 3)" in extract.notes[0]


def test_a_column_called_sheet_stays_and_the_one_that_is_added_has_another_name(tmp_path: Path) -> None:
    rows = [["id", "Sheet"], [1, "x"]]
    extract, found = read(book_of(tmp_path / "a.xlsx", A=rows, B=rows), table="*")
    assert list(kinds(extract)) == ["id", "Sheet", "sheet (2)"]
    assert found == [(1, "x", "A"), (1, "x", "B")]


def test_sheets_of_several_shapes_are_not_made_one_table(tmp_path: Path) -> None:
    source = book_of(tmp_path / "a.xlsx", A=WARD, B=WARD, C=LEGEND, D=LEGEND)
    with pytest.raises(UnreadableFile, match="several shapes"):
        read(source, table="*")


def test_a_sheet_that_is_named_is_read_even_when_hidden_and_the_number_of_all_is_said(tmp_path: Path) -> None:
    extract, found = read(book_of(tmp_path / "a.xlsx", A=WARD, hidden=[HEADER, [1, 2, "f"]]), table="hidden")
    assert found == [(1, 2, "f")]
    assert extract.notes == ("The sheet 'hidden' is read, 1 of 2 in the workbook.",)


def test_a_workbook_of_one_sheet_needs_no_word_about_it(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.xlsx", ["a"], [1]))[0].notes == ()
