"""S0, the thesis on quasi-identifier dimension: its mock registries through the command line, and appendix 4."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sfumato.cli import app
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.studies.printed_tables import rows
from sfumato.tables.engines.duckdb import DuckDB

THOUSAND = {"quasi": "age,comorbidities,covid19_symptoms", "sensitive": "bmi,ms_diagnosis_date,edss"}
FIVE_HUNDRED = {"quasi": "edss,age,comorbidities,covid19_symptoms,ms_type", "sensitive": "bmi,ms_diagnosis_date"}

# S0.24 and S0.25: file, k, l by sensitive attribute (None where the thesis gives none), largest t. The cumulative
# tables are named after the attribute de-identified last.
PRINTED = [
    ("df_1000_rows", "original", 1, (1, 1, 1), 0.975),
    ("df_1000_rows", "age", 1, None, None),
    ("df_1000_rows", "comorbidities", 6, (3, 3, 2), 0.615),
    ("df_1000_rows", "covid19_symptoms", 110, (3, 6, 2), 0.32376),
    ("df_500_rows", "original", 1, None, 0.972),
    ("df_500_rows", "edss", 1, None, None),
    ("df_500_rows", "age", 1, None, None),
    ("df_500_rows", "comorbidities", 1, None, None),
    ("df_500_rows", "covid19_symptoms", 1, None, None),
    ("df_500_rows", "ms_type", 4, (2, 2), 0.75),
]


def assessed(file: Path, out: Path, columns: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """What `sfumato assess` answers: its exit code and its document."""
    arguments = ["assess", str(file), "--quasi", columns["quasi"], "--sensitive", columns["sensitive"]]
    arguments += ["--k", "2", "--l", "2", "--t", "0.5", "--json", str(out)]
    done = CliRunner().invoke(app, arguments)
    assert out.exists(), done.output
    return done.exit_code, json.loads(out.read_text(encoding="utf-8"))


def values(document: dict[str, Any], measure: str) -> list[float]:
    return [reading["value"] for reading in document["readings"] if reading["measure"] == measure]


@pytest.mark.parametrize(
    ("folder", "table", "k", "l", "t"), PRINTED, ids=[f"{folder} {table}" for folder, table, *_ in PRINTED]
)
def test_k_l_and_t_of_the_mock_registry_are_those_of_the_thesis(
    shared: Path,
    tmp_path: Path,
    folder: str,
    table: str,
    k: int,
    l: tuple[int, ...] | None,  # noqa: E741
    t: float | None,
) -> None:
    columns = THOUSAND if folder == "df_1000_rows" else FIVE_HUNDRED
    file = shared / "data" / "ms_mock" / folder / f"stage_2_df_{table}.csv"
    code, document = assessed(file, tmp_path / "out.json", columns)
    assert document["records"] == (1000 if folder == "df_1000_rows" else 500)
    assert document["classes"]["smallest"] == k
    assert values(document, "k_anonymity") == [k]
    if l is not None:
        assert tuple(values(document, "distinct_l_diversity")) == l
    if t is not None:
        # Printed numbers are cut off, not rounded: 0.61 for 0.61499, 0.74 for 0.74999 (A0-4).
        assert max(values(document, "t_closeness")) == pytest.approx(t, abs=0.0005)
    met = k >= 2 and l is not None and min(l) >= 2 and t is not None and t <= 0.5
    assert document["met"] is met
    assert code == (0 if met else 1)


def test_t_of_the_1000_rows_in_three_dimensions_to_five_digits(shared: Path, tmp_path: Path) -> None:
    """0.32376 is the only t that the thesis gives to five digits."""
    file = shared / "data" / "ms_mock" / "df_1000_rows" / "stage_2_df_covid19_symptoms.csv"
    _, document = assessed(file, tmp_path / "out.json", THOUSAND)
    assert max(values(document, "t_closeness")) == pytest.approx(0.32376, abs=5e-6)


# Appendix 4, after generalisation: postal code, age, sex, diagnosis.
APPENDIX_4 = [
    ("35xx", "20-29", "F", "Gastric flu"),
    ("35xx", "30-39", "M", "Flu"),
    ("35xx", "30-39", "M", "COVID"),
    ("35xx", "40-49", "M", "Gastric flu"),
    ("35xx", "20-29", "F", "Flu"),
    ("35xx", "40-49", "M", "COVID"),
]


def test_appendix_4_is_2_anonymous_2_diverse_and_one_third_close() -> None:
    """S0.26. Three pairs, each with two of three equally frequent diagnoses: t = 1/2 - 1/3 twice = 1/3."""
    roles = {"code": "quasi", "age": "quasi", "sex": "quasi", "diagnosis": "sensitive"}
    classes = rows(APPENDIX_4, ["code", "age", "sex", "diagnosis"], DuckDB(), **roles).classes()
    assert KAnonymity().of(classes) == 2
    assert DistinctLDiversity("diagnosis").of(classes) == 2
    assert TCloseness("diagnosis").of(classes) == pytest.approx(1 / 3, abs=1e-12)
