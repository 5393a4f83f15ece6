"""The site of the documentation: it builds, leads nowhere wrong, and needs neither a network nor a script."""

from __future__ import annotations

import importlib
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.docs.examples import EXAMPLES

from sfumato import cli
from sfumato.hierarchies.catalogue import builders
from sfumato.plans.catalogue import transformations
from sfumato.privacy.catalogue import measures
from sfumato.project.file import Project
from sfumato.search.catalogue import methods, objectives
from sfumato.utility.catalogue import utility_models

ROOT = Path(__file__).parents[2]
VOID = {"meta", "link", "br", "img", "hr", "input"}
LOADING = {"script", "iframe", "object", "embed", "audio", "video", "source", "base", "form"}


@dataclass
class Read(HTMLParser):
    """One page, as a browser would take it in."""

    lang: str | None = None
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)  # style sheets and pictures
    tags: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)  # by tag
    unnamed: int = 0  # pictures without words
    navigation: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        if tag == "html":
            self.lang = given.get("lang")
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a" and given.get("href") is not None:
            self.links.append(str(given["href"]))
            if "nav" in self.open:
                self.navigation.add(str(given["href"]).split("#")[0])
        self.loaded += [str(given[name]) for name in ("src", "srcset", "data", "poster") if given.get(name)]
        self.loaded += [str(given["href"])] if tag == "link" else []
        self.unnamed += tag in {"img", "math"} and not (given.get("alt") or given.get("alttext"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        for tag in {"h1", "title"} & set(self.open):
            self.words[tag] = self.words.get(tag, "") + data


@cache
def read(page: Path) -> Read:
    found = Read()
    found.feed(page.read_text(encoding="utf-8"))
    assert found.open == [], f"{page} leaves {found.open} open"
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make site` builds it."""
    folder = tmp_path_factory.mktemp("built") / "site"
    tool = [sys.executable, "-W", "error", str(ROOT / "tools" / "site"), str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(tool, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def build() -> Iterator[Callable[[Path, Path], tuple[list[str], int]]]:
    """What builds the site, in this process: from the root of a project into a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools" / "site"))
        found = importlib.import_module("building")
        yield found.build
        for file in (ROOT / "tools" / "site").glob("*.py"):
            sys.modules.pop(file.stem, None)


@pytest.fixture(scope="module")
def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_markdown_file_of_the_documentation_is_a_page(pages: list[Path]) -> None:
    titles = [read(page).words["h1"] for page in pages]
    for file in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        heading = re.search(r"^# (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert heading, file
        assert re.sub(r"[`*]", "", heading[1]).strip() in titles, file


def test_every_page_has_a_language_one_heading_and_a_title_of_its_own(pages: list[Path]) -> None:
    titles = []
    for page in pages:
        found = read(page)
        assert found.lang == "en-GB", page
        assert found.tags.count("h1") == 1, page
        assert found.tags.count("main") == 1, page
        titles.append(found.words["title"].strip())
        assert titles[-1], page
    assert len(titles) == len(set(titles))


def test_every_link_and_anchor_leads_somewhere(site: Path, pages: list[Path]) -> None:
    for page in pages:
        for link in read(page).links:
            if re.match(r"\w+://", link):
                continue
            file, _, anchor = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            assert target.is_file(), f"{page} links to {link}"
            assert target.is_relative_to(site), f"{page} links out of the site: {link}"
            assert not anchor or anchor in read(target).ids, f"{page} links to {link}"


def test_no_anchor_of_a_page_is_there_twice(pages: list[Path]) -> None:
    for page in pages:
        ids = read(page).ids
        assert len(ids) == len(set(ids)), page


def test_nothing_is_loaded_that_is_not_in_the_folder(site: Path, pages: list[Path]) -> None:
    for page in pages:
        assert LOADING.isdisjoint(read(page).tags), page
        assert read(page).loaded, page
        for place in read(page).loaded:
            assert (page.parent / place).resolve().is_relative_to(site), f"{page} loads {place}"
            assert (page.parent / place).is_file(), f"{page} loads {place}"
        assert not re.search(r"<[^>]+\s(?:on\w+|style)=", page.read_text(encoding="utf-8")), page
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(|@import|@font-face|//", style.read_text(encoding="utf-8")), style
    for picture in site.rglob("*.svg"):
        assert not re.search(r"(?:href|src)=\"http|<script|url\(http", picture.read_text(encoding="utf-8")), picture


def test_the_navigation_of_every_page_leads_to_every_page(pages: list[Path]) -> None:
    for page in pages:
        reached = {(page.parent / link).resolve() if link else page for link in read(page).navigation}
        assert set(pages) <= reached, page


def test_pictures_and_formulas_have_words(pages: list[Path]) -> None:
    assert [page for page in pages if read(page).unnamed] == []


def test_no_latex_is_left_in_a_page(pages: list[Path]) -> None:
    drawn = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        drawn += text.count("<math ")
        shown = re.sub(r'<pre.*?</pre>|<code>.*?</code>|alttext="[^"]*"', "", text, flags=re.DOTALL)
        assert not re.search(r"\\(?:frac|sum|log|max|min|text|mathrm)\b|:math:|\.\. math|\$[^$\n]+\$", shown), page
    assert drawn > 100


FAMILIES: dict[str, Callable[[], dict[str, Any]]] = {
    "measures": measures,
    "utility-models": utility_models,
    "transformations": transformations,
    "objectives": objectives,
    "methods": methods,
    "hierarchy-builders": builders,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_reference_of_a_family_has_every_member_with_its_parameters(family: str, site: Path) -> None:
    page = site / "reference" / f"{family}.html"
    text = page.read_text(encoding="utf-8")
    for cls in FAMILIES[family]().values():
        assert cls.name() in read(page).ids
        part = re.split(r"<h2 ", text.split(f'<h2 id="{cls.name()}">')[1])[0]
        assert "&gt;&gt;&gt;" in part or ">>>" not in str(cls.__doc__), f"{cls.name()} shows no example"
        for parameter in fields(cls):
            assert f"<td><code>{parameter.name}</code></td>" in part, f"{cls.name()}: {parameter.name}"


def test_the_reference_has_every_population_model_and_attack(site: Path) -> None:
    for family, page in (("population/models", "population-models"), ("attacks", "attacks")):
        names = {file.stem for file in (ROOT / "src" / "sfumato" / "attackers" / family).glob("[a-z]*.py")}
        assert names
        assert names <= set(read(site / "reference" / f"{page}.html").ids)


def test_the_reference_of_a_measure_has_its_formula_and_its_reference(site: Path) -> None:
    text = (site / "reference" / "measures.html").read_text(encoding="utf-8")
    for name in measures():
        part = re.split(r"<h2 ", text.split(f'<h2 id="{name}">')[1])[0]
        assert "<math " in part, name
        assert "In plain words" in part, name
        assert "References." in part, name


def test_the_reference_has_every_option_of_every_command(site: Path) -> None:
    import typer

    text = (site / "reference" / "commands.html").read_text(encoding="utf-8")

    def commands(group: Any, before: str) -> list[tuple[str, Any]]:
        found = []
        for name, command in group.commands.items():
            inner = getattr(command, "commands", None)
            found += commands(command, f"{before}-{name}") if inner else [(f"{before}-{name}", command)]
        return found

    every = commands(typer.main.get_command(cli.app), "sfumato")
    assert len(every) > 20
    for name, command in every:
        part = re.split(r"<h2 ", text.split(f'<h2 id="{name}">')[1])[0]
        for option in (opt for one in command.params for opt in one.opts if opt.startswith("-")):
            assert re.search(rf"<code>{option}[ <]", part), f"{name} {option}"


def test_the_reference_has_every_key_of_the_project_file(site: Path) -> None:
    text = (site / "reference" / "project-keys.html").read_text(encoding="utf-8")
    schema = Project.json_schema()
    parts = [schema, *schema["$defs"].values(), *(p for d in schema["$defs"].values() for p in d.get("anyOf", ()))]
    keys = {key for part in parts for key in part.get("properties", {})}
    assert len(keys) > 50
    assert sorted(key for key in keys if f"<td><code>{key}</code></td>" not in text) == []


def test_a_build_over_another_gives_the_same_bytes_and_leaves_nothing_of_it(
    site: Path, build: Callable[[Path, Path], tuple[list[str], int]], tmp_path: Path
) -> None:
    for name in ("style.css", "left-over.html"):
        (tmp_path / name).write_text("", encoding="utf-8")
    assert build(ROOT, tmp_path)[0] == []
    first, second = ({f.relative_to(d): f.read_bytes() for f in d.rglob("*") if f.is_file()} for d in (site, tmp_path))
    assert first == second


WRONG = {
    "[nowhere](no-such-page.md)": "links to no-such-page.md",
    "[no heading](assess.md#no-such-heading)": "has no such heading",
    "```math\n\\nosuchcommand{x}\n```": "an unknown command in the formula",
    "```nosuchlanguage\nx\n```": "unknown language",
}


def test_whatever_is_wrong_is_a_warning_and_nothing_is_written(
    build: Callable[[Path, Path], tuple[list[str], int]], tmp_path: Path
) -> None:
    """Also a folder that holds something else: it is left as it is."""
    for folder in ("docs", "tools", "benchmarks"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("data", "__pycache__"))
    for file in [*ROOT.glob("*.md"), ROOT / "LICENSE"]:
        shutil.copy(file, tmp_path)
    page = tmp_path / "docs" / "risk.md"
    page.write_text("\n\n".join([page.read_text(encoding="utf-8"), *WRONG, ""]), encoding="utf-8")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "patients.csv").write_text("age\n", encoding="utf-8")
    warnings = build(tmp_path, tmp_path / "site")[0]
    expected = [*WRONG.values(), "holds something else than a site"]
    assert len(warnings) == len(expected)
    assert [words for words in expected if not any(words in warning for warning in warnings)] == []
    assert [file.name for file in (tmp_path / "site").iterdir()] == ["patients.csv"]


def test_the_tool_ends_with_1_and_says_what_is_wrong(
    build: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tool: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "site" / "__main__.py"), run_name="tool")
    monkeypatch.setitem(tool["main"].__globals__, "build", lambda root, folder: (["a link leads nowhere"], 3))
    assert tool["main"]() == 1
    assert capsys.readouterr() == ("", "warning: a link leads nowhere\n")


def test_the_nightly_script_of_the_node_operator_runs_as_it_stands(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "tutorials" / "node-operator.md").read_text(encoding="utf-8")
    script = next(
        block for block in re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) if "nightly" in block
    )
    for name in ("admissions.csv", "admissions.yaml"):
        (tmp_path / name).write_text(EXAMPLES[name], encoding="utf-8")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "sfumato"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from sfumato.cli import main; main()' \"$@\"\n")
    program.chmod(0o755)
    (tmp_path / "nightly.sh").write_text(script, encoding="utf-8")
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}

    def run() -> int:
        return subprocess.run(["sh", "nightly.sh"], cwd=tmp_path, env=environment, capture_output=True).returncode

    assert run() == 0
    released = (tmp_path / "outgoing" / "admissions-released.csv").read_bytes()
    assert released.count(b"\n") == 33
    kept = {file.name for file in (tmp_path / "evidence").iterdir()}
    assert {"assessment.json", "comparison.json", "checked.json", "staging.json"} <= kept
    loosened = EXAMPLES["admissions.yaml"].replace("at_least: 3", "at_least: 1").replace("at_least: 2", "at_least: 1")
    (tmp_path / "admissions.yaml").write_text(loosened, encoding="utf-8")
    assert run() == 1
    assert (tmp_path / "outgoing" / "admissions-released.csv").read_bytes() == released
