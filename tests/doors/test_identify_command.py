"""`sfumato identify` and `sfumato recipient` as a person uses them."""

from __future__ import annotations

import csv
import json
import sqlite3
from pathlib import Path

import duckdb
import pytest

from sfumato.project.file import Project
from sfumato.schema import Role
from sfumato.studies.demonstrations.small_files import page_files

HEADER = ["Patient name", "e-mail", "date of birth", "sex", "postcode", "diagnosis", "visit no", "country"]
ANSWERS = page_files()["hospital.yaml"].decode()


def people(number: int = 60) -> list[list[object]]:
    given = ["Anna", "Bram", "Chloë", "Dirk", "Eva", "Frits", "Gaëlle", "Hugo", "Iris", "Joost"]
    family = ["Jansen", "de Vries", "Bakker", "Visser", "Smit", "Meijer"]
    return [
        [f"{given[i % 10]} {family[i // 10 % 6]}", f"{given[i % 10].lower()}.{i}@example.org",
         f"19{40 + i % 50}-{1 + i % 12:02}-{1 + i % 28:02}", "FM"[i % 2], f"{1000 + i % 7} AB",
         ["asthma", "diabetes", "migraine"][i % 3], 1 + i % 4, "NL"]
        for i in range(number)
    ]  # fmt: skip


