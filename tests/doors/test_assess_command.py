"""`sfumato assess` and its neighbours: options, exit codes, JSON, files of flagged records, errors."""

import csv
import json
from pathlib import Path

import pytest
import typer

PATIENTS = """id,age,sex,town,diagnosis
P1,10,F,Rye,flu
P2,11,F,Rye,flu
P3,17,M,Rye,cold
P4,16,M,Hove,gout
P5,40,M,York,flu
"""
# Classes on age in bins and sex: {P1, P2} all flu, {P3, P4} cold and gout, {P5} flu.
ASKED = ("--quasi", "age,sex", "--bins", "age=0,12,18", "--sensitive", "diagnosis")

SALARIES = "class,salary\n" + "".join(
    f"{name},{salary}\n" for name, salaries in zip("ABC", [(3, 4, 5), (6, 11, 8), (7, 9, 10)], strict=True)
    for salary in salaries
)  # fmt: skip

# Two women of Rye, two women of unknown town, three men of Hove.
TOWNS = "sex,town\n" + "F,Rye\n" * 2 + "F,\n" * 2 + "M,Hove\n" * 3

PROJECT = """\
data:
  source: patients.csv
subject: id
columns:
  id: {role: direct}
  age: {role: quasi, bins: [0, 12, 18]}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 2}
  - {measure: t_closeness, sensitive: diagnosis, at_most: 0.9}
"""


@pytest.fixture
def patients(tmp_path):
    return written(tmp_path / "patients.csv", PATIENTS)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def readings(document) -> dict[tuple, float]:
    return {(r["measure"], r["sensitive"]): r["value"] for r in document["readings"]}


def only_reading(outcome) -> float:
    (reading,) = outcome.document["readings"]
    return reading["value"]


# Exit codes


@pytest.mark.parametrize(
    ("asked", "code"),
    [(("--k", "1", "--l", "1", "--t", "0.6"), 0), (("--k", "2"), 1), (("--k", "2", "--quasi", "ages"), 2)],
)
def test_the_program_exits_with_0_when_met_1_when_not_and_2_when_it_cannot_tell(program, patients, asked, code):
    outcome = program("assess", patients, *ASKED, *asked)
    assert outcome.code == code, outcome.said
    assert ("at risk" in outcome.out, outcome.err.startswith("sfumato: ")) == (code == 1, code == 2)


def test_a_question_without_bounds_is_answered_with_exit_code_0_and_no_verdict(sfumato, patients):
    outcome = sfumato("assess", patients, *ASKED, "--json", "-")
    assert (outcome.code, outcome.document["met"]) == (0, None)
    assert readings(outcome.document) == {
        ("k_anonymity", None): 1,
        ("distinct_l_diversity", "diagnosis"): 1,
        ("t_closeness", "diagnosis"): pytest.approx(0.6),
    }


def test_a_reading_equal_to_its_bound_is_met(sfumato, patients):
    assert sfumato("assess", patients, *ASKED, "--t", "0.6").code == 0
    assert sfumato("assess", patients, *ASKED, "--t", "0.5999").code == 1


@pytest.mark.parametrize("asked", [("--k", "two"), ("--k", "0"), ("--t", "-1"), ("--nonsense",)])
def test_a_wrong_option_exits_with_2(sfumato, patients, asked):
    assert sfumato("assess", patients, *ASKED, *asked).code == 2


def test_nothing_to_assess_is_an_error_that_says_what_to_name(sfumato):
    outcome = sfumato("assess", "--k", "2")
    assert outcome.code == 2
    assert "name a file, or a project file with --project" in outcome.said


# JSON


def test_the_json_document_says_what_the_issue_promises(sfumato, patients, tmp_path):
    asked = ("--k", "2", "--l", "2", "--t", "0.5", "--subject", "id", "--json", tmp_path / "out.json")
    outcome = sfumato("assess", patients, *ASKED, *asked)
    document = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert outcome.code == 1
    assert (document["records"], document["subjects"], document["met"]) == (5, 5, False)
    assert document["quasi_identifiers"] == ["age", "sex"]
    classes = document["classes"]
    assert (classes["count"], classes["smallest"], classes["singletons"]) == (3, 1, 1)
    promised = ("measure", "sensitive", "value", "bound", "met", "flagged")
    assert [tuple(reading[key] for key in promised) for reading in document["readings"]] == [
        ("k_anonymity", None, 1, 2, False, 1),
        ("distinct_l_diversity", "diagnosis", 1, 2, False, 3),
        ("t_closeness", "diagnosis", pytest.approx(0.6), 0.5, False, 2),
    ]
    assert document["overlap"] == {"k only": 0, "l only": 2, "t only": 2, "several": 1, "any": 5}


