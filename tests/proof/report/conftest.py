"""Tables and projects that reports are made of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.proof.report.browser import FONTS, Browser, font_file
from tests.proof.report.made_up import PROJECT, csv, patients


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with a table and its project file."""
    (tmp_path / "patients.csv").write_text(csv(patients()), encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(monkeypatch, capfd):
    """A command: exit code, output, error stream."""
    from sfumato.cli import main

    def command(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sfumato", *arguments])
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capfd.readouterr()
        return int(stopped.value.code or 0), out, err

    return command


@pytest.fixture(scope="session")
def browser(tmp_path_factory) -> Iterator[Browser]:
    """One Chromium for all tests; they are skipped where there is none."""
    chromium = Browser(tmp_path_factory.mktemp("chromium"))
    yield chromium
    chromium.close()


@pytest.fixture(scope="session", params=FONTS)
def any_browser(request, tmp_path_factory) -> Iterator[Browser]:
    """A Chromium with each set of fonts."""
    fonts = font_file(request.param, tmp_path_factory.mktemp("fonts"))
    chromium = Browser(tmp_path_factory.mktemp("chromium"), fonts)
    yield chromium
    chromium.close()
