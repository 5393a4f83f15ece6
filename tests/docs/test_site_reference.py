"""The reference in the site: it has every public name, member, command and key that the program has."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.docs.site import ROOT, read

import sfumato
from sfumato import cli
from sfumato.hierarchies.catalogue import builders
from sfumato.plans.catalogue import transformations
from sfumato.privacy.catalogue import measures
from sfumato.project.file import Project
from sfumato.search.catalogue import methods, objectives
from sfumato.utility.catalogue import utility_models

FAMILIES: dict[str, Callable[[], dict[str, Any]]] = {
    "measures": measures,
    "utility-models": utility_models,
    "transformations": transformations,
    "objectives": objectives,
    "methods": methods,
    "hierarchy-builders": builders,
}


@pytest.fixture(scope="module")
def reference(site: Path) -> Path:
    return site / sfumato.__version__ / "docs" / "reference"


def part(page: Path, anchor: str) -> str:
    """The section of a page that an anchor begins."""
    text = page.read_text(encoding="utf-8")
    return text.split(f'<section id="{anchor}">')[1].split("</section>")[0]


def entry(page: Path, name: str) -> str:
    """What the reference says of a name: its signature and its docstring."""
    text = page.read_text(encoding="utf-8")
    return re.split(r'\n<dl class="py (?:class|function)">', text.split(f'id="{name}"')[1])[0]


@pytest.mark.parametrize("name", sfumato.__all__)
def test_every_public_name_is_in_the_reference_with_its_docstring(name: str, reference: Path) -> None:
    named = getattr(sfumato, name)
    page = reference / "python" / ("classes.html" if inspect.isclass(named) else "functions.html")
    words = re.sub(r"<[^>]+>", "", entry(page, f"sfumato.{name}"))
    first = re.split(r"(?<=\.)\s|\n\n", inspect.getdoc(named) or "")[0]
    expected = re.findall(r"\w+", re.sub(r":\w+:|`", "", first))[:5]
    assert len(expected) >= 3, f"{name} says nothing of itself"
    assert all(word in words for word in expected), f"{name}: {expected}"


@pytest.mark.parametrize("name", [name for name in sfumato.__all__ if not inspect.isclass(getattr(sfumato, name))])
def test_the_signature_of_a_function_has_every_parameter(name: str, reference: Path) -> None:
    shown = entry(reference / "python" / "functions.html", f"sfumato.{name}")
    for parameter in inspect.signature(getattr(sfumato, name)).parameters:
        assert f'<span class="pre">{parameter}</span>' in shown, parameter


def test_names_of_pandas_and_numpy_lead_to_their_documentation(reference: Path) -> None:
    links = read(reference / "python" / "index.html").links
    assert "https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.html#pandas.DataFrame" in links
    assert "https://numpy.org/doc/stable/reference/generated/numpy.ndarray.html#numpy.ndarray" in links
    assert "classes.html#sfumato.SfumatoError" in links
    signatures = read(reference / "python" / "classes.html").links
    assert "https://arrow.apache.org/docs/python/generated/pyarrow.Table.html#pyarrow.Table" in signatures


def test_every_interface_that_the_pages_on_extending_show_is_in_the_reference(reference: Path) -> None:
    links = read(reference / "python" / "interfaces.html").links
    for page in (ROOT / "docs" / "extend").glob("[!i]*.md"):
        assert f"../../extend/{page.stem}.html" in links, page


@pytest.mark.parametrize("family", FAMILIES)
def test_the_reference_of_a_family_has_every_member_with_its_parameters(family: str, reference: Path) -> None:
    page = reference / f"{family}.html"
    for cls in FAMILIES[family]().values():
        shown = part(page, cls.name().replace("_", "-"))
        assert "&gt;&gt;&gt;" in shown or ">>>" not in str(cls.__doc__), f"{cls.name()} shows no example"
        for parameter in fields(cls):
            assert f'<span class="pre">{parameter.name}</span>' in shown, f"{cls.name()}: {parameter.name}"


def test_the_reference_has_every_population_model_and_attack(reference: Path) -> None:
    for family, page in (("population/models", "population-models"), ("attacks", "attacks")):
        names = {file.stem for file in (ROOT / "src" / "sfumato" / "attackers" / family).glob("[a-z]*.py")}
        assert names
        assert {name.replace("_", "-") for name in names} <= set(read(reference / f"{page}.html").ids)


@pytest.mark.parametrize("name", measures())
def test_the_reference_of_a_measure_has_its_formula_and_its_reference(name: str, reference: Path) -> None:
    shown = part(reference / "measures.html", name.replace("_", "-"))
    assert "<math " in shown
    assert "In plain words" in shown
    assert ">References</p>" in shown


def test_the_reference_has_every_option_of_every_command(reference: Path) -> None:
    def commands(group: Any, before: str) -> list[tuple[str, Any]]:
        inner = [(f"{before}-{name}", command) for name, command in group.commands.items()]
        return [
            one for name, c in inner for one in (commands(c, name) if getattr(c, "commands", None) else [(name, c)])
        ]

    every = commands(typer.main.get_command(cli.app), "sfumato")
    assert len(every) > 20
    for name, command in every:
        shown = re.sub(r"<[^>]+>", "", part(reference / "commands.html", name))
        for option in (opt for one in command.params for opt in one.opts if opt.startswith("-")):
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", shown), f"{name} {option}"


def test_the_reference_has_every_key_of_the_project_file(reference: Path) -> None:
    text = (reference / "project-keys.html").read_text(encoding="utf-8")
    schema = Project.json_schema()
    parts = [schema, *schema["$defs"].values(), *(p for d in schema["$defs"].values() for p in d.get("anyOf", ()))]
    keys = {key for part in parts for key in part.get("properties", {})}
    assert len(keys) > 50
    assert sorted(key for key in keys if f'<span class="pre">{key}</span></code></p></td>' not in text) == []