def test_json_on_the_terminal_is_json_and_nothing_else(sfumato, patients, tmp_path):
    outcome = sfumato("assess", patients, *ASKED, "--k", "2", "--json", "-", "--out", tmp_path / "out")
    assert outcome.document["met"] is False
    assert "flagged_k_anonymity.csv" in outcome.err


def test_a_terminal_without_the_letters_of_a_name_gets_its_report_and_json_is_utf_8(program, tmp_path):
    data = written(tmp_path / "d.csv", "Größe 😀\n1\n")
    asked = ("assess", data, "--quasi", "Größe 😀")
    outcome = program(*asked, env={"PYTHONIOENCODING": "cp1252"}, encoding="cp1252")
    assert outcome.code == 0, outcome.said
    assert r"\U0001f600" in outcome.out
    document = program(*asked, "--json", "-", env={"PYTHONIOENCODING": "ascii"}).document
    assert document["quasi_identifiers"] == ["Größe 😀"]


def test_without_a_subject_column_the_number_of_subjects_is_null(sfumato, patients):
    assert sfumato("assess", patients, *ASKED, "--json", "-").document["subjects"] is None


def test_with_a_subject_column_a_person_of_two_rows_counts_once(sfumato, tmp_path):
    data = written(tmp_path / "visits.csv", "id,age,d\nP1,40,flu\nP1,40,cold\nP2,40,flu\n")
    asked = ("assess", data, "--quasi", "age", "--sensitive", "d", "--k", "3", "--json", "-")
    assert sfumato(*asked).code == 0
    counted = sfumato(*asked, "--subject", "id")
    assert (counted.code, counted.document["records"], counted.document["subjects"]) == (1, 3, 2)
    assert counted.document["readings"][0]["value"] == 2
    assert counted.document["readings"][0]["flagged_subjects"] == 2


def test_several_sensitive_columns_are_read_each_by_itself(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "q,s,u\na,1,x\na,2,x\nb,1,y\nb,1,x\n")
    outcome = sfumato("assess", data, "--quasi", "q", "--sensitive", "s,u", "--l", "2", "--json", "-")
    assert readings(outcome.document) == {("distinct_l_diversity", "s"): 1, ("distinct_l_diversity", "u"): 1}
    assert [reading["flagged"] for reading in outcome.document["readings"]] == [2, 2]


# Files of flagged records


def test_there_is_one_file_per_failed_measure_worst_record_first(sfumato, patients, tmp_path):
    out = tmp_path / "deep" / "out"
    asked = ("--k", "2", "--l", "2", "--t", "0.3", "--subject", "id", "--out", out)
    outcome = sfumato("assess", patients, *ASKED, *asked)
    assert sorted(path.name for path in out.iterdir()) == [
        "flagged_distinct_l_diversity_diagnosis.csv",
        "flagged_k_anonymity.csv",
        "flagged_t_closeness_diagnosis.csv",
    ]
    assert table(out / "flagged_k_anonymity.csv") == [["id", "age", "sex", "k_count"], ["P5", ">=18", "M", "1"]]
    assert table(out / "flagged_distinct_l_diversity_diagnosis.csv") == [
        ["id", "age", "sex", "diagnosis", "l_count"],
        ["P1", "0--12", "F", "flu", "1"],
        ["P2", "0--12", "F", "flu", "1"],
        ["P5", ">=18", "M", "flu", "1"],
    ]
    assert table(out / "flagged_t_closeness_diagnosis.csv") == [
        ["id", "age", "sex", "diagnosis", "t_distance"],
        ["P3", "12--18", "M", "cold", "0.6"],
        ["P4", "12--18", "M", "gout", "0.6"],
        ["P1", "0--12", "F", "flu", "0.4"],
        ["P2", "0--12", "F", "flu", "0.4"],
        ["P5", ">=18", "M", "flu", "0.4"],
    ]
    assert str(out / "flagged_k_anonymity.csv") in outcome.said


