"""A node: what comes into its inbox is released by its projects, once, by the line that its unit runs every night."""

import configparser
import fcntl
import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from tests.doors.conftest import PROGRAM

from sfumato.errors import OutputError, ProjectError, UnreadableFile
from sfumato.proof.node import ExtractState, run_node
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import AuditLog
from sfumato.proof.verify import verify

DEPLOY = Path(__file__).parents[2] / "deploy"
PLANTED = "zyzzogeton"  # a value of a cell, which must not be said anywhere
PROJECT = """\
data: {source: extract.csv}
columns:
  age: {role: quasi}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
anonymise: {suppress: 0.2, method: optimal}
"""


def extract(people=60, first=30):
    """Sixty people of twenty ages."""
    rows = [f"{first + n % 20},{'FM'[n % 2]},{PLANTED if n % 3 else 'other'}" for n in range(people)]
    return "\n".join(["age,sex,diagnosis", *rows]) + "\n"


def node_of(folder, **projects):
    for name, project in projects.items():
        (folder / "projects" / name).mkdir(parents=True)
        (folder / "projects" / name / "sfumato.yaml").write_text(project)
        (folder / "inbox" / name).mkdir(parents=True)
    return folder


def unit(name):
    """A unit as systemd reads it, as far as it is used here."""
    read = configparser.ConfigParser(interpolation=None, strict=False)
    read.optionxform = str
    read.read_string((DEPLOY / name).read_text())
    return read


