"""Pseudonyms: the same for the same person under the same key, and no others."""

from __future__ import annotations

import hmac
import re

import pyarrow as pa
import pytest
from tests.plans.steps.drafting import key_of, made_up, resources, values

from sfumato.errors import PlanError
from sfumato.plans.blocks.pseudonyms import PseudonymFormat
from sfumato.plans.steps.pseudonymise import Pseudonymise
from sfumato.secrets import for_purpose, key_from

KEY = "a long enough key"
IDS = ["AB-1042", "ab-1043", "0012", "12", "", " x ", "it's", None, "12", "#/!"]


def pseudonyms(column, given=None, engine=None, **options):
    draft = made_up({"id": pa.array(column)}, engine)
    return values(Pseudonymise("id", secret="key", **options).apply(draft, given or resources(key=KEY)), "id")


def hashed(text, domain="", key=KEY):
    own = for_purpose(key_from(key.encode(), lambda: for_purpose(key_of("one"), "passphrases")), "pseudonyms")
    return hmac.new(own, f"pseudonym|{len(domain)}|{domain}|{text}".encode(), "sha256").hexdigest()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"length": 32, "prefix": "P'", "domain": "site"},
        {"format": "digits", "length": 20},
        {"format": "letters", "prefix": "x-"},
        {"format": "same"},
    ],
    ids=str,
)
def test_every_engine_writes_the_hmac_of_the_identifier_in_the_format(engine, options):
    ids = [i for i in IDS if i is None or len(i) > 3] if options.get("format") == "same" else IDS
    form = PseudonymFormat(options.get("format", "hex"), options.get("length", 16))
    wanted = [
        None if i is None else options.get("prefix", "") + form.of(hashed(i, options.get("domain", "")), i) for i in ids
    ]
    assert pseudonyms(ids, engine=engine, **options) == wanted


def test_the_default_is_sixteen_digits_of_the_hash():
    assert pseudonyms(["AB-1042"]) == [hashed("AB-1042")[:16]]


def test_pseudonyms_are_consistent_across_columns_tables_plans_and_types():
    step = Pseudonymise(("mother", "child"), secret="key")
    texts = made_up({"mother": ["12", "13", None], "child": ["13", "14", "12"]})
    reals = made_up({"patient": pa.array([12.0, 13.0, None, 0.5])})
    first = values(step.apply(texts, resources(key=KEY)), "mother", "child")
    second = values(Pseudonymise("patient", secret="other").apply(reals, resources("x", other=KEY)), "patient")
    assert first[0][0] == first[2][1] == second[0]
    assert first[1][0] == first[0][1] == second[1]
    assert second[2] is None
    assert pseudonyms([12, 13]) == second[:2]


def test_the_same_passphrase_gives_others_in_another_project_and_a_random_key_the_same():
    step, ids = Pseudonymise("id", secret="key"), made_up({"id": ["12", "13"]})
    for key, joins in ((KEY, False), (bytes(range(32)).hex(), True)):
        one, two = (values(step.apply(ids, resources(project=project, key=key)), "id") for project in ("one", "two"))
        assert (one == two, bool(set(one) & set(two))) == (joins, joins)


def test_another_key_or_domain_gives_others():
    one = pseudonyms(["12", "13"])
    assert not set(one) & set(pseudonyms(["12", "13"], resources(key="another key altogether")))
    assert not set(one) & set(pseudonyms(["12", "13"], domain="ward"))
    assert pseudonyms(["12"], domain="ab") != pseudonyms(["|12"], domain="a")


def test_digits_are_spread_evenly():
    found = "".join(pseudonyms([str(i) for i in range(5000)], format="digits", length=24))
    assert len(found) == 120_000
    assert sum((found.count(d) - 12_000) ** 2 / 12_000 for d in "0123456789") < 27.9  # 9 degrees, 1 in 1,000


def test_letters_make_no_words():
    found = "".join(pseudonyms([str(i) for i in range(500)], format="letters"))
    assert set(found) == set("BCDFGHJKLMNPQRST")


def test_the_same_format_keeps_length_case_digits_and_signs():
    ids = [f"Ab{i:05}-x/{i % 7}" for i in range(300)]
    found = pseudonyms(ids, format="same")
    assert all(re.fullmatch(r"[A-Z][a-z]\d{5}-[a-z]/\d", pseudonym) for pseudonym in found)
    assert not set(found) & set(ids)


def test_characters_that_nothing_stands_for_are_an_error_and_not_left_in_place():
    with pytest.raises(PlanError, match=r"2 records \(rows 2, 3\)") as raised:
        pseudonyms(["plain", "환자", "José"], format="same")
    assert "Jos" not in str(raised.value)


@pytest.mark.parametrize(
    ("options", "advice"),
    [({"format": "digits", "length": 3}, "larger `length` than 3"), ({"format": "same"}, "another `format`")],
)
def test_two_persons_with_one_pseudonym_are_an_error_with_the_count(options, advice):
    ids = [f"{i:03}" for i in range(400)]
    form = PseudonymFormat(options["format"], options.get("length", 16))
    lost = 400 - len({form.of(hashed(i), i) for i in ids})
    with pytest.raises(PlanError, match=f"{lost} identifiers of id would get .* {advice}"):
        pseudonyms(ids * 2, **options)


def test_a_clash_between_two_columns_is_found_too():
    letters = [f"{i}" for i in range(200)]
    draft = made_up({"a": letters[:100], "b": letters[100:]})
    with pytest.raises(PlanError, match="of a, b would get"):
        Pseudonymise(("a", "b"), secret="key", length=3).apply(draft, resources(key=KEY))


def test_the_key_is_nowhere_in_the_step_and_the_secret_is_named():
    step = Pseudonymise("id", secret="study key", domain="site", format="same")
    assert step.secrets() == ("study key",)
    assert "'study key'" in step.explained()
    assert "domain 'site'" in step.explained()
    assert step.name() == "pseudonymise"
    assert step.settings() == {"columns": ("id",), "secret": "study key", "domain": "site", "format": "same"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"secret": ""}, "name the secret"),
        ({"length": 65}, "64 or less"),
        ({"length": 0}, "1 or more"),
        ({"format": "base64"}, "one of hex, digits, letters, same"),
        ({"format": "same", "length": 4}, "leave `length` out"),
        ({"prefix": 7}, "prefix must be a text"),
    ],
)
def test_wrong_parameters_are_said_at_once(given, words):
    with pytest.raises(PlanError, match=words):
        Pseudonymise("id", **{"secret": "key", **given})


def test_identifiers_that_are_too_long_for_the_same_format_are_said():
    with pytest.raises(PlanError, match="more than 64 characters"):
        pseudonyms(["1" * 65], format="same")
