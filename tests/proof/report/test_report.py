"""The report: its parts, what they say, and that it can be made from little."""

from __future__ import annotations

import sys

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.proof.report.document import REMINDER
from sfumato.proof.report.make_report import NO_CHARTS, report
from sfumato.proof.report.page import report_page

KEYS = ["context", "data", "identifiability", "transformations", "utility", "governance", "authority", "safe_harbor",
        "glossary"]  # fmt: skip
QUICK = {"charts": False, "attacks": False, "curve": False}


def titles(found, key):
    return [block.section.title for block in found[key].blocks]


def rows(found, key, title):
    return next(block.section.rows for block in found[key].blocks if block.section.title == title)


def test_parts_are_in_the_order_of_the_standard_and_plain_words_come_first(folder):
    found = report(project="sfumato.yaml", **QUICK)
    assert [part.key for part in found.parts] == KEYS
    assert all(part.words and part.words[0].endswith(".") for part in found.parts)
    for text in (found.markdown(), str(found), report_page(found)):
        assert REMINDER in text[-200:]
    assert found.document()["reminder"] == REMINDER


def test_the_release_of_a_search_is_reported_before_and_after(folder):
    found = report(project="sfumato.yaml")
    readings = {(row[0], row[1]): row[2:6] for row in rows(found, "identifiability", "Readings")}
    assert readings["k_anonymity", "-"] == ("1", "4", "4", "yes")
    assert readings["distinct_l_diversity", "diagnosis"] == ("1", "2", "2", "yes")
    assert readings["t_closeness", "diagnosis"][2] == "-"
    headline = "Every requirement is met by the release, but 3 questions are open. At least 4 people look alike."
    assert found.headline.startswith(headline)
    steps = [row[1] for row in rows(found, "transformations", "Steps")]
    assert steps == ["generalise", "suppress_records", "drop", "keep"]
    assert [chart.title.split(":")[0] for chart in found.charts] == [
        "Records by the size of their class", "Risk ladder",
        "Records at risk, by scenario and class size (%)", "Records singled out by pairs of columns (%)",
        "Risk against loss", "age", "sex", "town",
    ]  # fmt: skip


def test_the_numbers_are_those_of_the_other_commands(folder):
    found = report(project="sfumato.yaml", **QUICK)
    before = sf.assess("patients.csv", quasi=["age", "sex", "town"], subject="patient")
    assert dict(found.glance)["smallest group of people that look alike"].startswith(f"{before.sizes.smallest} →")
    alone = before.sizes.records_below(2)
    assert rows(found, "identifiability", "Risk ladder")[0][2:4] == (str(alone), f"{100 * alone / 240:.1f} %")
    exposure = sf.risk("patients.csv", quasi=["age", "sex", "town"], scenarios={"neighbour": ["age", "sex"]})
    share = exposure.scenarios[0].before.percent
    assert rows(found, "identifiability", "Scenarios: what an attacker may know")[1][5] == f"{share:.1f} %"


def test_what_was_anonymised_before_is_not_searched_again(folder, monkeypatch):
    done = sf.anonymise("patients.csv", quasi=["age", "sex", "town"], sensitive="diagnosis", direct="name",
                        subject="patient", k=4, suppress=0.1)  # fmt: skip
    monkeypatch.setattr("sfumato.proof.report.evidence.anonymise_with_settings", None)
    for found in (report(anonymised=done, **QUICK), report(anonymised=done, project="sfumato.yaml", **QUICK)):
        assert dict(found.glance)["smallest group of people that look alike"].endswith(
            f"→ {done.assessment.sizes.smallest}"
        )
        assert len(rows(found, "transformations", "Steps")) == len(done.plan.steps)
        assert len(rows(found, "transformations", "Risk and utility after each step")) == len(done.plan.steps) + 1


def test_a_plan_is_followed_and_each_step_is_shown_with_its_effect(folder):
    text = (folder / "sfumato.yaml").read_text(encoding="utf-8")
    text = text.replace("anonymise: {method: optimal, suppress: 0.1}", """\
plan:
  steps:
    - drop: {columns: [name, patient]}
    - generalise: {column: age, level: 1, hierarchy: {kind: intervals, width: 50}}
""")  # fmt: skip
    (folder / "sfumato.yaml").write_text(text, encoding="utf-8")
    found = report(project="sfumato.yaml", **QUICK)
    steps = rows(found, "transformations", "Steps")
    assert [row[1] for row in steps] == ["drop", "generalise"]
    assert "width 50" in steps[1][3]
    effects = rows(found, "transformations", "Risk and utility after each step")
    assert [row[2] for row in effects] == ["240", "240", "240"]
    assert int(effects[2][3]) > int(effects[0][3]) == 1
    assert ("search" in {row[0] for row in rows(found, "governance", "What the report was made from")}) is False


