"""Made-up patients whose records hold every one of the 18 identifiers of HIPAA's Safe Harbor."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from sfumato.chance import Chance

Row = dict[str, object]

ROWS = 60
FIRST = ("Anna", "James", "Mary", "Robert", "Linda", "David", "Susan", "Daniel", "Karen", "Thomas", "Laura", "Peter")
LAST = ("Smith", "Johnson", "Brown", "Miller", "Davis", "Wilson", "Moore", "Taylor", "Clark", "Lewis", "Walker", "Hall")
STREETS = ("Main Street", "Oak Avenue", "Park Road", "Church Street", "Mill Lane", "Maple Drive")
# The beginnings of ZIP codes; of the people of 036, 059 and 203 there are fewer than 20,000.
ZIPS = {"021": 6.0, "100": 5, "606": 5, "941": 4, "036": 1, "059": 1, "203": 1}
STATES = {"021": "MA", "100": "NY", "606": "IL", "941": "CA", "036": "NH", "059": "VT", "203": "DC"}
DIAGNOSES = {"asthma": 4.0, "diabetes": 5, "hypertension": 7, "migraine": 3, "eczema": 2}
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"


def identified_patients(rows: int = ROWS, seed: int = 18) -> Iterator[Row]:
    """One row for each made-up patient."""
    chance = Chance.of(seed)
    for number in range(rows):
        yield _person(chance, number)


def _person(chance: Chance, number: int) -> Row:
    first, last = FIRST[chance.whole(0, 11)], LAST[chance.whole(0, 11)]
    admitted = date(2023, 1, 1) + timedelta(days=chance.whole(0, 364))
    age = 93 if number == 7 else round(chance.between(19, 97, 58, 19))
    place = chance.one_of(ZIPS)
    return {
        "name": f"{first} {last}",
        "street_address": f"{chance.whole(1, 240)} {STREETS[chance.whole(0, 5)]}",
        "zip": place + _digits(chance, 2),
        "state": STATES[place],
        "birth_date": admitted - timedelta(days=round(365.25 * age) + chance.whole(1, 300)),
        "admission_date": admitted,
        "age": age,
        "telephone": f"({chance.whole(201, 989)}) 555-01{_digits(chance, 2)}",
        "fax": f"({chance.whole(201, 989)}) 555-01{_digits(chance, 2)}",
        "email": f"{first}.{last}{number}@example.org".lower(),
        "ssn": f"{chance.whole(100, 665)}-{chance.whole(10, 99)}-{chance.whole(1000, 9999)}",
        "medical_record_number": f"MRN{500_000 + number * 37}",
        "health_plan_number": f"HP-{chance.whole(10, 99)}-{700_000 + number * 11}",
        "account_number": f"{40_000_000 + number * 7919}",
        "licence_number": f"D{chance.whole(100, 999)}-{10_000 + number * 13}",
        "licence_plate": f"{_letters(chance, 3)}-{chance.whole(1000, 9999)}",
        "device_serial_number": f"SN-{900_000 + number * 17}",
        "home_page": f"https://www.example.org/{first}{number}".lower(),
        "ip_address": f"192.0.2.{number % 250 + 1}",
        "fingerprint": "".join("0123456789abcdef"[chance.whole(0, 15)] for _ in range(24)),
        "photograph": f"faces/{chance.whole(10**7, 10**8 - 1)}.jpg",
        "sample_barcode": f"BX{8_000_000 + number * 101}",
        "sex": "F" if chance.happens(0.5) else "M",
        "diagnosis": chance.one_of(DIAGNOSES),
    }


def _digits(chance: Chance, n: int) -> str:
    return "".join(str(chance.whole(0, 9)) for _ in range(n))


def _letters(chance: Chance, n: int) -> str:
    return "".join(LETTERS[chance.whole(0, len(LETTERS) - 1)] for _ in range(n))