def nightly(node):
    """What the timer starts, on another folder and with the program under test."""
    service = unit("sfumato-node.service")["Service"]
    words = shlex.split(service["ExecStart"])
    assert words[0] == "/opt/sfumato/bin/sfumato"
    said = dict(word.split("=", 1) for word in shlex.split(service["Environment"]))
    assert said == {"SFUMATO_NODE": "/srv/sfumato"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SFUMATO_")}
    env = {**kept, "SFUMATO_NODE": str(node)}
    return subprocess.run([PROGRAM, *words[1:]], cwd="/", env=env, capture_output=True, text=True, timeout=120)


def files_in(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def log_lines(node):
    return [json.loads(line) for line in (node / "log" / "sfumato.log.jsonl").read_text().splitlines()]


def test_the_timer_starts_the_unit_every_night():
    timer = unit("sfumato-node.timer")
    assert timer["Timer"]["OnCalendar"] == "*-*-* 02:15:00"
    assert timer["Timer"]["Persistent"] == "yes"
    assert "Unit" not in timer["Timer"]  # so it is the service of the same name
    service = unit("sfumato-node.service")["Service"]
    assert (service["User"], service["PrivateNetwork"], service["ReadOnlyPaths"]) == (
        "sfumato", "yes", "-/srv/sfumato/inbox",
    )  # fmt: skip


def test_a_nightly_run_releases_a_new_extract_and_the_next_one_does_nothing(tmp_path):
    node = node_of(tmp_path / "node", clinic=PROJECT)
    (node / "inbox" / "clinic" / "monday.csv").write_text(extract())
    first = nightly(node)
    assert first.returncode == 0, first.stderr
    lines = [json.loads(line) for line in first.stderr.splitlines()]
    assert all({"time", "level", "message"} <= set(line) for line in lines)
    assert lines[-3]["message"] == "clinic: monday.csv released: releases/clinic/0001"
    assert lines[-2]["message"] == "1 released; 1 project, 0 extracts released before."
    assert lines[-1]["exit"] == 0
    assert first.stdout == ""
    assert PLANTED not in first.stderr
    package, evidence = node / "releases" / "clinic" / "0001", node / "evidence" / "clinic" / "0001"
    assert verify(package, evidence=evidence, original=str(node / "inbox" / "clinic" / "monday.csv")).agrees
    begin, end = log_lines(node)
    assert begin["command"]["name"] == "node"
    assert [one["name"] for one in begin["inputs"]] == ["monday.csv"]
    assert end["outcome"]["exit"] == 0
    assert end["outcome"]["wrote"][0]["name"] == "0001"
    assert Chain.of(AuditLog(node / "log" / "sfumato.log.jsonl"), verify=True).problems == ()
    before = files_in(node)
    second = nightly(node)
    assert second.returncode == 0
    assert "Nothing new: 1 project, 1 extract released before." in second.stderr
    assert files_in(node) == before


def test_a_policy_that_is_not_met_releases_nothing_and_the_others_are_released(tmp_path):
    strict = PROJECT.replace("at_least: 3", "at_least: 500")
    node = node_of(tmp_path, clinic=PROJECT, strict=strict)
    for name in ("clinic", "strict"):
        (node / "inbox" / name / "monday.csv").write_text(extract())
    run = run_node(node, report=False)
    assert [(one.project, one.state) for one in run.outcomes] == [
        ("clinic", ExtractState.RELEASED),
        ("strict", ExtractState.REFUSED),
    ]
    assert run.code == 1
    assert not list((node / "releases" / "strict").iterdir())
    assert not list((node / "evidence" / "strict").iterdir())
    end = log_lines(node)[-1]["outcome"]
    assert (end["exit"], end["verdict"]) == (1, "InfeasiblePolicy")
    assert end["reason"] == run.outcomes[1].words
    assert PLANTED not in (node / "log" / "sfumato.log.jsonl").read_text()
    again = run_node(node, report=False)
    assert [one.project for one in again.outcomes] == ["strict"]
    (node / "projects" / "strict" / "sfumato.yaml").write_text(PROJECT)
    assert run_node(node, report=False).code == 0


def test_what_is_wrong_with_one_project_stops_no_other(tmp_path):
    node = node_of(tmp_path, clinic=PROJECT, wrong="measures: many\n")
    (node / "inbox" / "nobody").mkdir()
    for name in ("clinic", "wrong", "nobody"):
        (node / "inbox" / name / "a.csv").write_text(extract())
    run = run_node(node, report=False)
    assert [(one.project, str(one.state)) for one in run.outcomes] == [
        ("clinic", "released"), ("nobody", "failed"), ("wrong", "failed"),
    ]  # fmt: skip
    assert run.code == 2
    assert [line["outcome"]["exit"] for line in log_lines(node)[1::2]] == [0, 2, 2]


def test_only_whole_files_are_extracts_and_the_same_content_is_released_once(tmp_path):
    node = node_of(tmp_path, clinic=PROJECT)
    inbox = node / "inbox" / "clinic"
    (tmp_path / "elsewhere.csv").write_text(extract(first=10))
    (inbox / "link.csv").symlink_to(tmp_path / "elsewhere.csv")
    for name in ("coming.csv.part", ".hidden.csv", "coming.tmp"):
        (inbox / name).write_text(extract(first=20))
    (inbox / "folder.csv").mkdir()
    assert run_node(node, report=False).outcomes == ()
    (inbox / "a.csv").write_text(extract())
    (inbox / "b.csv").write_text(extract())
    run = run_node(node, report=False)
    assert [one.extract for one in run.outcomes] == ["a.csv"]
    assert run.known == 1
    (inbox / "c.csv").write_text(extract(first=31))
    assert [one.words for one in run_node(node, report=False).outcomes] == ["releases/clinic/0002"]


def test_one_run_at_a_time(tmp_path):
    node = node_of(tmp_path, clinic=PROJECT)
    assert run_node(node).words == "Nothing new: 1 project, 0 extracts released before."
    with (node / "log" / "node.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(OutputError, match="Another run"):
            run_node(node)
    assert run_node(node).code == 0


def test_nothing_is_released_while_it_is_not_known_what_was(tmp_path):
    node = node_of(tmp_path, clinic=PROJECT)
    (node / "inbox" / "clinic" / "a.csv").write_text(extract())
    kept = node / "evidence" / "clinic" / "0001" / "released.csv.provenance.json"
    kept.parent.mkdir(parents=True)
    kept.write_text("{")
    with pytest.raises(UnreadableFile, match="not known what was released"):
        run_node(node)
    assert not (node / "releases").exists()


def test_a_folder_that_is_no_node_is_said_to_be_none(tmp_path):
    with pytest.raises(ProjectError, match="this is no node"):
        run_node(tmp_path)
    assert not list(tmp_path.iterdir())
