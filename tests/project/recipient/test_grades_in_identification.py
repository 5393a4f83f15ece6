"""The three sets of quasi-identifiers, and how many each grade selects: counted by what `identify` itself shows."""

from __future__ import annotations

import csv
from itertools import groupby
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.columns.identification import Identification, Identifications, IdentifiedColumn
from sfumato.columns.profile import ColumnProfile
from sfumato.project.recipient.grade import Grade
from sfumato.project.recipient.recipient import Recipient
from sfumato.schema import Role
from sfumato.tables.engine import Kind

RECORDS = 100_000  # so that the four decimals of the paper are whole numbers of records
MIDDLE = Recipient.of_scores(10, 5, 5)


def printed_column(row: dict[str, str]) -> IdentifiedColumn:
    """A row of table 7 as a column: so many values seen once, and its influence."""
    once = round(float(row["uniqueness"]) * RECORDS)
    profile = ColumnProfile(
        row["column"], Kind.TEXT, RECORDS, missing=0, distinct=2 + once, once=once, rarity=once, pairs=0,
        influence=float(row["influence"]),
    )  # fmt: skip
    return IdentifiedColumn(profile, Role.QUASI)


def table_7(recipient: Recipient | None = None) -> Identifications:
    with (Path(__file__).parent / "table_7.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    tables = tuple(
        Identification(number, RECORDS, tuple(map(printed_column, columns)), recipient=recipient)
        for number, columns in groupby(rows, key=lambda row: f"{row['number']}: {row['table']}")
    )
    return Identifications("CRDW", tables, recipient=recipient)


def test_28_21_and_17_columns_of_table_7_are_selected_by_the_grades():
    found = table_7()
    assert {grade.value: found.final(grade) for grade in Grade} == {"High": 28, "Middle": 21, "Low": 17}
    assert [(each["grade"], each["threshold"], each["columns"]) for each in found.document()["grades"]] == [
        ("High", 0.25, 28), ("Middle", 0.5, 21), ("Low", 0.75, 17),
    ]  # fmt: skip


def test_the_sheet_of_many_tables_ends_its_table_of_grades_with_the_totals():
    section = next(
        s for s in table_7().sheet().sections if s.title == "Quasi-identifiers by the grade of the recipient"
    )
    assert section.columns == ("table", "primary", "secondary", "High >=0.25", "Middle >=0.5", "Low >=0.75")
    assert section.rows[-1][0] == "total"
    assert section.rows[-1][1] == "62"
    assert section.rows[-1][3:] == ("28", "21", "17")


def test_every_printed_column_is_secondary_since_its_sum_is_above_0():
    found = table_7()
    assert found.totals()["secondary"] == 62
    assert all(column.is_secondary for table in found.tables for column in table)


@pytest.mark.parametrize(("scores", "count"), [((10, 10, 10), 28), ((10, 5, 5), 21), ((1, 0, 0), 17)])
def test_the_recipient_of_many_tables_selects_in_all_of_them(scores, count):
    found = table_7(Recipient.of_scores(*scores))
    document = found.document()
    assert sum(len(table["selected"]) for table in document["tables"]) == count
    assert document["recipient"]["grade"] == found.recipient.grade
    assert f"{count} final quasi-identifiers in all" in found.sheet().text()
    frame = found.to_frame()
    assert (frame["quasi_identifier"] == "final").sum() == count
    assert (frame["quasi_identifier"] == "secondary").sum() == 62 - count


def test_a_primary_quasi_identifier_without_a_score_is_not_a_secondary_one():
    table = {"age": [30, 40, 50, 60], "sex": ["f", "m", "f", "m"]}
    found = sf.identify(_arrow(table), recipient=MIDDLE)
    assert set(found.primary) == {"age", "sex"}
    assert found.secondary == ("age",)
    assert found.selected == ("age",)
    assert {c["name"]: c["quasi_identifier"] for c in found.document()["columns"]} == {"age": "final", "sex": "primary"}
    assert found.document()["secondary"] == ["age"]
    text = found.sheet().text()
    assert "Below the threshold: sex" in text
    assert "secondary" in text


def test_only_quasi_identifiers_are_selected_whatever_the_scope():
    table = {"age": [30, 40, 50, 60], "diagnosis": ["asthma", "flu", "gout", "measles"]}
    found = sf.identify(_arrow(table), scope="all", recipient=MIDDLE)
    assert found["diagnosis"].profile.score > 0.5
    assert found.selected == ("age",)


def _arrow(columns):
    import pyarrow as pa

    return pa.table(columns)
