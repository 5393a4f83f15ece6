"""`sfumato risk`, as a user runs it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.doors.conftest import Command

import sfumato as sf
from sfumato.tables.engine import Engine
from sfumato.tables.load import load

DATA = """\
id,person,age,sex,ward,diagnosis
1,a,30,f,w1,flu
2,a,30,f,w2,flu
3,b,30,m,w1,cold
4,c,41,m,w2,flu
5,d,41,m,w2,cold
6,e,52,f,w1,flu
"""
RELEASE = "id,age,sex,diagnosis\n1,30-39,f,flu\n2,30-39,f,flu\n3,30-39,m,cold\n4,40-49,m,flu\n5,40-49,m,cold\n"
PROJECT = """\
data: {source: data.csv}
subject: person
columns:
  age: {role: quasi}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
scenarios:
  - {name: neighbour, columns: [age, sex]}
  - {name: nurse, columns: [age, sex, ward]}
subsets:
  - {name: flu, columns: [age], where: {column: diagnosis, equals: flu}}
  - {name: flu known, columns: [age], where: {column: diagnosis, equals: flu}, mode: as_qi}
population: {fraction: 0.5}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text(DATA, encoding="utf-8")
    (tmp_path / "release.csv").write_text(RELEASE, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    return tmp_path


def test_a_project_file_names_scenarios_subsets_and_the_population(sfumato: Command, folder: Path) -> None:
    found = sfumato("risk", "--project", "sfumato.yaml", "--json", "-").document
    neighbour, nurse = found["scenarios"]
    assert (neighbour["records"], neighbour["persons"], neighbour["singled_out"], neighbour["k"]) == (6, 5, 4, 1)
    assert nurse["singled_out"] == 4
    flu, known = found["subsets"]
    assert (flu["records"], flu["mode"]) == (4, "subset")
    assert (known["records"], known["mode"]) == (6, "as_qi")
    assert found["population"]["size"] == 10
    assert set(found["population"]["uniques"]) == {"zayatz", "pitman", "slide_negative_binomial", "dankar"}
    assert [attacker["name"] for attacker in found["attackers"]] == ["prosecutor", "journalist", "marketer"]
    assert found["linkage"] is None


def test_before_and_after_stand_side_by_side(sfumato: Command, folder: Path) -> None:
    options = ("--quasi", "age,sex", "--sensitive", "diagnosis", "--key", "id", "--scenario", "all=age,sex,ward")
    found = sfumato("risk", "data.csv", "release.csv", *options, "--json", "-").document
    after = found["scenarios"][0]["after"]
    assert (after["metric"], after["dropped"], after["records"], after["singled_out"]) == ("classes", ["ward"], 5, 1)
    assert found["linkage"]["method"] == "exact_linkage"
    assert {m["method"] for m in found["linkage"]["methods"]} == {
        "exact_linkage", "distance_linkage", "probabilistic_linkage",
    }  # fmt: skip
    assert [q["method"] for q in found["questions"]] == ["singling_out", "linkability", "inference"]


def test_scores_and_linkable_records_are_written_by_number(sfumato: Command, folder: Path) -> None:
    ran = sfumato("risk", "data.csv", "release.csv", "--quasi", "age,sex", "--key", "id", "--out", "exposed")
    assert ran.code == 0
    with (folder / "exposed" / "special_uniques.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {int(row["record"]) for row in rows} == {3, 6}  # the man of 30, and the only one of 52
    assert all(int(row["score"]) > 0 and 0 < float(row["dis_suda"]) <= 1 for row in rows)
    assert (folder / "exposed" / "linkable_exact_linkage.csv").read_text(encoding="utf-8") == "record\n3\n"


def test_a_page_has_a_heat_map_of_scenarios_and_one_of_pairs(sfumato: Command, folder: Path) -> None:
    ran = sfumato("risk", "data.csv", "--quasi", "age,sex,ward", "--sets", "2", "--html", "page.html")
    assert ran.code == 0
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "pairs of columns" in page


def test_patterns_of_several_records(sfumato: Command, folder: Path) -> None:
    found = sfumato("risk", "data.csv", "--quasi", "ward", "--subject", "person", "--patterns", "--json", "-").document
    assert found["patterns"]["singled_out"] == {"one": 0, "two": 1, "all": 1}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--scenario", "x=age,twon"), "no column 'twon'"),
        (("--subset", "{name: x, columns: [age], where: {column: sex, equals: z}}"), "No record satisfies"),
        (("--subset", "{name: x, columns: [age]}"), "A subset lacks where"),
        (("--subset", "died"), "A subset is written"),
        (("--fraction", "0"), "sampling fraction"),
        (("--fraction", "1.5"), "sampling fraction"),
        (("--population-size", "3"), "sample is no larger"),
        (("--region", "atlantis"), "atlantis"),
        (("--patterns",), "subject column"),
        (("--plan", "recipe:hospital", "release.csv"), "not both"),
    ],
)
def test_bad_input_is_said(sfumato: Command, folder: Path, options: tuple[str, ...], said: str) -> None:
    released = [o for o in options if o.endswith(".csv")]
    ran = sfumato("risk", "data.csv", *released, "--quasi", "age,sex", *[o for o in options if not o.endswith(".csv")])
    assert ran.code == 2
    assert said in ran.said


def test_keys_that_do_not_match_are_an_error(sfumato: Command, folder: Path) -> None:
    (folder / "release.csv").write_text(RELEASE.replace("\n5,", "\n9,"), encoding="utf-8")
    ran = sfumato("risk", "data.csv", "release.csv", "--quasi", "age,sex", "--key", "id")
    assert ran.code == 2
    assert "1 record of the release have a key that the original lacks" in ran.said


def test_a_population_table_gives_the_journalist_its_classes(sfumato: Command, folder: Path) -> None:
    people = "age,sex\n" + "30,f\n" * 4 + "30,m\n" * 5 + "41,m\n" * 3 + "52,f\n" * 2
    (folder / "people.csv").write_text(people, encoding="utf-8")
    found = sfumato("risk", "data.csv", "--quasi", "age,sex", "--population", "people.csv", "--json", "-").document
    journalist = found["attackers"][1]
    assert journalist["highest"] == pytest.approx(1 / 2)


def test_engines_find_the_same(folder: Path, engine: Engine) -> None:
    def found(held: Engine | None) -> dict[str, object]:
        return sf.risk(
            load(str(folder / "data.csv"), None, held), load(str(folder / "release.csv"), None, held) if held else
            str(folder / "release.csv"), quasi=["age", "sex"], key="id", uniques=2, attempts=20,
            scenarios={"all": ["age", "sex", "ward"]},
        ).document()  # fmt: skip

    ours, usual = (json.loads(json.dumps(found(held))) for held in (engine, None))
    for part in ("scenarios", "attackers", "uniques", "drivers", "linkage"):
        assert (
            ours[part] == pytest.approx(usual[part]) if isinstance(ours[part], float) else ours[part] == usual[part]
        ), part