def test_without_a_subject_column_a_record_is_known_by_its_place_in_the_file(sfumato, patients, tmp_path):
    sfumato("assess", patients, *ASKED, "--k", "2", "--out", tmp_path / "out")
    assert table(tmp_path / "out" / "flagged_k_anonymity.csv") == [
        ["record", "age", "sex", "k_count"],
        ["5", ">=18", "M", "1"],
    ]


def test_a_missing_quasi_identifier_is_shown_as_missing(sfumato, tmp_path):
    data = written(tmp_path / "towns.csv", "age,town\n,Rye\n3,NA\n")
    sfumato("assess", data, "--quasi", "age,town", "--bins", "age=0,6", "--k", "2", "--out", tmp_path / "out")
    assert table(tmp_path / "out" / "flagged_k_anonymity.csv")[1:] == [
        ["2", "0--6", "missing", "1"],
        ["1", "missing", "Rye", "1"],
    ]


def test_a_file_of_an_earlier_run_goes_when_its_requirement_is_met_and_other_files_stay(sfumato, patients, tmp_path):
    out = tmp_path / "out"
    sfumato("assess", patients, *ASKED, "--k", "2", "--l", "2", "--out", out)
    written(out / "notes.txt", "mine")
    outcome = sfumato("assess", patients, *ASKED, "--k", "1", "--l", "2", "--out", out)
    assert outcome.code == 1
    assert sorted(path.name for path in out.iterdir()) == [
        "flagged_distinct_l_diversity_diagnosis.csv",
        "notes.txt",
    ]


def test_columns_whose_names_differ_in_what_no_file_name_holds_have_a_file_each(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "q,a/b,a:b,a?b\n1,2,3,4\n1,2,3,4\n")
    sfumato("assess", data, "--quasi", "q", "--sensitive", "a/b,a:b,a?b", "--l", "2", "--out", tmp_path / "out")
    headers = {path.name: table(path)[0][2] for path in (tmp_path / "out").iterdir()}
    assert headers == {
        "flagged_distinct_l_diversity_a_b.csv": "a/b",
        "flagged_distinct_l_diversity_a_b (2).csv": "a:b",
        "flagged_distinct_l_diversity_a_b (3).csv": "a?b",
    }


def test_a_column_with_a_very_long_name_has_a_file_of_an_allowed_length(sfumato, tmp_path):
    name = "ß" * 300
    data = written(tmp_path / "d.csv", f"q,{name}\n1,2\n1,2\n")
    outcome = sfumato("assess", data, "--quasi", "q", "--sensitive", name, "--l", "2", "--out", tmp_path / "out")
    assert outcome.code == 1, outcome.said
    (file,) = (tmp_path / "out").iterdir()
    assert table(file)[0] == ["record", "q", name, "l_count"]


def test_a_second_run_writes_the_same_bytes(sfumato, patients, tmp_path):
    runs = []
    for name in ("one", "two"):
        asked = ("--k", "2", "--l", "2", "--t", "0.3", "--out", tmp_path / name)
        runs.append(sfumato("assess", patients, *ASKED, *asked, "--json", tmp_path / f"{name}.json"))
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


# Distances and further measures


@pytest.mark.parametrize(
    ("distance", "measure", "value"),
    [
        ((), "t_ordered", 0.375),  # the default for numbers
        (("--distance", "ordered"), "t_ordered", 0.375),
        (("--distance", "wasserstein"), "t_wasserstein", 3.0),
        (("--distance", "salary=wasserstein"), "t_wasserstein", 3.0),
        (("--distance", "total-variation"), "t_closeness", 2 / 3),
    ],
)
def test_t_is_read_by_the_distance_asked_for(sfumato, tmp_path, distance, measure, value):
    data = written(tmp_path / "salaries.csv", SALARIES)
    asked = ("--quasi", "class", "--sensitive", "salary", "--t", "0.3", *distance, "--json", "-")
    outcome = sfumato("assess", data, *asked)
    assert readings(outcome.document) == {(measure, "salary"): pytest.approx(value, abs=1e-12)}


