"""What a run says beside its results: nothing, drawn progress, or lines for a log, each with its time and level."""

import json
import re
from datetime import datetime

import pytest

from sfumato.cli.messages import Messages, Steps

TABLE = "age,sex\n30,F\n31,F\n30,M\n"
ASKED = ("assess", "people.csv", "--quasi", "sex", "--k", "1")


@pytest.fixture
def people(tmp_path):
    (tmp_path / "people.csv").write_text(TABLE)


def lines(done):
    return [json.loads(line) for line in done.err.splitlines()]


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("before", [True, False], ids=["before the command", "after it"])
def test_a_log_of_json_has_a_line_for_each_step(sfumato, before):
    option = ("--log-format", "json")
    done = sfumato(*((*option, *ASKED) if before else (*ASKED, *option)))
    said = lines(done)
    assert [line["message"] for line in said][:2] == ["assess begins", "Reading the data"]
    assert said[-1]["message"].startswith("assess ended with exit code 0 after ")
    assert {line["level"] for line in said} == {"info"}
    assert all(datetime.fromisoformat(line["time"]).utcoffset() is not None for line in said)
    assert "Every requirement is met" in done.out


@pytest.mark.usefixtures("people")
def test_verbose_says_the_same_in_words(sfumato):
    done = sfumato(*ASKED, "--verbose")
    assert all(re.match(r"\d{4}-\d\d-\d\dT\S+ INFO \S", line) for line in done.err.splitlines())
    assert " INFO Reading the data\n" in done.err


@pytest.mark.usefixtures("people")
def test_nobody_watches_and_nothing_is_said_beside_the_results(sfumato):
    assert sfumato(*ASKED).err == ""


@pytest.mark.usefixtures("people")
def test_quiet_says_nothing_but_errors_and_what_was_asked_for(sfumato, monkeypatch):
    done = sfumato(*ASKED, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert sfumato("assess", "people.csv", "--quasi", "age,sex", "--k", "3", "--quiet").code == 1
    assert json.loads(sfumato(*ASKED, "--quiet", "--json", "-").out)["records"] == 3
    assert sfumato("assess", "none.csv", "--quiet").err.startswith("sfumato: none.csv: there is no such file.")
    monkeypatch.setenv("SFUMATO_QUIET", "1")
    assert sfumato(*ASKED).out == ""


def test_an_error_is_a_line_of_the_log_and_so_is_wrong_use(sfumato, monkeypatch):
    monkeypatch.setenv("SFUMATO_LOG_FORMAT", "json")
    for arguments in (("assess", "none.csv", "--quasi", "a"), ("assess", "--nonsense")):
        done = sfumato(*arguments)
        error, end = lines(done)[-2:]
        assert (done.code, error["level"], end["exit"]) == (2, "error", 2)


def test_an_option_of_the_program_after_two_dashes_is_an_argument(sfumato):
    assert "--quiet" in sfumato("columns", "--", "--quiet").err


def test_counted_work_takes_ten_lines_at_most_for_each_of_its_words(capsys):
    steps = Steps(Messages())
    for done in range(1000):
        steps.tell("Searching", done, 1000)
    steps.tell("Writing")
    assert len(capsys.readouterr().err.splitlines()) == 11
