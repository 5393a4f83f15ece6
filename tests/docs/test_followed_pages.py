"""README and the tutorials can be followed literally: from the first line to the last, in a folder that is empty.

All that a reader has is what the commands of the page have written before. What installs (`make`, `pip`) is only read,
here as elsewhere; everything else is run, commands and snippets in the order in which they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.docs.commands import RUNNABLE, fault, not_run
from tests.docs.pages import FOLLOWED, Block, blocks, commands_in, inline
from tests.docs.running import agrees, printed, run_examples

WRITTEN = re.compile(r"[\w./-]+\.(csv|yaml|html|json|parquet)")  # how a page names a file


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def follow(page: Iterable[Block], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Do what a page says, block by block."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in page:
        if block.language == "python":
            exec(compile(block.text, block.place, "exec"), names)
        elif block.language == "pycon":
            run_examples(block.text, names, block.place)
        else:
            type_in(block, monkeypatch, capfd)


def type_in(block: Block, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    for command in commands_in(block):
        if not command.line.startswith(RUNNABLE) or not_run(command.line):
            assert fault(command.line) is None
            continue
        code, told = printed(command.line, monkeypatch, capfd)
        assert code in command.codes, f"{block.place}: {command.line}\n{told}"
        assert command.output is None or agrees(command.output, told), f"{block.place}: {command.line}\n{told}"


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_page_can_be_followed_from_top_to_bottom_in_an_empty_folder(
    name: str, empty: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    follow(blocks(name, "sh", "bash", "console", "python", "pycon"), monkeypatch, capfd)
    if name == "README.md":
        files = {path.relative_to(Path.cwd()).as_posix() for path in Path.cwd().rglob("*")}
        named = {code for code in inline(name) if WRITTEN.fullmatch(code)}
        assert {"patients.csv", "clinic.yaml", "package/report.html"} <= files
        assert named - files == set(), "README names files that nobody has who followed it"


def test_a_page_that_speaks_of_a_file_which_nobody_wrote_would_not_pass(
    empty: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    page = [
        Block("page.md", 1, "sh", "sfumato demo --table ms --rows 40\ncd demo\nsfumato columns ms_registry.csv\n"),
        Block("page.md", 5, "sh", "sfumato columns visits.csv\n"),
    ]
    with pytest.raises(AssertionError, match=r"page.md, line 5: sfumato columns visits.csv"):
        follow(page, monkeypatch, capfd)


def test_a_page_that_asks_for_a_target_that_is_not_there_would_not_pass(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AssertionError, match="there is no target everything"):
        follow([Block("page.md", 1, "sh", "make everything\n")], monkeypatch, capfd)
