"""The command line, run in this process in an empty folder."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Answer = tuple[int, str, str]  # exit code, what was printed, what was said of errors

PATIENTS = """\
age,admitted,postcode,stage,diagnosis
34,2020-03-01,0151,II,E11.9
37,2020-03-15,0151,I,I10
31,2020-02-30,0203,II,E10.0
,tomorrow,0203,III,C50
"""


@pytest.fixture
def sfumato(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Answer]:
    from sfumato.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")

    def run(*arguments: object) -> Answer:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["sfumato", *map(str, arguments)])
        code: Any = 0
        try:
            main()
        except SystemExit as stopped:
            code = stopped.code or 0
        out, err = capsys.readouterr()
        return int(code), out, " ".join(err.split())

    return run