def test_requirements_that_hold_in_scenarios_do_not_pass_for_all_quasi_identifiers(folder):
    text = (folder / "sfumato.yaml").read_text(encoding="utf-8")
    (folder / "sfumato.yaml").write_text(text.replace("0.1}", "0.1, for_scenarios: true}"), encoding="utf-8")
    found = report(project="sfumato.yaml", **QUICK)
    assert (
        "in every scenario, but 3 questions are open. To whoever knows all quasi-identifiers: somebody looks like "
        "nobody else." in found.headline
    )
    readings = {row[:3]: row[3:7] for row in rows(found, "identifiability", "Readings")}
    assert readings["k_anonymity", "all quasi-identifiers", "-"] == ("1", "1", "-", "")
    before = sf.assess("patients.csv", quasi=["age", "sex"], subject="patient").sizes.smallest
    assert readings["k_anonymity", "neighbour", "-"] == (str(before), "8", "4", "yes")
    assert found["context"].words[1].startswith("Risk very high")


def test_an_identifier_that_the_plan_changes_is_not_said_to_be_left_in(folder):
    text = (folder / "sfumato.yaml").read_text(encoding="utf-8")
    steps = "plan: {steps: [{mask: {columns: [name], keep_left: 1}}]}"
    (folder / "sfumato.yaml").write_text(
        text.replace("anonymise: {method: optimal, suppress: 0.1}", steps), encoding="utf-8"
    )
    found = report(project="sfumato.yaml", **QUICK)
    assert found.met is False
    assert "Still in it" not in found.headline
    fates = {row[0]: row[5] for row in rows(found, "data", "Columns, their roles and the evidence")}
    assert (fates["name"], fates["patient"]) == ("changed by the plan", "left out")


def test_several_records_of_a_person_are_counted_as_one(folder):
    lines = (folder / "patients.csv").read_text(encoding="utf-8").splitlines()
    (folder / "patients.csv").write_text("\n".join([*lines, *lines[1:]]) + "\n", encoding="utf-8")
    found = report(project="sfumato.yaml", **QUICK)
    assert "480 records about 240 persons, 7 columns." in found["data"].words[1]
    assert dict(found.glance)["smallest group of people that look alike"] == "1 → 4"
    assert "Several records of a person" in titles(found, "identifiability")


def test_a_release_that_was_made_elsewhere_is_paired_by_its_key(folder):
    lines = (folder / "patients.csv").read_text(encoding="utf-8").splitlines()
    kept = [line.split(",") for line in lines[1:] if line.split(",")[4] != "Cul"]
    made = [f"{row[0]},{int(row[2]) // 10 * 10},{row[3]},{row[5]}" for row in kept]
    (folder / "r.csv").write_text("\n".join(["patient,age,sex,diagnosis", *made]) + "\n", encoding="utf-8")
    found = report(project="sfumato.yaml", released="r.csv", key="patient", **QUICK)
    assert "Still in it: patient." in found.headline
    fates = {row[0]: row[5] for row in rows(found, "data", "Columns, their roles and the evidence")}
    assert fates["town"] == "left out"
    assert fates["age"] == "generalised, suppressed in part"
    assert f"{240 - len(kept)} records left out of 240" in found["transformations"].words[1]


def test_two_runs_give_the_same_bytes_in_every_form(folder):
    first, second = (report(project="sfumato.yaml") for _ in range(2))
    assert report_page(first) == report_page(second)
    assert first.markdown() == second.markdown()
    assert first.to_json() == second.to_json()


def test_unanswered_questions_and_unconfirmed_roles_appear_as_such(folder):
    found = report(project="sfumato.yaml", **QUICK)
    assert dict(found.glance)["questions of the context unanswered"] == "40 of 41"
    assert [row[:2] for row in rows(found, "context", "Safe people")] == [("agreement", "partly")]
    roles = {row[0]: row[3] for row in rows(found, "data", "Columns, their roles and the evidence")}
    assert (roles["weight"], roles["age"]) == ("proposed, NOT confirmed", "confirmed in the project file")
    assert "Still open: the roles of 1 column and 40 questions of the context." in found["governance"].words


def test_without_a_project_every_question_is_unanswered_and_nobody_decided():
    table = pa.table({"age": [30, 30, 40] * 20, "colour": ["red", "blue", "red"] * 20})
    found = report(table, quasi="age", **QUICK)
    assert "41 of 41 questions are unanswered: that counts neither as yes nor as no." in found["context"].words
    roles = {row[0]: row[3] for row in rows(found, "data", "Columns, their roles and the evidence")}
    assert roles == {"age": "said when the report was made", "colour": "nobody"}
    called = {row[0]: row[2] for row in rows(found, "data", "Columns, their roles and the evidence")}
    assert called == {"age": "quasi", "colour": "undecided"}
    assert ("undecided", "colour") in rows(found, "governance", "Decisions")


