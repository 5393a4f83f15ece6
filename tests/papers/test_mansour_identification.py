"""S0, the identification stage of the thesis: both mock registries through the command line, digit for digit."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sfumato.cli import app

# S0.10 and S0.11: the rates as printed, in per cent, and the lists for the thresholds of the thesis.
THOUSAND = {
    "sensitive": {"bmi": 20.98, "ms_diagnosis_date": 13.81, "edss": 10.04},
    "quasi": {"age": 2.66, "comorbidities": 1.80, "covid19_symptoms": 1.54},
    "non-sensitive": {
        "ms_type": 0.67, "covid19_ventilation": 0.52, "covid19_outcome_recovered": 0.31,
        "covid19_confirmed_case": 0.26, "covid19_icu_stay": 0.26, "report_source": 0.20, "sex": 0.20,
        "covid19_admission_hospital": 0.20, "covid19_diagnosis": 0.20,
    },
}  # fmt: skip
FIVE_HUNDRED = {
    "sensitive": {"bmi": 38.50, "ms_diagnosis_date": 27.65},
    "quasi": {"edss": 22.58, "age": 5.49, "comorbidities": 3.63, "covid19_symptoms": 3.12, "ms_type": 1.34},
    "non-sensitive": {
        "covid19_ventilation": 0.96, "covid19_outcome_recovered": 0.61, "covid19_icu_stay": 0.53,
        "covid19_confirmed_case": 0.50, "report_source": 0.40, "sex": 0.40, "covid19_admission_hospital": 0.40,
        "covid19_diagnosis": 0.40,
    },
}  # fmt: skip
CASES = [(1000, 10, THOUSAND, 91.8), (500, 25, FIVE_HUNDRED, 88.0)]


def table(shared: Path, rows: int) -> Path:
    return shared / "data" / "ms_mock" / f"df_{rows}_rows" / f"stage_1_df_mock_{rows}.csv"


def identified(shared: Path, rows: int, alpha: int, *options: str) -> str:
    arguments = ["identify", str(table(shared, rows)), "--method", "risk-rate", "--direct", "secret_name"]
    outcome = CliRunner().invoke(app, [*arguments, "--alpha", str(alpha), "--beta", "1", *options])
    assert outcome.exit_code == 0
    return outcome.output


@pytest.mark.parametrize(("rows", "alpha", "printed", "missing"), CASES)
def test_rates_and_lists_are_those_of_the_thesis(shared, tmp_path, rows, alpha, printed, missing):
    identified(shared, rows, alpha, "--json", str(tmp_path / "out.json"))
    document = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    columns = {column["name"]: column for column in document["columns"]}
    for role, rates in printed.items():
        assert list(document["roles"][role])[: len(rates)] == list(rates)
        assert {name: columns[name]["risk_rate"] for name in rates} == {n: round(r / 100, 4) for n, r in rates.items()}
        assert {columns[name]["role"] for name in rates} == {role}
    assert document["excluded"] == ["covid19_self_isolation"]
    assert columns["covid19_self_isolation"]["missing"] == pytest.approx(missing / 100)
    assert columns["secret_name"]["role"] == "direct"
    found = [column["risk_rate"] for column in document["columns"] if column["risk_rate"] is not None]
    assert found == sorted(found, reverse=True)
    assert len(found) == 15


@pytest.mark.parametrize(("rows", "alpha", "printed", "missing"), CASES)
def test_the_terminal_shows_them_with_two_decimals_in_descending_order(shared, rows, alpha, printed, missing):
    shown = identified(shared, rows, alpha)
    excluded, rest = shown.split("Re-identification risk rate", 1)
    assert "Columns excluded because of missing values:" in excluded
    assert re.search(rf"covid19_self_isolation +{missing} %", excluded)
    rates = re.findall(r"^(\w+) +(\d+\.\d\d) +\d+\.\d{4}$", rest.split("Sensitive attributes")[0], re.MULTILINE)
    assert rates == [(name, f"{rate:.2f}") for role in printed.values() for name, rate in role.items()]
    titles = ["Sensitive attributes", "Quasi-identifiers", "Non-sensitive attributes", "Advice"]
    for (title, role), end in zip(zip(titles, printed.values(), strict=False), titles[1:], strict=True):
        part = rest.split(f"\n{title}\n", 1)[1].split(f"\n{end}\n", 1)[0]
        assert re.findall(r"^(\w+) +\d+\.\d\d$", part, re.MULTILINE) == list(role)
    advice = " ".join(rest.split("\nAdvice\n")[1].split())
    assert "in descending order of their re-identification risk rates" in advice
    order = ", ".join(name for role in printed.values() for name in role)
    assert f"from the highest to the lowest: {order}." in advice
    assert f"go on to the dimension of quasi-identifiers ({', '.join(printed['quasi'])})" in advice


@pytest.mark.parametrize(("rows", "alpha", "printed", "missing"), CASES)
def test_the_sum_of_g_is_shown_beside_the_mean_that_is_the_rate(shared, tmp_path, rows, alpha, printed, missing):
    identified(shared, rows, alpha, "--json", str(tmp_path / "out.json"))
    document = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    with table(shared, rows).open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    for column in document["columns"]:
        if column["risk_rate"] is not None:
            counts = Counter(row[column["name"]] or "missing" for row in read)
            assert column["g_sum"] == pytest.approx(sum(1 / n for n in counts.values()))
            assert f"{column['risk_rate']:.4f}" == f"{round(column['g_sum'] / len(counts) * 100, 2) / 100:.4f}"
        else:
            assert column["g_sum"] is None


@pytest.mark.parametrize(("rows", "alpha", "printed", "missing"), CASES)
def test_every_value_of_alpha_and_beta_at_which_a_column_changes_its_class_is_listed(
    shared, tmp_path, rows, alpha, printed, missing
):
    identified(shared, rows, alpha, "--json", str(tmp_path / "out.json"))
    moves = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["moves"]
    rates = {name: round(rate / 100, 4) for role in printed.values() for name, rate in role.items()}
    alpha, beta = alpha / 100, 0.01
    expected = {("alpha", rate) for rate in rates.values() if rate >= beta}
    expected |= {("beta", rate) for rate in rates.values() if rate <= alpha}
    assert {(move["threshold"], move["value"]) for move in moves} == expected
    for move in moves:
        high, low = (move["value"], beta) if move["threshold"] == "alpha" else (alpha, move["value"])
        assert move["sensitive"] == sum(rate > high for rate in rates.values())
        assert move["quasi"] == sum(low <= rate <= high for rate in rates.values())
        assert move["non_sensitive"] == sum(rate < low for rate in rates.values())
        assert sorted(move["columns"]) == sorted(name for name, rate in rates.items() if rate == move["value"])
