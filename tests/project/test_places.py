"""Places that project files and plans name: within their folder, unless somebody allows another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import OutsidePlace, PlanError, ProjectError
from sfumato.outputs import is_plain_name
from sfumato.plans.catalogue import transformations
from sfumato.plans.plan_file import parse_plan
from sfumato.project.file import Project
from sfumato.project.places import allowing, located

URLS = [
    "http://evil.example/x.csv", "https://evil.example/x.csv", "s3://bucket/x.parquet", "file:///etc/passwd",
    "FILE:///etc/passwd", "postgresql://evil.example/db", "postgres://localhost/db", "postgresql:///db",
    "postgresql://good.example#@evil.example/db", "postgresql://good.example?x@evil.example/db",
    "postgresql://good.example,evil.example/db", "postgresql://good.example/db?host=evil.example",
    "postgresql://good.example/db?ho%73t=evil.example", "postgresql://good.example/db?hostaddr=10.0.0.1",
    "postgresql://good.example/db?passfile=/etc/passwd", "postgresql://good.example/db?service=x",
    "postgresql://good.example/db?options=-c%20x", "postgresql://a@evil.example@good.example/db",
]  # fmt: skip
PATHS = [
    "../x.csv", "a/../../x.csv", "/etc/passwd", "/", "..", "~/x.csv", "~root/x.csv", "//evil/share/x.csv",
    r"\\evil\share\x.csv", "x\0.csv", "out/x.csv", "linked.csv", "dangling.csv", "circle", "folder",
]  # fmt: skip
KEYS = [
    ("data: {source: PLACE}", "data: source", 1),
    ("engine: duckdb\ncolumns:\n  age: {role: quasi, hierarchy: PLACE}", "columns: age: hierarchy", 3),
    ("\nanonymise: {hierarchies: PLACE}", "anonymise: hierarchies", 2),
    ("population: {table: PLACE}", "population: table", 1),
    ("context: {recipient: PLACE}", "context: recipient", 1),
]
STEPS = [
    "{tokenise: {column: id, vault: PLACE, secret: s}}",
    "{recode_tuples: {columns: [a], file: PLACE}}",
    "{generalise: {column: a, level: 1, hierarchy: PLACE}}",
    "{generalise: {column: a, level: 1, hierarchy: {kind: from_file, path: PLACE}}}",
    "{generalise: {column: a, level: 1, hierarchy: {kind: tree, mapping: PLACE}}}",
    "{generalise_locally: {rules: [{levels: {a: 1}}], hierarchies: {a: PLACE}}}",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a project, with links that lead out of it."""
    outside, inside = tmp_path / "outside", tmp_path / "project"
    outside.mkdir()
    inside.mkdir()
    (outside / "x.csv").write_text("a\n1\n")
    (inside / "data").mkdir()
    (inside / "data" / "x.csv").write_text("a\n1\n")
    (inside / "out").symlink_to(outside)
    (inside / "linked.csv").symlink_to(outside / "x.csv")
    (inside / "within.csv").symlink_to(inside / "data" / "x.csv")
    (inside / "dangling.csv").symlink_to(outside / "nothing.csv")
    (inside / "circle").symlink_to(inside / "circle")
    (inside / "folder").mkdir()
    (inside / "folder" / "part-1.parquet").symlink_to(outside / "x.csv")
    return inside


def written(text: str, place: str) -> str:
    """A text with a place in it, as YAML writes a text in double quotes."""
    escaped = place.replace("\\", "\\\\").replace("\0", "\\0")
    return text.replace("PLACE", f'"{escaped}"')


@pytest.mark.parametrize("place", [*PATHS, *URLS])
def test_a_place_outside_of_the_folder_is_refused(place: str, folder: Path) -> None:
    with allowing("good.example"), pytest.raises(OutsidePlace) as caught:
        located(place, folder)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("place", ["data/x.csv", "./data/../data/x.csv", "within.csv", "data", "new.csv", "a b;c.csv"])
