"""No cell, identifier or secret in what a command says or writes: every command is run on marked data, to fail too."""

from __future__ import annotations

import html
import json
import os
import random
import shlex
import shutil
from collections.abc import Iterator
from datetime import date
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import pytest
import typer
from tests.doors.planted import Planted
from tests.doors.planted_folder import planted_folder
from tests.doors.planted_runs import RUNS

from sfumato.errors import SfumatoError

cli_app = import_module("sfumato.cli.app")  # `sfumato.cli.app` itself is the program, not its module

# Files that hold cells because that is what they are for; of these, only releases are for others.
ASKED_FOR = {
    "released.csv": "the release itself",
    "r.csv": "the release itself",
    "r.parquet": "the release itself",
    "r.xlsx": "the release itself",
    "flagged_*.csv": "who is at risk, for whoever keeps the data",
    "risky_rows_*.csv": "the same of a study",
    "combined_dataset.csv": "the table of a study",
    "recoding*.csv": "what a plan by combinations of values reads; never in a package",
    "hierarchy_*.csv": "a hierarchy that was given, for the plan that names it",
    "plan.yaml": "a plan holds what its author wrote",
    "sfumato.yaml": "a project file holds what its author wrote",
    "*.vault": "encrypted originals",
    "t-audit.csv": "what is hidden in a table of statistics, for whoever keeps the data",
}
# Runs that show cells on purpose, and of which columns.
SHOWN = {
    "hierarchy": ({"code", "age", "amount", "born"}, "it says that it shows the values of the column that is named"),
    "tabulate": ({"ward", "code"}, "a table has the values of its columns before its rows"),
    "plan show": ({"code"}, "it shows a plan as its author wrote it, and reads no data"),
}
READS_NO_DATA = {
    "plan show", "plan steps", "plan recipes", "recipient", "log", "key new", "demo", "glossary", "models", "measures",
    "presets", "schema", "report-use",
    "deliver",  # which reads the package, and goes on where it is told to, whatever cannot be checked
}  # fmt: skip


# tests/service/test_canaries.py searches for cells in what the service answers and writes.
OF_THE_SERVICE = {
    "serve", "worker", "open", "backup", "restore", "key rotate",
    "account list", "account create", "account close", "account role", "account reset",
}  # fmt: skip


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Planted]:
    folder = tmp_path_factory.mktemp("planted")
    return folder, planted_folder(folder)


@pytest.fixture
def planted(template, tmp_path) -> Planted:
    """The planted files in the folder of the test. They are links, which is quick: no command writes into a file.

    But for a log, to which lines are added.
    """

    def placed(source: str, target: str) -> None:
        (shutil.copy2 if source.endswith(".jsonl") else os.link)(source, target)

    shutil.copytree(template[0], tmp_path, dirs_exist_ok=True, copy_function=placed)
    return template[1]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def asked_for(file: str) -> bool:
    return any(fnmatch(Path(file).name, pattern) for pattern in ASKED_FOR)


