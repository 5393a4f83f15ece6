"""The labelled set keeps what it promises, and quality is counted right."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from random import Random

import pytest

from .labelled.national_numbers import afm, kvnr, ssn
from .labelled_columns import HIPAA, ROLES, LabelledColumn, development, held_out, labelled_columns
from .quality import Miss, Rates, as_markdown, measured


@pytest.fixture(scope="module")
def columns() -> tuple[LabelledColumn, ...]:
    return labelled_columns()


def numbers(columns: tuple[LabelledColumn, ...], language: str, sort: str) -> list[str]:
    """Every number of the columns of one sort, without blanks, dashes and words for unknown."""
    chosen = [c for c in columns if (c.language, c.sort) == (language, sort) and c.hipaa != "unique code"]
    plain = (re.sub(r"[\s-]", "", str(value)) for column in chosen for value in column.values if value is not None)
    return [number for number in plain if any(mark.isdigit() for mark in number)]


def total(number: str, weights: range | tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(number, weights, strict=True))


def luhn(number: str) -> bool:
    doubled = "".join(str(int(d) * 2) if place % 2 else d for place, d in enumerate(reversed(number)))
    return sum(map(int, doubled)) % 10 == 0


def mod_11_10(number: str) -> bool:
    check = 5
    for digit in number:
        check = (((check or 10) * 2) % 11 + int(digit)) % 10
    return check == 1


def rrn(number: str) -> bool:
    return (11 - total(number[:12], (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10 == int(number[12])


def nif_spain(number: str) -> bool:
    whole = number.translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(whole[:-1]) % 23] == number[-1]


def nif_portugal(number: str) -> bool:
    rest = total(number[:8], range(9, 1, -1)) % 11
    return int(number[8]) == (0 if rest < 2 else 11 - rest)


def nir(number: str) -> bool:
    whole = number.replace("2A", "19").replace("2B", "18")
    return (int(whole[:13]) + int(whole[13:])) % 97 == 0


def iban(number: str) -> bool:
    return int("".join(str(int(mark, 36)) for mark in number[4:] + number[:4])) % 97 == 1


def vin(number: str) -> bool:
    values = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
    worth = [values.get(mark) if mark in values else int(mark) for mark in number]
    rest = sum(v * w for v, w in zip(worth, (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2), strict=True)) % 11
    return number[8] == ("X" if rest == 10 else str(rest))


CHECKS = {
    ("nl", "national"): (9, lambda n: total(n, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0),
    ("de", "national"): (11, mod_11_10),
    ("fr", "national"): (15, nir),
    ("es", "national"): (9, nif_spain),
    ("pt", "national"): (9, nif_portugal),
    ("el", "national"): (11, luhn),
    ("ko", "national"): (13, rrn),
    ("en", "national"): (10, lambda n: total(n, range(10, 0, -1)) % 11 == 0),
    ("nl", "account"): (18, iban),
    ("es", "account"): (24, iban),
    ("fr", "account"): (27, iban),
    ("el", "account"): (27, iban),
    ("en", "vin"): (17, vin),
}


@pytest.mark.parametrize(("language", "sort"), CHECKS)
def test_every_checksummed_number_passes_the_check_of_its_issuer(columns, language, sort):
    length, passes = CHECKS[language, sort]
    drawn = [number.zfill(length) for number in numbers(columns, language, sort)]
    assert len(drawn) > 100
    assert {len(number) for number in drawn} == {length}
    assert all(passes(number) for number in drawn)


def test_numbers_published_as_examples_pass_the_same_checks():
    assert CHECKS["en", "national"][1]("9434765919")
    assert CHECKS["nl", "national"][1]("111222333")
    assert mod_11_10("36574261809")
    assert luhn("79927398713")
    assert iban("GB82WEST12345698765432")
    assert nif_spain("12345678Z")
    assert vin("1M8GDM9AXKP042788")


def test_there_are_enough_columns_languages_and_decoys(columns):
    assert len(columns) >= 400
    assert len({column.language for column in columns}) == 11
    assert sum(column.decoy for column in columns) >= 0.25 * len(columns)
    assert min(Counter(column.language for column in columns).values()) >= 100


def test_every_language_has_a_quarter_of_decoys_or_nearly(columns):
    decoys = Counter(column.language for column in columns if column.decoy)
    everything = Counter(column.language for column in columns)
    assert min(decoys[language] / everything[language] for language in everything) >= 0.2


def test_labels_are_valid_and_no_decoy_is_an_identifier(columns):
    assert {column.role for column in columns} == set(ROLES)
    assert {column.hipaa for column in columns} == {*HIPAA, None}
    assert len(HIPAA) == 18
    assert all(column.why for column in columns)
    assert not [c.name for c in columns if c.decoy and (c.role == "direct" or c.hipaa)]


def test_no_name_occurs_twice_within_a_language(columns):
    assert max(Counter((column.language, column.name) for column in columns).values()) == 1


def test_columns_have_200_to_500_rows_of_one_type(columns):
    assert {200 <= len(column.values) <= 500 for column in columns} == {True}
    types = [{type(value) for value in column.values if value is not None} for column in columns]
    assert {len(kinds) for kinds in types} == {1}
    assert set.union(*types) == {str, int, float, bool, date}


def years(column: LabelledColumn) -> list[float]:
    """The ages of a column, words for unknown left out."""
    words = [str(value).strip() for value in column.values if value is not None]
    return [float(word) for word in words if word[0].isdigit()]


def test_an_age_column_is_on_the_list_only_with_ages_over_89(columns):
    aged = {"age", "very_old", "age_months"}
    over = {c.name: c.hipaa for c in columns if c.sort in aged and max(years(c)) > 89}
    assert over == {c.name: "date" for c in columns if c.sort in aged and c.hipaa}
    assert len(over) >= 8


def test_the_same_seed_gives_the_same_columns_and_another_seed_others(columns):
    assert labelled_columns.__wrapped__(seed=0) == columns  # drawn again, not remembered
    again = labelled_columns(seed=1)
    assert [c.name for c in again] == [c.name for c in columns]
    assert again != columns


def test_two_of_five_columns_are_held_out_and_none_is_in_both(columns):
    kept, judged = development(), held_out()
    assert len(kept) + len(judged) == len(columns)
    assert 0.36 <= len(judged) / len(columns) <= 0.44
    assert not {(c.language, c.name) for c in kept} & {(c.language, c.name) for c in judged}
    assert {c.hipaa for c in kept} == {c.hipaa for c in judged} == {*HIPAA, None}


def test_the_numbers_without_a_column_of_their_own_test_are_well_formed():
    draw = Random(7)
    assert re.fullmatch(r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}", ssn(draw, "en"))
    assert re.fullmatch(r"[A-Z]\d{9}", kvnr(draw, "de"))
    tax = afm(draw, "el")
    assert total(tax[:8], (256, 128, 64, 32, 16, 8, 4, 2)) % 11 % 10 == int(tax[8])


TOY = [
    LabelledColumn("bsn", ("1",), "direct", "national number", "nl", "toy"),
    LabelledColumn("notitie", ("1",), "direct", None, "nl", "toy"),
    LabelledColumn("dob", ("1",), "quasi", "date", "en", "toy"),
    LabelledColumn("sex", ("1",), "quasi", None, "en", "toy"),
    LabelledColumn("batch", ("1",), "non-sensitive", None, "en", "toy"),
]
VERDICTS = [
    ("direct", "national number"),
    ("sensitive", None),
    ("quasi", "date"),
    ("sensitive", None),
    ("direct", "fax"),
]


def test_quality_counts_what_is_found_wrong_and_missed():
    quality = measured(TOY, lambda columns: VERDICTS)
    assert quality.direct == Rates(found=1, wrong=1, missed=1)
    assert (quality.direct.precision, quality.direct.recall) == (0.5, 0.5)
    assert quality.hipaa == Rates(found=2, wrong=1, missed=0)
    assert (quality.hipaa.precision, quality.hipaa.recall) == (2 / 3, 1.0)
    assert quality.roles_right == 2 / 5
    assert [(own.language, own.columns) for own in quality.languages] == [("nl", 2), ("en", 3)]


def test_misses_are_those_of_the_scored_questions_and_hold_no_values():
    quality = measured(TOY, lambda columns: VERDICTS)
    assert quality.misses == (
        Miss("notitie", "direct; not on the list", "sensitive; not on the list", "nl"),
        Miss("batch", "non-sensitive; not on the list", "direct; fax", "en"),
    )


def test_a_classifier_that_skips_columns_is_refused():
    with pytest.raises(ValueError, match="one each is needed"):
        measured(TOY, lambda columns: VERDICTS[:2])


def test_the_page_shows_both_parts_and_every_miss():
    quality = measured(TOY, lambda columns: VERDICTS)
    page = as_markdown(quality, quality)
    assert "| Direct identifier: recall | 5 + 5 | 50.0 % | 50.0 % |" in page
    assert "| Dutch | held out | 2 | 100.0 % | 50.0 % | 100.0 % | 100.0 % |" in page
    assert page.count("| `notitie` | Dutch | direct; not on the list | sensitive; not on the list |") == 2
