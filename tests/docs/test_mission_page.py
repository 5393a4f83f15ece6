"""The page on the mission: every item once, and whatever it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "mission.md").read_text(encoding="utf-8")
ITEM = r"(?:S[0-4]\.\d+|A[0-4]-\d+|X-\d+)"
ROWS = {  # the cells of each row by its item: in our words, where, shown by
    item: tuple(cell.strip() for cell in cells.split(" | "))
    for item, cells in re.findall(rf"^\| ({ITEM}) \| (.*) \|$", PAGE, re.MULTILINE)
}
UNSHOWN = "no test of its own"
LESS = ("**Partly.**", "**Not done.**")


@cache
def functions(file: Path) -> frozenset[str]:
    """The functions that a test file defines."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def named_tests(text: str) -> list[tuple[str, str]]:
    return re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)


def test_every_item_is_there_once() -> None:
    items = re.findall(rf"^\| ({ITEM}) \|", PAGE, re.MULTILINE)
    assert len(items) == len(set(items)) == len(ROWS) == 171


def test_the_items_are_those_of_the_specification_in_their_order(shared: Path) -> None:
    specification = shared / "spec" / "mission.md"
    if not specification.is_file():
        pytest.skip("the specification is not on this machine (../shared/spec/mission.md)")
    assert list(ROWS) == re.findall(rf"^- ({ITEM}) ", specification.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("item", ROWS)
def test_a_row_says_what_is_asked_where_it_is_done_and_what_shows_it(item: str) -> None:
    words, where, shown = ROWS[item]
    assert words.endswith(".")
    assert re.search(r"`(src|docs|deploy)/|`sfumato ", where) or where == "nothing to do"
    if shown.startswith(UNSHOWN):
        assert re.fullmatch(rf"{UNSHOWN}: .{{10,}}", shown)
    else:
        assert re.fullmatch(r"`[^`]+`(, `[^`]+`)?", shown)
        assert named_tests(shown)


def test_every_test_that_is_named_exists() -> None:
    assert PAGE.count("`tests/") == len(named_tests(PAGE)) + PAGE.count("`tests/docs/test_mission_page.py`")
    wrong = [
        f"{file}::{name}"
        for file, name in named_tests(PAGE)
        if not (ROOT / file).is_file() or name not in functions(ROOT / file)
    ]
    assert wrong == []


def test_every_file_that_is_named_exists() -> None:
    files = re.findall(r"`((?:src|docs|deploy)/[^`]+)`", PAGE)
    assert len(files) > 150
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_what_is_done_in_part_is_listed_at_the_top_and_nothing_else_is() -> None:
    listed = re.findall(rf"^- ({ITEM}): ", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(item for item, (words, *_) in ROWS.items() if words.startswith(LESS))
