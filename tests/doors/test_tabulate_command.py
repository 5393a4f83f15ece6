"""`sfumato tabulate` as a person calls it."""

from __future__ import annotations

import csv
import json
import random
import stat
from pathlib import Path

import pytest
from tests.doors.conftest import Command

PROJECT = """data: {source: people.csv}
columns:
  sex: {role: quasi}
  ward: {role: quasi}
  height: {role: sensitive}
"""


@pytest.fixture
def people(tmp_path: Path) -> Path:
    draw = random.Random(3)
    lines = [
        f"{draw.choice('fm')},{draw.choices('abcd', [9, 9, 9, 1])[0]},{draw.gauss(170, 9):.1f}" for _ in range(200)
    ]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["sex,ward,height", *lines]) + "\n")
    return path


def test_a_table_and_its_audit_are_written_and_only_one_of_them_is_for_others(sfumato: Command, people: Path) -> None:
    outcome = sfumato("tabulate", people, "--by", "sex,ward", "--mean", "height", "-o", "table.csv")
    assert outcome.code == 0
    assert "cells are hidden, and fewer would not do" in outcome.out
    assert "Wrote table.csv, and table-audit.csv, which stays with you." in outcome.out
    folder = people.parent
    assert stat.S_IMODE((folder / "table-audit.csv").stat().st_mode) == 0o600
    rows = list(csv.DictReader((folder / "table.csv").open()))
    hidden = [row for row in rows if row["cell"] == "hidden"]
    assert hidden
    assert {(row["count"], row["mean height"]) for row in hidden} == {("", "")}
    audit = list(csv.DictReader((folder / "table-audit.csv").open()))
    assert len(audit) == 2 * len(hidden)
    assert {row["number"] for row in audit} == {"count", "mean height"}


def test_what_is_there_is_not_overwritten_but_by_force(sfumato: Command, people: Path) -> None:
    (people.parent / "table-audit.csv").write_text("somebody's")
    outcome = sfumato("tabulate", people, "--by", "sex", "-o", "table.csv")
    assert outcome.code == 2
    assert "exists already" in outcome.err
    assert not (people.parent / "table.csv").exists()
    assert sfumato("tabulate", people, "--by", "sex", "-o", "table.csv", "--force").code == 0
    assert sfumato("tabulate", people, "--by", "sex", "-o", people, "--force").code == 2
    assert people.read_text().startswith("sex,ward")


def test_json_on_the_terminal_is_json_alone(sfumato: Command, people: Path) -> None:
    document = sfumato("tabulate", people, "--by", "sex", "--by", "ward", "--json", "-").document
    assert document["tables"] == [["sex"], ["ward"]]
    assert document["shown"] + document["hidden"] == len(document["cells"])
    assert document["rules"]["threshold"] == 10


def test_without_an_output_nothing_is_written(sfumato: Command, people: Path) -> None:
    outcome = sfumato("tabulate", people, "--by", "sex")
    assert "Nothing was written: add --out." in outcome.out
    assert [file.name for file in people.parent.iterdir()] == ["people.csv"]


def test_the_use_is_in_the_log_of_the_project_with_no_value(sfumato: Command, people: Path) -> None:
    (people.parent / "sfumato.yaml").write_text(PROJECT)
    assert sfumato("tabulate", "--project", "sfumato.yaml", "--by", "sex,ward", "-o", "table.csv").code == 0
    log = json.loads(sfumato("log", "--json", "-").out)
    (use,) = [use for use in log["uses"] if use["command"]["name"] == "tabulate"][-1:]
    assert "--by" in use["command"]["options"]
    assert "sex,ward" not in json.dumps(use)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--by"),
        (("--by", "nothing"), "There is no column"),
        (("--by", "sex", "--preset", "arcos"), "acro"),
        (("--by", "sex", "--dominance", "2"), "--dominance 2,90"),
        (("--by", "sex", "--zeros", "maybe"), "`hidden` or `shown`"),
        (("--by", "sex", "--round", "50"), "rounded to nothing"),
        (("--by", "sex", "-o", "table.xlsx"), "CSV"),
        (("--by", "sex", "-o", "table.csv", "--json", "table-audit.csv"), "--json"),
    ],
)
def test_wrong_use_ends_with_two_and_says_what_to_do(
    sfumato: Command, people: Path, options: tuple[str, ...], words: str
) -> None:
    outcome = sfumato("tabulate", people, *options)
    assert outcome.code == 2
    assert words in outcome.err


STAYS = """data: {source: stays.csv}
columns:
  sex: {role: quasi}
  admitted: {role: quasi}
  discharged: {role: quasi}
%splan:
  steps:
    - duration: {start: admitted, end: discharged, into: days}
"""


@pytest.mark.parametrize("role", ["", "  days: {role: quasi}\n"], ids=["by its step", "by its role"])
def test_a_column_that_the_plan_makes_is_counted_by(sfumato: Command, tmp_path: Path, role: str) -> None:
    """Of 60 people every third stays 2 days, the others 1: 40 and 20, of both sexes as many."""
    stays = [f"{'fm'[i % 2]},2021-03-01,2021-03-0{3 if i % 3 == 0 else 2}" for i in range(60)]
    (tmp_path / "stays.csv").write_text("\n".join(["sex,admitted,discharged", *stays]) + "\n", encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(STAYS % role, encoding="utf-8")
    outcome = sfumato("tabulate", "-p", "sfumato.yaml", "--by", "sex,days", "--threshold", "5", "-o", "table.csv")
    assert outcome.code == 0, outcome.said
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        counts = {(row["sex"], row["days"]): row["count"] for row in csv.DictReader(file)}
    assert [counts[sex, days] for sex in "fm" for days in "12"] == ["20", "10", "20", "10"]


def test_a_column_that_the_plan_makes_and_that_names_persons_or_is_only_proposed_is_refused(
    sfumato: Command, tmp_path: Path
) -> None:
    (tmp_path / "stays.csv").write_text("sex,admitted,discharged\nf,2021-03-01,2021-03-02\n", encoding="utf-8")
    for role, why in (("direct", "direct identifier"), ("quasi, proposed: true", "nobody has decided")):
        (tmp_path / "sfumato.yaml").write_text(STAYS % f"  days: {{role: {role}}}\n", encoding="utf-8")
        outcome = sfumato("tabulate", "-p", "sfumato.yaml", "--by", "sex,days")
        assert (outcome.code, why in " ".join(outcome.said.split())) == (2, True), outcome.said