def written(path: Path, rows: list[list[object]], header: list[str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    return written(tmp_path / "patients.csv", people(), HEADER)


def by_name(document: dict) -> dict[str, dict]:
    return {column["name"]: column for column in document["columns"]}


# One table


def test_each_column_has_a_role_the_evidence_and_its_numbers(sfumato, patients):
    outcome = sfumato("identify", patients, "--json", "-")
    assert outcome.code == 0
    found = by_name(outcome.document)
    assert {name: column["role"] for name, column in found.items()} == {
        "Patient name": "direct", "e-mail": "direct", "date of birth": "quasi", "sex": "quasi", "postcode": "quasi",
        "diagnosis": "sensitive", "visit no": "non-sensitive", "country": "quasi",
    }  # fmt: skip
    numbers = {"risk_rate", "values_seen_once", "unique_records", "influence", "score", "missing"}
    keys = {"name", "role", "evidence", *numbers}
    for column in found.values():
        assert keys <= column.keys()
        assert column["evidence"]
        assert all({"method", "verdict", "number", "sentence"} <= finding.keys() for finding in column["evidence"])
    assert found["date of birth"]["hipaa"]
    assert found["sex"]["score"] == found["sex"]["values_seen_once"] + found["sex"]["influence"]
    assert found["diagnosis"]["influence"] is None
    assert found["country"]["drop"]


def test_three_numbers_of_who_stands_out_have_three_names_in_one_table(sfumato, tmp_path):
    """X-1. Values 30, 30, 40, 50 and sexes f, m, f, m: two ages are seen once, no sex is, and all four pairs differ."""
    (tmp_path / "four.csv").write_text("age,sex\n30,f\n30,m\n40,f\n50,m\n", encoding="utf-8")
    shown = sfumato("identify", "four.csv", "--quasi", "age,sex").out
    table = shown.split("What each method says")[1].split("Which column first")[0]
    head, *rows = [line.split() for line in table.splitlines()[2:6]]
    assert " ".join(head).startswith("column risk rate % (Mansour) values seen once unique records influence")
    age, sex, together = rows
    assert (age[1], *age[3:5]) == ("83.33", "0.5000", "2")  # (1/2 + 1 + 1) / 3, 2 of 4 records, 2 records
    assert (sex[1], *sex[3:5]) == ("50.00", "0.0000", "0")
    assert together == ["all", "2", "quasi-identifiers", "4"]
    assert "uniqueness" not in shown.lower()


def test_a_rate_is_a_fraction_inside_and_per_cent_for_people_and_by_them(sfumato, tmp_path):
    """X-7. A column of rate 2.67 % is at a threshold of 2.67 per cent, and so a quasi-identifier."""
    rows = [0] * 50 + [1] * 50 + [2] * 25  # (1/50 + 1/50 + 1/25) / 3 = 2.67 %
    (tmp_path / "rates.csv").write_text("x\n" + "".join(f"{x}\n" for x in rows), encoding="utf-8")
    asked = sfumato("identify", "rates.csv", "--method", "risk-rate", "--alpha", "50", "--beta", "2.67", "--json", "-")
    (column,) = asked.document["columns"]
    assert (column["risk_rate"], column["role"]) == (0.0267, "quasi")
    assert (asked.document["alpha"], asked.document["beta"]) == (0.5, 0.0267)
    shown = sfumato("identify", "rates.csv", "--method", "risk-rate", "--alpha", "50", "--beta", "2.67").out
    assert "alpha 50 %, beta 2.67 %" in shown
    assert "2.67" in shown.split("Quasi-identifiers")[1].split("Non-sensitive")[0]


def test_no_cell_is_ever_shown(sfumato, patients):
    for method in ("evidence", "risk-rate"):
        said = sfumato("identify", patients, "--method", method, "--json", "all.json").said
        said += Path("all.json").read_text(encoding="utf-8")
        for cell in ("Jansen", "@example", "asthma", "1001 AB", "1960-"):
            assert cell not in said


def test_the_ranking_says_what_dropping_and_coarsening_would_do(sfumato, patients):
    ranking = sfumato("identify", patients, "--json", "-").document["ranking"]
    shares = [row["share_of_risk"] for row in ranking]
    assert ranking[0]["name"] == "date of birth"
    assert shares[0] == max(shares)
    for row in ranking:
        assert row["without"]["classes"] <= row["now"]["classes"]
        if row["coarser"]:
            assert row["without"]["classes"] <= row["coarser"]["classes"] <= row["now"]["classes"]
            assert row["coarser"]["how"]


def test_a_persons_decision_goes_before_any_evidence(sfumato, patients):
    found = by_name(sfumato("identify", patients, "--non-sensitive", "e-mail", "--json", "-").document)
    assert (found["e-mail"]["role"], found["e-mail"]["decided"]) == ("non-sensitive", True)
    assert (found["sex"]["role"], found["sex"]["decided"]) == ("quasi", False)


def test_scope_all_counts_the_influence_of_every_column_but_the_direct_ones(sfumato, patients):
    found = by_name(sfumato("identify", patients, "--scope", "all", "--json", "-").document)
    assert found["diagnosis"]["influence"] is not None
    assert found["e-mail"]["influence"] is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--direct", "e-mial"], "There is no column 'e-mial'. Did you mean 'e-mail'?"),
        (["--method", "risk-rate", "--alpha", "1", "--beta", "10"], "alpha is the higher one"),
        (["--method", "risk_rate"], "Did you mean 'risk-rate'?"),
        (["--scope", "everything"], "There is no scope 'everything'"),
        (["--missing-values", "wildcard"], "not as a wildcard"),
        (["--missing-values", "nothing"], "own_value or never_matches"),
        (["--direct", "sex", "--quasi", "sex"], "Column 'sex' has two roles"),
        (["--recipient", "nobody.yaml"], "nobody.yaml"),
        (["--dictionary", "nothing.csv"], "nothing.csv"),
    ],
)
def test_wrong_use_is_said_plainly(sfumato, patients, options, said):
    outcome = sfumato("identify", patients, *options)
    assert outcome.code == 2
    assert said in outcome.said


def test_there_is_nothing_to_identify_without_data(sfumato):
    outcome = sfumato("identify")
    assert outcome.code == 2
    assert "nothing to identify" in outcome.said


def test_tables_without_records_or_with_one_have_an_answer(sfumato, tmp_path):
    for rows in ([], [[1, "F"]]):
        outcome = sfumato("identify", written(tmp_path / "few.csv", rows, ["age", "sex"]), "--json", "-")
        assert outcome.code == 0
        assert outcome.document["records"] == len(rows)
        assert [column["role"] for column in outcome.document["columns"]] == ["quasi", "quasi"]


def test_the_same_input_gives_the_same_bytes(sfumato, patients):
    first, second = (sfumato("identify", patients, "--json", "-").out for _ in range(2))
    assert first == second


