"""Commands that use a project write it down, and `sfumato log` shows it."""

from __future__ import annotations

import json
import os
import pwd
from hashlib import sha256
from pathlib import Path

import pytest

from sfumato.errors import OutputError
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import AuditLog

PATIENTS = """\
patient_id,age,sex,postcode,diagnosis
P01,34,F,0151,asthma
P02,37,F,0151,migraine
P03,31,F,0151,asthma
P04,36,F,0151,eczema
P05,35,M,0151,diabetes
P06,38,M,0151,diabetes
P07,33,M,0151,asthma
P08,52,F,0203,migraine
P09,58,F,0203,asthma
P10,55,F,0203,hypertension
P11,57,F,0203,diabetes
P12,54,M,0203,hypertension
P13,91,M,0999,migraine
"""
PROJECT = """\
data: {source: patients.csv}
columns:
  age: {role: quasi, bins: [30, 40, 50, 60]}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 2}
anonymise: {suppress: 0.3}
plan:
  steps:
    - drop: {columns: [patient_id]}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    return tmp_path


def lines(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "sfumato.log.jsonl").read_text().splitlines()]


def uses(folder: Path) -> list[dict]:
    """The uses of a log, each with how it ended."""
    return [dict(use) for use in Chain.of(AuditLog(folder / "sfumato.log.jsonl")).uses]


def test_a_use_says_who_did_what_with_which_input_and_what_came_of_it(sfumato, project):
    assert sfumato("assess", "--k", "3", "--missing-token", "asthma").code == 1
    (line,) = uses(project)
    assert line["who"] == {"name": "Ada", "claimed": True, "account": pwd.getpwuid(os.getuid()).pw_name}
    assert line["command"] == {"name": "assess", "options": ["--k", "--missing-token"]}
    assert line["inputs"] == [{"name": "patients.csv", "sha256": sha256(PATIENTS.encode()).hexdigest()}]
    assert line["project"] == {"name": "sfumato.yaml", "sha256": sha256(PROJECT.encode()).hexdigest()}
    assert line["outcome"]["exit"] == 1
    assert line["outcome"]["counts"] == {"records": 13, "flagged": 2, "met": False}
    assert line["time"].endswith("+00:00")
    assert {"sfumato", "duckdb", "python"} <= line["versions"].keys()


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["assess"], "assess"),
        (["assess", "--project", "sfumato.yaml"], "assess"),
        (["assess", "sfumato.yaml"], "assess"),
        (["anonymise", "--out", "out"], "anonymise"),
        (["apply", "sfumato.yaml", "patients.csv", "-o", "release.csv"], "apply"),
        (["risk", "--no-attacks"], "risk"),
        (["compare", "patients.csv", "patients.csv", "--quasi", "age", "--by-position"], "compare"),
        (["explore", "--k", "2", "--suppress", "0.3"], "explore"),
        (["report", "--no-attacks", "--no-curve", "--json", "report.json"], "report"),
        (["confirm", "--role", "postcode=quasi", "--by", "Ada", "--reason", "a place"], "confirm"),
    ],
)
def test_every_door_to_a_project_writes_its_use(sfumato, project, arguments, name):
    done = sfumato(*arguments)
    (line,) = uses(project)
    assert line["command"]["name"] == name
    assert line["outcome"]["exit"] == done.code < 2
    assert line["outcome"]["verdict"]
    assert line["inputs"][0]["name"] == "patients.csv"


def test_without_a_project_there_is_no_log(sfumato, tmp_path):
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    assert sfumato("assess", "patients.csv", "--quasi", "sex").code == 0
    assert sorted(os.listdir(tmp_path)) == ["patients.csv"]


def test_the_log_is_beside_the_project_file_wherever_the_command_runs(sfumato, tmp_path):
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "study" / "clinic.yaml").write_text(PROJECT, encoding="utf-8")
    assert sfumato("assess", "--project", "study/clinic.yaml").code == 1
    assert len(uses(tmp_path / "study")) == 1
    assert not (tmp_path / "sfumato.log.jsonl").exists()
    assert "1 use." in sfumato("log", "study/clinic.yaml").said


def test_another_log_can_be_named(sfumato, project, monkeypatch):
    monkeypatch.setenv("SFUMATO_LOG", "all.jsonl")
    sfumato("assess")
    assert (project / "all.jsonl").exists()
    assert not (project / "sfumato.log.jsonl").exists()


def test_a_use_that_fails_is_written_too_without_the_message(sfumato, project):
    assert sfumato("assess", "--quasi", "nobody").code == 2
    (line,) = uses(project)
    assert line["outcome"] == {"exit": 2, "verdict": "UnknownColumn"}


@pytest.mark.parametrize("name", ["sfumato.log.jsonl", "sfumato.log.head.new"])
def test_where_the_log_or_its_head_cannot_be_written_nothing_is_done(sfumato, project, name):
    (project / name).mkdir()
    done = sfumato("anonymise", "--out", "out")
    assert (done.code, done.out) == (2, "")
    assert "could not be written to the log" in done.err
    assert "Nothing was done" in done.err
    assert not (project / "out").exists()


def test_where_the_log_fails_at_the_end_the_results_and_what_went_wrong_before_are_said(sfumato, project, monkeypatch):
    append = AuditLog.append

    def full(log, use):
        if use["use"] == "end":
            raise OutputError("the log is full.")
        return append(log, use)

    monkeypatch.setattr(AuditLog, "append", full)
    done = sfumato("assess")
    assert done.code == 2
    assert "k_anonymity" in done.out
    assert "the log is full. What the command found was shown and written all the same." in done.err
    assert "There is no column 'nobody'" in sfumato("assess", "--quasi", "nobody").err
    shown = sfumato("log", "--verify")
    assert shown.code == 0
    assert "Number 1 was begun and not completed" in shown.said
    assert shown.said.count("not completed") == 4


def test_a_use_is_on_the_disk_before_anything_is_read_and_again_when_it_has_ended(sfumato, project, monkeypatch):
    seen = []

    def look(*_, **__):
        seen.extend(lines(project))
        raise SystemExit(7)

    monkeypatch.setattr("sfumato.plans.assess_project.assess_source", look)
    assert sfumato("assess").code == 7
    (begin,) = seen
    assert (begin["use"], "outcome" in begin) == ("begin", False)
    end = lines(project)[1]
    assert (end["use"], end["of"], end["begun"]) == ("end", 1, begin["hash"])
    assert end["outcome"] == {"exit": 7, "verdict": "SystemExit"}


def test_the_end_of_a_release_names_its_package_and_a_package_that_no_line_names_is_told(sfumato, project):
    text = PROJECT.replace(
        "  diagnosis: {role", "  patient_id: {role: direct}\n  postcode: {role: quasi}\n  diagnosis: {role"
    )
    (project / "sfumato.yaml").write_text(text, encoding="utf-8")
    assert sfumato("release", "--out", "package", "--no-report").code == 0
    hashed = sha256((project / "package" / "manifest.json").read_bytes()).hexdigest()
    assert uses(project)[0]["outcome"]["wrote"] == [{"name": "package", "manifest": hashed}]
    assert sfumato("verify", "package", "--log", "sfumato.log.jsonl").code == 0
    AuditLog(project / "other.jsonl").append({"use": "begin"})
    other = sfumato("verify", "package", "--log", "other.jsonl")
    assert other.code == 1
    assert "no line of the log names it" in other.said


def test_a_release_that_is_applied_is_named_by_its_hash(sfumato, project):
    assert sfumato("apply", "sfumato.yaml", "patients.csv", "-o", "release.csv").code == 0
    hashed = sha256((project / "release.csv").read_bytes()).hexdigest()
    assert uses(project)[0]["outcome"]["wrote"] == [{"name": "release.csv", "sha256": hashed}]


def test_a_log_that_the_environment_names_says_so_and_a_name_that_nobody_claims_is_the_account(
    sfumato, project, monkeypatch
):
    monkeypatch.setenv("SFUMATO_LOG", "sfumato.log.jsonl")
    monkeypatch.delenv("SFUMATO_USER")
    monkeypatch.setenv("LOGNAME", "somebody else")
    sfumato("assess")
    (use,) = uses(project)
    account = pwd.getpwuid(os.getuid()).pw_name
    assert (use["log"], use["who"]) == ("SFUMATO_LOG", {"name": account, "claimed": False, "account": account})


def test_no_value_that_was_typed_or_read_is_in_the_log(sfumato, project):
    marked = PATIENTS.replace("asthma", "MARKEDVALUE").replace("0999", "MARKED0999")
    (project / "patients.csv").write_text(marked, encoding="utf-8")
    for arguments in (
        ["assess", "--order", "diagnosis=MARKEDVALUE,migraine"],
        ["assess", "--missing-token", "MARKEDVALUE", "--scale", "diagnosis=nominal"],
        ["assess", "--bins", "postcode=1,2"],
        ["anonymise", "--out", "out", "--require", "MARKEDVALUE <= 2"],
        [
            "risk",
            "--no-attacks",
            "--subset",
            "{name: s, columns: [age], where: {column: diagnosis, equals: MARKEDVALUE}}",
        ],
        ["compare", "patients.csv", "patients.csv", "--mark", "MARKEDVALUE", "--quasi", "diagnosis", "--by-position"],
        ["explore", "--k", "MARKEDVALUE"],
        ["apply", "sfumato.yaml", "patients.csv", "-o", "release.csv"],
    ):
        sfumato(*arguments)
    assert len(uses(project)) == 8
    assert "MARKED" not in (project / "sfumato.log.jsonl").read_text()


def test_the_password_of_a_database_is_not_in_the_log():
    from sfumato.proof.use_log.entry import fingerprint

    assert fingerprint("postgresql://ada:secret@db/clinic") == {"name": "postgresql database", "sha256": None}


def test_a_folder_has_the_hash_of_its_files(tmp_path):
    from sfumato.proof.use_log.entry import fingerprint

    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.parquet").write_bytes(b"1")
    before = fingerprint(tmp_path / "parts")
    (tmp_path / "parts" / "a.parquet").write_bytes(b"2")
    assert before["sha256"] != fingerprint(tmp_path / "parts")["sha256"]


def test_log_shows_the_uses_and_verifies_them(sfumato, project):
    sfumato("assess")
    sfumato("assess", "--k", "2")
    shown = sfumato("log")
    assert shown.code == 0
    assert "2 uses" in shown.said
    assert "assess --k" in shown.said
    whole = sfumato("log", "--verify")
    assert whole.code == 0
    assert "The chain is whole" in whole.said


def test_log_finds_a_removed_line_and_names_it(sfumato, project):
    for _ in range(3):
        sfumato("assess")
    path = project / "sfumato.log.jsonl"
    kept = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*kept[:2], *kept[4:]]))
    done = sfumato("log", "--verify", "--json", "-")
    assert done.code == 1
    assert json.loads(done.out)["problems"] == ["Numbers 3 to 4 were removed."]


def test_log_checks_against_a_head_that_somebody_wrote_down(sfumato, project):
    sfumato("assess")
    sfumato("assess")
    head = lines(project)[-1]["hash"]
    assert sfumato("log", "--head", head).code == 0
    path = project / "sfumato.log.jsonl"
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    assert sfumato("log", "--head", head).code == 1
    (project / "sfumato.log.head").unlink()
    without = sfumato("log", "--verify")
    assert without.code == 1
    assert "The head beside the log is missing" in without.said


def test_a_second_head_is_kept_where_the_environment_says_and_finds_what_both_files_hide(sfumato, project, monkeypatch):
    monkeypatch.setenv("SFUMATO_LOG_HEAD", "elsewhere.head")
    sfumato("assess")
    before = {name: (project / name).read_bytes() for name in ("sfumato.log.jsonl", "sfumato.log.head")}
    sfumato("assess")
    assert sfumato("log", "--verify", "--head", "elsewhere.head").code == 0
    for name, content in before.items():
        (project / name).write_bytes(content)
    assert sfumato("log", "--verify").code == 0
    found = sfumato("log", "--verify", "--head", "elsewhere.head")
    assert found.code == 1
    assert "lines were removed or replaced" in found.said
    refused = sfumato("assess")
    assert (refused.code, refused.out) == (2, "")
    assert "is no head of the log" in refused.err


def test_a_head_that_is_none_is_refused(sfumato, project):
    sfumato("assess")
    assert "neither the hash of a head nor a file" in sfumato("log", "--head", "nothing.head").err


def test_log_without_a_log_is_an_error(sfumato):
    done = sfumato("log")
    assert done.code == 2
    assert "no log of use" in done.err


def test_a_file_that_is_no_log_is_refused_rather_than_shown_as_empty(sfumato, tmp_path):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    ran = sfumato("log", tmp_path / "other.csv")
    assert ran.code == 2
    assert "no log of use" in ran.said
    assert sfumato("log", tmp_path / "other.csv", "--verify").code == 1
