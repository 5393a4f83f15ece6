"""Whether values can be what a name says they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from sfumato.columns.lexicon.words import folded
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.calendar import finer_than_a_year
from sfumato.columns.recognisers.given_name import GivenName
from sfumato.columns.recognisers.hangul_name import HangulName
from sfumato.columns.recognisers.person_name import PersonName
from sfumato.tables.engine import Kind

# Yes, no and what stands beside them, folded, in the languages of the lexicon; and the usual codes of them.
FLAGS = frozenset(
    {
        "yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "2", "9", "8", "97", "98", "99", "unknown", "unk",
        "u", "na", "n/a", "n.a.", "ja", "nein", "nee", "j", "oui", "non", "o", "sim", "nao", "s", "si", "ναι", "οχι",
        "nai", "oxi", "ochi", "ν", "ο", "tak", "nie", "nej", "예", "아니오", "아니요", "유", "무", "있음", "없음",
        "wahr", "falsch", "vrai", "faux", "verdadero", "falso", "verdadeiro", "vero", "prawda", "fałsz", "sant",
        "falskt", "waar", "onwaar", "unbekannt", "onbekend", "inconnu", "desconocido", "desconhecido", "sconosciuto",
        "ignoto", "nieznany", "nieznane", "okand", "αγνωστο", "ignorado", "k.a.", "k. a.", "nvt", "n.v.t.", "n/d", "nd",
        "n.d.", "ns/nc", "ns", "nc", "nr", "brak", "brak danych", "saknas", "vet ej", "non noto", "nie wiem",
        "keine angabe", "sans objet", "no aplica", "nao se aplica", "se ignora", "no especificado", "non applicabile",
        "nie dotyczy", "ej aktuellt", "none", "not applicable", "x", "checked", "unchecked", "given", "missing",
        "present", "absent", "vorhanden", "nicht vorhanden", "aanwezig", "afwezig", "presente", "ausente", "assente",
        "valid", "invalid", "verified", "not verified", "refused", "confirmed", "pending", "known", "not known",
    }
)  # fmt: skip
LONGEST = 200  # letters of a value that say what it is
NUMBERED = 12  # records below which 0, 1 and 2 may as well be numbers
FEW = 4  # records among which a value may recur by chance
FIRST_SERIAL, LAST_SERIAL = 8000, 80000  # days since 1900, as spreadsheets and statistics packages count them


def flags(column: ColumnProfile) -> bool:
    """Whether a column only says yes or no, whatever its name.

    A column of few records may hold few values by chance, so only known words count there.
    """
    if column.kind is Kind.BOOLEAN:
        return True
    if any(len(value) > LONGEST for value in column.sample):
        return False
    said = {folded(value.strip()) for value in column.sample}
    if all(value.isdigit() for value in said) and (column.known == column.present or column.present < NUMBERED):
        return False
    return bool(said) and len(said) <= 5 and said <= FLAGS


def fits(form: str, column: ColumnProfile) -> bool:
    """Whether the values have the form that the name promises. A column without values contradicts nothing."""
    if not column.sample:
        return True
    if form in VARIETY and column.present > FEW and column.known < max(3, VARIETY[form] * column.present):
        return False
    values, check = [value.strip()[:LONGEST] for value in column.sample], FORMS.get(form)
    if form == "bare name":
        return _worded(values) and (column.known >= max(10, 0.1 * column.present) or _people(values))
    return check is None or check(values)


def _mostly(check: Callable[[str], bool]) -> Callable[[Sequence[str]], bool]:
    return lambda values: sum(map(check, values)) >= 0.4 * len(values)


def _digits(least: int) -> Callable[[Sequence[str]], bool]:
    def check(values: Sequence[str]) -> bool:
        numbered = sum(sum(c.isdigit() for c in value) >= least for value in values) >= 0.4 * len(values)
        measured = sum(_measured(value) for value in values) > 0.3 * len(values)
        return numbered and not measured and finer_than_a_year(values) < 0.8

    return check


def _measured(value: str) -> bool:
    """Whether a value is a number with decimals."""
    whole, point, decimals = value.partition(".")
    return bool(point) and whole.lstrip("-").isdigit() and decimals.isdigit() and decimals.strip("0") != ""


def _worded(values: Sequence[str]) -> bool:
    return _mostly(lambda value: any(c.isalpha() for c in value))(values)


def _people(values: Sequence[str]) -> bool:
    """Whether somebody is called so."""
    return any(recogniser.share(values) >= 0.15 for recogniser in (PersonName(), GivenName(), HangulName()))


def _code(values: Sequence[str]) -> bool:
    """Codes are longer than a score, and not measured."""
    measured = sum(_measured(value) for value in values) > 0.3 * len(values)
    return median(map(len, values)) >= 3 and not measured and finer_than_a_year(values) < 0.8


def _date(values: Sequence[str]) -> bool:
    serial = all(
        value.isdecimal() and len(value) <= 5 and FIRST_SERIAL <= int(value) <= LAST_SERIAL for value in values
    )
    return serial or finer_than_a_year(values) >= 0.3


# Different values per record, and three at least, that a column of this form has.
VARIETY = {"varied": 0.005, "key": 0.5, "code": 0.005, "own": 0.2, "address": 0.1, "telephone": 0.02, "digits": 0.02}

FORMS: dict[str, Callable[[Sequence[str]], bool]] = {
    "letters": _worded,
    "address": _worded,
    "telephone": _digits(4),
    "digits": _digits(4),
    "code": _code,
    "postal": _mostly(lambda value: len(value) >= 3),
    "email": _mostly(lambda value: "@" in value or len(value) >= 20),
    "url": _mostly(lambda value: "." in value or "/" in value or len(value) >= 8),
    "ip": _mostly(lambda value: value.count(".") == 3 or value.count(":") >= 2 or len(value) >= 20),
    "prose": _mostly(lambda value: len(value.split()) >= 3 or len(value) >= 15),
    "date": _date,
}
