"""The page on the architecture is true: its tree is that of the folders, its layers are those that are enforced."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from typing import Any

from tests.docs.pages import ROOT, blocks_of

SOURCE = ROOT / "src" / "sfumato"


def drawn(start: str) -> str:
    return next(block.text for block in blocks_of("ARCHITECTURE.md") if block.text.startswith(start))


def enforced() -> list[dict[str, Any]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = project["tool"]["importlinter"]["contracts"]
    return found


def modules() -> set[str]:
    """The nouns, families, verbs and doors: what stands in the folder of the package."""
    files = {path.stem for path in SOURCE.glob("*.py")}
    return files | {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}


def test_every_module_stands_in_the_tree() -> None:
    assert modules() - set(re.findall(r"\w+", drawn("src/sfumato/\n"))) == set()


def test_everything_in_the_tree_is_there() -> None:
    named = re.findall(r"(\w+(?:\.py|/))", drawn("src/sfumato/\n").partition("\n")[2])
    assert len(named) > 100
    there = {f"{path.name}/" if path.is_dir() else path.name for path in SOURCE.rglob("*")}
    assert [name for name in named if name not in there] == []


def test_the_layers_are_drawn_in_the_order_that_is_enforced() -> None:
    contracts = enforced()
    layers = enumerate(contracts[0]["layers"])
    place = {name: number for number, layer in layers for name in re.findall(r"sfumato\.(\w+)", layer)}
    steps = [
        re.findall(r"\w+", re.sub(r"  +\w[\w ]+$", "", step, flags=re.MULTILINE))
        for step in drawn(" cli\n").split("->")
    ]
    assert [name for step in steps for name in step if name not in place] == []
    for above, below in pairwise(steps):
        assert max(place[name] for name in above) < min(place[name] for name in below), (above, below)


def test_every_family_that_the_catalogue_looks_into_is_under_where_to_add_something() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Where to add something")[2]
    contracts = enforced()
    families = [name.split(".")[1] for name in contracts[1]["modules"]]
    assert "privacy" in families
    assert [family for family in families if f"`{family}/`" not in page and family != "class_rules"] == []