def commands(group: Any, before: tuple[str, ...] = ()) -> Iterator[str]:
    """Every command that the program has, those that it does not list too."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*before, name))
        else:
            yield " ".join((*before, name))


CASES = [
    pytest.param(command, arguments, fails, id=f"{command} {arguments}")
    for command, runs in RUNS.items()
    for fails, listed in ((False, runs.well), (True, runs.badly))
    for arguments in listed
]


# The search


@pytest.mark.parametrize("shape", ["{}", "a{}b", "\x1b[31m{}\x1b[0m", '{{"{}": 1}}'])
def test_a_mark_is_found_however_it_is_written(shape):
    planted = Planted()
    word, number, day = planted.word("word"), planted.number("number"), date.fromisoformat(planted.day("day"))
    secret = planted.secret("secret")
    for text in (word, word.upper(), word.title(), f"é{word}", secret):
        for written in (text, json.dumps(text), html.escape(text), quote(text), repr(text), text.encode("utf-16-le")):
            found = shape.format(written) if isinstance(written, str) else written
            assert planted.found_in(found) == {"secret" if text == secret else "word"}, found
    whole = int(number)
    numbers = [f"{number}", f"{number:.1f}", f"{whole}", f"{round(number)}", f"{number:e}", f"{number:.6g}"]
    numbers += [f"{whole:,}".replace(",", sign) for sign in (",", "_", " ", "'", ".", "\u202f", "&nbsp;")]
    for text in numbers:
        assert planted.found_in(shape.format(text)) == {"number"}, text
    for form in ("%Y-%m-%d", "%Y%m%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d %B %Y", "%d %b %Y", "%B %d, %Y"):
        assert planted.found_in(shape.format(day.strftime(form))) == {"day"}, form
    assert planted.found_in(secret.encode().hex()) == {"secret"}


def test_nothing_is_found_where_nothing_was_planted():
    planted = Planted()
    assert len(planted.rows) == 40
    others = Planted(chance=random.Random(9)).rows
    assert planted.found_in(json.dumps(others)) == set()
    assert planted.found_in(json.dumps(planted.rows, default=str)) == set(planted.rows[0])


# The commands


def test_every_command_of_the_program_is_run_here():
    from sfumato.cli import app

    assert set(commands(typer.main.get_command(app))) - OF_THE_SERVICE == set(RUNS)


def test_every_command_is_made_to_fail_but_those_that_cannot():
    assert [command for command, runs in RUNS.items() if not runs.badly] == ["plan recipes"]


@pytest.mark.parametrize(("command", "arguments", "fails"), CASES)
def test_nothing_of_the_data_is_in_what_a_command_says_or_writes(sfumato, tmp_path, planted, command, arguments, fails):
    before = contents(tmp_path)
    outcome = sfumato(*shlex.split(command), *shlex.split(arguments))
    assert (outcome.code == 2) == fails, outcome.said
    assert "unforeseen" not in outcome.err
    written = {name: text for name, text in contents(tmp_path).items() if before.get(name) != text}
    told = {name: text for name, text in written.items() if not asked_for(name)}
    found = {name: planted.found_in(text) for name, text in {**told, "out": outcome.out, "err": outcome.err}.items()}
    shown = SHOWN.get(command, (set(), ""))[0] if not fails else set()
    leaks = {name: where - shown for name, where in found.items() if where - shown}
    assert leaks == {}


# What nobody foresaw


class Failing:
    """A connection that fails after a number of statements, with a message that quotes a cell."""

    def __init__(self, connection: Any, error: Exception, after: int) -> None:
        self.connection, self.error, self.left = connection, error, after

    def __getattr__(self, name: str) -> Any:
        if name not in ("execute", "sql"):
            return getattr(self.connection, name)
        self.left -= 1
        if self.left < 0:
            raise self.error
        return getattr(self.connection, name)


@pytest.mark.parametrize(
    ("kind", "after"),
    [(duckdb.ConversionException, 0), (RuntimeError, 6)],
)
@pytest.mark.parametrize("command", [command for command in RUNS if command not in READS_NO_DATA])
def test_an_engine_that_fails_shows_nothing_of_the_data(sfumato, tmp_path, planted, monkeypatch, command, kind, after):
    mark = planted.word("broken")
    connect, before = duckdb.connect, contents(tmp_path)
    error = kind(f"Could not convert string '{mark}' to INT32\nLINE 1: SELECT '{mark}'")
    monkeypatch.setattr(duckdb, "connect", lambda *given, **more: Failing(connect(*given, **more), error, after))
    raised: list[BaseException] = []
    told = cli_app._told
    monkeypatch.setattr(cli_app, "_told", lambda error, stop: (raised.append(error), told(error, stop))[1])
    outcome = sfumato(*shlex.split(command), *shlex.split(RUNS[command].well[0]))
    assert outcome.code == 2, outcome.said
    assert len(outcome.err.splitlines()) == 1
    ours = [each for each in raised if isinstance(each, SfumatoError)]
    assert [(each.__context__, each.__cause__) for each in ours] == [(None, None)] * len(ours)
    written = {name: text for name, text in contents(tmp_path).items() if before.get(name) != text}
    found = {name: planted.found_in(text) for name, text in {**written, "out": outcome.out, "err": outcome.err}.items()}
    assert {name: where for name, where in found.items() if where} == {}


@pytest.mark.parametrize("command", sorted(READS_NO_DATA - {"recipient", "key new", "demo", "schema", "plan show"}))
def test_a_fault_of_the_program_shows_nothing_but_its_kind_and_place(sfumato, planted, monkeypatch, command):
    from sfumato.cli import output

    def fail(*given: object) -> None:
        mark = planted.word("local")
        raise RuntimeError(f"{mark} in a message, and in a local variable: {mark!r}")

    monkeypatch.setattr(output, "write", fail)
    arguments = RUNS[command].well[0].split(" --json")[0]
    outcome = sfumato(*shlex.split(command), *shlex.split(arguments), "--json", "-")
    assert outcome.code == 2, outcome.said
    assert outcome.err.startswith("sfumato: Something unforeseen went wrong (RuntimeError at test_no_values.py, line ")
    assert len(outcome.err.splitlines()) == 1
    assert planted.found_in(outcome.out + outcome.err) == set()


def test_the_package_holds_no_cell_but_in_the_release(template):
    """Mappings and conditions of a plan stay with the steward, who wrote them."""
    folder, planted = template
    found = {name: planted.found_in(text) for name, text in contents(folder / "whole").items()}
    assert found.pop("released.csv")
    assert {name: where for name, where in found.items() if where} == {}
    stays = {name: planted.found_in(text) for name, text in contents(folder / "whole-evidence").items()}
    assert stays.pop("plan.yaml") == {"code"}
