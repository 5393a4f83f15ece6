"""The house is as ARCHITECTURE.md draws it, and as small as it says: rooms, root, walks of data, what a start loads."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sfumato"
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PEOPLE = """age,sex,postcode,diagnosis
31,f,8000,flu\n32,f,8000,cold\n33,m,8001,flu\n34,m,8001,asthma\n45,f,8002,flu
46,f,8002,cold\n47,m,8003,asthma\n52,m,8003,flu\n53,f,8004,cold\n54,f,8004,flu
"""
PROJECT = """data: {source: people.csv}
columns:
  age: {role: quasi}
  sex: {role: quasi}
  postcode: {role: quasi, type: text}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 2}
anonymise: {suppress: 0.2}
"""


def rooms() -> set[str]:
    return {folder.name for folder in SOURCE.iterdir() if (folder / "__init__.py").exists()}


def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    enforced: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return enforced


def part(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    lines = [line for line in part(title).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_there_are_nineteen_rooms_and_about_ten_modules_beside_them() -> None:
    assert len(rooms()) == 19
    assert len(list(SOURCE.glob("[a-z]*.py"))) <= 13


def test_the_page_fits_on_a_screen_and_a_half() -> None:
    assert len(PAGE.splitlines()) <= 110


def test_the_page_has_every_room_and_every_module_of_the_root() -> None:
    assert {row[0].strip("`") for row in rows("The rooms")} == rooms()
    modules = {file.stem for file in SOURCE.glob("*.py")} - {"__init__"}
    assert [name for name in sorted(modules) if f"`{name}`" not in part("The rooms")] == []


def test_every_file_that_the_page_names_is_there() -> None:
    named = re.findall(r"`([a-z_0-9]+(?:/[a-z_0-9]+)+/?)`", PAGE)
    assert len(named) > 40
    absent = [name for name in named if not ((SOURCE / name).is_dir() or (SOURCE / f"{name}.py").exists()
              or (ROOT / name).exists())]  # fmt: skip
    assert absent == []


def test_a_room_may_import_what_the_contract_lets_it_import() -> None:
    """A layer imports those below it; rooms of one layer do not know each other."""
    layers = [re.findall(r"sfumato\.(\w+)", layer) for layer in contracts()[0]["layers"]]
    assert len(layers) == 15
    place = {name: number for number, layer in enumerate(layers) for name in layer}
    for name, _, imports in ([row[0].strip("`"), row[1], row[-1]] for row in rows("The rooms")):
        below = {room for room in rooms() if place[room] > place[name]}
        text = re.findall(r"\w+", imports)
        told = rooms() - {"cli"} if imports == "every room" else below if "nothing" in text else set(text) & rooms()
        assert told <= below, name


@pytest.mark.parametrize("room", sorted(rooms()))
def test_a_room_says_what_happens_in_it_and_what_it_may_import(room: str) -> None:
    says = ast.get_docstring(ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert "May import:" in says
    assert says.count(". ") + says.count(".\n") >= 2


def test_no_import_goes_around_the_contracts_by_a_text() -> None:
    """A family is found by looking in its own folder; nothing else is imported by its name in a text."""
    by_text = re.compile(r"import_module\(\s*f?[\"']sfumato|__import__\(")
    allowed = {SOURCE / "__init__.py"}  # the public names, imported when they are first used
    around = [file for file in SOURCE.rglob("*.py") if by_text.search(file.read_text(encoding="utf-8"))]
    assert set(around) <= allowed


def test_every_family_is_under_where_to_add_something() -> None:
    families = [
        name.removeprefix("sfumato.").removesuffix(".*").replace(".", "/") for name in contracts()[1]["modules"]
    ]
    assert "privacy/models" in families
    assert [family for family in families if f"`{family}/`" not in part("Where to add something")] == []


def walked(folder: Path, *arguments: str) -> dict[str, int]:
    (folder / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (folder / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    command = [sys.executable, str(ROOT / "tools" / "walk.py"), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    counts: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return counts


ASKED = ("--quasi", "age,sex,postcode", "--sensitive", "diagnosis", "--k", "2")


@pytest.mark.parametrize(
    ("arguments", "most_rooms", "most_changes"),
    [
        (("assess", "people.csv", *ASKED, "--l", "2", "--t", "0.5", "--out", "flagged"), 8, 14),
        # five ways are compared, whom each hits is told, what was taken is kept, and its pairs are numbers
        (("anonymise", "people.csv", *ASKED, "--suppress", "0.2", "--out", "release"), 12, 55),
        # a package is read again from its file, as its recipient does, has a report of its own, and is logged twice;
        # what the plan makes is asked for where the table is read
        (("release", "--project", "sfumato.yaml", "--out", "package"), 13, 103),
    ],
    ids=["assess", "anonymise", "release"],
)
def test_a_command_changes_rooms_seldom(tmp_path: Path, arguments: tuple[str, ...], most_rooms: int, most_changes: int):
    counts = walked(tmp_path, *arguments)
    assert counts["modules"] > 30
    assert counts["rooms"] <= most_rooms
    assert counts["changes"] <= most_changes


@pytest.mark.parametrize(
    ("arguments", "most", "absent"),
    [
        (("--help",), 40, ("duckdb", "pyarrow", "pydantic", "yaml", "numpy", "sqlglot", "pandas", "polars", "pyspark")),
        (
            ("assess", "people.csv", *ASKED, "--l", "2", "--t", "0.5"),
            143,
            ("numpy", "pandas", "pyspark", "rich", "sfumato.project.file.keys", "sqlglot"),
        ),
        (
            ("anonymise", "people.csv", "--quasi", "age,sex,postcode", "--k", "2", "--method", "optimal"),
            333,
            ("numba", "pandas", "rich", "scipy", "sfumato.project.file.keys", "sfumato.search.choice", "sqlglot"),
        ),
    ],
    ids=["help", "assess", "anonymise"],
)  # fmt: skip
def test_a_start_loads_no_more_modules_than_before_there_were_rooms(
    tmp_path: Path, arguments: tuple[str, ...], most: int, absent: tuple[str, ...]
) -> None:
    """29 and 179 modules of ours were loaded then. Since then came two for signals and temporary data, one for each new
    command, and for `assess` those for limits, places, headers and whole texts, for the names of keys of persons, and
    for what plans make; then four for the commands of the service, one for the addresses of a process, one for the
    shapes of columns, and one for parts of very wide tables. A command reads its own file alone since then, and what a
    project file may hold, other formats and methods, and colours only where they are needed: `assess` came down from
    209 to 138, and `anonymise` from 443 to 326; one for pairs as numbers came to that, and to all who read a file one
    each for texts that are short, for tables that have them, and for what a column of text is. Builders and heuristics
    that nobody asked for are not read since then. Then came one for sizes as people write them, and for `anonymise` one
    for leaves as bits and one for how far a look at a lowest node reaches.

    They are counted at the end of a run: `-X importtime` does not see what is imported from the folder of a family.
    """
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    code = (
        "import sys\nfrom sfumato.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('\\n' + ' '.join(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = done.stderr.splitlines()[-1].split()
    ours = [name for name in loaded if name.split(".")[0] == "sfumato"]
    assert 5 < len(ours) <= most
    assert [name for name in absent if name in loaded] == []
