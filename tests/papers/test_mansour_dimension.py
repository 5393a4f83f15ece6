"""S0, the stage of the quasi-identifier dimension: its printed numbers from its own tables, and by our recipe."""

from __future__ import annotations

import csv
import json
from collections import Counter
from math import log
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli import app

QUASI = {
    1000: ["age", "comorbidities", "covid19_symptoms"],
    500: ["edss", "age", "comorbidities", "covid19_symptoms", "ms_type"],
}
SENSITIVE = {1000: ["bmi", "ms_diagnosis_date", "edss"], 500: ["bmi", "ms_diagnosis_date"]}
# S0.24 and S0.25: k, l of each sensitive attribute, t, privacy gain, NUE, NUE %, inverse NUE %; None where neither the
# thesis nor our notes give a number.
PRINTED = {
    1000: [
        (1, None, None, 0, 2553.889, 38.04, 61.96),
        (6, [3, 3, 2], 0.615, 5, 3599.127, 53.61, 46.39),
        (110, [3, 6, 2], 0.32376, 109, 4635.0911, 69.05, 30.95),
    ],
    500: [
        (1, None, None, 0, None, 28.80, 71.20),
        (1, None, None, 0, None, 49.14, 50.86),
        (1, None, None, 0, None, 57.73, 42.27),
        (1, None, None, 0, None, 66.29, 33.71),
        (4, [2, 2], 0.75, 3, 4323.636, 69.26, 30.74),
    ],
}
ORIGINAL = {1000: (1, [1, 1, 1], 0.975), 500: (1, None, 0.972)}
MAXIMUM = {1000: 6712.9583, 500: 6242.6079}
OPTIMAL = {
    1000: {"figure5": 2, "last_feasible": 3, "pareto": 2},
    500: {"figure5": 5, "last_feasible": 5, "pareto": 5},
}


def table(shared: Path, rows: int, last: str) -> Path:
    return shared / "data" / "ms_mock" / f"df_{rows}_rows" / f"stage_2_df_{last}.csv"


def raw(shared: Path, rows: int) -> Path:
    return shared / "data" / "ms_mock" / f"df_{rows}_rows" / f"stage_1_df_mock_{rows}.csv"


def by_files(shared: Path, rows: int) -> list[str]:
    released = [str(table(shared, rows, name)) for name in QUASI[rows]]
    return ["--original", str(table(shared, rows, "original")), "--released", *released]


def by_plan(shared: Path, rows: int) -> list[str]:
    return ["--original", str(raw(shared, rows)), "--plan", "recipe:ms-thesis"]


def answered(rows: int, *arguments: str) -> Any:
    columns = ["--quasi", ",".join(QUASI[rows]), "--sensitive", ",".join(SENSITIVE[rows])]
    return CliRunner().invoke(app, ["dimension", *arguments, *columns, "--by-position"])


@pytest.mark.parametrize("how", [by_files, by_plan])
@pytest.mark.parametrize("rows", [1000, 500])
def test_the_command_gives_the_numbers_of_the_thesis_for_every_dimension(shared, tmp_path, rows, how):
    out = tmp_path / "out.json"
    done = answered(rows, *how(shared, rows), "--json", str(out))
    assert done.exit_code == 0, done.output
    document = json.loads(out.read_text(encoding="utf-8"))
    assert document["records"] == rows
    assert document["quasi_identifiers"] == QUASI[rows]
    assert document["maximum_nue"] == pytest.approx(MAXIMUM[rows], abs=5e-5)
    k, l, t = ORIGINAL[rows]  # noqa: E741
    assert document["original"]["k"] == k
    assert document["original"]["t"] == pytest.approx(t, abs=1e-12)
    assert l is None or list(document["original"]["l"].values()) == l
    assert len(document["candidates"]) == len(PRINTED[rows])
    for d, (found, printed) in enumerate(zip(document["candidates"], PRINTED[rows], strict=True), 1):
        k, l, t, gain, nue, percent, inverse = printed  # noqa: E741
        assert found["dimension"] == d
        assert found["quasi_identifiers"] == QUASI[rows][:d]
        assert (found["k"], found["privacy_gain"]) == (k, gain)
        assert (found["nue_percent"], found["inverse_nue_percent"]) == (percent, inverse)
        assert l is None or list(found["l"].values()) == l
        assert t is None or found["t"] == pytest.approx(t, abs=5e-6)
        assert nue is None or found["nue"] == pytest.approx(nue, abs=5e-4 if nue != 4635.0911 else 5e-5)
    assert document["optimal"] == OPTIMAL[rows]


def test_the_printed_output_of_the_1000_rows_to_its_last_digit(shared):
    """Appendix 8 prints the third dimension: t 0.32376470588235295 and NUE 4635.091083186598."""
    found = sf.dimension(
        table(shared, 1000, "original"),
        [table(shared, 1000, name) for name in QUASI[1000]],
        quasi=QUASI[1000],
        sensitive=SENSITIVE[1000],
        by_position=True,
    )
    third = found.candidates[2]
    assert third.after.largest_t == pytest.approx(0.32376470588235295, abs=1e-15)
    assert third.nue == pytest.approx(4635.091083186598, abs=1e-9)
    assert found.original.largest_t == pytest.approx(0.975, abs=1e-15)
    assert found.optimal("figure5") == 2
    assert found.optimal("last-feasible") == 3
    assert found.optimal() == 2
    assert "83.3 % of the highest risk" in found.choice().reason


