"""Every sort of column in the labelled set: its role, its item of the HIPAA list, why, and how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from . import clinical, contacts, moments, national_numbers, person_names, places, words
from .drawing import Maker, as_numbers, each, formats, keys, one_of, templated

HIPAA = (
    "name", "geography", "date", "telephone", "fax", "email", "national number", "medical record number",
    "health plan number", "account number", "licence number", "vehicle", "device", "url", "ip address",
    "biometric", "photograph", "unique code",
)  # fmt: skip
ROLES = ("direct", "quasi", "sensitive", "non-sensitive")


@dataclass(frozen=True)
class Sort:
    """What columns of one sort have in common."""

    role: str
    hipaa: str | None
    why: str
    make: Maker


def national(draw: Random, language: str, rows: int) -> list[object]:
    """The national number of the language, with blanks in one column of four where that is the custom."""
    one = {
        "nl": national_numbers.bsn, "de": national_numbers.steuer_id, "fr": national_numbers.nir,
        "pt": national_numbers.nif_portugal, "es": national_numbers.nif_spain, "el": national_numbers.amka,
        "ko": national_numbers.rrn, "en": national_numbers.nhs, "it": national_numbers.codice_fiscale,
        "pl": national_numbers.pesel, "sv": national_numbers.personnummer,
    }[language]  # fmt: skip
    numbers = [str(value) for value in keys(one)(draw, language, rows)]
    groups = {"en": (3, 3, 4), "fr": (1, 2, 2, 2, 3, 3, 2), "de": (2, 3, 3, 3), "pt": (3, 3, 3)}.get(language)
    grouped = groups is not None and draw.random() < 0.3
    return [in_groups(number, groups) for number in numbers] if grouped and groups else list(numbers)


def in_groups(number: str, groups: tuple[int, ...]) -> str:
    parts, start = [], 0
    for length in groups:
        parts.append(number[start : start + length])
        start += length
    return " ".join(parts)


def health_plans(draw: Random, language: str, rows: int) -> list[object]:
    """Insurance numbers: the German one has a check digit, the others are templates."""
    german = language == "de"
    return (keys(national_numbers.kvnr) if german else templated(contacts.HEALTH_PLANS))(draw, language, rows)


def accounts(draw: Random, language: str, rows: int) -> list[object]:
    """Bank accounts: an IBAN where there is one."""
    if language not in contacts.ACCOUNTS:
        return keys(national_numbers.iban)(draw, language, rows)
    return templated(contacts.ACCOUNTS)(draw, language, rows)


def social_security(draw: Random, language: str, rows: int) -> list[object]:
    """American numbers, mostly with dashes."""
    forms = formats(draw, ("-", "-", ""), rows)
    return [national_numbers.ssn(draw, language).replace("-", form) for form in forms]


DIRECT = {
    "full_name": Sort("direct", "name", "names of persons", person_names.full_names),
    "given_name": Sort("direct", "name", "given names of persons", person_names.given_names),
    "family_name": Sort("direct", "name", "family names of persons", person_names.family_names),
    "telephone": Sort("direct", "telephone", "telephone numbers of persons", contacts.telephones),
    "told_telephone": Sort("direct", "telephone", "telephone numbers, told by their form", contacts.told_telephones),
    "fax": Sort("direct", "fax", "fax numbers", templated(contacts.FAXES)),
    "email": Sort("direct", "email", "e-mail addresses of persons", keys(person_names.email)),
    "national": Sort("direct", "national number", "national numbers with valid check digits", as_numbers(national)),
    "ssn": Sort("direct", "national number", "American social security numbers", social_security),
    "told_ssn": Sort(
        "direct", "national number", "social security numbers, told by their dashes", each(national_numbers.ssn)
    ),
    "tax": Sort("direct", "national number", "Greek tax numbers with a valid check digit", keys(national_numbers.afm)),
    "mrn": Sort(
        "direct", "medical record number", "numbers of medical records",
        as_numbers(contacts.keyed(contacts.RECORD_NUMBERS)),
    ),
    "health_plan": Sort("direct", "health plan number", "numbers of insured persons", health_plans),
    "account": Sort("direct", "account number", "bank accounts", accounts),
    "iban": Sort("direct", "account number", "bank accounts with valid check digits", keys(national_numbers.iban)),
    "licence": Sort(
        "direct", "licence number", "driving licences, passports or identity cards", templated(contacts.LICENCES)
    ),
    "plate": Sort("direct", "vehicle", "number plates", templated(contacts.PLATES)),
    "vin": Sort("direct", "vehicle", "vehicle identification numbers", keys(national_numbers.vin)),
    "device": Sort("direct", "device", "serial numbers of implants and pumps", contacts.keyed(contacts.DEVICES)),
    "url": Sort("direct", "url", "personal pages", keys(contacts.personal_url)),
    "ip": Sort("direct", "ip address", "network addresses of persons", keys(contacts.ipv4)),
    "ip6": Sort("direct", "ip address", "network addresses, version 6", keys(contacts.ipv6)),
    "biometric": Sort("direct", "biometric", "templates of body features", contacts.keyed(contacts.FINGERPRINTS)),
    "photo": Sort("direct", "photograph", "files with photographs of faces", contacts.keyed(contacts.FILES)),
    "address": Sort("direct", "geography", "streets with house numbers", places.addresses),
    "patient_id": Sort(
        "direct", "unique code", "one code a person", as_numbers(contacts.keyed(contacts.PATIENT_KEYS))
    ),
    "record_id": Sort("direct", "unique code", "REDCap record identifiers: one a person", contacts.record_ids),
    "usubjid": Sort("direct", "unique code", "CDISC subject identifiers", contacts.subjects),
    "note": Sort("direct", None, "free text that may hold names", clinical.notes),
}  # fmt: skip

QUASI = {
    "birth_date": Sort("quasi", "date", "dates of birth", moments.dates(1936, 2005)),
    "event_date": Sort("quasi", "date", "days on which something happened to a person", moments.dates(2012, 2024)),
    "excel_date": Sort("quasi", "date", "days as Excel counts them", moments.dates(2012, 2024, ("excel",))),
    "compact_date": Sort("quasi", "date", "days in eight digits", moments.dates(2005, 2024, ("compact", "number"))),
    "told_date": Sort("quasi", "date", "days, told by their form", moments.dates(1936, 2023, moments.TELLING)),
    "birth_month": Sort("quasi", "date", "months of birth: a part of a date", moments.whole(1, 12)),
    "very_old": Sort("quasi", "date", "ages, some over 89", moments.ages_with_the_very_old),
    "city": Sort("quasi", "geography", "towns of residence", places.cities),
    "district": Sort("quasi", "geography", "districts and counties of residence", one_of(places.DISTRICTS)),
    "postcode": Sort("quasi", "geography", "postcodes of residence", as_numbers(templated(places.POSTCODES))),
    "postcode_uk": Sort(
        "quasi", "geography", "British postcodes", templated({"en": places.POSTCODES["uk"]})
    ),
    "postcode_us": Sort(
        "quasi", "geography", "American postcodes", as_numbers(templated({"en": places.POSTCODES["us"]}))
    ),
    "latitude": Sort("quasi", "geography", "latitudes of a residence", places.coordinate(0)),
    "longitude": Sort("quasi", "geography", "longitudes of a residence", places.coordinate(1)),
    "point": Sort("quasi", "geography", "coordinates of a residence", places.points),
    "age": Sort("quasi", None, "ages of at most 80", moments.ages(18, 80)),
    "age_months": Sort("quasi", None, "ages of children in months", moments.whole(0, 89)),
    "age_band": Sort("quasi", None, "ages in bands below 90", moments.age_bands),
    "birth_year": Sort("quasi", None, "years of birth of persons below 90", moments.whole(1942, 2006)),
    "event_year": Sort("quasi", None, "years of admission or diagnosis", moments.whole(2005, 2023)),
    "sex": Sort("quasi", None, "sex or gender", one_of(words.SEX)),
    "sex_code": Sort("quasi", None, "sex, coded", moments.whole(1, 2)),
    "country": Sort("quasi", None, "countries: not smaller than a state", one_of(words.COUNTRY)),
    "state": Sort("quasi", None, "states: not smaller than a state", one_of(words.STATE)),
    "nationality": Sort("quasi", None, "nationalities", one_of(words.NATIONALITY)),
    "ethnicity": Sort("quasi", None, "ethnic groups", one_of(words.ETHNICITY)),
    "marital": Sort("quasi", None, "marital status", one_of(words.MARITAL)),
    "occupation": Sort("quasi", None, "occupations", one_of(words.OCCUPATION)),
    "education": Sort("quasi", None, "education", one_of(words.EDUCATION)),
    "speech": Sort("quasi", None, "languages spoken", one_of(words.SPEECH)),
    "household": Sort("quasi", None, "sizes of households", moments.whole(1, 7)),
    "site": Sort("quasi", None, "names of hospitals, not of persons", one_of(words.SITE)),
}  # fmt: skip
