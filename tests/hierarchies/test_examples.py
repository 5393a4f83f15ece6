"""Worked examples of the seeds and of the classifications."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from sfumato.hierarchies.build import hierarchy
from sfumato.hierarchies.builders.from_file import hierarchies_in, read_hierarchy
from sfumato.hierarchies.builders.icd10 import blocks, chapters
from sfumato.hierarchies.catalogue import builder

ADULT = {
    "age",
    "education",
    "marital-status",
    "native-country",
    "occupation",
    "race",
    "salary-class",
    "sex",
    "workclass",
}


def test_the_ages_of_the_thesis_become_bands_of_ten_years():
    """S0.13, Appendix 3: 25, 32, 36, 45, 23, 43."""
    ages = ["25", "32", "36", "45", "23", "43"]
    found = builder("ages").build(ages)
    assert [found.label(age, 2) for age in ages] == ["20-29", "30-39", "30-39", "40-49", "20-29", "40-49"]


def test_the_ages_of_generic_entropy_become_bands_of_twenty_years():
    """S1.7: D(age) = 20, 65, 55, 40, 65, 65."""
    ages = ["20", "65", "55", "40", "65", "65"]
    found = builder("ages").build(ages)
    assert [found.label(age, 3) for age in ages] == ["20-39", "60-79", "40-59", "40-59", "60-79", "60-79"]


def test_the_illnesses_of_the_thesis_become_groups():
    """S0.13, Appendix 3: aggregation."""
    mapping = {"Gastric flu": "Digestive", "Flu": "Respiratory", "COVID": "Respiratory"}
    found = builder("tree", {"mapping": mapping}).build(["Gastric flu", "Flu", "COVID"])
    assert [found.label(value, 1) for value in ("Gastric flu", "Flu", "COVID")] == ["Digestive"] + ["Respiratory"] * 2


def test_nobody_of_90_or_more_is_told_apart_at_any_level():
    found = builder("ages").build([str(age) for age in range(121)])
    for level in (1, 2, 3):
        assert {found.label(str(age), level) for age in range(90, 121)} == {"90+"}
        assert found.label("89", level) != "90+"


def test_quartiles_hold_a_quarter_each():
    """S3.21: days in hospital, in ranges of equal frequency."""
    found = builder("quantiles").build({str(day): 1 for day in range(1, 101)})
    held = Counter(found.label(str(day), 1) for day in range(1, 101))
    assert held == {"<26": 25, "[26, 51)": 25, "[51, 76)": 25, ">=76": 25}
    assert found.labels(2) == ("<51", ">=51")


@pytest.mark.parametrize("at_least", [2, 5, 10, 50])
def test_every_range_holds_at_least_so_many_people(at_least):
    """S3.22: ages of patients, many around 70, few newborns and centenarians."""
    counts = {str(age): max(1, 40 - abs(age - 70)) for age in (*range(3), *range(18, 104))}
    found = builder("density", {"at_least": at_least}).build(counts)
    for level in range(1, found.height):
        held: Counter[str | None] = Counter()
        for age, n in counts.items():
            held[found.label(age, level)] += n
        assert min(held.values()) >= at_least * 2 ** (level - 1)


def test_ranges_are_narrow_where_people_are_dense_and_newborns_are_merged_upward():
    counts = {"0": 1, "1": 1, **{str(age): 30 for age in range(60, 70)}, "90": 2, "101": 1}
    found = builder("density", {"at_least": 30}).build(counts)
    assert found.label("0", 1) == found.label("1", 1) == found.label("60", 1) == "<61"
    assert found.label("65", 1) == "[65, 66)"
    assert found.label("101", 1) == found.label("69", 1) == ">=69"


def test_an_edge_of_a_range_is_a_round_number_and_nobodys_value():
    values = {f"{20 + n * 0.123457:.6f}": 1 for n in range(200)}
    cuts = builder("density", {"at_least": 20}).formula(values).settled()["cuts"]
    assert all(round(cut, 2) == cut for row in cuts for cut in row)


def test_the_age_labels_of_the_thesis_are_told_apart():
    """A0-9: 18-40 and 40-69 share an age; ours do not, whatever the style."""
    for style, label in (("brackets", "[40, 70)"), ("dashes", "40--70"), ("integers", "40-69")):
        found = builder("intervals", {"edges": (18, 40, 70), "style": style}).build(["39", "40", "69"])
        assert found.label("40", 1) == found.label("69", 1) == label
        assert found.label("39", 1) != label


@pytest.mark.parametrize(("days", "labels"), [(2, 4), (5, 2), (7, 1)])
def test_dates_become_periods_of_so_many_days(days, labels):
    """S3.24."""
    dates = [f"2020-03-{day:02}" for day in range(2, 9)]
    found = builder("dates", {"levels": "period", "days": days, "origin": "2020-03-02"}).build(dates)
    assert len(found.labels(1)) == labels


def test_the_first_days_of_january_belong_to_the_week_and_the_year_of_their_thursday():
    found = builder("dates", {"levels": "week,year"}).build(["2021-01-03", "2021-01-04", "2024-12-30"])
    assert [line[1:3] for line in found.lines] == [("2020-W53", "2020"), ("2021-W01", "2021"), ("2025-W01", "2025")]


def test_a_date_that_is_not_complete_waits_for_its_level():
    found = builder("dates", {"levels": "day,month,year"}).build(["2020-03", "2020", "2020-03-01T10:00"])
    assert found.lines == (
        ("2020", "2020", "2020", "2020", "*"),
        ("2020-03", "2020-03", "2020-03", "2020", "*"),
        ("2020-03-01T10:00", "2020-03-01", "2020-03", "2020", "*"),
    )


def test_codes_with_and_without_a_dot_are_the_same_diagnosis():
    found = builder("icd10").build(["E11.9", "E119", "e11.9", "E11"])
    assert {line[1:] for line in found.lines} == {("E11", "E10-E14", "IV (E00-E90)", "*")}


@pytest.mark.parametrize(
    ("code", "block", "chapter"),
    [
        ("A00", "A00-A09", "I (A00-B99)"), ("B99", "B99-B99", "I (A00-B99)"), ("D48", "D37-D48", "II (C00-D49)"),
        ("D50", "D50-D53", "III (D50-D89)"), ("H59", "H55-H59", "VII (H00-H59)"), ("H60", "H60-H62", "VIII (H60-H95)"),
        ("X99", "X85-Y09", "XX (V00-Y99)"), ("Y05", "X85-Y09", "XX (V00-Y99)"), ("U07.1", "U00-U49", "XXII (U00-U99)"),
        ("D3A", "D10-D36", "II (C00-D49)"),
        ("O9A.1", "O94-O99", "XV (O00-O9A)"), ("Z3A.20", "Z30-Z39", "XXI (Z00-Z99)"),
        ("U99", "XXII (U00-U99)", "XXII (U00-U99)"),
    ],
)  # fmt: skip
def test_a_category_has_its_block_and_its_chapter(code, block, chapter):
    assert builder("icd10").build([code]).lines[0][2:4] == (block, chapter)


def test_chapters_and_blocks_are_in_order_and_do_not_overlap():
    ranges = [block for block in blocks() if block.name == f"{block.first}-{block.last}"]
    for sections in (chapters(), ranges):
        for one, next_one in pairwise(sorted(sections, key=lambda section: section.first)):
            assert one.first <= one.last < next_one.first
    assert len(chapters()) == 22
    named = {block.name for block in blocks()}
    assert named == {block.name for block in ranges} | {chapter.name for chapter in chapters()}


def test_rare_values_are_merged_first_and_the_others_are_never_too_few():
    counts = {"asthma": 40, "diabetes": 12, "gout": 6, "lupus": 1}
    found = builder("priority", {"at_least": 5}).build(counts)
    assert found.lines == (
        ("asthma", "asthma", "asthma", "*"),
        ("diabetes", "diabetes", "other", "*"),
        ("gout", "other", "other", "*"),  # since lupus alone would be one person called other
        ("lupus", "other", "other", "*"),
    )


def test_the_nine_hierarchies_of_the_census_table_are_read(shared):
    found = hierarchies_in(shared / "data" / "adult")
    assert set(found) == ADULT | {"adult"}
    heights = {column: read_hierarchy(found[column]).height for column in ADULT}
    assert heights == {
        "age": 4, "education": 3, "marital-status": 2, "native-country": 2, "occupation": 2, "race": 1,
        "salary-class": 1, "sex": 1, "workclass": 2,
    }  # fmt: skip
    assert all(read_hierarchy(found[column]).top == "*" for column in ADULT)


def test_a_stored_hierarchy_is_complete_for_the_census_table(shared):
    folder = shared / "data" / "adult"
    path = str(folder / "adult_hierarchy_education.csv")
    found = hierarchy(folder / "adult.csv", "education", "from_file", path=path)
    assert found.label("11th", 2) == "Secondary education"
    assert sum(found.origin.counts.values()) == 30162