def test_by_the_rule_of_the_script_the_terminal_says_what_the_thesis_says(shared):
    said = answered(1000, *by_files(shared, 1000), "--rule", "last-feasible").output
    words = [" ".join(line.split()) for line in said.splitlines()]
    block = words[words.index("Dimension 3") + 2 :]
    assert block[:18] == [
        "De-identified QIDs: age, comorbidities, covid19_symptoms",
        "K-anonymity original: 1",
        "K-anonymity after: 110",
        "T-closeness original: 0.97500",
        "T-closeness after: 0.32376",
        "Sensitive attributes: bmi",
        "L-diversity original: 1",
        "L-diversity after: 3",
        "Sensitive attributes: ms_diagnosis_date",
        "L-diversity original: 1",
        "L-diversity after: 6",
        "Sensitive attributes: edss",
        "L-diversity original: 1",
        "L-diversity after: 2",
        "Privacy gain: 109",
        "Non-uniform entropy: 4635.0911",
        "Non-uniform entropy(%): 69.05",
        "Inverse non-uniform entropy(%): 30.95",
    ]
    end = words[words.index("All QIDS were processed") :]
    assert end[2:5] == ["Optimal QID Dimension: 3", "Advice:", "You should de-identify the first 3 QIDS."]


@pytest.mark.parametrize("rows", [1000, 500])
def test_the_recipe_gives_what_the_tables_of_the_thesis_give(shared, rows):
    """The thesis's missing values are the word `missing`, ours are missing: they count alike."""
    columns = {"quasi": QUASI[rows], "sensitive": SENSITIVE[rows], "by_position": True}
    files = [table(shared, rows, name) for name in QUASI[rows]]
    theirs = sf.dimension(table(shared, rows, "original"), files, **columns)
    ours = sf.dimension(raw(shared, rows), plan="recipe:ms-thesis", **columns)
    assert ours.original == theirs.original
    assert ours.risk_rates == theirs.risk_rates
    for one, other in zip(ours.candidates, theirs.candidates, strict=True):
        assert (one.name, one.quasi_identifiers, one.after) == (other.name, other.quasi_identifiers, other.after)
        assert one.nue == pytest.approx(other.nue, rel=1e-13)


@pytest.mark.parametrize("rows", [1000, 500])
def test_a_plan_de_identifies_in_descending_risk_whatever_the_order_of_the_question(shared, rows):
    found = sf.dimension(raw(shared, rows), plan="recipe:ms-thesis", quasi=QUASI[rows][::-1], sensitive=SENSITIVE[rows])
    assert [candidate.quasi_identifiers[-1] for candidate in found.candidates] == QUASI[rows]


@pytest.mark.parametrize("rows", [1000, 500])
def test_figure_6_written_down_again_gives_the_same_entropy_and_the_same_maximum(shared, rows):
    columns = {"quasi": QUASI[rows], "sensitive": SENSITIVE[rows], "by_position": True}
    files = [table(shared, rows, name) for name in QUASI[rows]]
    found = sf.dimension(table(shared, rows, "original"), files, **columns)
    before, removed = (read(table(shared, rows, name)) for name in ("original", "all_information_removed"))
    assert found.candidates[0].maximum_nue == pytest.approx(figure_6(before, removed, QUASI[rows]), rel=1e-12)
    for d, (candidate, file) in enumerate(zip(found.candidates, files, strict=True), 1):
        assert candidate.nue == pytest.approx(figure_6(before, read(file), QUASI[rows][:d]), rel=1e-12)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def figure_6(before: list[dict[str, str]], after: list[dict[str, str]], columns: list[str]) -> float:
    found = 0.0
    for name in columns:
        old, new = (Counter(row[name] for row in rows) for rows in (before, after))
        found -= sum(log(old[a[name]] / new[b[name]]) for a, b in zip(before, after, strict=True))
    return found


# Appendix 4: postal code, age, sex and diagnosis, as they are and generalised.
RAW = {
    "code": [3500, 3510, 3520, 3530, 3540, 3550],
    "age": [25, 32, 36, 45, 23, 43],
    "sex": ["F", "M", "M", "M", "F", "M"],
    "diagnosis": ["Gastric flu", "Flu", "COVID", "Gastric flu", "Flu", "COVID"],
}
GENERALISED = {**RAW, "code": ["35xx"] * 6, "age": ["20-29", "30-39", "30-39", "40-49", "20-29", "40-49"]}


def test_appendix_4_has_k_2_l_2_t_one_third_and_loses_59_per_cent():
    """S0.26: 14.9094 nats of 25.3202, and the risk rates of the raw table."""
    found = sf.dimension(
        pa.table(RAW), [pa.table(GENERALISED)], quasi=["code", "age", "sex"], sensitive=["diagnosis"], by_position=True
    )
    (candidate,) = found.candidates
    assert (found.original.k, candidate.k, candidate.after.l) == (1, 2, {"diagnosis": 2})
    assert candidate.after.largest_t == pytest.approx(1 / 3, abs=1e-12)
    assert candidate.nue == pytest.approx(14.9094, abs=5e-5)
    assert candidate.maximum_nue == pytest.approx(25.3202, abs=5e-5)
    assert candidate.nue_percent == 58.88
    assert found.risk_rates == {"code": 1.0, "age": 1.0, "sex": 0.375}
    identified = {column.name: column.risk_rate for column in sf.identify(pa.table(RAW)).columns}
    assert identified == {"code": 1.0, "age": 1.0, "sex": 0.375, "diagnosis": 0.5}
    assert (candidate.dimension, found.cumulative) == (2, True)