def test_a_redcap_dictionary_has_the_last_word_on_identifiers_but_a_person(sfumato, patients, tmp_path):
    dictionary = tmp_path / "dictionary.csv"
    header = ["Variable / Field Name", "Field Label", "Identifier?"]
    written(dictionary, [["visit no", "Number of the visit", "y"], ["sex", "Sex", ""]], header)
    found = by_name(sfumato("identify", patients, "--dictionary", dictionary, "--json", "-").document)
    assert found["visit no"]["role"] == "direct"
    assert found["sex"]["role"] == "quasi"


# The risk rate


def test_the_risk_rate_alone_lists_rates_lists_and_advice(sfumato, patients):
    outcome = sfumato("identify", patients, "--method", "risk-rate", "--direct", "Patient name,e-mail")
    assert outcome.code == 0
    order = ["Re-identification risk rate", "Sensitive attributes", "Non-sensitive attributes", "Advice"]
    places = [outcome.out.index(title) for title in order]
    assert places == sorted(places)
    assert "descending order" in outcome.out
    assert "Patient name" not in outcome.out.split("Re-identification risk rate")[1]


def test_the_risk_rate_is_never_written_as_a_decision(sfumato, patients, tmp_path):
    outcome = sfumato("identify", patients, "--method", "risk-rate", "--write")
    assert outcome.code == 2
    assert "not what they mean" in outcome.said
    assert not (tmp_path / "sfumato.yaml").exists()


# Roles in the project file


def test_write_makes_a_project_file_and_then_respects_what_a_person_decides(sfumato, patients, tmp_path):
    assert sfumato("identify", patients, "--write").code == 0
    path = tmp_path / "sfumato.yaml"
    first = Project.read(path)
    assert first.decided() == {}
    assert {a.name: a.role for a in first.attributes}["e-mail"] is Role.DIRECT
    decided = path.read_text(encoding="utf-8").replace("sex: {role: quasi, proposed: true}", "sex: {role: sensitive}")
    path.write_text(decided, encoding="utf-8")
    assert sfumato("identify", "--write").code == 0
    assert Project.read(path).decided() == {"sex": Role.SENSITIVE}
    assert path.read_text(encoding="utf-8") == decided


def test_without_write_no_file_is_touched(sfumato, patients, tmp_path):
    sfumato("identify", patients)
    assert not (tmp_path / "sfumato.yaml").exists()


def test_an_undecided_column_is_called_so_by_every_door_and_released_by_none(sfumato, tmp_path):
    rows = [[20 + i % 30, "FM"[i % 2], ["x", "y", "z"][i % 3]] for i in range(60)]
    coded = written(tmp_path / "coded.csv", rows, ["age", "sex", "zqv"])
    document = sfumato("identify", coded, "--json", "-").document
    assert by_name(document)["zqv"]["role"] == "undecided"
    assert "or you" in by_name(document)["zqv"]["would_decide"]
    assert document["roles"]["undecided"] == ["zqv"]
    assert "zqv" not in document["roles"]["non-sensitive"]
    written_roles = sfumato("identify", coded, "--write").out
    assert "Wrote sfumato.yaml: 2 proposed roles." in written_roles
    assert "1 column is undecided: give it a role." in written_roles
    assert Project.read(tmp_path / "sfumato.yaml").undecided == {"zqv"}
    path = tmp_path / "sfumato.yaml"
    confirmed = path.read_text(encoding="utf-8").replace("{role: quasi, proposed: true}", "{role: quasi}")
    path.write_text(confirmed, encoding="utf-8")
    assert any("1 column is undecided" in said for said in sfumato("assess", "--json", "-").document["open"])
    refused = sfumato("release", "--out", "package")
    assert refused.code == 2
    assert "1 column is undecided (zqv)" in refused.said
    made = sfumato("anonymise", "--k", "2", "--out", "released")
    assert "zqv" in made.out
    assert "zqv" not in (tmp_path / "released" / "released.csv").read_text(encoding="utf-8")