def test_the_distance_of_one_column_leaves_the_others_alone(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "q,s,u\na,1,1\na,2,2\nb,5,5\nb,6,6\n")
    asked = ("--sensitive", "s,u", "--t", "0.1", "--distance", "ordered", "--distance", "u=wasserstein")
    outcome = sfumato("assess", data, "--quasi", "q", *asked, "--json", "-")
    assert set(readings(outcome.document)) == {("t_ordered", "s"), ("t_wasserstein", "u")}


@pytest.mark.parametrize(
    ("text", "value", "code"),
    [
        ("entropy_l_diversity(diagnosis) >= 1", 1, 0),
        ("entropy_l_diversity(diagnosis) >= 2", 1, 1),
        ("recursive_l_diversity(diagnosis, l=2) <= 3", None, 1),  # a class of one value is infinitely far
        ("alpha_k_anonymity(diagnosis) <= 0.5", 1, 1),
        ("maximum_risk<=1", 1, 0),
        ("average_risk <= 0.5", 0.6, 1),
        ('t_closeness("diagnosis") <= 0.6', 0.6, 0),
    ],
)
def test_any_measure_can_be_required_as_a_text(sfumato, patients, text, value, code):
    outcome = sfumato("assess", patients, *ASKED, "--require", text, "--json", "-")
    assert (outcome.code, only_reading(outcome)) == (code, None if value is None else pytest.approx(value))


# How columns are read


def test_sensitive_bins_hold_for_l_only(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "q,chol\na,110\na,120\nb,120\nb,190\n")
    asked = ("assess", data, "--quasi", "q", "--sensitive", "chol", "--l", "2", "--t", "0.9", "--json", "-")
    assert readings(sfumato(*asked).document)["distinct_l_diversity", "chol"] == 2
    binned = sfumato(*asked, "--sensitive-bins", "chol=100,150,200")
    assert readings(binned.document)["distinct_l_diversity", "chol"] == 1
    assert readings(binned.document)["t_ordered", "chol"] == readings(sfumato(*asked).document)["t_ordered", "chol"]


def test_an_order_changes_the_ordered_distance(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "q,dose\na,low\na,low\nb,medium\nb,high\n")
    asked = ("--quasi", "q", "--sensitive", "dose", "--t", "0.9", "--distance", "ordered", "--json", "-")
    alphabetical = sfumato("assess", data, *asked)
    assert only_reading(alphabetical) == 0.25
    assert any("alphabet" in note for note in alphabetical.document["notes"])
    assert only_reading(sfumato("assess", data, *asked, "--order", "dose=low,medium,high")) == 0.375


def test_a_column_is_read_at_a_level_of_its_hierarchy(sfumato, patients, tmp_path):
    written(tmp_path / "towns.csv", "Rye;South;*\nHove;South;*\nYork;North;*\n")
    outcome = sfumato("assess", patients, "--quasi", "town", "--hierarchy", "town=towns.csv@1", "--k", "2",
                      "--out", tmp_path / "out", "--json", "-")  # fmt: skip
    assert (outcome.document["classes"]["count"], only_reading(outcome)) == (2, 1)
    assert table(tmp_path / "out" / "flagged_k_anonymity.csv")[1:] == [["5", "North", "1"]]
    whole = sfumato("assess", patients, "--quasi", "town", "--hierarchy", "town=towns.csv@2", "--json", "-")
    assert only_reading(whole) == 5


@pytest.mark.parametrize("place", ["towns.csv", "towns.csv@x", "towns.csv@7", "nowhere.csv@1"])
def test_a_hierarchy_that_cannot_be_used_is_an_error(sfumato, patients, tmp_path, place):
    written(tmp_path / "towns.csv", "Rye;South\nHove;South\nYork;North\n")
    assert sfumato("assess", patients, "--quasi", "town", "--hierarchy", f"town={place}").code == 2


def test_a_value_that_the_hierarchy_lacks_is_counted_and_not_told(sfumato, patients, tmp_path):
    written(tmp_path / "towns.csv", "Rye;South\nHove;South\n")
    outcome = sfumato("assess", patients, "--quasi", "town", "--hierarchy", "town=towns.csv@1")
    assert outcome.code == 2
    assert "1 value that its hierarchy lacks" in outcome.said
    assert "York" not in outcome.said


