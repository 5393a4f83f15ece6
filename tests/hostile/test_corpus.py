"""Hostile files: every case is answered rightly or refused clearly, in a child that is watched.

Of every case the first command of its kind is run here; `tests/soak` runs every command on every case.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from tests.hostile.case import Place, file_case, text
from tests.hostile.commands import EVERY
from tests.hostile.corpus import all_cases, sliced
from typer.main import get_command

from sfumato.cli import app

ROOT = Path(__file__).parents[2]
Outcomes = dict[str, list[dict[str, Any]]]
# Of the campaign of 18 November 2026: a pipe was waited for, and names of columns moved the cursor.
FELL = [("log-is-pipe", "release"), ("csv-names-terminal", "report")]


def outcomes_of(extent: str, folder: Path, *names: str, seconds: int) -> Outcomes:
    """What the commands did with the cases, by case, run by a process that forks for each command."""
    results = folder / "outcomes.jsonl"
    subprocess.run(
        [sys.executable, "-m", "tests.hostile.run", str(results), extent, str(folder / "work"), *names],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=True, timeout=seconds,
    )  # fmt: skip
    outcomes: Outcomes = defaultdict(list)
    for line in results.read_text(encoding="utf-8").splitlines():
        outcome = json.loads(line)
        outcomes[outcome["case"]].append(outcome)
    return outcomes


def faults(outcomes: list[dict[str, Any]]) -> list[str]:
    """What is wrong with the outcomes of a case, each with its command."""
    return [f"{each['command']}: {fault}\n{each['said'][-500:]}" for each in outcomes for fault in each["faults"]]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    return outcomes_of("slice", tmp_path_factory.mktemp("hostile"), seconds=900)


@pytest.mark.parametrize("case", sliced(), ids=lambda case: case.name)
def test_a_hostile_case_is_answered_rightly_or_refused_clearly(case: Any, outcomes: Outcomes) -> None:
    assert outcomes[case.name], f"{case.what} No command was run on it."
    assert not faults(outcomes[case.name]), case.what


@pytest.mark.parametrize(("case", "command"), FELL)
def test_a_command_stands_the_case_at_which_it_fell_in_a_campaign(
    case: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOSTILE_COMMAND", command)
    (outcome,) = outcomes_of("every", tmp_path, case, seconds=300)[case]
    assert outcome["command"] == command
    assert not faults([outcome])


def test_the_corpus_has_every_kind_of_file_and_says_what_each_case_is() -> None:
    cases = all_cases()
    kinds = {case.kind for case in cases}
    assert kinds == {"table", "project", "plan", "hierarchy", "package", "log", "answers", "secret"}
    endings = (
        "csv gz tsv xlsx xls xlsb ods parquet folder arrow arrows feather json ndjson xpt sas7bdat sav zsav por dta "
        "rds rda rdata duckdb sqlite"
    )
    assert set(endings.split()) <= {case.name.partition("-")[0] for case in cases}
    assert all(case.what.endswith(".") for case in cases)
    assert len(cases) >= 800


def test_every_command_of_the_campaign_has_options_that_the_program_knows(tmp_path: Path) -> None:
    """One with an option that there is none is refused before it has seen the case: it would stand every one."""
    case, out = file_case("good", "A table as it should be.", "good.csv", text()), tmp_path / "out"
    given = case.make(Place(tmp_path))
    for arguments in EVERY.values():
        parse(get_command(app), [str(word) for word in arguments(case, given, out)])
    with pytest.raises(Exception, match="No such option"):
        parse(get_command(app), ["report", str(given), "--out", str(out)])


def parse(command: Any, words: list[str], within: Any = None) -> None:
    """Let the program read the words of a command, and run nothing."""
    context = command.make_context(command.name, words, parent=within)
    if hasattr(command, "resolve_command"):
        _, inner, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        parse(inner, rest, context)
