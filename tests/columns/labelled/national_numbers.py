"""National numbers with the check digits that their issuers prescribe, made up and valid."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

NIF_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", (*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)), strict=True))
VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
IBAN_FORMS = {
    "nl": ("NL", ("INGB", "ABNA", "RABO"), 10), "de": ("DE", ("",), 18), "fr": ("FR", ("",), 23),
    "pt": ("PT", ("",), 21), "el": ("GR", ("",), 23), "es": ("ES", ("",), 20), "en": ("GB", ("NWBK", "BARC"), 14),
    "it": ("IT", ("X",), 22), "pl": ("PL", ("",), 24), "sv": ("SE", ("",), 20),
}  # fmt: skip


def digits(draw: Random, length: int) -> str:
    """So many digits, the first not 0."""
    return str(draw.randint(10 ** (length - 1), 10**length - 1))


def weighted(number: str, weights: tuple[int, ...]) -> int:
    """The sum of the digits, each times its weight."""
    return sum(int(digit) * weight for digit, weight in zip(number, weights, strict=True))


def birthday(draw: Random) -> date:
    return date(1935, 1, 1) + timedelta(days=draw.randrange(27_000))


def luhn_digit(number: str) -> str:
    """The digit that makes a number pass the test of Luhn (1954)."""
    doubled = [int(digit) * (2 - place % 2) for place, digit in enumerate(reversed(number))]
    return str(-sum(value // 10 + value % 10 for value in doubled) % 10)


def bsn(draw: Random, language: str) -> str:
    """Dutch burgerservicenummer: the eleven test, the last digit counting -1."""
    while True:
        start = f"{draw.randint(1_000_000, 99_999_999):08}"
        check = weighted(start, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
        if check < 10:
            return f"{start}{check}"


def nir(draw: Random, language: str) -> str:
    """French numéro de sécurité sociale: thirteen places and a key modulo 97; Corsica counts as 19 and 18."""
    born = birthday(draw)
    place = draw.choice(("2A", "2B")) if draw.random() < 0.02 else f"{draw.choice((13, 31, 33, 44, 59, 69, 75)):02}"
    start = f"{draw.choice('12')}{born:%y%m}{place}{draw.randint(1, 990):03}{draw.randint(1, 999):03}"
    key = 97 - int(start.replace("2A", "19").replace("2B", "18")) % 97
    return f"{start}{key:02}"


def nif_spain(draw: Random, language: str) -> str:
    """Spanish DNI or NIE with its letter."""
    if draw.random() < 0.1:
        start, number = draw.choice("XYZ"), digits(draw, 7)
        return f"{start}{number}{NIF_LETTERS[int(str('XYZ'.index(start)) + number) % 23]}"
    number = digits(draw, 8)
    return f"{number}{NIF_LETTERS[int(number) % 23]}"


def nif_portugal(draw: Random, language: str) -> str:
    """Portuguese número de identificação fiscal."""
    start = draw.choice("12") + f"{draw.randrange(10**7):07}"
    check = 11 - weighted(start, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return f"{start}{check if check < 10 else 0}"


def steuer_id(draw: Random, language: str) -> str:
    """German Steuer-Identifikationsnummer: one digit twice, ISO 7064 MOD 11,10."""
    while True:
        chosen = draw.sample("0123456789", 9)
        start = [*chosen, draw.choice(chosen)]
        draw.shuffle(start)
        if start[0] != "0":
            return "".join(start) + iso_7064_digit("".join(start))


def iso_7064_digit(number: str) -> str:
    product = 10
    for digit in number:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return str((11 - product) % 10)


def kvnr(draw: Random, language: str) -> str:
    """German Krankenversichertennummer: a letter and nine digits."""
    letter, number = draw.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), f"{draw.randrange(10**8):08}"
    places = f"{ord(letter) - 64:02}{number}"
    products = [int(digit) * (1 + place % 2) for place, digit in enumerate(places)]
    return f"{letter}{number}{sum(value // 10 + value % 10 for value in products) % 10}"


def amka(draw: Random, language: str) -> str:
    """Greek AMKA: date of birth, four digits, and the digit of Luhn."""
    start = f"{birthday(draw):%d%m%y}{draw.randrange(10**4):04}"
    return start + luhn_digit(start)


def afm(draw: Random, language: str) -> str:
    """Greek tax number."""
    start = digits(draw, 8)
    return f"{start}{weighted(start, (256, 128, 64, 32, 16, 8, 4, 2)) % 11 % 10}"


def rrn(draw: Random, language: str) -> str:
    """Korean resident registration number."""
    born = birthday(draw)
    start = f"{born:%y%m%d}{draw.choice((1, 2)) + (2 if born.year >= 2000 else 0)}{draw.randrange(10**5):05}"
    check = (11 - weighted(start, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    return f"{start[:6]}-{start[6:]}{check}"


def nhs(draw: Random, language: str) -> str:
    """British NHS number: modulo 11, a check of 10 is never issued."""
    while True:
        start = digits(draw, 9)
        check = -weighted(start, (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
        if check < 10:
            return f"{start}{check}"


def ssn(draw: Random, language: str) -> str:
    """American social security number: no area 000, 666 or 9xx; it has no check digit."""
    area = draw.choice([*range(1, 666), *range(667, 900)])
    return f"{area:03}-{draw.randint(1, 99):02}-{draw.randint(1, 9999):04}"


def iban(draw: Random, language: str) -> str:
    """International bank account number, ISO 13616: modulo 97."""
    country, banks, length = IBAN_FORMS[language]
    account = draw.choice(banks) + inner_check(f"{draw.randrange(10**length):0{length}}", language)
    check = 98 - int("".join(str(int(mark, 36)) for mark in f"{account}{country}00")) % 97
    return f"{country}{check:02}{account}"


def inner_check(account: str, language: str) -> str:
    """The account with the check digits that Spain, France and Portugal had before the IBAN."""
    if language == "es":
        weights = (1, 2, 4, 8, 5, 10, 9, 7, 3, 6)
        rests = [-weighted(part, weights) % 11 for part in (f"00{account[:8]}", account[10:])]
        return account[:8] + "".join("1" if rest == 10 else str(rest) for rest in rests) + account[10:]
    if language == "fr":
        rest = 89 * int(account[:5]) + 15 * int(account[5:10]) + 3 * int(account[10:21])
        return f"{account[:21]}{97 - rest % 97:02}"
    return f"{account[:19]}{98 - int(account[:19]) * 100 % 97:02}" if language == "pt" else account


def vin(draw: Random, language: str) -> str:
    """Vehicle identification number, ISO 3779, with the check digit in the ninth place."""
    marks = [draw.choice("0123456789ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(17)]
    marks[:3] = draw.choice(("WVW", "WDB", "1HG", "JTD", "VF1", "KMH"))
    values = [VIN_VALUES.get(mark) or int(mark) for mark in marks]
    rest = sum(value * weight for value, weight in zip(values, VIN_WEIGHTS, strict=True)) % 11
    marks[8] = "X" if rest == 10 else str(rest)
    return "".join(marks)


def pesel(draw: Random, language: str) -> str:
    """Polish PESEL: date of birth, after 1999 with 20 added to the month, four digits, and a weighted check digit."""
    born = birthday(draw)
    month = born.month + (20 if born.year >= 2000 else 0)
    start = f"{born:%y}{month:02}{born:%d}{draw.randrange(10**4):04}"
    return f"{start}{-weighted(start, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10}"


ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
# What a mark in an odd place of an Italian codice fiscale counts: the digits as the first ten letters.
ODD_VALUES = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", (*ODD[:10], *ODD), strict=True))


def codice_fiscale(draw: Random, language: str) -> str:
    """Italian codice fiscale: names, date of birth, place of birth, and a letter modulo 26."""
    born, letters = birthday(draw), "BCDFGHLMNPRSTVZ"
    day = born.day + draw.choice((0, 40))
    name = "".join(draw.choice(letters) for _ in range(6))
    place = draw.choice(("H501", "F205", "L219", "F839", "A944"))
    start = f"{name}{born:%y}{'ABCDEHLMPRST'[born.month - 1]}{day:02}{place}"
    worth = [
        ODD_VALUES[mark] if at % 2 == 0 else int(mark) if mark.isdigit() else ord(mark) - 65
        for at, mark in enumerate(start)
    ]
    return f"{start}{chr(65 + sum(worth) % 26)}"


def personnummer(draw: Random, language: str) -> str:
    """Swedish personnummer: date of birth, three digits, and the digit of Luhn over the last nine."""
    born = birthday(draw)
    start = f"{born:%y%m%d}{draw.randint(1, 999):03}"
    return f"{born:%Y%m%d}-{start[6:]}{luhn_digit(start)}"


def cpf(draw: Random, language: str) -> str:
    """Brazilian CPF: nine digits and two check digits modulo 11."""
    start = f"{draw.randint(10**8, 10**9 - 1)}"
    for _ in range(2):
        rest = weighted(start, tuple(range(len(start) + 1, 1, -1))) * 10 % 11
        start += str(rest % 10)
    return start


def cns(draw: Random, language: str) -> str:
    """Brazilian health card: fifteen digits whose weighted sum is a multiple of 11."""
    while True:
        start = f"7{draw.randrange(10**13):013}"
        check = -weighted(start, tuple(range(15, 1, -1))) % 11
        if check < 10:
            return f"{start}{check}"


def rut(draw: Random, language: str) -> str:
    """Chilean RUT with its check digit, which is K for ten."""
    start = digits(draw, 8)
    rest = -sum(int(digit) * (2 + place % 6) for place, digit in enumerate(reversed(start))) % 11
    return f"{start[:2]}.{start[2:5]}.{start[5:]}-{'0123456789K'[rest]}"
