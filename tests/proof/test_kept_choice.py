"""What `auto` takes stays: it is written into the project file, and the next release is made in the same way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.app import app
from sfumato.project.file.chosen_settings import with_chosen_settings

PROJECT = """\
# our clinic
data: {source: people.csv}
columns:
  age: {role: quasi}   # in years
  sex: {role: quasi}
  illness: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
"""
TAKEN = {"method": "local", "suppress": 0.05}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = [f"{20 + i % 30},{'fm'[i % 2]},{['flu', 'cold', 'gout'][i % 3]}" for i in range(90)]
    (tmp_path / "people.csv").write_text("\n".join(["age,sex,illness", *rows, "44,x,flu"]) + "\n", encoding="utf-8")
    (tmp_path / "clinic.yaml").write_text(PROJECT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_release_keeps_what_was_taken_and_the_next_is_made_by_it(folder):
    first = sf.release("clinic.yaml", "first", report=False)
    text = (folder / "clinic.yaml").read_text(encoding="utf-8")
    assert text.startswith(PROJECT)
    assert sf.Project.read("clinic.yaml").anonymise["method"] == first.anonymised.method
    assert first.kept_choice
    second = sf.release("clinic.yaml", "second", report=False)
    assert second.anonymised.alternatives == ()
    assert not second.kept_choice
    assert (folder / "clinic.yaml").read_text(encoding="utf-8") == text
    same = [(folder / name / "released.csv").read_bytes() for name in ("first", "second")]
    assert same[0] == same[1]


def test_a_project_that_asks_for_a_comparison_each_time_is_left_alone(folder):
    asks = PROJECT + "anonymise: {method: auto}\n"
    (folder / "clinic.yaml").write_text(asks, encoding="utf-8")
    package = sf.release("clinic.yaml", "package", report=False)
    assert len(package.anonymised.alternatives) == 5
    assert (folder / "clinic.yaml").read_text(encoding="utf-8") == asks


def test_a_search_that_writes_nothing_keeps_nothing(folder):
    assert CliRunner().invoke(app, ["anonymise", "--project", "clinic.yaml"]).exit_code == 0
    assert (folder / "clinic.yaml").read_text(encoding="utf-8") == PROJECT


def test_the_command_says_what_it_kept_and_how_to_get_another_way(folder):
    run = CliRunner().invoke(app, ["anonymise", "--project", "clinic.yaml", "--suppress", "0.1", "--out", "release"])
    assert run.exit_code == 0
    assert "Another way: sfumato anonymise --project clinic.yaml --out release, with" in run.output
    assert "Wrote the way that was taken into clinic.yaml" in run.output
    assert "method" in sf.Project.read("clinic.yaml").anonymise
    assert "anonymise: chosen" not in run.output


def test_the_command_of_each_way_runs_as_it_is_shown(folder):
    CliRunner().invoke(app, ["anonymise", "people.csv", "--quasi", "age,sex", "--k", "3", "--json", "auto.json"])
    document = json.loads((folder / "auto.json").read_text(encoding="utf-8"))
    for way in document["alternatives"]:
        again = [
            "anonymise",
            "people.csv",
            "--quasi",
            "age,sex",
            "--k",
            "3",
            *way["options"].split(),
            "--json",
            "x.json",
        ]
        assert CliRunner().invoke(app, again).exit_code == 0
        single = json.loads((folder / "x.json").read_text(encoding="utf-8"))
        assert single["suppressed"] == way["suppressed"]
        assert single["lost"]["total"]["loss"] == pytest.approx(way["lost"], abs=1e-9)


def test_nothing_of_the_comparison_is_handed_on(folder):
    sf.release("clinic.yaml", "package", report=False)
    package = b"".join(path.read_bytes() for path in sorted((folder / "package").iterdir()))
    assert b"alternatives" not in package
    kept = json.loads((folder / "package-evidence" / "anonymisation.json").read_text(encoding="utf-8"))
    assert len(kept["alternatives"]) == 5
    assert {way["hits"] for way in kept["alternatives"]} == {None}


@pytest.mark.parametrize(
    "text",
    [
        "subject: id\n",
        "subject: id",
        "---\nsubject: id\n...\n",
        "anonymise:\n  # why\n  objective: loss  # usual\nsubject: id\n",
        "anonymise: {objective: loss}\n",
        "anonymise:\nsubject: id\n",
        "anonymise: {}\nsubject: id\n",
        '{"subject": "id"}',
        '{"anonymise": {"objective": "loss"}}',
        '{"anonymise": {}}',
        "\ufeffsubject: id\r\n",
    ],
)
def test_settings_are_added_in_the_style_of_the_file_and_nothing_else_changes(text):
    changed = with_chosen_settings(text, TAKEN, "sfumato.yaml")
    before, after = sf.Project.parse(text.removeprefix("\ufeff")), sf.Project.parse(changed.removeprefix("\ufeff"))
    assert after.anonymise == {**before.anonymise, **TAKEN}
    assert after.subject == before.subject
    for remark in ("# why", "# usual"):
        assert (remark in text) == (remark in changed)
