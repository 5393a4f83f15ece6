"""The command line as a person uses it: in this process for speed, or as a program of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(sys.executable).with_name("sfumato")


@dataclass(frozen=True)
class Outcome:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)

    @property
    def said(self) -> str:
        """All that it said, on one line, since a terminal breaks lines where it likes."""
        return " ".join((self.out + " " + self.err).split())


Command = Callable[..., Outcome]


@pytest.fixture
def sfumato(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Run a command in this process, in an empty folder, errors translated as for a person."""
    from sfumato.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BIOSTREAMS_PILOT", raising=False)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["sfumato", *map(str, arguments)])
        code: Any = 0
        try:
            main()
        except SystemExit as stopped:
            code = stopped.code or 0
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture
def program(tmp_path: Path) -> Command:
    """Run the installed program in a process of its own, in an empty folder."""

    def run(
        *arguments: object,
        limit: int | None = None,
        env: dict[str, str] | None = None,
        encoding: str = "utf-8",
    ) -> Outcome:
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "200", **(env or {})},
            capture_output=True,
            encoding=encoding,
            timeout=120,
            preexec_fn=None if limit is None else lambda: _files_at_most(limit),
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


def _files_at_most(size: int) -> None:
    """No file may grow beyond this: writing more fails, as on a disk that is full."""
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
