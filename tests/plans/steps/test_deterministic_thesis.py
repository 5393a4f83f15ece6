"""The de-identified tables of the thesis (S0.13, S0.14), by plans."""

from __future__ import annotations

import csv

import pytest
from tests.plans.steps.drafting import column, drafted

from sfumato.plans.draft import Draft
from sfumato.plans.plan_file import parse_plan
from sfumato.tables.load import load

# Appendix 3: four strategies on one table. The names between Emma and Ziggy are not in our notes, and are made up.
APPENDIX_3 = {
    "Name": ["Emma", "Liam", "Noah", "Olivia", "Ava", "Ziggy"],
    "Age": [25, 32, 36, 45, 23, 43],
    "Condition": ["Gastric flu", "Flu", "COVID", "Flu", "Gastric flu", "COVID"],
}


def applied(plan, draft):
    return parse_plan(plan).apply(draft, lambda name: b"")


def test_suppression_leaves_the_names_blank(engine):
    found = applied("steps: [suppress_values: {columns: Name}]", drafted(engine, APPENDIX_3))
    assert column(found, "Name") == [None] * 6
    assert column(found, "Age") == APPENDIX_3["Age"]


def test_masking_hides_the_names(engine):
    found = applied("steps: [mask: {columns: Name, placeholder: xxxx}]", drafted(engine, APPENDIX_3))
    assert column(found, "Name") == ["xxxx"] * 6


def test_generalisation_gives_decades_of_age(engine):
    plan = "steps: [generalise: {column: Age, level: 1, hierarchy: {kind: ages, widths: [10]}}]"
    found = applied(plan, drafted(engine, APPENDIX_3))
    assert column(found, "Age") == ["20-29", "30-39", "30-39", "40-49", "20-29", "40-49"]


def test_aggregation_gives_groups_of_conditions(engine):
    plan = """
    steps:
      - recode: {column: Condition, mapping: {Gastric flu: Digestive, Flu: Respiratory, COVID: Respiratory}}
    """
    found = applied(plan, drafted(engine, APPENDIX_3))
    expected = ["Digestive", "Respiratory", "Respiratory", "Respiratory", "Digestive", "Respiratory"]
    assert column(found, "Condition") == expected


# The thesis writes 18-40 for 18 to 39 (nobody is 40), 0.0-4.5 for up to 4.5, and < 1980 with a blank. Our own labels
# say which end belongs to an interval; here they are recoded to its style, so that files can be compared cell by cell.
BANDS = {
    "edss": """
      - generalise: {column: edss, level: 1, hierarchy: {kind: intervals, edges: [0, 4.55, 10.05]}}
      - recode: {column: edss, mapping: {"[0, 4.55)": 0.0-4.5, "[4.55, 10.05)": 5.0-10.0}}""",
    "bmi": """
      - generalise: {column: bmi, level: 1, hierarchy: {kind: intervals, edges: [18.5, 25, 30]}}
      - recode: {column: bmi, mapping: {"[18.5, 25)": healthy weight, "[25, 30)": overweight, ">=30": obese}}""",
    "ms_diagnosis_date": """
      - generalise:
          column: ms_diagnosis_date
          level: 1
          hierarchy: {kind: intervals, edges: [1980, 1985, 1990, 1995, 2000, 2005, 2010, 2015, 2020], style: integers}
      - recode: {column: ms_diagnosis_date, mapping: {"<1980": "< 1980", 2020+: "> 2019"}, otherwise: keep}""",
    "covid19_ventilation": """
      - recode: {column: covid19_ventilation, mapping: {no: no}, otherwise: keep, missing: missing}""",
    "age": """
      - generalise: {column: age, level: 1, hierarchy: {kind: intervals, edges: [18, 40, 70], style: integers}}
      - recode: {column: age, mapping: {18-39: 18-40, 40-69: 40-69}}""",
    "comorbidities": """
      - recode: {column: comorbidities, mapping: {no: no}, otherwise: yes}""",
    "covid19_symptoms": """
      - recode: {column: covid19_symptoms, mapping: {no: no}, otherwise: yes}""",
    "ms_type": """
      - recode:
          column: ms_type
          mapping:
            RRMS: relapsing_remitting
            PPMS: progressive_MS
            SPMS: progressive_MS
            CIS: other
            not_sure: other""",
}
SENSITIVE = ("bmi", "ms_diagnosis_date", "covid19_ventilation")  # de-identified before anything else
FILES = {
    1000: {
        "original": ("edss",),
        "age": ("edss", "age"),
        "comorbidities": ("edss", "age", "comorbidities"),
        "covid19_symptoms": ("edss", "age", "comorbidities", "covid19_symptoms"),
    },
    500: {
        "original": (),
        "edss": ("edss",),
        "age": ("edss", "age"),
        "comorbidities": ("edss", "age", "comorbidities"),
        "covid19_symptoms": ("edss", "age", "comorbidities", "covid19_symptoms"),
        "ms_type": ("edss", "age", "comorbidities", "covid19_symptoms", "ms_type"),
    },
}


@pytest.mark.parametrize(("rows", "name"), [(rows, name) for rows, files in FILES.items() for name in files])
def test_the_mock_registry_becomes_the_de_identified_table_of_the_thesis(duck, shared, rows, name):
    """Each file of the second stage, cell by cell. Diagnosis dates have eight bands of five years from 1980 on."""
    folder = shared / "data" / "ms_mock" / f"df_{rows}_rows"
    draft = Draft.of(load(folder / f"stage_1_df_mock_{rows}.csv", engine=duck))
    steps = "".join(BANDS[column] for column in (*SENSITIVE, *FILES[rows][name]))
    found = applied(f"steps:\n      - drop: {{columns: [secret_name, covid19_self_isolation]}}{steps}", draft)
    with (folder / f"stage_2_df_{name}.csv").open(newline="", encoding="utf-8") as file:
        expected = list(csv.DictReader(file))
    assert found.names == tuple(expected[0])[2:]
    cells = duck.fetch(found.select())
    assert [tuple(map(str, row)) for row in cells] == [tuple(row.values())[2:] for row in expected]