@pytest.mark.parametrize(("reading", "k", "count"), [("own_value", 2, 3), ("wildcard", 3, 3), ("never_matches", 1, 4)])
def test_missing_quasi_identifiers_are_read_as_asked(sfumato, tmp_path, reading, k, count):
    data = written(tmp_path / "towns.csv", TOWNS)
    outcome = sfumato("assess", data, "--quasi", "sex,town", "--missing-values", reading, "--json", "-")
    assert (only_reading(outcome), outcome.document["classes"]["count"]) == (k, count)
    assert outcome.document["missing_values"] == reading
    assert outcome.document["k_by_missing_values"] == {"own_value": 2, "wildcard": 3, "never_matches": 1}


def test_own_value_is_the_default_reading_and_the_others_are_shown(sfumato, tmp_path):
    outcome = sfumato("assess", written(tmp_path / "towns.csv", TOWNS), "--quasi", "sex,town")
    assert "This assessment reads them as own_value." in outcome.said


def test_a_missing_sensitive_value_counts_only_when_asked_to(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "q,s\na,flu\na,\nb,flu\nb,cold\n")
    asked = ("assess", data, "--quasi", "q", "--sensitive", "s", "--l", "2", "--json", "-")
    without, counted = sfumato(*asked), sfumato(*asked, "--count-missing")
    assert (only_reading(without), without.document["readings"][0]["left_out"], without.code) == (1, 1, 1)
    assert (only_reading(counted), counted.document["readings"][0]["left_out"], counted.code) == (2, 0, 0)


def test_a_column_is_read_as_the_type_asked_for(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "code\n1.0\n1.00\n")
    asked = ("assess", data, "--quasi", "code", "--json", "-")
    assert only_reading(sfumato(*asked, "--type", "code=real")) == 2
    assert only_reading(sfumato(*asked, "--type", "code=text")) == 1


def test_a_missing_token_is_what_was_said(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "q\nunknown\na\n")
    asked = ("columns", data, "--json", "-")
    assert sfumato(*asked).document["columns"][0]["missing"] == 0
    assert sfumato(*asked, "--missing-token", "unknown").document["columns"][0]["missing"] == 1


