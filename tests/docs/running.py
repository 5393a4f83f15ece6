"""Running what a page shows: commands in this process, snippets, and files that a page adds to a family."""

from __future__ import annotations

import doctest
import importlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.docs.pages import blocks

from sfumato import cli

MEMBER = re.compile(r"# src/sfumato/([\w/]+)/(\w+)\.py\n")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

# What somebody types who is asked questions at the terminal.
ANSWERS = ["hospitel", "4", "no", "no", "no", *["yes"] * 6, "no", *["yes"] * 3, "8"]
DECISIONS = ["k", "keep the age is in the newspaper", "k", "", "quasi neighbours know it", "q"]


class Keyboard(io.StringIO):
    """What somebody types at a terminal."""

    def isatty(self) -> bool:
        return True


# The first repeats what comes from elsewhere than a terminal, as a terminal would; the second asks at a terminal only.
TYPED: dict[str, Callable[[], io.StringIO]] = {
    "sfumato recipient --save answered.yaml": lambda: io.StringIO("\n".join(ANSWERS) + "\n"),
    "sfumato confirm patients.csv --by 'J. Doe' --on 2026-05-31": lambda: Keyboard("\n".join(DECISIONS) + "\n"),
}


def printed(line: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of a command, and what it prints."""
    if line.startswith("cd "):
        monkeypatch.chdir(shlex.split(line)[1])
        return 0, ""
    if not line.startswith("sfumato "):
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr
    monkeypatch.setattr(sys, "argv", shlex.split(line, comments=True))
    if line in TYPED:
        monkeypatch.setattr(sys, "stdin", TYPED[line]())
    capfd.readouterr()
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capfd.readouterr()
    return int(end.value.code or 0), err + out if line in TYPED else out + err


def agrees(shown: str, found: str) -> bool:
    """Whether what a page shows is what was printed; a line `...` stands for any lines."""
    shown, found = ("\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n" for text in (shown, found))
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*".join(parts), found) is not None


def members(page: str) -> Iterator[tuple[str, str, str]]:
    """The files that a page adds to a family: the family, the name, and the text."""
    for block in blocks(page, "python"):
        if member := MEMBER.match(block.text):
            yield member[1], member[2], block.text


def join(family: str, name: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a file into a family, as if it stood in the package, and run its own examples."""
    (folder / family).mkdir(parents=True, exist_ok=True)
    (folder / family / f"{name}.py").write_text(text, encoding="utf-8")
    room = f"sfumato.{family.replace('/', '.')}"
    package = importlib.import_module(room)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder / family)])
    importlib.invalidate_caches()
    monkeypatch.delitem(sys.modules, f"{room}.{name}", raising=False)
    module = importlib.import_module(f"{room}.{name}")
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0


def run_examples(text: str, names: dict[str, object], where: str) -> None:
    """Run a block of examples with the names of the blocks before it."""
    test = doctest.DocTestParser().get_doctest(text, names, where, None, None)
    assert test.examples, f"{where} has no example"
    found: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    assert runner.run(test, out=found.append, clear_globs=False).failed == 0, "".join(found)
    names.update(test.globs)