def test_a_place_in_the_folder_is_taken_from_it(place: str, folder: Path) -> None:
    assert located(place, folder) == str(folder / place)


def test_an_absolute_path_into_the_folder_is_in_the_folder(folder: Path) -> None:
    assert located(str(folder / "data" / "x.csv"), folder) == str(folder / "data" / "x.csv")


@pytest.mark.parametrize(("text", "key", "line"), KEYS)
def test_a_project_says_which_key_leads_out_and_what_to_allow(text: str, key: str, line: int, folder: Path) -> None:
    with pytest.raises(ProjectError) as caught:
        Project.parse(written(text, "../outside/x.csv"), folder / "sfumato.yaml")
    outside = folder.parent / "outside"
    assert str(caught.value) == (
        f"{folder / 'sfumato.yaml'}, line {line}: `{key}` leads out of the folder of this file. Put what is needed "
        f"beside this file, or allow the place: --allow {outside} (or SFUMATO_ALLOW; in Python sfumato.allowing)."
    )
    with allowing(outside):
        Project.parse(written(text, "../outside/x.csv"), folder / "sfumato.yaml")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("place", ["../outside/x.csv", "/etc/passwd", "linked.csv"])
def test_a_plan_names_no_file_outside_of_its_folder(step: str, place: str, folder: Path) -> None:
    with pytest.raises(PlanError, match=r"line 2: .*a file that it names leads out .*--allow"):
        parse_plan(f"steps:\n- {written(step, place)}\n", folder / "plan.yaml")
    parse_plan(f"steps:\n- {written(step, 'data/x.csv')}\n", folder / "plan.yaml")
    with allowing(folder.parent, "/etc"):
        parse_plan(f"steps:\n- {written(step, place)}\n", folder / "plan.yaml")


def test_every_step_that_opens_a_file_beside_the_plan_says_which() -> None:
    import inspect

    opening = [cls for cls in {*transformations().values()} if "resources.folder" in inspect.getsource(cls)]
    assert len(opening) == 4
    assert all("places" in vars(cls) for cls in opening)


def test_the_environment_allows_folders_and_servers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = folder.parent / "outside"
    monkeypatch.setenv("SFUMATO_ALLOW", os.pathsep.join((str(outside), "db.example.org")))
    assert located("out/x.csv", folder) == str(folder / "out" / "x.csv")
    url = "postgresql://reader@DB.example.org:5432/study?sslmode=require"
    assert located(url, folder) == url
    with pytest.raises(OutsidePlace, match=r"--allow evil\.example"):
        located("postgresql://evil.example/study", folder)


def test_what_was_allowed_ends_with_its_block(folder: Path) -> None:
    with allowing(folder.parent):
        located("../outside/x.csv", folder)
    with pytest.raises(OutsidePlace):
        located("../outside/x.csv", folder)


def test_a_share_is_allowed_without_asking_for_it(folder: Path) -> None:
    with allowing(r"\\server\studies"):
        assert located(r"\\server\studies\a\x.csv", folder) == r"\\server\studies\a\x.csv"
        for place in (r"\\server\other\x.csv", r"\\server\studies\..\other\x.csv"):
            with pytest.raises(OutsidePlace):
                located(place, folder)


@given(st.text(alphabet="./\\~:a*\0 ", max_size=12) | st.text(max_size=12))
def test_any_text_is_within_the_folder_or_refused(tmp_path_factory: pytest.TempPathFactory, place: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "a" / "project"
    try:
        path = located(place, folder)
    except OutsidePlace:
        return
    assert Path(path).resolve().is_relative_to(folder.resolve())


@given(st.text(max_size=20))
def test_a_plain_name_is_one_name_in_its_folder(name: str) -> None:
    if is_plain_name(name):
        assert Path("folder", name).parent == Path("folder")
        assert not name.startswith((".", "-"))
        assert name.isprintable()
