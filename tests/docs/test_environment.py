"""The page on environment variables names every one that the program reads, and no other."""

from __future__ import annotations

import re

import typer
from tests.docs.pages import ROOT

from sfumato import cli

PAGE = ROOT / "docs" / "environment.md"
OPEN = ("SFUMATO_SECRET_", "SFUMATO_SERVICE_")  # the name of a secret or a setting follows
BETWEEN_OURSELVES = {"SFUMATO_WORKER_OF"}  # what one process of ours tells another


def in_the_program() -> set[str]:
    texts = (file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    names = {name for text in texts for name in re.findall(r"\bSFUMATO_[A-Z_]+", text)}
    opened = {next((f"{start}NAME" for start in OPEN if name.startswith(start)), name) for name in names}
    return opened - BETWEEN_OURSELVES


def rows() -> dict[str, str]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    cells = [line.strip("|").split("|") for line in lines if line.startswith("| `")]
    return {variable.strip(" `"): option.strip() for variable, _, option in cells}


def test_every_variable_of_the_program_is_on_the_page_and_no_other() -> None:
    assert sorted(rows()) == sorted(in_the_program())


def test_the_page_is_in_the_order_of_the_alphabet() -> None:
    assert list(rows()) == sorted(rows())


def test_the_option_beside_a_variable_is_one_that_reads_it() -> None:
    said = {name: re.findall(r"`(--[a-z-]+)`", option) for name, option in rows().items()}
    read: dict[str, set[str]] = {}
    pending = [typer.main.get_command(cli.app)]
    while pending:
        command = pending.pop()
        pending += getattr(command, "commands", {}).values()
        for one in command.params:
            if isinstance(one.envvar, str):
                read.setdefault(one.envvar, set()).update(option for option in one.opts if option.startswith("--"))
    assert {name for name in read if name not in said} == set()
    assert {name: options for name, options in read.items() if options and not options <= set(said[name])} == {}


def test_the_settings_of_a_node_are_variables_of_the_page() -> None:
    text = (ROOT / "deploy" / "node.env").read_text(encoding="utf-8")
    named = re.findall(r"^#?(SFUMATO_[A-Z_]+)=", text, re.MULTILINE)
    assert named
    assert set(named) <= set(rows())
    for file in ("Containerfile", "sfumato-node.service"):
        used = re.findall(r"SFUMATO_[A-Z_]+", (ROOT / "deploy" / file).read_text(encoding="utf-8"))
        assert used
        assert set(used) <= set(rows())
