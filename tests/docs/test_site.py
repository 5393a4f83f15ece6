"""The site of the documentation: it builds and opens without a network, and leads nowhere wrong."""

from __future__ import annotations

import importlib
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.docs.examples import EXAMPLES
from tests.docs.site import ROOT, build, files, read, without_network

from sfumato import __version__

OURS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
LOADING = {"iframe", "object", "embed", "audio", "video", "base"}


@pytest.fixture(scope="module")
def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_the_site_is_built_where_nothing_can_be_reached(tmp_path: Path) -> None:
    """What the fixture `site` rests on: such a process cannot connect, even to its own machine."""
    code = "import socket; socket.create_connection(('127.0.0.1', 9))"
    done = subprocess.run([sys.executable, "-c", code], env=without_network(tmp_path), capture_output=True, text=True)
    assert "this process has no network" in done.stderr


def test_every_markdown_file_of_the_documentation_is_a_page(site: Path) -> None:
    for file in OURS:
        heading = re.search(r"^# (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert heading, file
        page = site / __version__ / file.relative_to(ROOT).with_suffix(".html")
        shown = read(page).words["h1"].removesuffix("#").strip()
        assert shown == re.sub(r"[`*]", "", heading[1]).replace('"', "”").strip() or '"' in heading[1], file


def test_every_page_has_a_language_one_heading_and_a_title(pages: list[Path]) -> None:
    assert len(pages) > 100
    for page in pages:
        assert read(page).lang in {"en-GB", "en-gb"}, page
        assert read(page).tags.count("h1") == 1, page
        assert read(page).tags.count("main") == 1, page
        assert read(page).words["title"].strip(), page


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


def test_every_page_can_be_reached_from_the_first(site: Path, pages: list[Path]) -> None:
    reached, waiting = set(), [site / "index.html"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".html":
            continue
        reached.add(page)
        links = (link.partition("#")[0] for link in read(page).links if "://" not in link)
        waiting += [(page.parent / link).resolve() for link in links if link]
    assert {page.relative_to(site).name for page in set(pages) - reached} <= {"search.html"}  # where a form leads


def test_no_anchor_of_a_page_is_there_twice(pages: list[Path]) -> None:
    for page in pages:
        twice = {name for name in read(page).ids if read(page).ids.count(name) > 1}
        assert twice <= {"pst-search-dialog"} or not twice, f"{page}: {twice}"


def test_nothing_is_loaded_that_is_not_in_the_folder(site: Path, pages: list[Path]) -> None:
    for page in pages:
        assert LOADING.isdisjoint(read(page).tags), page
        for place in (place for place in read(page).loaded if place != "#"):  # a page that is its own index
            file = (page.parent / place.partition("?")[0].partition("#")[0]).resolve()
            assert file.is_relative_to(site), f"{page} loads {place}"
            assert file.is_file(), f"{page} loads {place}"
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"(?:url\(|@import )\s*[\"']?(?:https?:)?//", text), style
    for picture in site.rglob("*.svg"):
        assert not re.search(r"(?:href|src)=\"http|<script|url\(http", picture.read_text(encoding="utf-8")), picture


def test_pictures_and_formulas_have_words(pages: list[Path]) -> None:
    assert [page for page in pages if read(page).unnamed] == []


def test_every_formula_is_drawn_and_no_latex_is_left(pages: list[Path]) -> None:
    drawn = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        drawn += text.count("<math ")
        shown = re.sub(r'<pre.*?</pre>|<code.*?</code>|alttext="[^"]*"|<script.*?</script>', "", text, flags=re.DOTALL)
        assert not re.search(r"\\(?:frac|sum|log|max|min|text|mathrm)\b|:math:|\.\. math|\$[^$\n]+\$", shown), page
    assert drawn > 100


def test_a_build_over_another_gives_the_same_bytes_and_keeps_other_versions(site: Path, tmp_path: Path) -> None:
    """Also where sets have another order; what is left of an earlier build of the same version is gone."""
    folder = tmp_path / "site"
    for left in (f"{__version__}/docs/left-over.html", "0.0.9/docs/index.html", "versions.js"):
        (folder / left).parent.mkdir(parents=True, exist_ok=True)
        (folder / left).write_text("<html></html>", encoding="utf-8")
    assert build(folder, seed=7).returncode == 0
    assert (folder / "0.0.9" / "docs" / "index.html").read_text(encoding="utf-8") == "<html></html>"
    first, second = files(site / __version__), files(folder / __version__)
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []


def test_the_versions_are_listed_newest_first(tmp_path: Path) -> None:
    tool: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "build_site.py"), run_name="tool")
    for version in ("0.9.0", "0.10.0", "0.2.1", "1.0.0rc1", "1.0.0"):
        (tmp_path / version / "docs").mkdir(parents=True)
        (tmp_path / version / "docs" / "index.html").touch()
    (tmp_path / "notes").mkdir()
    tool["list_versions"](tmp_path)
    listed = re.findall(r'href="([^/]+)/docs/index.html"', (tmp_path / "index.html").read_text(encoding="utf-8"))
    assert listed == ["1.0.0", "1.0.0rc1", "0.10.0", "0.9.0", "0.2.1"]
    assert '["1.0.0", "1.0.0rc1", "0.10.0"' in (tmp_path / "versions.js").read_text(encoding="utf-8")