def test_a_column_name_with_a_comma_stands_in_quotes(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", '"age, years",sex\n3,F\n4,F\n')
    outcome = sfumato("assess", data, "--quasi", '"age, years",sex', "--bins", '"age, years"=0,6', "--json", "-")
    assert outcome.document["quasi_identifiers"] == ["age, years", "sex"]
    assert only_reading(outcome) == 2


# The project file


def test_a_project_file_says_it_all(sfumato, patients, tmp_path):
    project = written(tmp_path / "project.yaml", PROJECT)
    for asked in (("--project", project), (project,)):
        outcome = sfumato("assess", *asked, "--json", "-")
        assert (outcome.code, outcome.document["subject"]) == (1, "id")
        assert readings(outcome.document) == {
            ("k_anonymity", None): 1,
            ("t_closeness", "diagnosis"): pytest.approx(0.6),
        }


def test_the_project_file_of_the_working_directory_is_found(sfumato, patients, tmp_path):
    written(tmp_path / "sfumato.yaml", PROJECT)
    assert sfumato("assess", "--json", "-").document["readings"][0]["bound"] == 2


def test_an_option_goes_before_the_project_file(sfumato, patients, tmp_path):
    project = written(tmp_path / "project.yaml", PROJECT)
    outcome = sfumato("assess", "--project", project, "--k", "1", "--json", "-")
    bounds = {reading["measure"]: reading["bound"] for reading in outcome.document["readings"]}
    assert (outcome.code, bounds) == (0, {"t_closeness": 0.9, "k_anonymity": 1})


def test_data_given_as_an_option_go_before_those_of_the_project_file(sfumato, tmp_path):
    project = written(tmp_path / "project.yaml", PROJECT)
    other = written(tmp_path / "other.csv", PATIENTS.replace("P5,40,M,York,flu\n", ""))
    outcome = sfumato("assess", other, "--project", project, "--json", "-")
    assert (outcome.code, outcome.document["records"]) == (0, 4)


def test_a_wrong_key_of_the_project_file_is_named_with_its_line_and_the_nearest(sfumato, patients, tmp_path):
    project = written(tmp_path / "project.yaml", PROJECT.replace("subject:", "subjekt:"))
    outcome = sfumato("assess", "--project", project)
    assert outcome.code == 2
    assert "project.yaml, line 3" in outcome.said
    assert "'subject'" in outcome.said


def test_a_wrong_measure_of_the_project_file_is_named_with_its_line_and_the_nearest(sfumato, patients, tmp_path):
    project = written(tmp_path / "project.yaml", PROJECT.replace("t_closeness", "t_closenes"))
    outcome = sfumato("assess", "--project", project)
    assert outcome.code == 2
    assert "line 11" in outcome.said
    assert "'t_closeness'" in outcome.said


def test_what_init_writes_can_be_assessed_once_the_roles_are_given(sfumato, patients, tmp_path):
    assert sfumato("init", patients, "--out", tmp_path / "first.yaml").code == 0
    text = (tmp_path / "first.yaml").read_text(encoding="utf-8")
    assert "P1" not in text
    assert "flu" not in text
    undecided = sfumato("assess", "--project", tmp_path / "first.yaml")
    assert undecided.code == 2
    assert "role: quasi" in undecided.said
    decided = text.replace("sex: {role: undecided, proposed: true}", "sex: {role: quasi}")
    written(tmp_path / "first.yaml", decided)
    outcome = sfumato("assess", "--project", tmp_path / "first.yaml", "--json", "-")
    assert (outcome.code, only_reading(outcome)) == (1, 2)


def test_init_writes_sfumato_yaml_and_refuses_to_overwrite_it(sfumato, patients, tmp_path):
    assert sfumato("init", patients).code == 0
    written(tmp_path / "sfumato.yaml", "# mine\n")
    refused = sfumato("init", patients)
    assert refused.code == 2
    assert "--force" in refused.said
    assert (tmp_path / "sfumato.yaml").read_text(encoding="utf-8") == "# mine\n"
    assert sfumato("init", patients, "--force").code == 0
    assert "columns:" in (tmp_path / "sfumato.yaml").read_text(encoding="utf-8")


# The other commands


def test_schema_prints_a_json_schema_of_the_project_file(sfumato):
    outcome = sfumato("schema")
    assert outcome.code == 0
    assert {"data", "subject", "columns", "measures", "missing_values"} <= set(outcome.document["properties"])


def test_measures_lists_the_whole_catalogue_and_one_in_full(sfumato):
    from sfumato.privacy.catalogue import measures

    names = [measure["name"] for measure in sfumato("measures", "--json", "-").document["measures"]]
    assert names == sorted(measures())
    assert all(name in sfumato("measures").out for name in names)
    assert "Li, Li, Venkatasubramanian (2007)" in sfumato("measures", "t_closeness").said


def test_columns_says_how_each_column_was_read_and_why(sfumato, tmp_path):
    data = written(tmp_path / "d.csv", "zip,age,born\n007,3,2001-02-03\n123,,2001-02-04\n")
    document = sfumato("columns", data, "--json", "-").document
    assert [(c["name"], c["type"], c["missing"]) for c in document["columns"]] == [
        ("zip", "text", 0), ("age", "integer", 1), ("born", "date", 0)
    ]  # fmt: skip
    assert all(column["why"] for column in document["columns"])
    assert "2 records, 3 columns." in sfumato("columns", data).said


def test_the_version_is_that_of_the_package(program):
    import sfumato

    assert program("--version").out == f"sfumato {sfumato.__version__}\n"


def commands(command=None, path=()):
    from sfumato.cli import app

    command = command or typer.main.get_command(app)
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*path, name))


@pytest.mark.parametrize("path", list(commands()), ids=lambda path: " ".join(path) or "sfumato")
def test_every_command_explains_itself_with_an_example(sfumato, path):
    outcome = sfumato(*path, "--help")
    assert outcome.code == 0
    assert "Usage: sfumato" in outcome.out
    assert not path or f"Example: sfumato {' '.join(path)}" in outcome.said


def test_the_help_lists_every_command_in_the_order_of_the_work(sfumato):
    from sfumato.cli.app import FILES

    assert sorted(FILES) == sorted(path[0] for path in commands() if len(path) == 1)
    said = sfumato("--help").out.split("Commands:")[1]
    places = [said.index(f"\n  {name} ") for name in FILES]
    assert places == sorted(places)


