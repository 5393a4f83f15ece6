"""Presets: each is valid, runs, and states where every threshold comes from."""

import csv
import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.errors import OutputError, ProjectError
from sfumato.project.file import Project
from sfumato.project.init import init_project
from sfumato.project.presets import Certainty, preset_named, preset_names
from sfumato.studies.demonstrations import write_demonstration
from sfumato.tables.source import ReadOptions

NAMES = ("bio_streams", "ema_0070", "hipaa_safe_harbor", "ipc_ontario", "ncc_korea", "open_data", "thesis")
PAGE = (Path(__file__).parents[3] / "docs" / "presets.md").read_text(encoding="utf-8")
COLUMNS = """\
columns:
  age: {role: quasi}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
"""
TABLE = "age,sex,diagnosis\n" + "".join(f"{30 + 10 * (i % 2)},f,{'flu' if i < 20 else 'cold'}\n" for i in range(24))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def project(folder: Path, name: str, more: str = "") -> Path:
    path = folder / "sfumato.yaml"
    path.write_text(f"data: {{source: table.csv}}\npreset: {name}\n{COLUMNS}{more}", encoding="utf-8")
    return path


def required(project: Project) -> list[tuple[str, str | None, float]]:
    """What must hold: measure, column and bound."""
    return [
        (entry.measure, entry.parameters.get("sensitive"), entry.at_least if entry.at_most is None else entry.at_most)
        for entry in project.measures
    ]


def test_the_presets_are_found_by_looking_in_the_folder():
    assert preset_names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_part_of_a_valid_project_file(name):
    import jsonschema

    jsonschema.validate(preset_named(name).project, Project.json_schema(), jsonschema.Draft202012Validator)
    Project.parse(json.dumps(preset_named(name).project))


@pytest.mark.parametrize("name", NAMES)
def test_a_project_file_with_a_preset_runs_and_reads_what_it_requires(name, folder):
    """Twelve people alike in each of two classes: k 11 is met, k 20 is not."""
    path = project(folder, name)
    assessment = sf.assess_project(Project.read(path))
    assert assessment.sizes.smallest == 12
    bounds = {entry["measure"]: entry.get("at_least") for entry in preset_named(name).project.get("measures", [])}
    expected = None if not bounds else bounds["k_anonymity"] <= 12 and bounds.get("distinct_l_diversity", 0) <= 2
    assert assessment.met is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ema_0070", [("k_anonymity", None, 11)]),
        ("ipc_ontario", [("k_anonymity", None, 20)]),
        ("open_data", [("k_anonymity", None, 20), ("distinct_l_diversity", "diagnosis", 2)]),
        ("bio_streams", [("k_anonymity", None, 5), ("distinct_l_diversity", "diagnosis", 5)]),
        ("thesis", [("k_anonymity", None, 2)]),
        ("ncc_korea", []),
        ("hipaa_safe_harbor", []),
    ],
)
def test_what_a_preset_requires_are_the_published_numbers(name, expected, folder):
    assert required(Project.read(project(folder, name))) == expected


def test_what_the_file_says_goes_before_the_preset_and_the_rest_of_it_stays(folder):
    more = (
        "missing_values: wildcard\nanonymise: {objective: nue}\nmeasures:\n  - {measure: k_anonymity, at_least: 11}\n"
    )
    read = Project.read(project(folder, "open_data", more))
    assert required(read) == [("k_anonymity", None, 11), ("distinct_l_diversity", "diagnosis", 2)]
    assert read.anonymise == {"objective": "nue", "suppress": 0.02}
    assert read.context == {"release": "public"}
    assert read.missing_values == "wildcard"
    assert read.preset == "open_data"
    assert [entry.line for entry in read.measures] == [10, 2]


def test_a_stricter_or_milder_context_of_the_file_goes_before_that_of_the_preset(folder):
    more = "context: {recipient: Low, people: {trained: yes}}\n"
    read = Project.read(project(folder, "ncc_korea", more)).context
    assert read == {"recipient": "Low", "people": {"trained": "yes"}, "release": "restricted"}


