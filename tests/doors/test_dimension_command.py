"""`sfumato dimension` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ORIGINAL = """\
id,age,town,illness
1,31,Oslo,flu
2,32,Oslo,cold
3,33,Bergen,flu
4,51,Bergen,cold
5,52,Oslo,flu
6,53,Bergen,gout
"""
ASKED = ("--quasi", "age,town", "--sensitive", "illness", "--by-position")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "original.csv").write_text(ORIGINAL, encoding="utf-8")
    lines = [line.split(",") for line in ORIGINAL.splitlines()]
    for line in lines[1:]:
        line[1] = line[1][0] + "0s"
    (tmp_path / "age.csv").write_text("".join(",".join(line) + "\n" for line in lines), encoding="utf-8")
    for line in lines[1:]:
        line[2] = "*"
    (tmp_path / "town.csv").write_text("".join(",".join(line) + "\n" for line in lines), encoding="utf-8")
    plan = 'steps:\n  - mask: {columns: [town], placeholder: "*"}\n  - mask: {columns: [age], keep_left: 1}\n'
    (tmp_path / "plan.yaml").write_text(plan, encoding="utf-8")
    return tmp_path


def test_the_tables_may_follow_one_option_or_have_one_each(sfumato, files):
    one = sfumato("dimension", "--original", "original.csv", "--released", "age.csv", "town.csv", *ASKED, "--json", "-")
    each = sfumato(
        "dimension", "--original", "original.csv", *ASKED, "--released", "age.csv", "--released", "town.csv",
        "--json", "-",
    )  # fmt: skip
    assert (one.code, each.code) == (0, 0), one.said
    assert one.document == each.document
    assert [c["source"] for c in one.document["candidates"]] == ["age.csv", "town.csv"]
    assert one.document["optimal"] == {"figure5": 2, "last_feasible": 2, "pareto": 2}


def test_the_keys_of_the_json_document_are_these(sfumato, files):
    out = sfumato("dimension", "--original", "original.csv", "--released", "age.csv", *ASKED, "--json", "-").document
    assert set(out) == {
        "source", "records", "subject", "quasi_identifiers", "risk_rates", "sensitive", "cumulative", "original",
        "maximum_nue", "candidates", "rule", "optimal", "chosen", "reasons", "notes", "reminder",
    }  # fmt: skip
    assert set(out["candidates"][0]) == {
        "name", "source", "dimension", "quasi_identifiers", "k", "l", "t", "t_by_sensitive", "privacy_gain", "nue",
        "nue_percent", "inverse_nue_percent", "feasible", "risk_removed", "utility",
    }  # fmt: skip


def test_a_plan_makes_the_tables_and_nothing_is_written(sfumato, files):
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    outcome = sfumato("dimension", "--original", "original.csv", "--plan", "plan.yaml", *ASKED)
    assert outcome.code == 0, outcome.said
    assert "Optimal QID Dimension: 2" in outcome.out
    assert "You should de-identify the first 2 QIDS." in outcome.out
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


def test_the_exit_code_is_1_when_somebody_is_unique_in_every_table(sfumato, files):
    outcome = sfumato("dimension", "--original", "original.csv", "--released", "age.csv", *ASKED)
    assert outcome.code == 1
    assert "Optimal QID Dimension: none" in outcome.out
    assert "somebody is still unique" in outcome.out
    assert "1 of 2 QIDS were processed" in outcome.out


def test_alternatives_are_shown_by_their_files(sfumato, files):
    (files / "coarse.csv").write_text((files / "age.csv").read_text().replace("30s", "any").replace("50s", "any"))
    asked = ("--quasi", "age", "--sensitive", "illness", "--by-position", "--released", "age.csv", "coarse.csv")
    outcome = sfumato("dimension", "--original", "original.csv", *asked)
    assert outcome.code == 0
    assert "You should release age.csv." in outcome.out
    assert "Best of 2 tables (pareto): age.csv." in outcome.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--released", "age.csv", "--rule", "best"), "There is no rule 'best'"),
        ((), "--released"),
        (("--released", "nowhere.csv"), "there is no such file"),
        (("--plan", "nowhere.yaml"), "there is no such file"),
        (("--released", "age.csv", "--key", "idd"), "There is no column 'idd'. Did you mean 'id'?"),
        (("--released", "age.csv", "--json", "age.csv"), "age.csv is one of the tables"),
    ],
)
def test_wrong_use_is_a_sentence_and_code_2(sfumato, files, arguments, words):
    outcome = sfumato("dimension", "--original", "original.csv", *ASKED, *arguments)
    assert outcome.code == 2
    assert words in outcome.said
    assert "Traceback" not in outcome.said


def test_the_made_up_registry_goes_through_the_recipe_of_the_thesis(sfumato, files):
    sfumato("demo", "--table", "ms", "--folder", ".")
    outcome = sfumato(
        "dimension", "--original", "ms_registry.csv", "--plan", "recipe:ms-thesis", "--quasi",
        "age,comorbidities,covid19_symptoms", "--sensitive", "bmi,ms_diagnosis_date,edss", "--json", "out.json",
    )  # fmt: skip
    assert outcome.code == 0, outcome.said
    found = json.loads((files / "out.json").read_text(encoding="utf-8"))["candidates"]
    assert [candidate["dimension"] for candidate in found] == [1, 2, 3]
    assert [candidate["k"] for candidate in found] == sorted(candidate["k"] for candidate in found)
    assert found[2]["k"] >= 2