def test_every_command_is_in_the_file_in_which_it_is_looked_for():
    from sfumato.cli import app
    from sfumato.cli.app import FILES

    def file(command):
        inner = getattr(command, "commands", {"": command})
        return {each.callback.__module__.rpartition(".")[2] for each in inner.values()}

    assert {name: file(command) for name, command in typer.main.get_command(app).commands.items()} == {
        name: {file} for name, file in FILES.items()
    }


# Wrong names


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        (("--quasi", "aeg"), "'age'"),
        (("--sensitive", "Diagnoses"), "'diagnosis'"),
        (("--subject", "idd"), "'id'"),
        (("--bins", "ages=0,6"), "'age'"),
        (("--order", "diagnosys=a,b"), "'diagnosis'"),
        (("--hierarchy", "twon=towns.csv@1"), "'town'"),
        (("--sensitive-bins", "diagnosys=0,6"), "'diagnosis'"),
        (("--distance", "diagnosys=ordered"), "'diagnosis'"),
        (("--t", "0.3", "--distance", "wassertein"), "'wasserstein'"),
        (("--t", "0.3", "--distance", "total_variation"), "'total-variation'"),
        (("--require", "k_anonimity >= 5"), "'k_anonymity'"),
        (("--require", "t_closeness(diagnosys) <= 0.3"), "'diagnosis'"),
        (("--require", "t_closeness(diagnosis, bin=3) <= 0.3"), "'bins'"),
        (("--missing-values", "own-value"), "'own_value'"),
        (("--type", "age=integr"), "'integer'"),
        (("--type", "aeg=integer"), "'age'"),
        (("--engine", "duckbd"), "'duckdb'"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(sfumato, patients, asked, nearest):
    outcome = sfumato("assess", patients, *ASKED, *asked)
    assert outcome.code == 2, outcome.said
    assert f"Did you mean {nearest}?" in outcome.err


def test_a_wrong_distance_is_an_error_also_where_no_t_is_asked_for(sfumato, patients):
    outcome = sfumato("assess", patients, *ASKED, "--k", "2", "--distance", "wassertein")
    assert outcome.code == 2
    assert "Did you mean 'wasserstein'?" in outcome.err


def test_a_wrong_measure_to_explain_is_answered_with_the_nearest(sfumato):
    outcome = sfumato("measures", "t_closenes")
    assert (outcome.code, "Did you mean 't_closeness'?" in outcome.err) == (2, True)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("--require", "k_anonymity"), "cannot be read"),
        (("--require", "k_anonymity <= 5"), "give it at_least (>=)"),
        (("--require", "t_closeness(diagnosis) >= 0.3"), "give it at_most (<=)"),
        (("--require", "t_closeness <= 0.3"), "needs the parameter 'sensitive'"),
        (("--require", "t_closeness(town) <= 0.3"), "not a sensitive column"),
        (("--sensitive-bins", "age=0,x"), "must be numbers"),
        (("--bins", "age"), "--bins cannot be read: write --bins COLUMN=EDGES."),
        (("--bins", "age=0,6"), "--bins is given twice for 'age'. Give it once."),
        (("--bins", "sex=0,1"), "Bins need numbers"),
        (("--l", "2", "--sensitive-bins", "diagnosis=0,1"), "needs numbers"),
        (("--sensitive", "age"), "A column has one role"),
        (("--t", "3", "--distance", "wasserstein"), "needs numbers"),
        (("--type", "sex=integer"), "'sex'"),
    ],
)
def test_a_question_that_makes_no_sense_is_answered_with_what_to_do(sfumato, patients, asked, words):
    outcome = sfumato("assess", patients, *ASKED, *asked)
    assert outcome.code == 2, outcome.said
    assert words in outcome.err


def test_bins_that_decrease_are_an_error(sfumato, patients):
    outcome = sfumato("assess", patients, "--quasi", "age", "--bins", "age=6,0")
    assert (outcome.code, "in increasing order" in outcome.err) == (2, True)


def test_l_without_a_sensitive_column_is_an_error(sfumato, patients):
    outcome = sfumato("assess", patients, "--quasi", "age", "--l", "2")
    assert (outcome.code, "Name one with --sensitive" in outcome.err) == (2, True)