def test_a_column_that_is_said_to_be_non_sensitive_is_not_called_undecided():
    table = pa.table({"age": [30, 30, 40] * 20, "colour": ["red", "blue", "red"] * 20})
    found = report(table, quasi="age", non_sensitive="colour", **QUICK)
    called = {row[0]: row[2:4] for row in rows(found, "data", "Columns, their roles and the evidence")}
    assert called["colour"] == ("non-sensitive", "said when the report was made")


def test_without_a_release_the_report_is_about_the_table_and_says_so():
    found = report(pa.table({"age": [30, 30, 40] * 20}), quasi="age", **QUICK)
    assert found.headline == "Nothing was required of the table as it is. At least 20 records look alike."
    assert "There is no release to compare with the original." in found["utility"].words
    notes = next(b.section.remarks for b in found["governance"].blocks if "notes" in b.section.title)
    assert "There is no release yet: the report is about the table as it is." in notes


def test_a_table_without_sensitive_columns_has_nothing_to_infer(folder):
    found = report("patients.csv", quasi=["age", "sex"], direct=["name", "patient"], k=3, curve=False)
    questions = rows(found, "identifiability", "The three questions of WP216")
    assert questions[-1] == ("Inference: can a value be worked out?", "no sensitive column", "-", "not tried")
    assert "Records in classes with one sensitive value" not in titles(found, "identifiability")


@pytest.mark.parametrize("bound", [{}, {"k": 1}])
def test_one_record_makes_a_report_and_is_hidden_in_it(bound):
    found = report(pa.table({"age": [7331], "diagnosis": ["MARK"]}), quasi="age", sensitive="diagnosis", **bound)
    assert rows(found, "identifiability", "Risk ladder")[0][2] == "<11"
    for text in (found.to_json(), found.markdown(), report_page(found)):
        assert "7331" not in text.replace("\u00a0", "").replace(" ", "")
        assert "MARK" not in text


def test_a_release_without_quasi_identifiers_has_no_readings_after(folder):
    (folder / "r.csv").write_text("diagnosis\n" + "flu\n" * 240, encoding="utf-8")
    found = report(project="sfumato.yaml", released="r.csv", by_position=True, **QUICK)
    assert {row[3] for row in rows(found, "identifiability", "Readings")} == {"-"}
    assert found.headline.startswith("No requirement could be read off the release. Lost: 100.0 %")
    assert dict(found.glance)["requirements"] == "not read"


def test_without_the_extra_for_charts_they_are_left_out_with_a_note(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    found = report(project="sfumato.yaml", attacks=False, curve=False)
    assert found.charts == ()
    assert found.notes == (NO_CHARTS,)
    assert "<svg" not in report_page(found)
    assert "sfumato[plots]" in report_page(found)


def test_every_measure_and_model_is_explained_with_formula_range_and_reference(folder):
    found = report(project="sfumato.yaml", charts=False, curve=False)
    told = {e.name: e for part in found.parts for block in part.blocks for e in block.explained}
    models = ("k_anonymity", "distinct_l_diversity", "t_closeness", "loss", "generic_non_uniform_entropy")
    others = ("attackers", "singled out", "contribution (Shapley)", "special uniques", "risk of an attack")
    for name in models + others:
        assert told[name].words
        assert told[name].formula, name
        assert told[name].range, name
    for name in ("k_anonymity", "distinct_l_diversity", "t_closeness", "loss", "attackers", "singled out"):
        assert told[name].references, name
    read = {row[0] for row in rows(found, "identifiability", "Readings")}
    assert read <= set(told)
    assert not any(">>>" in line for e in told.values() for line in (e.formula, *e.more, *e.references))


def test_the_glossary_has_the_kinds_of_disclosure_and_the_attacks_and_no_word_that_does_not_occur(folder):
    found = report(project="sfumato.yaml", **QUICK)
    terms = {row[0].split(",")[0] for block in found["glossary"].blocks for row in block.section.rows}
    assert {"identity disclosure", "attribute disclosure", "inferential disclosure"} <= terms
    attacks = ("linking", "homogeneity", "background-knowledge", "similarity", "skewness")
    assert {f"{kind} attack" for kind in attacks} <= terms
    assert "prosecutor" in terms
    assert "pseudonym" not in terms or "pseudonym" in str(found).lower()
    assert "k" in terms


def test_hashes_versions_and_settings_are_in_the_governance(folder):
    from hashlib import sha256

    found = report(project="sfumato.yaml", **QUICK)
    made = {row[0]: row[1:] for row in rows(found, "governance", "What the report was made from")}
    assert made["original"][1] == sha256((folder / "patients.csv").read_bytes()).hexdigest()
    assert made["project"][1] == sha256((folder / "sfumato.yaml").read_bytes()).hexdigest()
    assert made["plan"][0] == "4 steps"  # what is random in them comes from a key, of which nothing is said
    assert "k_anonymity >= 4" in made["search"][0]
    versions = dict(rows(found, "governance", "Versions"))
    assert versions["sfumato"] == sf.__version__