def test_a_column_is_read_as_in_the_preset_only_where_the_file_says_no_more_than_its_role():
    text = """\
preset: bio_streams
columns:
  USUBJID: {role: direct}
  DM__AGE: {role: quasi}
  VS__BMI: {role: quasi, bins: [0, 25, 50]}
  DM__SEX: {role: non-sensitive}
  LB__Cholesterol: {role: sensitive}
"""
    read = Project.parse(text)
    by_name = {attribute.name: attribute for attribute in read.attributes}
    assert by_name["DM__AGE"].bins == (0, 6, 12, 18)
    assert by_name["VS__BMI"].bins == (0, 25, 50)
    assert by_name["DM__SEX"].role == "non-sensitive"
    assert read.subject == "USUBJID"
    assert required(read)[1:] == [
        ("distinct_l_diversity", "LB__Cholesterol", 5),
        ("t_wasserstein", "LB__Cholesterol", 30),
    ]
    assert read.measures[1].parameters["bins"] == (100, 150, 200, 250)


def test_columns_that_the_file_does_not_list_are_not_brought_along():
    read = Project.parse("preset: bio_streams\ncolumns: {age: {role: quasi}}\n")
    assert [attribute.name for attribute in read.attributes] == ["age"]
    assert read.subject is None
    assert required(read) == [("k_anonymity", None, 5)]


def test_an_unknown_preset_is_an_error_with_its_line_and_the_nearest_name():
    with pytest.raises(
        ProjectError, match=r"sfumato.yaml, line 2: preset: there is no preset 'ema70'. Did you mean 'ema_0070'"
    ):
        Project.parse("engine: duckdb\npreset: ema70\n")


def test_what_is_wrong_in_the_file_is_told_before_the_preset_is_looked_at():
    with pytest.raises(ProjectError, match="line 2: role of column 'age'"):
        Project.parse("preset: open_data\ncolumns: {age: {role: quasy}}\n")


# Where the numbers come from


