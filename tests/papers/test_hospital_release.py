"""S3, the release of hospital data: what small and what homogeneous classes mean to people (S3.14, S3.15)."""

from __future__ import annotations

import pytest

from sfumato.privacy.assess import answer
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.question import Question
from sfumato.studies.printed_tables import rows
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Extract

# One class each of 1, 2 and 3 records, and one of 4; the two women of 80 to 89 have the same pathology.
RECORDS = [
    ("90+", "M", "stroke"),
    *[("80-89", "F", "dementia")] * 2,
    *[("70-79", "F", s) for s in ("diabetes", "stroke", "asthma")],
    *[("60-69", "M", s) for s in ("diabetes", "stroke", "asthma", "asthma")],
]


@pytest.fixture(scope="module")
def assessment() -> Assessment:
    table = rows(RECORDS, ["age", "sex", "pathology"], DuckDB()).table
    question = Question.written(quasi=["age", "sex"], sensitive=["pathology"], k=2, l=2)
    return answer(Extract("hospital", table, ()), question)


def test_a_class_of_two_is_a_risk_of_one_half_and_of_three_one_third(assessment: Assessment) -> None:
    """S3.14: small classes beyond singletons are shown, with the chance of finding the right person."""
    assert assessment.document()["classes"]["small"] == [
        {"size": 1, "classes": 1, "records": 1, "risk": 1.0},
        {"size": 2, "classes": 1, "records": 2, "risk": 0.5},
        {"size": 3, "classes": 1, "records": 3, "risk": 1 / 3},
    ]


def test_people_read_the_small_classes_as_50_and_33_percent(assessment: Assessment) -> None:
    lines = str(assessment).splitlines()
    assert [line for line in lines if "classes of 2" in line and "50%" in line]
    assert [line for line in lines if "classes of 3" in line and "33%" in line]


def test_a_homogeneous_class_is_counted_though_its_members_are_two(assessment: Assessment) -> None:
    """S3.15: who knows one of the two women by age and sex knows her pathology. A singleton is told by k already."""
    assert assessment.document()["homogeneous"] == {"pathology": 2}


def test_the_homogeneous_class_is_flagged_by_l_and_not_by_k(assessment: Assessment) -> None:
    flags = assessment.flags.to_pylist()
    by_k = [flag["k_anonymity_flagged"] for flag in flags]
    by_l = [flag["distinct_l_diversity_pathology_flagged"] for flag in flags]
    assert by_k == [True] + [False] * 9
    assert by_l == [True] * 3 + [False] * 7
    assert assessment.overlap.by_family() == {"k only": 0, "l only": 2, "several": 1, "any": 3}


def test_the_report_warns_of_the_homogeneous_class(assessment: Assessment) -> None:
    warnings = [line for line in str(assessment).splitlines() if "same pathology" in line]
    assert len(warnings) == 1
    assert warnings[0].startswith("2 records")


def test_without_the_homogeneous_class_there_is_no_such_warning() -> None:
    """The other half: the count is 0 where every class of several people has several values."""
    table = rows(RECORDS[3:], ["age", "sex", "pathology"], DuckDB()).table
    question = Question.written(quasi=["age", "sex"], sensitive=["pathology"], k=2)
    found = answer(Extract("hospital", table, ()), question)
    assert found.document()["homogeneous"] == {"pathology": 0}
    assert "same pathology" not in str(found)
