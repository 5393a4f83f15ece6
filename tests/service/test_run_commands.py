"""The options of runs are those of the command line, and what a run does is what the command line does."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from functools import reduce
from pathlib import Path

import pytest
import typer.main
from tests.service.conftest import a_world
from tests.service.run_world import TABLE, state_of, with_project
from tests.service.test_client import of as connected

from sfumato.cli import app
from sfumato.errors import Conflict
from sfumato.proof.use_log.chain import Chain
from sfumato.service import runs
from sfumato.service.project_key import project_key
from sfumato.service.run_commands import COMMANDS
from sfumato.service.run_options import OptionKind, WrongOption
from sfumato.service.run_queue import claim
from sfumato.service.settings import Settings
from sfumato.service.versions import put_file
from sfumato.service.worker import Worker

PROGRAM = typer.main.get_command(app)
PLAN = b"""steps:
  - generalise: {column: age, level: 1, hierarchy: {kind: intervals, width: 10}}
  - recode: {column: sex, mapping: {F: person, M: person}}
"""


def typed_options(verb):
    """The options of a command by name, also where it is one of several under a name, as `plan effects` is."""
    command = reduce(lambda above, name: above.commands[name], verb.split(), PROGRAM)
    listed = ((name, one) for one in command.params for name in (*one.opts, *one.secondary_opts))
    return {name[2:]: one for name, one in listed if name.startswith("--")}


def arguments(verb):
    """What stands without a name after a command, in its order."""
    command = reduce(lambda above, name: above.commands[name], verb.split(), PROGRAM)
    return [one.name for one in command.params if one.param_type_name == "argument"]


def named(command):
    """The options of a run that have their name on the command line as well."""
    return [option for option in command.options if option.name not in (command.before_table, command.after_table)]


def numbers(typed):
    """The kind and the bounds of a number: Typer keeps them in the option, and older versions in its type."""
    kept = getattr(typed, "type_descriptor", None)
    if kept is not None:
        return kept.annotation.__name__, typed.min, typed.max
    return typed.type.name, getattr(typed.type, "min", None), getattr(typed.type, "max", None)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.verb)
def test_every_option_of_a_run_is_one_of_the_command_line_with_the_same_bounds(command):
    known = typed_options(command.verb)
    typed_alone = [name for name in (command.before_table, "data", command.after_table) if name]
    assert arguments(command.verb) == typed_alone or len(typed_alone) == 1
    for option in named(command):
        typed = known[option.name]
        flag = option.kind is OptionKind.FLAG
        assert typed.is_flag is flag, option.name
        several = option.kind in (OptionKind.TEXTS, OptionKind.NAMES, OptionKind.NUMBERS, OptionKind.PAIRS)
        assert typed.multiple is several or flag or option.name in ("by", "order"), option.name
        kinds = {OptionKind.WHOLE: "int", OptionKind.NUMBER: "float"}
        if option.kind in kinds:
            name, least, most = numbers(typed)
            assert name.startswith(kinds[option.kind]), option.name
            assert least is None or option.least >= least
            assert most is None or (option.most or 0) <= most
        for choice in option.choices:
            assert (
                choice in typed.help
                or choice == typed.default
                or choice in (typed.metavar or "")
                or "see: " in typed.help
            ), choice
    for output in command.outputs:
        assert output.option in known
    for word in command.fixed:
        assert word[2:].partition("=")[0] in known
    assert not command.signs or "key" in known
    assert ("project" in known) or not command.project


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.verb)
def test_no_option_of_a_run_takes_a_file_or_an_address(command):
    files = {"out", "json", "html", "markdown", "evidence", "original", "released", "hierarchy", "hierarchies", "log",
             "key-file", "secret", "population", "dictionary", "recipient", "master", "query", "table", "allow", "project"}  # fmt: skip # noqa: E501
    assert not files & {option.name for option in command.options}
    typed = typed_options(command.verb)
    for option in named(command):
        if option.kind is not OptionKind.PLAN:
            assert typed[option.name].metavar not in ("FILE", "DIR", "DATA", "URL"), option.name


VERBS = (
    ("columns", {}), ("identify", {"write": True}), ("assess", {"k": 2}), ("anonymise", {"method": "mondrian"}),
    ("release", {"no-report": True}), ("tabulate", {"by": ["sex"]}), ("safe-harbor", {}), ("context", {}),
    ("explore", {"k": [2, 3], "method": ["mondrian"]}), ("report", {"no-curve": True, "no-attacks": True}),
    ("apply", {"plan": "plan.yaml", "release-rest": True}), ("plan effects", {"plan": "plan.yaml", "quasi": ["age"]}),
    ("hierarchy", {"column": "age", "kind": "intervals", "set": {"width": "10"}}),
    ("dimension", {"quasi": ["age", "sex"], "sensitive": ["diagnosis"], "plan": "plan.yaml"}),
)  # fmt: skip
AFTER = (
    ("compare", {"quasi": ["age", "sex"], "by-position": True}),
    ("risk", {"no-attacks": True, "by-position": True}),
)


def done(world, verb, options, **more):
    caller = world.caller("stella")
    handle = runs.start(world.service, caller, "clinic", runs.RunWanted(verb, options, **more)).handle
    worker = Worker(world.service, (sys.executable, "-m", "sfumato"))
    worker.take(claim(world.service, worker.name))
    run = state_of(world.service, handle)
    assert run.state == "done", (verb, run.problem)
    return run


def names(run):
    return {file["name"] for file in run.result["files"]}


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    world = a_world(tmp_path_factory.mktemp("verbs") / "root", Settings(run_memory=3 * 10**9))
    with_project(world)
    put_file(world.service, world.caller("stella"), "clinic", "plan.yaml", PLAN, require=lambda _hash: None)
    return world


def test_a_release_is_signed_verified_and_kept_with_its_choice_and_its_log(clinic):
    released = done(clinic, "release", {"no-report": True})
    assert {"package/manifest.json", "package/released.csv", "use.log.jsonl", "result.json"} <= names(released)
    assert not {"sfumato.key", "signing.pem"} & names(released)
    assert "package/released.csv" in {file["name"] for file in released.result["files"] if file["rows"]}
    verified = done(clinic, "verify", {}, earlier=released.handle)
    assert verified.result["met"] is True, clinic.service.storage.read(verified.result["files"][0]["sha256"]).decode()
    uses = Chain.of(clinic.service.events.log, verify=True)
    assert uses.problems == ()
    ended = [use["outcome"] for use in uses.uses if use["command"]["name"] == "run.work"]
    assert len(ended[0]["log_head"]) == 64
    work = Path(clinic.service.storage.work)
    assert list(work.iterdir()) == []


def test_a_plan_is_applied_by_a_run_and_its_release_is_what_the_command_line_makes(clinic, tmp_path):
    applied = done(clinic, "apply", {"plan": "plan.yaml", "release-rest": True})
    assert applied.command == (
        "sfumato apply --release-rest --json=result.json --out=released.csv -- plan.yaml patients.csv"
    )
    files = {file["name"]: file for file in applied.result["files"]}
    assert files["released.csv"]["rows"] is True
    assert files["released.csv.provenance.json"]["rows"] is False
    (tmp_path / "plan.yaml").write_bytes(PLAN)
    (tmp_path / "patients.csv").write_text(TABLE)
    (tmp_path / "sfumato.key").write_bytes(project_key(clinic.service, clinic.caller("stella"), "clinic"))
    (tmp_path / "sfumato.key").chmod(0o600)
    typed = [sys.executable, "-m", *shlex.split(applied.command)]
    subprocess.run(typed, cwd=tmp_path, check=True, capture_output=True)
    released = clinic.service.storage.read(files["released.csv"]["sha256"])
    assert released == (tmp_path / "released.csv").read_bytes()


def test_without_a_plan_named_it_is_the_one_of_the_project_file(clinic):
    wanted = runs.RunWanted("plan effects", {"quasi": ["age"]})
    queued_run = runs.start(clinic.service, clinic.caller("stella"), "clinic", wanted)
    assert queued_run.command == "sfumato plan effects --quasi=age --json=result.json -- sfumato.yaml patients.csv"
    runs.cancel(clinic.service, clinic.caller("stella"), "clinic", queued_run.handle)


def test_a_hierarchy_shows_values_so_that_all_of_it_is_opened_as_rows(clinic):
    made = done(clinic, "hierarchy", {"column": "age", "kind": "intervals", "set": {"width": "10"}})
    assert {file["rows"] for file in made.result["files"]} == {True}
    with pytest.raises(Conflict, match="as rows"):
        runs.document(clinic.service, clinic.caller("stella"), "clinic", made.handle)
    service = connected(clinic, "stella")
    result = service.project("clinic").run(made.handle).wait()
    assert result.document["column"] == "age"
    lines = (result.save(Path(clinic.service.root).parent / "hierarchy") / "hierarchy.csv").read_text().splitlines()
    assert len(lines) > len(TABLE.splitlines()) - 2


@pytest.mark.parametrize(
    ("verb", "options"),
    [("hierarchy", {}), ("hierarchy", {"column": "age", "kind": "from_file", "set": {"path": "/etc/passwd"}}),
     ("apply", {"plan": "/etc/passwd"}), ("apply", {"plan": "../plan.yaml"}), ("study bio-streams", {})],
)  # fmt: skip
def test_no_run_without_its_column_by_a_file_of_the_server_or_of_no_verb(clinic, verb, options):
    with pytest.raises(WrongOption):
        runs.start(clinic.service, clinic.caller("stella"), "clinic", runs.RunWanted(verb, options))


@pytest.mark.soak
def test_every_verb_does_as_a_run_what_it_does_on_the_command_line(clinic):
    """The starts of seventeen commands: `make soak` has time for them."""
    by_verb = {verb: done(clinic, verb, options) for verb, options in VERBS}
    for verb, options in AFTER:
        by_verb[verb] = done(clinic, verb, options, earlier=by_verb["anonymise"].handle)
    by_verb["verify"] = done(clinic, "verify", {}, earlier=by_verb["release"].handle)
    assert {command.verb for command in COMMANDS} == set(by_verb)
    for verb, run in by_verb.items():
        assert "result.json" in names(run), verb
        json.loads(
            clinic.service.storage.read(next(f["sha256"] for f in run.result["files"] if f["name"] == "result.json"))
        )
