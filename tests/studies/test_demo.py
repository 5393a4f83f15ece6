"""`sfumato demo`: all that README and the tutorials begin with, written without harm to what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import sfumato as sf
from sfumato.errors import OutputError
from sfumato.studies.demo import PLAINLY, demo_folder, demo_part
from sfumato.studies.demonstrations.small_files import FIRST, page_files

ROOT = Path(__file__).parents[2]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_file_that_is_told_of_is_there_and_no_other(tmp_path: Path) -> None:
    demo_folder(tmp_path / "demo")
    assert {f"{path.name}/" if path.is_dir() else path.name for path in (tmp_path / "demo").iterdir()} == {
        *PLAINLY,
        ".env",
    }


def test_what_is_said_of_the_small_tables_is_true(tmp_path: Path) -> None:
    demo_folder(tmp_path)
    patients = (tmp_path / "patients.csv").read_text(encoding="utf-8").splitlines()
    assert len(patients) == 1 + 12
    assert patients[0] == "patient_id," + FIRST["patients.csv"].partition(": ")[2].replace(", ", ",")
    assert len((tmp_path / "admissions.csv").read_text(encoding="utf-8").splitlines()) == 1 + 32
    header, *records = (tmp_path / "hospital_admissions.csv").read_text(encoding="utf-8").splitlines()
    assert (len(records), len(header.split(","))) == (1716, 38)


def test_every_project_file_names_data_that_was_written_with_it(tmp_path: Path) -> None:
    demo_folder(tmp_path)
    projects = [path for path in tmp_path.glob("*.yaml") if path.name != "plan.yaml"]
    sources = {path.name: yaml.safe_load(path.read_bytes())["data"]["source"] for path in projects}
    assert sources == {
        "admissions.yaml": "admissions.csv",
        "clinic.yaml": "patients.csv",
        "hospital_admissions.yaml": "hospital_admissions.csv",
        "hospital_admissions_tables.yaml": "hospital_admissions.csv",
    }


def test_written_twice_it_is_the_same(tmp_path: Path) -> None:
    demo_folder(tmp_path)
    once = contents(tmp_path)
    demo_folder(tmp_path)
    assert contents(tmp_path) == once


@pytest.mark.parametrize("name", ["clinic.yaml", "hospital_admissions.csv", "pilot_report/PENTELI/DM.csv"])
def test_where_one_file_is_somebodys_none_is_written_unless_forced(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine\n", encoding="utf-8")
    with pytest.raises(OutputError, match=f"holds .*{Path(name).name}|{Path(name).name} holds"):
        demo_folder(tmp_path)
    assert contents(tmp_path) == {name: b"mine\n"}
    demo_folder(tmp_path, overwrite=True)
    demo_folder(tmp_path / "another")
    assert (tmp_path / name).read_bytes() == (tmp_path / "another" / name).read_bytes()


def test_other_files_of_the_folder_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("a\n1\n", encoding="utf-8")
    demo_folder(tmp_path, overwrite=True)
    assert (tmp_path / "mine.csv").read_text(encoding="utf-8") == "a\n1\n"


def test_whoever_is_elsewhere_is_told_to_go_there_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert demo_folder("a folder").lines()[-2:] == ["Next: cd 'a folder'", "      sfumato identify patients.csv"]
    assert demo_folder(".").lines()[-1] == "Next: sfumato identify patients.csv"


def test_what_to_type_next_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert demo_part("ms", "registry", rows=30).then == ("sfumato identify registry/ms_registry.csv",)
    assert demo_part("pages", "pages").then == ("sfumato identify pages/patients.csv",)
    assert len(list(sf.identify("pages/patients.csv"))) == 6


def test_the_pages_have_all_files_that_a_newcomer_has_and_more(tmp_path: Path) -> None:
    demo_part("pages", tmp_path)
    assert set(FIRST) < set(contents(tmp_path)) == set(page_files())


def test_make_demo_writes_neither_over_the_demonstration_nor_where_readme_writes() -> None:
    """Or a second `make demo` would refuse, and so would the commands of README after a first one."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile[makefile.index("\ndemo:") : makefile.index("\ncheck:")]
    outputs = set(re.findall(r"(?:-o|--out|--json|--html) demo/(\S+)", recipe))
    readme = set(re.findall(r"(?:-o|--out|--json|--html) (\S+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"hospital_released.csv", "hospital_package", "study_flagged"} <= outputs
    assert {"package", "flagged", "release.csv"} <= readme
    assert outputs & (readme | {name.rstrip("/") for name in PLAINLY}) == set()