WRONG = {
    "[nowhere](no-such-page.md)": "'no-such-page.md'",
    "[no heading](other.md#no-such-heading)": "no-such-heading",
    "```math\n\\nosuchcommand{x}\n```": "an unknown command in the formula",
    "```nosuchlanguage\nx\n```": "Pygments lexer name 'nosuchlanguage' is not known",
    "```{eval-rst}\n:py:class:`pandas.NoSuchThing`\n```": "pandas.NoSuchThing",
}


def small_project(folder: Path, text: str) -> Path:
    """The tool and the settings beside two pages, of which one is listed nowhere unless the text lists it."""
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("*.md", "*.png", "__pycache__"))
    shutil.copytree(ROOT / "tools", folder / "tools")
    (folder / "src").symlink_to(ROOT / "src")
    (folder / "docs" / "index.md").write_text(text, encoding="utf-8")
    (folder / "docs" / "other.md").write_text("# Other\n\nWords.\n", encoding="utf-8")
    return folder


def test_whatever_is_wrong_is_a_warning_and_nothing_is_written(tmp_path: Path) -> None:
    project = small_project(tmp_path / "project", "\n\n".join(["# Start", *WRONG, ""]))
    done = build(tmp_path / "site", root=project)
    assert done.returncode == 1
    expected = [*WRONG.values(), "document isn't included in any toctree"]
    assert [words for words in expected if words not in done.stderr] == []
    assert len(re.findall("WARNING|ERROR", done.stderr)) == len(expected)
    assert not (tmp_path / "site").exists()


def test_a_folder_that_holds_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "patients.csv").write_text("age\n", encoding="utf-8")
    done = build(tmp_path / "site")
    assert done.returncode == 1
    assert "holds something else than a site" in done.stderr
    assert files(tmp_path / "site") == {"patients.csv": b"age\n"}


@pytest.mark.parametrize("file", sorted((ROOT / "docs" / "inventories").glob("*.txt")), ids=lambda file: file.stem)
def test_every_name_of_another_library_that_we_link_to_is_there(file: Path) -> None:
    for line in file.read_text(encoding="utf-8").splitlines()[3:]:
        name, _, place = line.split()
        assert place.endswith(".html")
        assert there(name), name


def there(name: str) -> bool:
    """Whether a full name is that of something that can be imported."""
    parts = name.split(".")
    for length in range(len(parts), -1, -1):
        module = ".".join(parts[:length]) or "builtins"
        try:
            held: Any = importlib.import_module(module)
        except ImportError:
            continue
        for part in parts[length:]:
            if part != "None" and not hasattr(held, part):
                return False
            held = getattr(held, part, None)
        return True
    return False


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
