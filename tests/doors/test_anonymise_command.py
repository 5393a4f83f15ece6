"""`sfumato anonymise` and `sfumato explore`, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.doors.conftest import Command


@pytest.fixture
def people(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    rows = "".join(f"P{i},{20 + i * 7 % 50},{'MF'[i % 2]},0{150 + i % 4}\n" for i in range(80))
    file.write_text("id,age,sex,postcode\n" + rows, encoding="utf-8")
    return file


def test_a_release_its_plan_and_its_evidence_are_written_and_the_plan_gives_the_same_bytes(
    sfumato: Command, people: Path, tmp_path: Path
) -> None:
    out, target = tmp_path / "out", tmp_path / "found.json"
    ran = sfumato(
        "anonymise", str(people), "--quasi", "age,sex,postcode", "--subject", "id", "--k", "4", "--suppress", "0.05",
        "--method", "optimal", "--out", str(out), "--json", str(target),
    )  # fmt: skip
    assert ran.code == 0, ran.said
    assert "The release keeps to every requirement" in ran.said
    found = json.loads(target.read_text(encoding="utf-8"))
    assert set(found) >= {
        "levels", "suppressed", "score", "optimal", "bound", "examined", "classes", "readings", "condensed", "pruned",
    }  # fmt: skip
    assert set(found["score"]) == {"value", "normalised"}
    assert found["optimal"] is True
    assert found["bound"] == pytest.approx(found["score"]["value"])
    assert found["readings"][0]["value"] >= 4
    names = {path.name for path in out.iterdir()}
    assert names >= {"released.csv", "plan.yaml", "assessment.json", "comparison.json", "anonymisation.json"}
    ran = sfumato("apply", str(out / "plan.yaml"), str(people), "-o", str(tmp_path / "again.csv"))
    assert ran.code == 0, ran.said
    assert (tmp_path / "again.csv").read_bytes() == (out / "released.csv").read_bytes()
    assert (out / "anonymisation.json").read_text(encoding="utf-8") == target.read_text(encoding="utf-8")


def test_without_a_folder_nothing_is_written_and_that_is_said(sfumato: Command, people: Path, tmp_path: Path) -> None:
    ran = sfumato("anonymise", str(people), "--quasi", "age,sex", "--k", "3")
    assert ran.code == 0, ran.said
    assert "Nothing was written" in ran.said
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize("command", ["anonymise", "release"])
def test_a_format_that_nothing_writes_is_refused_before_the_search(
    sfumato: Command, people: Path, tmp_path: Path, command: str
) -> None:
    asked = (
        ["-p", str(tmp_path / "sfumato.yaml")]
        if command == "release"
        else [str(people), "--quasi", "age", "--k", "900"]
    )
    ran = sfumato(command, *asked, "--format", "foo", "--out", str(tmp_path / "out"))
    assert ran.code == 2
    assert "released.foo: nothing writes this kind of file. Known endings:" in ran.said


def test_columns_that_nobody_decided_about_are_left_out_and_named_with_what_would_release_them(
    sfumato: Command, people: Path, tmp_path: Path
) -> None:
    asked = ("anonymise", str(people), "--quasi", "age", "--subject", "id", "--k", "3", "--out", "out")
    ran = sfumato(*asked)
    assert "2 columns were left out, since nobody decided about them: sex, postcode." in ran.said
    assert "--non-sensitive sex,postcode, or --release-rest." in ran.said
    assert _header(tmp_path) == ["age"]
    assert (
        "1 column was left out, since nobody decided about it: postcode." in sfumato(*asked, "--sensitive", "sex").said
    )
    assert _header(tmp_path) == ["sex", "age"] or _header(tmp_path) == ["age", "sex"]
    for more in (("--release-rest",), ("--non-sensitive", "sex,postcode")):
        assert "left out, since" not in sfumato(*asked, *more).said
        assert sorted(_header(tmp_path)) == ["age", "postcode", "sex"]
    (tmp_path / "sfumato.yaml").write_text(
        "data: {source: people.csv}\nsubject: id\nmeasures:\n  - {measure: k_anonymity, at_least: 3}\n"
        "columns:\n  age: {role: quasi}\n  sex: {role: non-sensitive}\n  postcode: {role: non-sensitive}\n",
        encoding="utf-8",
    )
    assert "left out, since" not in sfumato("anonymise", "-p", str(tmp_path / "sfumato.yaml")).said


def _header(folder: Path) -> list[str]:
    return (folder / "out" / "released.csv").read_text(encoding="utf-8").splitlines()[0].split(",")


@pytest.mark.parametrize(("method", "leaves_out"), [("mondrian", False), ("cells", False), ("local", True)])
def test_a_share_that_a_method_does_not_use_is_said(
    sfumato: Command, people: Path, method: str, leaves_out: bool
) -> None:
    asked = ("anonymise", str(people), "--quasi", "age,sex", "--subject", "id", "--k", "3", "--method", method)
    said = f"The method {method} leaves nobody out: the share of records that may be suppressed was not used."
    assert (said in sfumato(*asked, "--suppress", "0.1").said) is not leaves_out
    assert said not in sfumato(*asked).said


def test_a_project_file_says_it_all(sfumato: Command, people: Path, tmp_path: Path) -> None:
    (tmp_path / "sfumato.yaml").write_text(
        "data: {source: people.csv}\nsubject: id\n"
        "columns:\n  age: {role: quasi}\n  sex: {role: quasi}\n  postcode: {role: quasi}\n"
        "measures:\n  - {measure: k_anonymity, at_least: 3}\n"
        "anonymise: {suppress: 0.1, objective: nue, levels: {sex: 0, age: [1, 3]}}\n"
        "plan:\n  seed: 1\n  steps:\n    - mask: {columns: [postcode], keep_left: 2}\n",
        encoding="utf-8",
    )
    ran = sfumato(
        "anonymise", "-p", str(tmp_path / "sfumato.yaml"), "--out", str(tmp_path / "out"), "--format", "parquet"
    )
    assert ran.code == 0, ran.said
    found = json.loads((tmp_path / "out" / "anonymisation.json").read_text(encoding="utf-8"))
    assert found["objective"] == "nue"
    assert found["levels"]["sex"] == 0
    assert 1 <= found["levels"]["age"] <= 3
    assert found["steps"][0].startswith("Hide the characters of postcode")
    assert (tmp_path / "out" / "released.parquet").exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--k", "1000"], "No release keeps to the policy"),
        (["--k", "3", "--level", "sex=x"], "must be a number"),
        (["--k", "3", "--weight", "sex=x"], "must be a number"),
        (["--k", "3", "--method", "best"], "no method 'best'"),
        (["--k", "3", "--format", "doc"], "nothing writes this kind of file"),
        ([], "Nothing is required"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    sfumato: Command, people: Path, tmp_path: Path, options: list[str], says: str
) -> None:
    ran = sfumato("anonymise", str(people), "--quasi", "age,sex", *options, "--out", str(tmp_path / "out"))
    assert ran.code in (1, 2)
    assert says in ran.said
    assert not (tmp_path / "out").exists()


def test_a_population_is_given_on_the_command_line(sfumato: Command, people: Path, tmp_path: Path) -> None:
    register = tmp_path / "register.csv"
    register.write_text(people.read_text(encoding="utf-8") + "Q1,33,M,0150\nQ2,34,F,0151\n", encoding="utf-8")
    ran = sfumato(
        "anonymise", str(people), "--quasi", "age,sex", "--require", "k_map >= 3", "--population", str(register)
    )
    assert ran.code == 0, ran.said
    assert "k_map" in ran.said


def test_the_scenarios_of_a_project_hold_for_the_release_and_for_the_curve(
    sfumato: Command, people: Path, tmp_path: Path
) -> None:
    (tmp_path / "sfumato.yaml").write_text(
        "data: {source: people.csv}\nsubject: id\n"
        "columns:\n  age: {role: quasi}\n  sex: {role: quasi}\n  postcode: {role: quasi}\n"
        "measures:\n  - {measure: k_anonymity, at_least: 3}\n"
        "scenarios:\n  - {name: neighbour, columns: [age, sex]}\n  - {name: postman, columns: [postcode]}\n"
        "anonymise: {for_scenarios: true, suppress: 0.1, method: optimal}\n",
        encoding="utf-8",
    )
    ran = sfumato("anonymise", "--json", str(tmp_path / "found.json"))
    assert ran.code == 0, ran.said
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert {reading["scenario"] for reading in found["readings"]} == {"neighbour", "postman"}
    ran = sfumato("explore", "--k", "2,3", "--suppress", "0.1")
    assert ran.code == 0, ran.said


def test_nothing_to_search_is_said(sfumato: Command) -> None:
    for command in ("anonymise", "explore"):
        ran = sfumato(command, "--quasi", "age", "--k", "3")
        assert ran.code == 2
        assert f"There is nothing to {command}" in ran.said


def test_the_curve_is_shown_and_written(sfumato: Command, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "curve"
    ran = sfumato(
        "explore", str(people), "--quasi", "age,sex", "--k", "2,4", "--suppress", "0,0.1", "--out", str(out), "--json",
        str(tmp_path / "curve.json"), "--html", str(tmp_path / "curve.html"),
    )  # fmt: skip
    assert ran.code == 0, ran.said
    assert "None stands out; the safest: optimal" in ran.said
    found = json.loads((tmp_path / "curve.json").read_text(encoding="utf-8"))
    assert len(found["points"]) == 4
    assert found["knee"] in found["front"]
    assert (out / "curve.json").exists()
    assert "<svg" in (tmp_path / "curve.html").read_text(encoding="utf-8")
    for given, says in (("two", "takes numbers"), ("2.5", "takes whole numbers"), ("0,2", "whole numbers from 1")):
        ran = sfumato("explore", str(people), "--quasi", "age,sex", "--k", given)
        assert ran.code == 2
        assert says in ran.said
