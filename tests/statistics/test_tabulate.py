"""Tables of statistics: what is counted, what is refused, and what leaves."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.errors import EmptyTable, OutputError, PolicyError, ProjectError, UnknownColumn, UnusableInput, WrongScale
from sfumato.statistics.disclosure_rules import DisclosureRules
from sfumato.tables.engine import Engine


def people(number: int = 300, seed: int = 1) -> list[dict[str, Any]]:
    draw = random.Random(seed)
    return [
        {
            "person": f"p{i}",
            "sex": draw.choice("fm"),
            "region": draw.choices(["north", "south", "east", None], [20, 20, 20, 2])[0],
            "age": draw.randint(0, 90),
            "height": round(draw.gauss(170, 10), 1),
            "cost": round(draw.lognormvariate(5, 1), 2),
        }
        for i in range(number)
    ]


def cells(tabulated: sf.Tabulation) -> dict[tuple[str, ...], Any]:
    return {tuple(cell.values.values()): cell for cell in tabulated.content().cells}


def rows_of(text: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.decode())))


def test_counts_sums_and_means_are_those_of_pandas() -> None:
    frame = pd.DataFrame(people()).dropna()
    tabulated = sf.tabulate(frame, by=["sex", "region"], sums="cost", means="height")
    shown = cells(tabulated)
    assert tabulated.hidden == 0
    for (sex, region), group in frame.groupby(["sex", "region"]):
        cell = shown[sex, region]
        assert cell.count == len(group)
        assert cell.statistics["sum cost"] == pytest.approx(group["cost"].sum())
        assert cell.statistics["mean height"] == pytest.approx(group["height"].mean(), rel=1e-4)
    assert shown["total", "total"].count == len(frame)
    assert shown["f", "total"].count == (frame["sex"] == "f").sum()


def test_a_missing_value_is_a_row_of_its_own_and_small_ones_are_hidden() -> None:
    lacking = sum(row["region"] is None for row in people())
    assert lacking >= 10
    table = pa.Table.from_pylist(people())
    assert cells(sf.tabulate(table, by="region"))["missing",].count == lacking
    tabulated = sf.tabulate(table, by="region", threshold=lacking + 1)
    assert cells(tabulated)["missing",].hidden
    assert cells(tabulated)["total",].count == 300
    assert tabulated.hidden == 2


def test_a_value_called_total_or_missing_is_not_mistaken_for_one() -> None:
    rows = [{"a": value} for value in ("total", "Missing", None, "(total)") for _ in range(20)]
    labels = [row[0] for row in rows_of(sf.tabulate(pa.Table.from_pylist(rows), by="a").table_csv())[1:]]
    assert sorted(labels) == ["((total))", "(missing)", "(total)", "Missing", "total"]
    assert labels[-1] == "((total))"


def test_names_with_quotes_accents_and_those_of_our_own_columns_stay_apart() -> None:
    rows = [{'a "b", é': value, "count": "x", "cell": "y"} for value in ("ü'", 'say "no"') for _ in range(20)]
    tabulated = sf.tabulate(pa.Table.from_pylist(rows), by=['a "b", é', "count", "cell"])
    header, *body = rows_of(tabulated.table_csv())
    assert header == ['a "b", é', "count", "cell", "count (2)", "cell (2)"]
    assert {row[0] for row in body} == {"ü'", 'say "no"', "total"}
    assert tabulated.to_frame().columns.is_unique


def test_columns_of_the_same_name_are_numbered_as_everywhere(tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text("a,a\n" + "x,u\ny,v\n" * 20)
    header = rows_of(sf.tabulate(tmp_path / "two.csv", by=["a (1)", "a (2)"], zeros="shown").table_csv())[0]
    assert header[:2] == ["a (1)", "a (2)"]


@pytest.mark.parametrize("number", [1, 9])
def test_few_persons_are_a_table_with_nothing_in_it(number: int) -> None:
    tabulated = sf.tabulate(pa.Table.from_pylist(people(number)), by=["sex", "region"])
    assert all(cell.hidden and cell.count is None for cell in tabulated.content().cells)
    assert "nothing bounds it" in str(tabulated)


def test_the_name_of_a_value_that_few_have_is_an_open_question() -> None:
    rows = [{"a": "common"}] * 40 + [{"a": "rare"}] * 2 + [{"a": "usual"}] * 40
    tabulated = sf.tabulate(pa.Table.from_pylist(rows), by="a")
    assert "a: the table names 1 value of it that is of fewer than 10 records" in str(tabulated)
    assert "1 question is open" in tabulated.sheet().verdict
    ages = pa.table({"age": [1.0] * 3 + [20.0] * 40 + [30.0] * 40})
    assert sf.tabulate(ages, by="age", bins={"age": [0, 18, 65]}).open == ()


def test_a_constant_column_is_shown_with_its_total() -> None:
    tabulated = sf.tabulate(pa.table({"a": ["x"] * 12}), by="a")
    assert [cell.count for cell in tabulated.content().cells] == [12, 12]


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(EmptyTable):
        sf.tabulate(pa.table({"a": pa.array([], pa.string())}), by="a")


def test_persons_are_counted_once_and_have_one_part_in_a_sum() -> None:
    rows = [{"who": f"p{i}", "a": "xy"[i % 2], "cost": float(i), "temp": 36.0 + i} for i in range(40)]
    rows += [{**row, "temp": row["temp"] + 2} for row in rows]
    shown = cells(sf.tabulate(pa.Table.from_pylist(rows), by="a", sums="cost", means="temp", subject="who"))
    assert shown["x",].count == 20
    assert shown["total",].statistics["sum cost"] == 2 * sum(range(40))  # the sum of all records of a person
    assert shown["total",].statistics["mean temp"] == pytest.approx(36 + 19.5 + 1, rel=1e-4)  # the mean of means


def test_twelve_records_of_one_person_are_a_small_cell() -> None:
    rows = [{"who": "one", "a": "x"}] * 12 + [{"who": f"p{i}", "a": "y"} for i in range(30)]
    assert cells(sf.tabulate(pa.Table.from_pylist(rows), by="a", subject="who"))["x",].hidden
    assert not cells(sf.tabulate(pa.Table.from_pylist(rows), by="a"))["x",].hidden


def test_a_person_with_several_values_is_in_a_row_of_its_own_so_that_totals_add_up() -> None:
    rows = [{"who": i, "a": "x"} for i in range(30)] + [{"who": i, "a": "y"} for i in range(15, 60)]
    tabulated = sf.tabulate(pa.Table.from_pylist(rows), by="a", subject="who")
    assert [cell.count for cell in tabulated.content().cells] == [15, 30, 15, 60]
    assert "Persons with several values of a" in str(tabulated)


def test_records_without_a_subject_are_persons_of_their_own() -> None:
    rows = [{"who": None, "a": "x"}] * 12 + [{"who": "p", "a": "x"}] * 5
    assert cells(sf.tabulate(pa.Table.from_pylist(rows), by="a", subject="who"))["x",].count == 13


def test_one_who_pays_nearly_all_is_hidden_whatever_the_count() -> None:
    rows = [{"a": "x", "cost": 10.0 + i} for i in range(20)] + [{"a": "y", "cost": 1.0 + i / 9} for i in range(20)]
    rows += [{"a": "z", "cost": 50.0 + i} for i in range(20)]
    rows[25]["cost"] = 100_000.0
    tabulated = sf.tabulate(pa.Table.from_pylist(rows), by="a", sums="cost")
    shown = cells(tabulated)
    assert shown["y",].hidden
    assert tabulated.hidden >= 2
    assert not cells(sf.tabulate(pa.Table.from_pylist(rows), by="a"))["y",].hidden


def test_a_mean_is_protected_as_the_sum_that_it_gives_with_the_count() -> None:
    rows = [{"a": "x", "cost": 10.0 + i} for i in range(20)] + [{"a": "y", "cost": 1.0 + i / 9} for i in range(20)]
    rows[25]["cost"] = 100_000.0
    by_sum = sf.tabulate(pa.Table.from_pylist(rows), by="a", sums="cost")
    by_mean = sf.tabulate(pa.Table.from_pylist(rows), by="a", means="cost")
    assert (by_sum.protection.hidden == by_mean.protection.hidden).all()


def test_a_group_in_which_all_have_the_same_number_does_not_say_so() -> None:
    rows = [{"a": "x", "visits": 7.0}] * 20 + [{"a": value, "visits": float(i)} for i in range(20) for value in "yz"]
    assert cells(sf.tabulate(pa.Table.from_pylist(rows), by="a", means="visits"))["x",].hidden


def test_a_mean_of_few_values_is_hidden_in_a_large_cell() -> None:
    rows = [{"a": "x", "cost": float(i) if i < 4 else None} for i in range(50)]
    rows += [{"a": value, "cost": float(i)} for value in "yz" for i in range(50)]
    assert cells(sf.tabulate(pa.Table.from_pylist(rows), by="a", means="cost"))["x",].hidden


def test_where_sum_and_mean_tell_how_many_have_a_value_few_without_one_are_hidden() -> None:
    rows = [{"a": value, "cost": float(i)} for value in "xyz" for i in range(50)]
    rows[3]["cost"] = None
    table = pa.Table.from_pylist(rows)
    assert not cells(sf.tabulate(table, by="a", means="cost"))["x",].hidden
    both = sf.tabulate(table, by="a", means="cost", sums="cost")
    assert cells(both)["x",].hidden
    assert "persons with cost" in str(both)


def test_numbers_below_nothing_are_protected_by_what_they_are_without_their_sign() -> None:
    rows = [{"a": value, "excess": random.Random(i).gauss(0, 3)} for i in range(60) for value in "xyz"]
    rows[0]["excess"] = -9_000.0
    assert cells(sf.tabulate(pa.Table.from_pylist(rows), by="a", sums="excess"))["x",].hidden


@pytest.mark.parametrize(
    ("preset", "figures"),
    [
        ("acro", [None, None, 40, 12, 65]),  # 4 and 9 are small, and together 13: each could be 10
        ("opensafely", [None, 10, 40, 10, 65]),  # the rounded ones leave room enough for 4 to be none, or 8
        ("datashield", [4, 9, 40, 12, 65]),
    ],
)
def test_presets_hide_below_ten_seven_or_fewer_and_below_three(preset: str, figures: list[int | None]) -> None:
    counts = {"a": 4, "b": 9, "c": 40, "d": 12}
    rows = [{"x": value} for value, count in counts.items() for _ in range(count)]
    tabulated = sf.tabulate(pa.Table.from_pylist(rows), by="x", preset=preset)
    assert [cell.count for cell in tabulated.content().cells] == figures


def test_rules_of_a_preset_are_changed_by_what_is_said_beside_it() -> None:
    assert DisclosureRules.of("opensafely", threshold=20).base == 5
    assert DisclosureRules.of("acro").threshold == 10
    assert DisclosureRules.of("datashield").zeros == "shown"
    with pytest.raises(PolicyError, match="acro"):
        DisclosureRules.of("akro")
    for wrong in (
        {"threshold": 0},
        {"base": 0},
        {"p": 0},
        {"p": float("nan")},
        {"share": 101},
        {"zeros": "maybe"},
        {"threshold": 2, "base": 5},
    ):
        with pytest.raises(PolicyError):
            DisclosureRules.of(**wrong)


def test_what_is_shown_and_written_names_nothing_of_a_hidden_cell(tmp_path: Path) -> None:
    rows = [{"a": "x", "cost": 7919.0}] * 3 + [{"a": "y", "cost": 100.0 + i} for i in range(40)]
    rows += [{"a": "z", "cost": 200.0 + i} for i in range(40)]
    tabulated = sf.tabulate(pa.Table.from_pylist(rows), by="a", sums="cost")
    table, audit = tabulated.write(tmp_path / "table.csv")
    assert table.stat().st_mode & 0o777 != 0o600
    assert audit.name == "table-audit.csv"
    assert audit.stat().st_mode & 0o777 == 0o600
    said = table.read_text() + tabulated.to_json() + str(tabulated) + tabulated.sheet().html()
    assert str(3 * 7919) not in said.replace(" ", "")
    assert str(3 * 7919) in audit.read_text()
    hidden = [cell for cell in json.loads(tabulated.to_json())["cells"] if cell["hidden"]]
    assert hidden
    assert all(cell["count"] is None and set(cell["statistics"].values()) == {None} for cell in hidden)


def test_the_audit_says_what_each_hidden_cell_must_seem_possible_and_what_it_does(tmp_path: Path) -> None:
    rows = [{"a": value} for value, count in {"x": 4, "y": 30, "z": 50}.items() for _ in range(count)]
    _, audit = sf.tabulate(pa.Table.from_pylist(rows), by="a").write(tmp_path / "t.csv")
    header, *lines = rows_of(audit.read_bytes())
    by_value = {line[0]: dict(zip(header, line, strict=True)) for line in lines}
    assert set(by_value) == {"x", "y"}
    x = by_value["x"]
    assert (x["true"], x["least"], x["most"], x["must reach from"], x["must reach to"]) == ("4", "0", "34", "0", "10")
    assert by_value["y"]["why"] == "would tell of others"


def test_the_same_table_is_written_in_the_same_bytes(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(people(400))
    asked: dict[str, Any] = {"by": [["sex", "region"], ["sex", "age"]], "bins": {"age": [0, 18, 65]}, "sums": ["cost"]}
    first, second = (sf.tabulate(table, **asked) for _ in range(2))
    assert first.table_csv() == second.table_csv()
    assert first.audit_csv() == second.audit_csv()
    assert first.to_json() == second.to_json()


def test_bins_are_in_their_order_and_numbers_in_theirs() -> None:
    rows = [{"age": 5 * i, "n": i} for i in range(12) for _ in range(30)]
    table = pa.Table.from_pylist(rows)
    labels = [row[0] for row in rows_of(sf.tabulate(table, by="age", bins={"age": [0, 6, 18]}).table_csv())[1:]]
    assert labels == ["0--6", "6--18", ">=18", "total"]
    labels = [row[0] for row in rows_of(sf.tabulate(table, by="n").table_csv())[1:]]
    assert labels == [*map(str, range(12)), "total"]


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"by": []}, PolicyError, "--by"),
        ({"by": [["sex"], []]}, PolicyError, "--by"),
        ({"by": ["sex", 3]}, PolicyError, "texts"),
        ({"by": "sx"}, UnknownColumn, "sex"),
        ({"by": "person", "subject": "person"}, PolicyError, "whom a record is about"),
        ({"by": "sex", "means": "sex"}, PolicyError, "in --by"),
        ({"by": "sex", "means": "region"}, WrongScale, "cannot be added up"),
        ({"by": "sex", "means": "flag"}, PolicyError, "--by instead"),
        ({"by": "sex", "means": "huge"}, WrongScale, "beyond"),
        ({"by": "list"}, WrongScale, "lists"),
        ({"by": ["person", "age", "height", "cost"]}, UnusableInput, "combinations"),
    ],
)  # fmt: skip
def test_what_cannot_be_tabulated_is_refused(asked: dict[str, Any], error: type[Exception], words: str) -> None:
    rows = [{**row, "flag": i % 2, "huge": 10.0 ** (i % 30), "list": [i]} for i, row in enumerate(people(120))]
    with pytest.raises(error, match=words):
        sf.tabulate(pa.Table.from_pylist(rows), **asked)


PROJECT = """data: {source: people.csv}
subject: person
columns:
  person: {role: direct}
  sex: {role: quasi}
  region: {role: quasi, proposed: true}
  age: {role: quasi, bins: [0, 18, 65]}
  cost: {role: sensitive}
  height: {role: undecided}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    pd.DataFrame(people()).to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "sfumato.yaml").write_text(PROJECT)
    return tmp_path / "sfumato.yaml"