def test_what_is_sure_is_decided_together_and_the_rest_stays_proposed_or_undecided(sfumato, patients, tmp_path):
    document = sfumato("identify", patients, "--json", "-").document
    sure = {name for names in document["confirmable"].values() for name in names}
    assert {"e-mail", "sex"} <= sure
    outcome = sfumato("identify", patients, "--write", "--confirm-sure")
    assert f"{len(sure)} roles that are sure: decided." in outcome.out
    project = Project.read(tmp_path / "sfumato.yaml")
    assert set(project.decided()) == sure
    sfumato("identify", patients, "--write")
    assert set(Project.read(tmp_path / "sfumato.yaml").decided()) == sure


def test_assess_says_that_roles_are_only_proposed(sfumato, patients):
    sfumato("identify", patients, "--write")
    outcome = sfumato("assess", "--json", "-")
    assert outcome.code == 1
    assert any("only proposed" in note for note in outcome.document["open"])


# Several tables


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "extracts"
    (place / "lab").mkdir(parents=True)
    written(place / "patients.csv", people(), HEADER)
    written(
        place / "lab" / "results.csv", [[i, 4 + i % 3, "mmol/L"] for i in range(20)], ["sample no", "glucose", "unit"]
    )
    return place


def test_a_folder_is_identified_table_by_table_with_totals(sfumato, folder):
    outcome = sfumato("identify", folder, "--json", "-")
    assert outcome.code == 0
    document = outcome.document
    assert [table["name"] for table in document["tables"]] == ["lab/results.csv", "patients.csv"]
    assert document["totals"]["columns"] == 11
    counted = sum(document["totals"][role] for role in ("direct", "quasi", "sensitive", "non-sensitive", "undecided"))
    assert counted == 11
    assert all({"columns", "excluded", "counts"} <= table.keys() for table in document["tables"])
    shown = sfumato("identify", folder).out
    assert "DID" in shown
    assert ">=0.25" in shown


def test_a_table_that_cannot_be_read_does_not_stop_the_others(sfumato, folder):
    (folder / "broken.parquet").write_bytes(b"PAR1 not really")
    outcome = sfumato("identify", folder, "--json", "-")
    assert outcome.code == 2
    assert [table["name"] for table in outcome.document["tables"]] == ["lab/results.csv", "patients.csv"]
    assert [failure["name"] for failure in outcome.document["failures"]] == ["broken.parquet"]


def test_every_table_of_a_duckdb_file_and_of_sqlite(sfumato, tmp_path):
    with duckdb.connect(str(tmp_path / "study.duckdb")) as connection:
        connection.execute("CREATE TABLE visits (visit_no INTEGER, age INTEGER)")
        connection.execute("INSERT INTO visits VALUES (1, 40), (2, 50)")
        connection.execute("CREATE TABLE people (email VARCHAR, sex VARCHAR)")
        connection.execute("INSERT INTO people VALUES ('a@example.org', 'F'), ('b@example.org', 'M')")
    with sqlite3.connect(tmp_path / "study.sqlite") as connection:
        connection.execute("CREATE TABLE visits (visit_no INTEGER, age INTEGER)")
        connection.execute("INSERT INTO visits VALUES (1, 40), (2, 50)")
        connection.execute("CREATE TABLE people (email TEXT, sex TEXT)")
        connection.execute("INSERT INTO people VALUES ('a@example.org', 'F'), ('b@example.org', 'M')")
    for file in ("study.duckdb", "study.sqlite"):
        document = sfumato("identify", tmp_path / file, "--json", "-").document
        assert [table["name"] for table in document["tables"]] == ["people", "visits"]
        assert document["totals"]["direct"] == 1
        one = sfumato("identify", tmp_path / file, "--table", "people", "--json", "-").document
        assert [column["name"] for column in one["columns"]] == ["email", "sex"]


def test_a_column_named_for_many_tables_must_be_in_one_of_them(sfumato, folder):
    assert sfumato("identify", folder, "--direct", "sample no").code == 0
    outcome = sfumato("identify", folder, "--direct", "sample nr")
    assert outcome.code == 2
    assert "Did you mean 'sample no'?" in outcome.said


