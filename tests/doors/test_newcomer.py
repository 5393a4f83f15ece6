"""What somebody types who has never used the program, and what they read then."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from tests.doors.conftest import Command

from sfumato.cli import app
from sfumato.show.documents.frontier import FrontierDocument, PointDocument
from sfumato.show.sheet import Section, Sheet
from sfumato.show.sheets.frontier import frontier_sheet


def options(command: typer.core.TyperCommand | None = None, path: tuple[str, ...] = ()):
    """Every option of every command, with the command that has it."""
    command = command or typer.main.get_command(app)
    for parameter in command.params:
        if parameter.opts[0].startswith("-"):
            yield " ".join(path), parameter
    for name, inner in getattr(command, "commands", {}).items():
        yield from options(inner, (*path, name))


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    file = tmp_path / "patients.csv"
    rows = (f"{30 + i % 3},{'fm'[i % 2]},{'flu' if i % 4 else 'cold'}" for i in range(12))
    file.write_text("\n".join(["age,sex,illness", *rows]), encoding="utf-8")
    return file


def test_an_option_shows_what_to_write_and_not_the_type_of_a_program(sfumato: Command) -> None:
    for command in ("assess", "anonymise", "risk", "compare", "identify", "release", "dimension", "explore"):
        told = sfumato(command, "--help").out.split("Options:")[1]
        assert not re.findall(r"<[a-z]+(?: range|\[\w+\])?>", told), command


def test_options_that_name_columns_say_which_they_are() -> None:
    told = {parameter.opts[0]: parameter.help for _, parameter in options() if parameter.metavar == "A,B"}
    assert {"--quasi", "--sensitive", "--direct", "--non-sensitive", "--keep"} <= set(told)
    assert len(set(told.values())) == len(told)


def test_what_is_written_can_be_named_with_the_same_letter_everywhere() -> None:
    assert {parameter.opts[0] for _, parameter in options() if "--out" in parameter.opts} == {"-o"}


def test_what_stays_with_the_steward_has_one_name() -> None:
    named = {command for command, parameter in options() if "--evidence" in parameter.opts}
    assert named == {"apply", "release", "verify"}


def test_the_list_of_commands_is_cut_off_nowhere(sfumato: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for path in ((), ("plan",), ("key",), ("study",)):
        told = sfumato(*path, "--help").out.split("Commands:")[1]
        assert "..." not in told
        assert max(map(len, told.splitlines())) <= 80
    assert "Which columns identify, which combine to identify, which are sensitive" in sfumato("--help").said


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        (("risk", "--scenario", "neighbour"), "--scenario NAME=A,B"),
        (("anonymise", "--k", "2", "--level", "age"), "--level COLUMN=N"),
        (("anonymise", "--k", "2", "--secret", "correct horse"), "--secret NAME=FILE"),
        (("assess", "--type", "age"), "--type COLUMN=TYPE"),
    ],
)
def test_a_setting_without_its_sign_is_answered_with_how_to_write_it(
    sfumato: Command, patients: Path, asked: tuple[str, ...], written: str
) -> None:
    outcome = sfumato(asked[0], patients, "--quasi", "age,sex", *asked[1:])
    assert outcome.code == 2
    assert outcome.err == f"sfumato: {written.split()[0]} cannot be read: write {written}.\n"


def test_a_second_scenario_of_the_same_name_is_not_put_in_place_of_the_first(sfumato: Command, patients: Path) -> None:
    asked = ("--scenario", "neighbour=age,sex", "--scenario", "neighbour=sex")
    outcome = sfumato("risk", patients, "--quasi", "age,sex", *asked)
    assert (outcome.code, outcome.err) == (2, "sfumato: --scenario is given twice for 'neighbour'. Give it once.\n")


def test_who_stops_a_command_reads_that_it_was_stopped(
    sfumato: Command, patients: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sfumato.plans.assess_project.assess_source", stop)
    outcome = sfumato("assess", patients, "--quasi", "age")
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "sfumato: stopped.\n")


def test_a_report_takes_the_bounds_that_an_assessment_takes(sfumato: Command, patients: Path) -> None:
    quiet = ("--no-attacks", "--no-curve", "--no-charts", "--json", "-")
    outcome = sfumato(
        "report", patients, "--quasi", "age,sex", "--sensitive", "illness", "--l", "2", "--t", "0.5", *quiet
    )
    assert (outcome.code, outcome.document["met"]) == (0, True)
    assert "distinct_l_diversity" in outcome.out
    assert "t_closeness" in outcome.out


def test_a_release_that_does_not_stand_out_is_not_called_the_knee() -> None:
    point = PointDocument(
        method="optimal", requirements=["k_anonymity >= 3"], suppression=0.1, suppressed=0, classes=2, risk=0.2,
        score=0.5, levels={"age": 1}, on_front=True, knee=True,
    )  # fmt: skip
    curve = FrontierDocument(points=[point], front=[0], knee=0, knee_distance=0.0, risk="highest", loss="loss")
    assert "None stands out; the safest: optimal" in frontier_sheet(curve).verdict
    assert "The knee: optimal" in frontier_sheet(replace(curve, knee_distance=0.1)).verdict
    assert frontier_sheet(replace(curve, knee_distance=0.1)).sections[0].rows[0][3] == "10.0 %"


def test_a_name_cannot_write_control_characters_to_the_terminal() -> None:
    sheet = Sheet("Risk of a\nb", "Singled out by \x1b[31mage.", (Section("\x1b]0;title\x07", remarks=("x\ty",)),))
    assert "\x1b" not in sheet.text()
    assert sheet.text().splitlines()[:3] == ["Risk of a b", "===========", "Singled out by  [31mage."]


def test_a_section_without_a_table_is_no_empty_table_in_a_notebook() -> None:
    assert Sheet("Title", "Verdict", (Section("Notes", remarks=("One.",)),)).html().count("<table>") == 0
