"""The made-up census: the layout of the literature, the same bytes each time, columns that depend on each other."""

import csv
import io

import pytest

from sfumato.studies.demonstrations import demonstration

COLUMNS = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
           "salary-class"]  # fmt: skip


@pytest.fixture(scope="module")
def people():
    return list(csv.DictReader(io.StringIO(demonstration("census", rows=6000))))


def share(people, column, value, where):
    chosen = [person for person in people if where(person)]
    assert len(chosen) > 50
    return sum(person[column] == value for person in chosen) / len(chosen)


def test_the_same_seed_gives_the_same_bytes_and_another_one_others():
    assert demonstration("census", rows=300) == demonstration("census", rows=300)
    assert demonstration("census", rows=300) != demonstration("census", rows=300, seed=7)


def test_more_rows_begin_with_the_same_people():
    assert demonstration("census", rows=300).startswith(demonstration("census", rows=20))


def test_the_layout_is_that_of_the_literature(shared, people):
    with (shared / "data" / "adult" / "adult.csv").open(encoding="utf-8", newline="") as file:
        real = list(csv.DictReader(file, delimiter=";"))
    assert list(real[0]) == COLUMNS == list(people[0])
    assert len(real) == demonstration("census").count("\n") - 1
    for column in set(COLUMNS) - {"age", "native-country"}:
        assert {person[column] for person in people} <= {person[column] for person in real}, column


def test_columns_depend_on_each_other(people):
    young = share(people, "marital-status", "Never-married", lambda p: int(p["age"]) < 25)
    old = share(people, "marital-status", "Never-married", lambda p: int(p["age"]) > 45)
    assert young > 0.5 > 0.2 > old
    long = share(people, "salary-class", ">50K", lambda p: p["education"] in ("Masters", "Doctorate"))
    short = share(people, "salary-class", ">50K", lambda p: p["education"] in ("9th", "10th", "11th"))
    assert long > 2 * short
    assert share(people, "race", "Asian-Pac-Islander", lambda p: p["native-country"] in ("India", "China")) > 0.7
    assert share(people, "sex", "Male", lambda p: p["occupation"] == "Craft-repair") > 0.85
    assert {p["workclass"] for p in people if p["occupation"] == "Armed-Forces"} <= {"Federal-gov"}


def test_nobody_is_beyond_school_before_the_age_for_it(people):
    assert all(p["education"] not in ("Masters", "Doctorate", "Prof-school") for p in people if int(p["age"]) < 23)
    assert all(17 <= int(p["age"]) <= 89 for p in people)