def test_roles_of_many_tables_are_not_written_into_one_file(sfumato, folder):
    outcome = sfumato("identify", folder, "--write")
    assert outcome.code == 2
    assert "describes one table" in outcome.said


def test_a_hundred_tables_in_one_run(sfumato, tmp_path):
    place = tmp_path / "many"
    place.mkdir()
    for i in range(100):
        written(place / f"t{i:03}.csv", [[i, "F"], [i + 1, "M"]], ["age", "sex"])
    document = sfumato("identify", place, "--json", "-").document
    assert document["totals"]["tables"] == 100
    assert document["totals"]["quasi"] == 200


# The recipient


def test_a_recipient_selects_the_final_quasi_identifiers(sfumato, patients, tmp_path):
    (tmp_path / "answers.yaml").write_text(ANSWERS, encoding="utf-8")
    document = sfumato("identify", patients, "--recipient", "answers.yaml", "--json", "-").document
    assert (document["recipient"]["grade"], document["recipient"]["threshold"]) == ("Middle", 0.5)
    scores = {column["name"]: column["score"] for column in document["columns"] if column["score"] is not None}
    assert document["selected"] == [
        name for name in sorted(scores, key=scores.get, reverse=True) if scores[name] >= 0.5
    ]
    assert "date of birth" in document["selected"]


def test_the_recipient_from_a_file_and_from_the_terminal(sfumato, tmp_path):
    (tmp_path / "answers.yaml").write_text(ANSWERS, encoding="utf-8")
    outcome = sfumato("recipient", "--answers", "answers.yaml", "--json", "out.json")
    assert outcome.code == 0
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [found[key] for key in ("linkage", "reidentifiability", "understanding")] == [10, 2, 8]
    assert (round(found["average"], 2), found["grade"], found["threshold"]) == (6.67, "Middle", 0.5)


@pytest.mark.parametrize(
    ("change", "said"),
    [(("shaming: no\n", ""), "shaming"), (("shaming: no", "shaming: perhaps"), "yes or no"),
     (("working_years: 8", "working_years: -1"), "working_years"), (("shaming", "shamming"), "shaming")],
)  # fmt: skip
def test_an_answers_file_that_is_wrong_says_which_question_and_what_is_allowed(sfumato, tmp_path, change, said):
    (tmp_path / "answers.yaml").write_text(ANSWERS.replace(*change), encoding="utf-8")
    outcome = sfumato("recipient", "--answers", "answers.yaml")
    assert outcome.code == 2
    assert said in outcome.said


# Python


def test_the_verbs_are_there_whatever_was_imported_before(patients):
    import sfumato as sf
    import sfumato.columns.evidence.risk_rate  # would put the package `identify` in the place of the verb
    import sfumato.project.recipient.recipient

    found = sf.identify(patients, recipient={line.split(": ")[0]: line.split(": ")[1] for line in ANSWERS.splitlines()})
    assert found.roles["e-mail"] is sf.Role.DIRECT
    assert found["sex"].profile.influence is not None
    assert "<table>" in found._repr_html_()
    assert "Proposed roles" in repr(found)
    assert sf.recipient(ANSWERS_AS_VALUES).threshold == 0.5


ANSWERS_AS_VALUES = {
    line.split(": ")[0]: int(value) if (value := line.split(": ")[1]).isdigit() else value
    for line in ANSWERS.splitlines()
}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_are_identified_as_they_are(library):
    import importlib

    import sfumato as sf

    module = importlib.import_module(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    found = sf.identify(make({"e-mail": ["a@example.org", "b@example.org"], "sex": ["f", "m"]}))
    assert found.with_role(sf.Role.DIRECT) == ("e-mail",)


@pytest.mark.spark
def test_spark_identifies_alike(spark, sfumato, patients):
    ours, theirs = (sfumato("identify", patients, "--engine", e, "--json", "-").document for e in ("duckdb", "spark"))
    for one, other in zip(ours["columns"], theirs["columns"], strict=True):
        assert {**one, "evidence": []} == {**other, "evidence": []}
    assert ours["ranking"] == theirs["ranking"]
