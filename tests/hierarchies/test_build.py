"""Which kind suits a column, and the command as a person uses it."""

from __future__ import annotations

import json
import random
from datetime import date, timedelta

import pyarrow as pa
import pytest

from sfumato.hierarchies.build import hierarchy, inferred
from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.tables.engines.duckdb import DuckDB

RANDOM = random.Random(4)
COLUMNS = {
    "age": [RANDOM.randint(0, 99) for _ in range(200)],
    "alter": [RANDOM.randint(18, 99) for _ in range(200)],
    "x1": [RANDOM.randint(0, 99) for _ in range(200)],
    "admitted": [date(2020, 1, 1) + timedelta(RANDOM.randint(0, 900)) for _ in range(200)],
    "moment": [f"2020-03-{RANDOM.randint(1, 28):02}T10:00" for _ in range(200)],
    "year_of_birth": [RANDOM.randint(1930, 2005) for _ in range(200)],
    "diagnosis": [RANDOM.choice(["E11.9", "I10", "C50.1", "J45"]) for _ in range(200)],
    "medicine": [RANDOM.choice(["A10BA02", "N02BE01", "C07AB02"]) for _ in range(200)],
    "plz": [f"{RANDOM.randint(1000, 99999):05}" for _ in range(200)],
    "x2": [f"{RANDOM.randint(1000, 9999)} {RANDOM.choice(['AB', 'CD'])}" for _ in range(200)],
    "cholesterol": [RANDOM.gauss(200, 40) for _ in range(200)],
    "children": [RANDOM.randint(0, 6) for _ in range(200)],
    "sex": [RANDOM.choice("fm") for _ in range(200)],
    "patient_id": [f"P{n:02}" for n in range(10, 99)] * 2 + ["P10"] * 22,
}
SUITS = {
    "age": "ages", "alter": "ages", "x1": "ages", "admitted": "dates", "moment": "dates", "year_of_birth": "dates",
    "diagnosis": "icd10", "medicine": "atc", "plz": "masks", "x2": "masks", "cholesterol": "density",
    "children": "density", "sex": "priority", "patient_id": "priority",
}  # fmt: skip


@pytest.fixture(scope="module")
def table():
    return DuckDB().load(pa.table(COLUMNS))


@pytest.mark.parametrize("column", COLUMNS)
def test_the_kind_that_suits_a_column_is_found_and_explained(column, table):
    offer = inferred(table, column)
    assert (offer.builder.name(), offer.why[-1]) == (SUITS[column], ".")


def test_few_numbers_become_intervals():
    found = hierarchy(pa.table({"weight": [61.5, 62.0, 70.25, 81.0, None]}), "weight")
    assert found.origin.parameters == {"kind": "intervals", "width": 2, "levels": 5}
    assert found.label("70.25", 1) == "[70, 72)"


def test_what_an_inferred_kind_cannot_place_goes_to_the_top_and_is_counted():
    codes = [f"{letter}{n}" for letter in "ABE" for n in range(10, 20)]
    found = hierarchy(pa.table({"diagnosis": [*codes, "?"]}), "diagnosis")
    assert (found.origin.kind, found.label("?", 1)) == ("icd10", "*")
    assert found.origin.notes == (
        "Different values that are no ICD-10 codes (such as E11.9): 1, in 1 records. They go straight to the top.",
    )


def test_missing_has_a_node_of_its_own_up_to_the_top():
    found = hierarchy(pa.table({"age": [20, None, float("nan")]}), "age")
    assert [found.label(None, level) for level in range(5)] == [None, None, None, None, "*"]
    assert found.document()["missing"] == 2
    assert "missing" in repr(found)


def test_a_notebook_shows_a_tree_and_escapes_it():
    found = hierarchy(pa.table({"c": ["<b>", "x"]}), "c", "groups")
    assert "<li>&lt;b&gt;" in found._repr_html_()
    assert "<b>" not in found._repr_html_()


def test_a_big_tree_is_abbreviated_unless_the_whole_is_asked_for():
    found = hierarchy(pa.table({"n": list(range(1000))}), "n", "intervals", width=10)
    assert "left out: --tree shows all" in str(found)
    assert len(str(found).splitlines()) < 90
    assert len(found.sheet(whole=True).text().splitlines()) > 1000


def test_the_command_shows_levels_and_a_tree_with_records(sfumato):
    code, out, _ = sfumato("hierarchy", "patients.csv", "age")
    assert code == 0
    assert "The name says age" in out
    assert "      30-34        2" in out
    assert "  missing          1" in out


def test_the_command_writes_a_file_that_it_reads_again_and_does_not_overwrite(sfumato, tmp_path):
    arguments = ("hierarchy", "patients.csv", "age", "--kind", "intervals", "--set", "width=5", "--out", "age.csv")
    assert sfumato(*arguments)[0] == 0
    assert read_hierarchy("age.csv").label("34", 1) == "[30, 35)"
    assert "Use --force" in sfumato(*arguments)[2]
    assert sfumato(*arguments, "--force")[0] == 0
    code, out, _ = sfumato(
        "hierarchy", "patients.csv", "age", "--kind", "from_file", "--set", "path=age.csv", "--json", "-"
    )
    document = json.loads(out)
    assert (code, document["kind"], document["height"]) == (0, "from_file", 2)
    assert document["lines"][0] == {"labels": ["31", "[30, 35)", "*"], "records": 1}


def test_the_same_again_gives_the_same_again(sfumato):
    for column in ("age", "postcode", "stage", "diagnosis"):
        first = sfumato("hierarchy", "patients.csv", column)[1]
        again = next(line for line in first.splitlines() if line.startswith("The same again: "))
        second = sfumato("hierarchy", "patients.csv", column, *again.removeprefix("The same again: ").split())[1]
        assert first.split("Levels")[1] == second.split("Levels")[1]


def test_a_date_column_that_does_not_parse_is_an_error_before_anything_is_written(sfumato, tmp_path):
    code, _, err = sfumato("hierarchy", "patients.csv", "admitted", "--kind", "dates", "--out", "d.csv")
    assert code == 2
    assert "Column 'admitted' has values that are no dates of ISO 8601" in err
    assert "2 different, in 2 records (rows 3, 4)" in err
    assert "tomorrow" not in err
    assert not (tmp_path / "d.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("agee",), "Did you mean 'age'?"),
        (("age", "--kind", "interval"), "Did you mean 'intervals'?"),
        (("age", "--set", "width=5"), "name it with --kind"),
        (("age", "--kind", "intervals", "--set", "widht=5"), "Did you mean 'width'?"),
        (("age", "--kind", "intervals", "--set", "engine=5"), "have no parameter 'engine'"),
        (("age", "--kind", "ages", "--set", "top"), "cannot be read"),
        (("age", "--out", "patients.csv"), "is the data itself"),
        (("age", "--out", "a.csv", "--json", "a.csv"), "Choose two files"),
        (("age", "--unknown", "drop"), "'error' or 'top'"),
    ],
)
def test_wrong_use_is_said_in_a_sentence(sfumato, arguments, words):
    code, _, err = sfumato("hierarchy", "patients.csv", *arguments)
    assert code == 2
    assert words in err


def test_the_help_has_an_example(sfumato):
    code, out, _ = sfumato("hierarchy", "--help")
    assert code == 0
    assert "sfumato hierarchy patients.csv age --kind intervals" in " ".join(out.split())