@pytest.mark.parametrize("name", NAMES)
def test_every_threshold_has_a_source_and_says_how_it_is_known(name):
    preset = preset_named(name)
    assert preset.thresholds
    for threshold in preset.thresholds:
        assert len(threshold.source) > 5
        assert isinstance(threshold.known, Certainty)
    assert len(preset.source) > 20


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_a_section_with_every_threshold_its_source_and_how_it_is_known(name):
    section = re.search(rf"^## `{name}`.*?(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert section, name
    for threshold in preset_named(name).thresholds:
        assert f"| {threshold.about} | {threshold.value} | {threshold.source} | {threshold.known.words} |" in section[0]
    assert preset_named(name).source in " ".join(section[0].split())


@pytest.mark.parametrize("name", NAMES)
def test_every_bound_of_the_fragment_is_among_the_thresholds(name):
    stated = " ".join(threshold.value for threshold in preset_named(name).thresholds)
    for entry in preset_named(name).project.get("measures", []):
        assert str(entry.get("at_least", entry.get("at_most"))) in stated, entry


# A first project file with a preset


def test_a_first_project_file_names_the_preset_and_leaves_the_bounds_to_it(folder):
    path = folder / "sfumato.yaml"
    assert init_project(str(folder / "table.csv"), path, ReadOptions(), preset="ema_0070") == 3
    read = Project.read(path)
    assert read.preset == "ema_0070"
    assert required(read) == [("k_anonymity", None, 11)]
    assert {attribute.name for attribute in read.attributes} == read.proposed == {"age", "sex", "diagnosis"}
    assert "#   k_anonymity: at_least 11" in path.read_text(encoding="utf-8")


def test_columns_that_the_preset_knows_get_its_roles_as_proposals(folder):
    (folder / "table.csv").write_text("USUBJID,DM__AGE,LB__Cholesterol,other\n1,5,180,x\n", encoding="utf-8")
    init_project(str(folder / "table.csv"), folder / "sfumato.yaml", ReadOptions(), preset="bio_streams")
    read = Project.read(folder / "sfumato.yaml")
    roles = {attribute.name: str(attribute.role) for attribute in read.attributes}
    assert roles == {
        "USUBJID": "non-sensitive", "DM__AGE": "quasi", "LB__Cholesterol": "sensitive", "other": "non-sensitive"
    }  # fmt: skip
    assert read.proposed == set(roles)
    assert read.subject == "USUBJID"
    assert len(read.measures) == 3


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_makes_a_valid_first_project_file(name, folder):
    init_project(str(folder / "table.csv"), folder / "sfumato.yaml", ReadOptions(), preset=name)
    assert Project.read(folder / "sfumato.yaml").preset == name


def test_a_project_file_that_exists_is_not_overwritten_unless_it_is_said(folder):
    path = project(folder, "thesis")
    before = path.read_text(encoding="utf-8")
    with pytest.raises(OutputError, match="exists already"):
        init_project(str(folder / "table.csv"), path, ReadOptions(), preset="ema_0070")
    assert path.read_text(encoding="utf-8") == before
    init_project(str(folder / "table.csv"), path, ReadOptions(), preset="ema_0070", overwrite=True)
    assert Project.read(path).preset == "ema_0070"


# The command


@pytest.fixture
def run(monkeypatch, capfd):
    def command(*arguments: str):
        monkeypatch.setattr(sys, "argv", ["sfumato", *arguments])
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capfd.readouterr()
        return int(stopped.value.code or 0), out, err

    return command


def test_the_command_lists_all_and_shows_one_with_its_sources(run):
    assert all(name in run("presets")[1] for name in NAMES)
    code, out, _ = run("presets", "hipaa_safe_harbor")
    assert code == 0
    assert "45 CFR 164.514(b)(2)(ii)" in out
    assert "from memory, check before use" in out
    assert json.loads(run("presets", "thesis", "--json", "-")[1])["project"]["missing_values"] == "own_value"
    code, _, err = run("presets", "ema")
    assert (code, "there is no preset 'ema'" in err) == (2, True)


def test_the_command_assesses_a_project_file_with_a_preset(run, folder):
    code, out, _ = run("assess", "--project", str(project(folder, "ipc_ontario")))
    assert code == 1
    assert "24 of 24 records at risk" in out


# A preset on a table that it suits, from the project file to the package

CENSUS = (
    "census",
    {"sex": "quasi", "age": "quasi", "education": "quasi", "salary-class": "sensitive"},
)
REGISTRY = ("ms", {"secret_name": "direct", "sex": "quasi", "age": "quasi", "bmi": "sensitive"})
SUITED = {"ema_0070": CENSUS, "ipc_ontario": CENSUS, "open_data": CENSUS, "thesis": REGISTRY}
REQUIRING = {"bio_streams", *SUITED}  # that of the pilots is released in tests/proof/test_demonstration_releases.py


def suited(folder: Path, name: str) -> tuple[Path, Path]:
    """A demonstration table, and a project file as the page shows one; it decides about the other columns, too."""
    table, roles = SUITED.get(name, REGISTRY)
    data = write_demonstration(table, folder, 1000)
    with data.open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    columns = {column: {"role": roles.get(column, "non-sensitive")} for column in header}
    path = folder / "sfumato.yaml"
    content = {"preset": name, "data": {"source": data.name}, "columns": columns}
    path.write_text(json.dumps(content), encoding="utf-8")
    return data, path


def test_the_presets_that_require_something_are_all_released_somewhere():
    assert {name for name in NAMES if preset_named(name).project.get("measures")} == REQUIRING


@pytest.mark.parametrize("name", SUITED)
def test_a_table_is_released_by_a_preset_and_keeps_to_its_bounds(name, run, tmp_path):
    data, path = suited(tmp_path, name)
    package = tmp_path / "package"
    code, _, err = run("release", "--project", str(path), "--out", str(package), "--no-report")
    assert code == 0, err
    evidence = str(tmp_path / "package-evidence")
    assert run("verify", str(package), "--evidence", evidence, "--original", str(data))[0] == 0
    read = json.loads((package / "assessment.json").read_text(encoding="utf-8"))["readings"]
    bounds = {entry["measure"]: entry["at_least"] for entry in preset_named(name).project["measures"]}
    assert {reading["measure"]: reading["bound"] for reading in read} == bounds
    with (package / "released.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    quasi = [attribute.name for attribute in Project.read(path).attributes if attribute.role == "quasi"]
    assert min(Counter(tuple(row[column] for column in quasi) for row in rows).values()) >= bounds["k_anonymity"]


@pytest.mark.parametrize("name", sorted({*NAMES} - REQUIRING))
def test_a_preset_that_requires_nothing_is_assessed_and_releases_nothing(name, run, tmp_path):
    _, path = suited(tmp_path, name)
    assert run("assess", "--project", str(path))[0] == 0
    code, _, err = run("release", "--project", str(path), "--out", str(tmp_path / "package"))
    assert code == 2
    assert "Nothing is required of the release" in " ".join(err.split())
    assert not (tmp_path / "package").exists()