def test_a_project_gives_subject_bins_and_roles(project: Path) -> None:
    tabulated = sf.tabulate(project=project, by=["sex", "age"], sums="cost")
    assert tabulated.content().counted == "persons"
    assert {cell.values["age"] for cell in tabulated.content().cells} == {"0--18", "18--65", ">=65", "total"}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"by": ["sex", "region"]}, "nobody has decided about column 'region'"),
        ({"by": ["sex"], "means": ["height"]}, "nobody has decided about column 'height'"),
        ({"by": ["person"], "subject": "sex"}, "direct identifier"),
    ],
)
def test_what_nobody_decided_about_and_what_names_a_person_is_in_no_table(
    project: Path, asked: dict[str, Any], words: str
) -> None:
    with pytest.raises(ProjectError, match=words):
        sf.tabulate(project=project, **asked)


def test_a_table_of_which_nearly_all_is_small_is_refused_before_it_takes_hours() -> None:
    draw = random.Random(5)
    table = pa.table({name: [draw.randrange(300) for _ in range(40_000)] for name in ("a", "b")})
    with pytest.raises(UnusableInput, match="too many to protect"):
        sf.tabulate(table, by=["a", "b"])


def test_only_csv_is_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="CSV"):
        sf.tabulate(pa.table({"a": ["x"] * 12}), by="a").write(tmp_path / "table.xlsx")


def test_without_scipy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "scipy", None)
    with pytest.raises(sf.SfumatoError, match=r"sfumato\[stats\]"):
        sf.tabulate(pa.table({"a": ["x"] * 12}), by="a")


def test_every_engine_gives_the_same_bytes(engine: Engine) -> None:
    rows = people(120)
    rows += [{**row, "cost": row["cost"] + 1.0, "sex": "f"} for row in rows[:60]]
    asked: dict[str, Any] = {"by": ["sex", "age"], "bins": {"age": [0, 18, 65]}, "sums": "cost", "subject": "person"}
    here = sf.tabulate(pa.Table.from_pylist(rows), **asked)
    there = sf.tabulate(pa.Table.from_pylist(rows), engine=engine, **asked)
    assert there.table_csv() == here.table_csv()
    assert there.audit_csv() == here.audit_csv()


def test_progress_is_told() -> None:
    told: list[str] = []
    sf.tabulate(pa.Table.from_pylist(people()), by=["sex", "region"], tell=lambda words, *_: told.append(words))
    assert told[:2] == ["Reading the data", "Counting the cells"]
    assert "Hiding what would tell of others" in told
