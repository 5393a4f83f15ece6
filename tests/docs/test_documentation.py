"""The documentation is true: its commands run and print what it shows, its snippets run, its links lead somewhere.

Conventions of the pages: in a `sh` block every line is a command; in a `console` block every line that begins with
`$` is one, and what follows it is compared with what it prints, where a line `...` stands for anything. A command
succeeds with 0 or 1, or with the code that a comment states: `# exit code 2`. A `python` block is run, a `pycon` block
is a doctest; the blocks of one page share their names, as cells of a notebook do. A `python` block that begins with the
comment `# src/sfumato/FAMILY/FILE.py` is put into that family. That no block is left out is the matter of
`test_blocks.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.commands import RUNNABLE, not_run
from tests.docs.examples import EXAMPLES
from tests.docs.pages import FOLLOWED, NAMES, ROOT, blocks, blocks_of, commands
from tests.docs.running import MEMBER, agrees, join, members, printed, run_examples

from sfumato import cli
from sfumato.privacy.catalogue import measures
from sfumato.search.catalogue import methods, objectives
from sfumato.utility.catalogue import utility_models

BESIDE_EXAMPLES = [name for name in NAMES if name not in FOLLOWED]  # test_followed_pages.py runs the others
WITH_COMMANDS = [name for name in BESIDE_EXAMPLES if any(c.line.startswith(RUNNABLE) for c in commands(name))]
ON_SPARK = "docs/how-to/spark.md"  # test_spark_page.py has the session that its snippet needs
WITH_SNIPPETS = [name for name in BESIDE_EXAMPLES if blocks(name, "python", "pycon") and name != ON_SPARK]


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the pages are read, with the files that they speak of."""
    for name, text in EXAMPLES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_every_command_runs_and_prints_what_the_page_shows(
    name: str, examples: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if "--root demo" in (ROOT / name).read_text(encoding="utf-8"):
        from sfumato.studies.bio_streams.pilot import write_pilot

        write_pilot(examples / "demo")
    if "--root service" in (ROOT / name).read_text(encoding="utf-8"):
        from sfumato.service.service import Service

        Service.at(examples / "service").database.close()  # as `serve`, which is not run here, makes it
    for family, member, text in members(name):
        join(family, member, text, examples, monkeypatch)
    for command in commands(name):
        if not command.line.startswith(RUNNABLE) or not_run(command.line):
            continue
        code, found = printed(command.line, monkeypatch, capfd)
        assert code in command.codes, f"{command.line}\n{found}"
        assert command.output is None or agrees(command.output, found), f"{command.line}\n{found}"


@pytest.mark.parametrize("name", WITH_SNIPPETS)
def test_every_snippet_runs(name: str, examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(name, "python", "pycon"):
        if member := MEMBER.match(block.text):
            join(member[1], member[2], block.text, examples, monkeypatch)
        elif block.language == "python":
            exec(compile(block.text, block.place, "exec"), names)
        else:
            run_examples(block.text, names, block.place)


@pytest.mark.parametrize("name", NAMES)
def test_every_link_between_pages_leads_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for block in blocks_of(name):
        text = text.replace(block.text, "")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        page = (ROOT / name).parent / file if file else ROOT / name
        assert page.exists(), f"{name} links to {target}"
        assert not anchor or anchor in anchors(page), f"{name} links to {target}"


def anchors(page: Path) -> set[str]:
    """The headings of a page as they are linked to."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", measures())
def test_every_measure_has_a_section_of_its_own(name: str) -> None:
    assert name in anchors(ROOT / "docs" / "measures.md")


@pytest.mark.parametrize("name", utility_models())
def test_every_utility_model_is_in_the_table(name: str) -> None:
    assert f"| `{name}` |" in (ROOT / "docs" / "utility.md").read_text(encoding="utf-8")


def test_every_objective_and_method_of_a_search_is_described() -> None:
    for name in ("anonymise.md", "project-file.md"):
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert [member for member in (*objectives(), *methods()) if f"`{member}`" not in page] == [], name


def test_the_changelog_counts_what_there_is() -> None:
    page = " ".join((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split())
    steps = list((ROOT / "src" / "sfumato" / "plans" / "steps").glob("[a-z]*.py"))
    counted = {"transformations": len(steps), "models": len(utility_models()), "objectives": len(objectives())}
    words = {10: "ten", 26: "twenty-six"}
    assert [what for what, n in counted.items() if not re.search(rf"\b({n}|{words.get(n, n)}) {what}", page)] == []


def test_every_option_of_assess_is_described() -> None:
    import typer

    page = (ROOT / "docs" / "assess.md").read_text(encoding="utf-8")
    options = [o for p in typer.main.get_command(cli.app).commands["assess"].params for o in p.opts]  # type: ignore[attr-defined]
    assert "--quasi" in options
    assert [option for option in options if option.startswith("--") and f"`{option}" not in page] == []


def test_every_key_of_the_json_document_is_described(examples: Path) -> None:
    import sfumato as sf

    page = (ROOT / "docs" / "assess.md").read_text(encoding="utf-8")
    found = sf.assess("patients.csv", quasi="age", sensitive="diagnosis", subject="patient_id", k=2).document()
    keys = {*found, *found["classes"], *found["classes"]["ladder"][0], *found["readings"][0], *found["columns"][0]}
    assert "k_by_missing_values" in keys
    assert sorted(key for key in keys if f"`{key}`" not in page) == []


def test_every_term_that_a_report_uses_is_in_the_glossary() -> None:
    """The names of families, of the readings of a missing value and of roles are what reports are made of."""
    from sfumato.schema import Missing, Role, Scale

    page = (ROOT / "GLOSSARY.md").read_text(encoding="utf-8")
    terms = [*Missing, *Role, *Scale, *{measure.family for measure in measures().values()}]
    assert [term for term in terms if not re.search(rf"\*\*{term}\b", page)] == []


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [page.name[:4] for page in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))]
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def test_a_decision_says_the_number_of_its_file() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert [
        page.name for page in pages if not page.read_text(encoding="utf-8").startswith(f"# {page.name[:4]}: ")
    ] == []
