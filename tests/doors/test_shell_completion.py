"""Completion in shells: what the tab key gives, and what installing it writes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who has a home of their own and `sfumato` on the path."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "sfumato"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m sfumato "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    return {**os.environ, "HOME": str(tmp_path), "PATH": path, "PYTHONPATH": str(ROOT / "src")}


def told(shell: dict[str, str], *command: str, **more: str) -> str:
    done = subprocess.run(command, env={**shell, **more}, cwd=shell["HOME"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def completed(words: str) -> str:
    """A script for bash that presses the tab key after some words, and prints what it gives."""
    given = f"COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))"
    return f'{given}; _sfumato_completion sfumato; printf "%s\\n" "${{COMPREPLY[@]}}"'


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("sfumato ass", ["assess"]),
        ("sfumato plan st", ["steps"]),
        ("sfumato assess patients.csv --qu", ["--quasi", "--query"]),
    ],
)
def test_bash_completes_commands_and_options(shell: dict[str, str], words: str, given: list[str]) -> None:
    told(shell, "bash", "-c", "_SFUMATO_COMPLETE=source_bash sfumato > lines")
    assert told(shell, "bash", "-c", f"source lines; {completed(words)}").split() == given


def test_what_is_installed_for_bash_completes_in_the_next_terminal(shell: dict[str, str]) -> None:
    pytest.importorskip("shellingham")
    said = told(shell, "bash", "-c", "sfumato --install-completion; true")
    assert str(Path(shell["HOME"], ".bash_completions", "sfumato.sh")) in said
    assert told(shell, "bash", "-c", f"source ~/.bashrc; {completed('sfumato ass')}") == "assess\n"


def test_what_is_shown_is_what_is_installed(shell: dict[str, str]) -> None:
    shown = told(shell, "bash", "-c", "sfumato --show-completion; true")
    told(shell, "bash", "-c", "sfumato --install-completion; true")
    assert Path(shell["HOME"], ".bash_completions", "sfumato.sh").read_text(encoding="utf-8").strip() == shown.strip()


def test_zsh_and_fish_are_told_what_a_command_does(shell: dict[str, str]) -> None:
    asked = {"_TYPER_COMPLETE_ARGS": "sfumato ass", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    for name in ("zsh", "fish"):
        assert "sfumato" in told(shell, "sfumato", _SFUMATO_COMPLETE=f"source_{name}")
        answer = told(shell, "sfumato", _SFUMATO_COMPLETE=f"complete_{name}", **asked)
        assert "assess" in answer
        assert "Which records are at risk" in answer


def test_fish_completes_where_there_is_one(shell: dict[str, str]) -> None:
    if shutil.which("fish") is None:
        pytest.skip("there is no fish here")
    Path(shell["HOME"], "lines").write_text(told(shell, "sfumato", _SFUMATO_COMPLETE="source_fish"), encoding="utf-8")
    lines = told(shell, "fish", "--no-config", "-c", "source ~/lines; complete -C 'sfumato ass'")
    assert [line.split("\t")[0] for line in lines.splitlines()] == ["assess"]


def test_completing_loads_no_engine_and_opens_no_data(shell: dict[str, str]) -> None:
    code = "import sys\ntry:\n    from sfumato.cli import main; main()\nfinally:\n    print(*sys.modules)"
    asked = {"_SFUMATO_COMPLETE": "complete_bash", "COMP_WORDS": "sfumato assess nowhere.csv --qu", "COMP_CWORD": "3"}
    *options, loaded = told(shell, sys.executable, "-c", code, **asked).splitlines()
    assert options == ["--quasi", "--query"]
    assert {"duckdb", "pyarrow", "numpy", "sqlglot", "yaml"}.isdisjoint(loaded.split())
