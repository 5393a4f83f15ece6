"""What is shown to be technical, and what only seems so."""

import pytest

from sfumato.columns.evidence.technical import Technical
from sfumato.schema import Role

from .columns_beside import column_of

ROWS = list(range(1, 41))


def said(name, values, **told):
    return Technical().of(column_of(name, values, **told))


@pytest.mark.parametrize(
    ("name", "values", "label"),
    [
        ("race_and_ethnicity_complete", [0, 2, 2, 1], None),
        ("demographics_complete", ["Complete", "Incomplete"] * 5, None),
        ("STUDYID", ["CDISC01"] * 10, None),
        ("protocol_no", ["P7"] * 10, None),
        ("AESEQ_seq", [1, 2, 3, 1, 2, 1, 1, 2], None),
        ("visit_number", [1, 2, 3] * 10, None),
        ("lfd_nr", [1, 2, 3, 4] * 5, None),
        ("Unnamed: 0", list(range(40)), None),
        ("index", ROWS, None),
        ("", ROWS, None),
        ("WTMEC2YR", [12345.6, 999.1], "Full sample 2 year MEC exam weight"),
        ("SDMVPSU", [1, 2], "Masked variance pseudo-PSU"),
        ("sampling_weight", [1.2, 0.8], None),
        ("final_wt", [15234.0, 3234.5], None),
        ("ref_range_low", [3.5, 4.0], None),
        ("referenzbereich", ["3-5", "4-6"], None),
        ("normal_high", [5.5], None),
        ("uln", [40, 41], None),
    ],
)
def test_a_name_and_values_that_show_it_are_technical(name, values, label):
    finding = said(name, values, label=label)
    assert finding.role is Role.NON_SENSITIVE
    assert finding.weight >= 0.8


@pytest.mark.parametrize(
    ("name", "values", "label"),
    [
        ("treatment_complete", ["yes", "no"], None),
        ("response", ["complete", "incomplete"], None),
        ("country", ["NL"] * 10, None),
        ("hiv", [1] * 10, None),
        ("studyid", ["S1", "S2", "S3"], None),
        ("visit_number", [1, 5, 90, 1], None),
        ("parity", [1, 2, 3] * 10, None),
        ("repeat", [0, 1] * 10, None),
        ("patient_no", ROWS, None),
        ("index", [3, 7, 1, 90, 55, 2, 4, 12] * 2, None),
        ("body_mass_index", ROWS, None),
        ("weight", [61.2, 80.4], None),
        ("final_weight", [61.2, 80.4], None),
        ("birth_weight", [3200, 2800], "Birth weight of the child"),
        ("exam_weight", [61.2, 80.4], "Weight at exam (kg)"),
        ("max_heart_rate", [150, 170], None),
        ("low_density", [3.1], None),
        ("v7", ["A", "B"], None),
        ("v8", [], None),
    ],
)
def test_values_that_do_not_bear_it_out_or_names_of_something_else_show_nothing(name, values, label):
    assert said(name, values, label=label) is None


def test_an_empty_column_shows_nothing_and_its_name_counts_for_less():
    assert said("health_complete", []).weight < 0.6 < said("health_complete", [0, 2]).weight
    assert said("studyid", []) is None
