"""Free text in any language, what only looks like it, and names inside texts."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.columns.evidence.free_texts import FreeTexts
from sfumato.columns.evidence.names_in_texts import NamesInTexts
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.meaning import WHOLE
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import Surroundings
from sfumato.schema import Role
from sfumato.tables.engine import Kind

DRAW = random.Random(4)


def column(values, name="v1", times=1, kind=Kind.TEXT):
    """A column in which every value occurs so often."""
    different = tuple(dict.fromkeys(map(str, values)))
    return ColumnProfile(name, kind, len(values) * times, 0, len(different), 0, 0.0, 0, different)


def texts(*words, length=6, count=40, end=""):
    """Different texts of these words."""
    return [" ".join(DRAW.choices(words, k=length)) + f" {DRAW.randint(1, 99)}" + end for _ in range(count)]


NOTES = {
    "en": texts("seen", "on", "ward", "with", "pain", "again", end="."),
    "de": texts("Patientin", "klagt", "über", "Schmerzen", "seit", "gestern", end="."),
    "fr": texts("patient", "vu", "en", "consultation", "pour", "toux", end="."),
    "es": texts("acude", "por", "dolor", "desde", "ayer", "sin", "fiebre", end="."),
    "it": texts("riferisce", "dolore", "da", "ieri", "senza", "febbre", end="."),
    "pt": texts("refere", "dor", "desde", "ontem", "sem", "febre", end="."),
    "nl": texts("patiënt", "komt", "met", "klachten", "sinds", "gisteren", end="."),
    "pl": texts("pacjent", "zgłasza", "ból", "od", "wczoraj", "bez", end="."),
    "sv": texts("patienten", "söker", "för", "smärta", "sedan", "igår", end="."),
    "el": texts("ασθενής", "προσήλθε", "με", "πόνο", "από", "χθες", end="."),
    "ko": texts("환자는", "어제부터", "통증을", "호소함", "열은", "없음", length=5),
    "lines": texts("pain", "none", "ok", "stable", end="\nno fever"),
    "no full stops": texts("came", "in", "with", "pain", "and", "left", "again", length=11),
}


@pytest.mark.parametrize("notes", NOTES.values(), ids=NOTES)
def test_notes_are_direct_in_any_language(notes):
    finding = FreeTexts().of(column(notes))
    assert finding.role is Role.DIRECT
    assert finding.weight > 0.85


def test_several_words_without_a_sentence_weigh_less_than_a_plain_name():
    finding = FreeTexts().of(column(texts("Chronic", "Left", "Upper", "Pain", "Arm", length=4)))
    assert 0.5 < finding.weight < WHOLE - 0.1


def test_reports_that_mostly_say_the_same_are_free_text_when_they_are_long():
    paragraphs = texts("No", "acute", "finding", "in", "the", "chest", length=30, count=30, end=".")
    assert FreeTexts().of(column(paragraphs, times=5)).role is Role.DIRECT


CODES = column([f"X{number}" for number in range(1000, 1040)], "code")
MANY = column([f"X{number}" for number in range(1000, 1040)], "code", times=3)
TITLES = texts("Chronic", "Left", "Upper", "Pain", "Arm", length=4)
IDS = column([f"P{number}" for number in range(20_000, 20_040)], "patient_id", times=3)


@pytest.mark.parametrize(
    ("profile", "beside"),
    [
        (column(["Pain in the left arm", "Pain in the right arm", "No pain was felt"], times=50), Surroundings()),
        (column(texts("Tablet", "Oral", "of", "Dolor") * 1, times=9), Surroundings()),
        (column([f"{text} {DRAW.randint(1, 99)} MG Oral Tablet" for text in TITLES]), Surroundings()),
        (column([f"{text} (disorder)" for text in TITLES]), Surroundings()),
        (column([f"P{i:04d} 2020-01-{i % 28 + 1:02d} A1{i} 778{i}" for i in range(40)]), Surroundings()),
        (column(["x" * 200 + str(i) for i in range(40)]), Surroundings()),
        (column([f"Name{i} Other" for i in range(40)]), Surroundings()),
        (column(range(10_000, 10_040), kind=Kind.INTEGER), Surroundings()),
        (column(TITLES), Surroundings("d_conditions.csv")),
        (column(TITLES), Surroundings("t", (CODES, column(TITLES)))),
        (column(TITLES, times=2), Surroundings("t", (IDS, MANY, column(TITLES, times=2)))),
        (column([]), Surroundings()),
    ],
    ids=["categories", "recurring", "drugs", "concepts", "codes", "long tokens", "names", "numbers", "dictionary",
         "one per code", "recurring with a code", "empty"],
)  # fmt: skip
def test_what_describes_a_thing_or_recurs_is_no_free_text(profile, beside):
    assert FreeTexts().of(profile, beside) is None


@given(st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=20, unique=True), st.integers(12, 50))
def test_whatever_recurs_ten_times_and_is_short_is_no_free_text(values, times):
    assert FreeTexts().of(column(values, times=times)) is None


@given(st.lists(st.text(max_size=60), max_size=40))
def test_any_text_can_be_read(values):
    for evidence in (FreeTexts(), NamesInTexts()):
        finding = evidence.of(column(values))
        assert finding is None or finding.role is Role.DIRECT


PLAIN = [f"seen on day {i} without any complaint" for i in range(40)]


@pytest.mark.parametrize(
    "sentence",
    ["was seen by Maria Jansen today", "spoke to Dr. Kowalski about it", "Herr Müller kam heute wieder",
     "according to GARCIA MARIA all is well", "Thomas Smith, her brother, called us"],
)  # fmt: skip
def test_names_inside_texts_are_counted_and_not_shown(sentence):
    finding = NamesInTexts().of(column([*PLAIN, *(f"{sentence} {i}" for i in range(5))]))
    assert (finding.role, finding.hipaa) == (Role.DIRECT, Hipaa.NAMES)
    assert finding.sentence.startswith("In 5 of 45 texts ")
    assert not any(word in finding.sentence for word in ("Maria", "Kowalski", "Müller", "GARCIA", "Smith"))


@pytest.mark.parametrize(
    "sentence",
    ["known with Parkinson disease for years", "Grade three of four was found", "Diabetes Mellitus Type 2 was found",
     "The Hague and London were visited", "no change was seen in the left lung"],
)  # fmt: skip
def test_what_is_named_after_people_is_no_person(sentence):
    assert NamesInTexts().of(column([*PLAIN, *(f"{sentence} {i}" for i in range(9))])) is None


def test_one_text_with_a_name_may_be_an_accident():
    assert NamesInTexts().of(column([*PLAIN, "was seen by Maria Jansen today"])) is None
