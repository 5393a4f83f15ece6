"""What values look like."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.columns.evidence.values import Values
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers import recognisers
from sfumato.columns.recognisers.calendar import finer_than_a_year, read_date
from sfumato.columns.recognisers.checksums import luhn, nhs
from sfumato.columns.recognisers.email import Email
from sfumato.columns.recognisers.national_number import NationalNumber
from sfumato.schema import Role
from sfumato.tables.engine import Kind


def column(values, name="v12", records=None):
    different = tuple(dict.fromkeys(values))
    return ColumnProfile(name, Kind.TEXT, records or len(values), 0, len(different), 0, 0.0, 0, different)


def many(make, n=60):
    draw = random.Random(1)
    return [make(draw) for _ in range(n)]


def digits(draw, n):
    return "".join(draw.choice("0123456789") for _ in range(n))


def passing(check, length, first=""):
    """A number of which the check digits are right, found by trying."""

    def make(draw):
        while True:
            number = first + digits(draw, length - len(first))
            if check(number):
                return number

    return make


def bsn(number):
    return sum(int(d) * w for d, w in zip(number, (9, 8, 7, 6, 5, 4, 3, 2, -1), strict=True)) % 11 == 0


GIVEN = ["Emma", "Jan", "Maria", "João", "Klaus", "Eleni", "Thomas"]
FAMILY = ["Smith", "de Vries", "Müller", "García", "O'Brien", "Silva"]
RARE = ["van 't Woud", "Kruik", "Zwaan-Pot", "el Haji", "Ouwehand"]
SURNAMES = [
    "Müller",
    "da Silva",
    "García",
    "Dubois",
    "Jansen",
    "Hoekstra",
    "Θεοδωρόπουλος",
    "Ξενάκης",
    "Smith",
    "Lopes",
]
GREEK = ["Μαρία Γεωργίου", "Νίκος Γεωργίου", "Μαρία Νικολάου", "Νίκος Νικολάου"]


def korean(draw):
    return draw.choice("김이박최정한오") + draw.choice("민서지") + draw.choice("준연훈")


def day(draw):
    return f"{draw.randint(1, 12):02d}{draw.randint(1, 28):02d}"


SHAPES = {
    (Role.DIRECT, Hipaa.EMAIL): [lambda r: f"p{digits(r, 5)}@example.org"],
    (Role.DIRECT, Hipaa.TELEPHONE): [
        lambda r: f"+31 6 {digits(r, 8)}",
        lambda r: f"010-{digits(r, 4)}-{digits(r, 4)}",
        lambda r: f"06{r.randint(1, 5)}{digits(r, 7)}",
        lambda r: r.choice(["+31 6 ", "06-"]) + digits(r, 8),
    ],
    (Role.DIRECT, Hipaa.URL): [lambda r: f"https://example.org/~{digits(r, 5)}"],
    (Role.DIRECT, Hipaa.IP): [
        lambda r: ".".join(str(r.randint(1, 254)) for _ in range(4)),
        lambda r: f"2001:db8::{r.randint(1, 65535):x}",
        lambda r: f"10.0.{r.randint(0, 20)}.{r.randint(1, 254)}",
    ],
    (Role.DIRECT, Hipaa.DEVICE): [lambda r: ":".join(f"{r.randint(0, 255):02x}" for _ in range(6))],
    (Role.DIRECT, Hipaa.NAMES): [
        lambda r: f"{r.choice(GIVEN)} {r.choice(FAMILY)}",
        lambda r: f"{r.choice(FAMILY)}, {r.choice('ABCDE')}.",
        lambda r: f"Dr. {r.choice(FAMILY)}",
        lambda r: r.choice(GREEK),
        lambda r: f"{r.choice(RARE)} {r.choice('ABCDE')}.",
        lambda r: r.choice(SURNAMES),
        lambda r: f"{r.choice(SURNAMES)} {r.choice(SURNAMES)}".upper(),
        lambda r: r.choice(GIVEN),
        korean,
    ],
    (Role.DIRECT, Hipaa.NATIONAL): [
        passing(bsn, 9, "1"),
        passing(nhs, 10, "9"),
        passing(luhn, 11, "010180"),
        lambda r: f"80{day(r)}-1{digits(r, 6)}",
        lambda r: f"{r.randint(100, 600)}-{r.randint(10, 99)}-{r.randint(1000, 9999)}",
    ],
    (Role.DIRECT, Hipaa.PLACES): [lambda r: f"Kerkstraat {r.randint(1, 200)}"],
    (Role.QUASI, Hipaa.PLACES): [
        lambda r: f"{r.randint(1000, 9999)} A{r.choice('BCD')}",
        lambda r: f"SW{r.randint(1, 19)} {r.randint(1, 9)}A{r.choice('AB')}",
        lambda r: f"{r.uniform(50, 53):.5f}, {r.uniform(4, 6):.5f}",
    ],
    (Role.QUASI, Hipaa.DATES): [
        lambda r: f"19{r.randint(30, 99)}{day(r)}",
        lambda r: f"19{r.randint(30, 99)}-{day(r)[:2]}",
    ],
    (Role.SENSITIVE, None): [lambda r: f"E{r.randint(10, 14)}.{r.randint(0, 9)}"],
}
EXAMPLES = [(make, *verdict) for verdict, makers in SHAPES.items() for make in makers]


@pytest.mark.parametrize(("make", "role", "hipaa"), EXAMPLES)
def test_values_tell_what_they_are_under_a_name_that_does_not(make, role, hipaa):
    finding = Values().of(column(many(make)))
    assert finding is not None
    assert (finding.role, finding.hipaa) == (role, hipaa)


NOTHING = {
    "names of firms": ["Acme Machine Tools", "Northern Light", "Blue Harbour", "Old Mill"],
    "cities": ["New York", "San Diego", "Den Haag", "Porto", "Athens", "Saint Louis"],
    "categories": ["Full Time", "Part Time", "Retired", "Never Smoker"],
    "years": [str(year) for year in range(1930, 2000)],
    "firsts of January": [f"{year}-01-01" for year in range(1930, 2000)],
    "times": [f"{i:02d}:30" for i in range(24)],
    "versions": ["1.2.3.4", "1.2.4.0", "1.3.0.1"],
    "builds": [f"{10 + i % 5}.{i % 9}.{i % 7}.{130 + i}" for i in range(40)],
    "short versions": ["8.7.20", "9.5.59", "2.8.82", "4.7.42"],
    "firms": ["Dubois S.A.", "Lopes Ltda", "Müller GmbH", "García S.L.", "Jansen B.V."] * 3,
    "decimals": [f"{1900 + i}.{i % 10}" for i in range(60)],
    "scores": [str(i) for i in range(30)],
    "answers": ["Strongly agree", "Agree", "Disagree"],
}


@pytest.mark.parametrize("what", NOTHING)
def test_values_that_only_resemble_an_identifier_are_none(what):
    assert Values().of(column(NOTHING[what], records=100)) is None


@pytest.mark.parametrize(
    ("name", "values", "hipaa"),
    [
        ("age", ["64", "91"], Hipaa.AGES),
        ("leeftijd", ["64 jaar", "91 jaar"], Hipaa.AGES),
        ("age", ["64", "89", "90+"], None),
        ("age_months", ["64", "191"], None),
        ("weight", ["64", "91"], None),
    ],
)
def test_ages_over_89_are_listed_and_weights_are_not(name, values, hipaa):
    finding = Values().of(column(values, name))
    assert (finding.hipaa if finding else None) == hipaa


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1980-01-31T10:30:00Z", (1980, 1, 31)),
        ("31.01.1980", (1980, 1, 31)),
        ("1/31/1980", (1980, 1, 31)),
        ("31-01-80 12:00", (80, 1, 31)),
        ("31011980", (1980, 1, 31)),
        ("3 de março de 1980", (1980, 3, 3)),
        ("Jan 31, 1980", (1980, 1, 31)),
        ("31-JAN-1980", (1980, 1, 31)),
        ("31 Ιανουαρίου 1980", (1980, 1, 31)),
        ("1980년 1월 31일", (1980, 1, 31)),
        ("2020-Q3", (2020, 4, 0)),
        ("1980-02-31", None),
        ("1980", None),
        ("12345678", None),
        ("maybe 1980 or later", None),
    ],
)
def test_dates_are_read_in_many_notations(text, read):
    assert read_date(text) == read


WORD = st.from_regex(r"[a-z0-9]+(?:[._+-][a-z0-9]+)*", fullmatch=True).filter(lambda word: len(word) <= 20)


@given(WORD, WORD, st.sampled_from(["org", "nl", "museum", "co.uk", "gr"]))
def test_every_plain_e_mail_address_is_recognised(local, domain, top):
    assert Email().matches(f"{local}@{domain.replace('_', '').replace('+', '').replace('.', '')}.{top}")


@given(st.integers(min_value=8, max_value=13), st.integers(min_value=0, max_value=10**6))
@settings(max_examples=50)
def test_random_digits_are_not_national_numbers(length, seed):
    draw = random.Random(seed)
    values = [digits(draw, length) for _ in range(30)]
    assert NationalNumber().share(values) < NationalNumber.needed


@given(st.lists(st.text(max_size=80), max_size=20))
def test_a_share_lies_between_0_and_1_for_any_values(values):
    for recogniser in recognisers():
        assert 0.0 <= recogniser.share(values) <= 1.0


def test_no_sentence_holds_a_value():
    for make, *_ in EXAMPLES:
        values = many(make)
        sentence = Values().of(column(values)).sentence
        assert not any(re.search(rf"\b{re.escape(value)}\b", sentence) for value in values)


@pytest.mark.parametrize(
    "make",
    [
        lambda r: "06" + digits(r, 8),
        lambda r: f"+31 6 {digits(r, 8)}",
        lambda r: " ".join(r.choice(GIVEN) for _ in range(3)),
        lambda r: digits(r, 5000),
        lambda r: "a" * 5000 + digits(r, 2),
        lambda r: f"1{' ' * 5000}{digits(r, 2)}",
        lambda r: f"{digits(r, 2)}{'a.' * 2500}",
        lambda r: f"{digits(r, 2)}{chr(39).join('ab' * 1000)}",
        lambda r: "seen again " * 1000 + digits(r, 2),
        lambda r: f"a@{'b.' * 2500}{digits(r, 2)}",
        lambda r: chr(0xB2) * 9 + digits(r, 3),
    ],
)
def test_no_column_of_1000_values_raises_and_the_same_values_say_the_same(make):
    values = many(make, 1000)
    assert Values().of(column(values)) == Values().of(column(values))


@pytest.mark.parametrize(
    ("make", "hipaa"),
    [
        (lambda r: f"(01){digits(r, 14)}(17){digits(r, 6)}(10){digits(r, 7)}(21){digits(r, 8)}", Hipaa.DEVICE),
        (lambda r: f"+H123{digits(r, 8)}/$$420020216{digits(r, 5)}", Hipaa.DEVICE),
        (lambda r: f"=/A9999{digits(r, 9)}0=,{digits(r, 6)}", Hipaa.DEVICE),
        (lambda r: f"images/{digits(r, 6)}_{digits(r, 3)}.png", Hipaa.OTHER),
        (lambda r: f"scan {digits(r, 6)}.nii.gz", Hipaa.OTHER),
    ],
)
def test_devices_and_files_of_one_record_are_direct(make, hipaa):
    finding = Values().of(column(many(make)))
    assert (finding.role, finding.hipaa) == (Role.DIRECT, hipaa)


@pytest.mark.parametrize(
    "values",
    [
        many(lambda r: f"(01){digits(r, 14)}"),
        many(lambda r: f"export_{digits(r, 6)}.csv"),
        ["consent_v1.pdf", "consent_v2.pdf"] * 40,
    ],
    ids=["a model", "data", "shared"],
)
def test_a_model_and_files_of_the_study_are_not_of_one_record(values):
    assert Values().of(column(values)) is None


def test_a_number_is_one_of_a_passport_where_the_name_says_so():
    numbers = many(lambda r: f"X{digits(r, 8)}X")
    assert Values().of(column(numbers, "passport")).hipaa is Hipaa.LICENCE
    assert Values().of(column(numbers)) is None


def test_national_numbers_that_begin_with_a_birthday_are_no_dates():
    """Twelve digits are a date with a time only where the last four are a time of day."""
    assert finer_than_a_year([f"19{50 + i}0612{7890 - 13 * i}" for i in range(30)]) < 0.3
    assert finer_than_a_year([f"20{10 + i % 9}0612{10 + i % 9}30" for i in range(30)]) == 1
