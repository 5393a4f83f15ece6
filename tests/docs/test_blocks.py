"""No block of the documentation goes unchecked: each is run, compared, read as the file that it shows, or excepted."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest
import typer
import yaml
from tests.docs.commands import RUNNABLE, fault, not_run
from tests.docs.examples import EXAMPLES
from tests.docs.pages import NAMES, ROOT, Block, blocks, blocks_of, commands, inline, is_script

from sfumato import cli
from sfumato.errors import SfumatoError
from sfumato.plans.plan_file import parse_plan
from sfumato.privacy.requirement_text import bounded
from sfumato.project.file import Project
from sfumato.project.places import allowing
from sfumato.project.presets import preset_named, preset_names
from sfumato.studies.bio_streams.configuration_file import ConfigurationFile
from sfumato.studies.bio_streams.validation import validate_config

RUN = {"console", "sh", "bash", "python", "pycon"}  # test_documentation.py runs them, or `fault` reads them
DRAWN = {"math", "{toctree}"}  # the site does not build where a formula or a list of pages is wrong (test_site.py)
READ = {"yaml", "csv", "json"}  # below
EXCEPTED = {  # page and how the block begins: why nothing is checked
    ("ARCHITECTURE.md", " file, database, frame"): "a drawing of the way of data through the rooms",
    ("docs/studies/bio-streams.md", "DIR/\n"): "a folder, which the last test below compares with a run",
    ("docs/how-to/node.md", "/srv/sfumato/"): "a folder, which tests/doors/test_node.py makes",
    ("docs/how-to/node.md", "useradd"): "it changes the machine; tests/doors/test_node.py runs what the unit runs",
    ("docs/how-to/node.md", "buildah build"): "it takes a builder; tests/doors/test_container.py builds and runs it",
    ("docs/how-to/node.md", "mmdebstrap"): "it takes packages of Debian; tests/doors/test_container.py does so",
    ("docs/how-to/run-the-service.md", "/srv/sfumato-service/"): "a folder, which tests/service/test_acts.py makes",
    (
        "docs/how-to/run-the-service.md",
        "useradd",
    ): "tests/doors/test_serve_unit.py reads the unit",
    (
        "docs/how-to/run-the-service.md",
        "address: https",
    ): "settings: tests/docs/test_service_pages.py has them",
    (
        "docs/how-to/run-the-service.md",
        "pip wheel",
    ): "tests/doors/test_container.py builds the image",
    ("docs/how-to/run-the-service.md", "database: "): "a setting, as above",
    ("docs/how-to/run-the-service.md", "sfumato backup"): "tests/service/test_backup.py runs both commands",
    ("docs/python.md", "service = sf.connect"): "it takes a service; tests/service/test_whole_path.py does so",
    ("docs/service.md", "sfumato serve"): "they take a service; tests/service/test_whole_path.py starts one",
    ("docs/service.md", "curl"): "it takes a service; tests/service/test_whole_path.py asks it",
    ("docs/tutorials/node-operator.md", "# crontab"): "a line for cron, which a test below takes apart",
}
PLAIN_FORMULAS = "docs/measures.md"  # indented lines for a terminal; the site draws those of the docstrings
SCRIPTS = {"docs/tutorials/node-operator.md": "nightly.sh"}  # test_site.py runs it as it stands


def every_block() -> list[Block]:
    return [block for name in NAMES for block in blocks_of(name)]


def reason(block: Block) -> str | None:
    """Why a block may stand unchecked."""
    if block.page == PLAIN_FORMULAS and not block.language:
        return "a formula in words"
    return next(
        (why for (page, start), why in EXCEPTED.items() if block.page == page and block.text.startswith(start)), None
    )


def test_every_block_is_of_a_kind_that_is_checked_or_is_excepted() -> None:
    known = RUN | DRAWN | READ
    assert [block.place for block in every_block() if block.language not in known and reason(block) is None] == []


def test_every_exception_is_still_needed() -> None:
    found = every_block()
    assert [key for key in EXCEPTED if not any((b.page, b.text[: len(key[1])]) == key for b in found)] == []
    assert [page for page in SCRIPTS if not any(is_script(block) for block in blocks(page, "sh"))] == []


def test_every_script_is_one_that_a_test_runs() -> None:
    scripts = {block.page: block.text for block in every_block() if is_script(block)}
    assert {page: name in scripts[page] for page, name in SCRIPTS.items()} == dict.fromkeys(scripts, True)


@pytest.mark.parametrize("name", NAMES)
def test_a_console_begins_with_a_command(name: str) -> None:
    assert [block.place for block in blocks(name, "console") if not block.text.startswith("$ ")] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_command_that_is_not_run_could_be_run(name: str) -> None:
    """`make`, `pip` and what needs a cluster: the target, the extra, the command and its options are there."""
    read = [c.line for c in commands(name) if not c.line.startswith(RUNNABLE) or not_run(c.line)]
    assert {line: fault(line) for line in read if fault(line)} == {}


@pytest.mark.parametrize("name", NAMES)
def test_a_command_within_a_sentence_could_be_run(name: str) -> None:
    """Also those that name files which no test has: the command and its options are there."""
    written = [code for code in inline(name) if re.match(r"(sfumato|make|pip) (?![=<>|])", code)]
    assert {code: wrong for code in written if (wrong := sentence_fault(code))} == {}


def sentence_fault(code: str) -> str | None:
    """As `fault`, but a sentence may leave arguments out."""
    found = fault(code)
    return None if found == "an argument lacks" else found


def test_the_examples_in_the_help_of_a_command_could_be_run() -> None:
    shown = [command.epilog.removeprefix("Example:").strip() for command in every_command() if command.epilog]
    assert len(shown) > 5
    lines = [line for text in shown for line in text.replace("\\\n", " ").splitlines() if line.startswith("sfumato ")]
    assert {line: fault(line) for line in lines if fault(line)} == {}


def every_command(group: Any = None) -> list[Any]:
    group = group or typer.main.get_command(cli.app)
    found = group.commands.values()
    return [one for c in found for one in (every_command(c) if getattr(c, "commands", None) else [c])]


SERVING = {  # commands that a page cannot run: they go on until somebody ends them, or need a service that does
    ("sfumato", "serve"): "tests/service/test_whole_path.py",
    ("sfumato", "worker"): "tests/service/test_whole_path.py",
    ("sfumato", "backup"): "tests/service/test_backup.py",
    ("sfumato", "restore"): "tests/service/test_backup.py",
    ("sfumato", "key", "rotate"): "tests/service/test_server_keys.py",
}


def test_every_command_of_the_program_is_shown_at_work_on_a_page() -> None:
    shown = {tuple(shlex.split(c.line, comments=True)) for name in NAMES for c in commands(name)}
    group: Any = typer.main.get_command(cli.app)
    every = [("sfumato", name, *more) for name, c in group.commands.items() for more in inner(c)]
    assert len(every) > 20
    assert {words for words in every if not any(one[: len(words)] == words for one in shown)} == set(SERVING)
    assert [test for test in SERVING.values() if not (ROOT / test).is_file()] == []


def inner(command: Any) -> list[tuple[str, ...]]:
    return [(name,) for name in command.commands if name] if getattr(command, "commands", None) else [()]


@pytest.mark.parametrize("name", preset_names())
def test_what_a_preset_says_to_run_next_could_be_run(name: str) -> None:
    assert [fault(line) for line in preset_named(name).then if fault(line)] == []


# Files that a page shows


@pytest.mark.parametrize("block", [b for b in every_block() if b.language == "yaml"], ids=lambda block: block.place)
def test_a_yaml_block_is_a_valid_project_file_plan_or_configuration(block: Block) -> None:
    given = yaml.safe_load(block.text)
    if {"steps"} <= set(given):
        assert parse_plan(block.text).steps
    elif "institution" in given:
        assert block.text.partition("\n")[2] == EXAMPLES["hospital.yaml"] or block.text == EXAMPLES["hospital.yaml"]
    elif {"categorical_qis", "pivot"} & set(given):
        validate_config(ConfigurationFile({**yaml.safe_load(published_configuration()), **given}))
    else:
        checked_project(block.text)
    named = re.match(r"# (\S+\.yaml)\n", block.text)
    if named and named[1] in EXAMPLES:
        assert block.text.partition("\n")[2] == EXAMPLES[named[1]]


def checked_project(text: str) -> None:
    """Read a project file, or part of one, and look its measures up."""
    with allowing("db.example.org"):
        project = Project.parse(text)
    for entry in project.measures:
        bounded(entry.measure, entry.parameters, at_least=entry.at_least, at_most=entry.at_most)


def published_configuration() -> str:
    return next(b.text for b in blocks("docs/studies/bio-streams.md", "yaml") if "categorical_qis" in b.text)


def test_a_yaml_block_with_a_wrong_key_would_be_found() -> None:
    for wrong in ("measures: [{measure: k_anonimity, at_least: 5}]", "anonymize: {suppress: 0}"):
        with pytest.raises(SfumatoError):
            checked_project(wrong)


@pytest.mark.parametrize("block", [b for b in every_block() if b.language == "csv"], ids=lambda block: block.place)
def test_a_table_is_one_that_the_tests_read(block: Block) -> None:
    assert block.text in EXAMPLES.values()


def test_a_json_block_is_json() -> None:
    for block in every_block():
        if block.language == "json":
            json.loads(block.text)


def test_the_project_fragment_of_every_preset_is_what_the_preset_says() -> None:
    page = (ROOT / "docs" / "presets.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", page, flags=re.MULTILINE)
    for name in preset_names():
        section = next(text for text in sections if text.startswith(f"`{name}`\n"))
        shown = re.search(r"^```yaml\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
        assert shown, name
        assert yaml.safe_load(shown[1]) == preset_named(name).project
        rows = [row for row in section.splitlines() if row.startswith("| ")][1:]
        assert len(rows) == len(preset_named(name).thresholds), f"{name} has a row that the preset does not know"


@pytest.mark.parametrize("name", preset_names())
def test_every_number_that_a_preset_sets_is_a_threshold_with_a_source(name: str) -> None:
    stated = re.findall(r"(?<![\d.])\d+(?:\.\d+)?", " ".join(one.value for one in preset_named(name).thresholds))
    assert set(numbers(preset_named(name).project)) <= {float(number) for number in stated}


def numbers(value: Any) -> list[float]:
    """Every number within mappings and lists."""
    if isinstance(value, dict | list):
        return [n for one in (value.values() if isinstance(value, dict) else value) for n in numbers(one)]
    return [float(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


def test_the_line_for_cron_runs_the_script_of_the_page() -> None:
    text = next(b.text for b in blocks_of("docs/tutorials/node-operator.md") if b.text.startswith("# crontab"))
    fields = text.splitlines()[-1].split(None, 5)
    assert all(re.fullmatch(r"[\d*]+", field) for field in fields[:5])
    assert shlex.split(fields[5])[:5] == ["cd", "/srv/studies/admissions", "&&", "sh", "nightly.sh"]


def test_the_folder_of_a_study_is_as_the_page_draws_it(tmp_path: Any) -> None:
    from sfumato.studies.bio_streams.pilot import write_pilot
    from sfumato.studies.study import bio_streams

    drawn = next(b.text for b in blocks_of("docs/studies/bio-streams.md") if b.text.startswith("DIR/"))
    names = set(re.findall(r"[\w.]+\.(?:csv|yaml|txt)|\.env", drawn))
    write_pilot(tmp_path)
    bio_streams(tmp_path)
    assert names - {path.name for path in tmp_path.rglob("*")} == set()
