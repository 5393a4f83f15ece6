"""Letters of languages: which encoding a text is in, by what its words look like when it is read so.

A byte beyond ASCII is a letter in one code page and a sign, or a letter of another language, in the next. All are
tried: the words are held against the letters of each language, with how often each occurs there, and against
how capitals and signs stand in words. What fits a language best is taken.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import log

WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
WORDS_AT_MOST = 3000  # different words; more say no more

# Letters beyond ASCII and how often each is used, roughly, among a thousand letters of a text.
LANGUAGES = {
    "German": "ä5 ö3 ü6 ß3 é0.1",
    "French": "é19 è3 ê2 à5 â0.5 ç0.9 ù0.6 û0.6 î0.5 ô0.7 ï0.2 ë0.2 œ0.2",
    "Spanish": "á5 é4 í7 ó8 ú2 ü0.1 ñ3",
    "Portuguese": "ã7 á2 â0.6 à0.7 ç5 é3 ê4 í1.3 ó3 ô0.6 õ0.4 ú2",
    "Italian": "à6 è3 é0.3 ì0.5 ò0.5 ù1.7",
    "Dutch": "ë1 é1 ï0.5 ö0.2 ü0.2 è0.1",
    "Swedish": "å13 ä18 ö13 é0.3",
    "Danish": "æ9 ø9 å12 é0.3",
    "Finnish": "ä36 ö4 å0.1",
    "Icelandic": "á18 æ9 ð44 é6 í16 ó10 ö8 þ15 ú6 ý2",
    "Polish": "ą10 ć4 ę11 ł18 ń2 ó8 ś7 ź0.6 ż8",
    "Czech": "á22 č10 ď0.3 é13 ě16 í33 ň0.5 ó0.3 ř12 š8 ť0.5 ú1 ů7 ý10 ž10",
    "Slovak": "á20 č10 ď2 é8 í10 ľ4 ĺ0.3 ň2 ó1 ŕ0.2 š9 ť5 ú7 ý11 ž9 ä1 ô2",
    "Hungarian": "á36 é32 í6 ó11 ö10 ő9 ú3 ü6 ű2",
    "Romanian": "ă24 â4 î6 ş12 ţ11 ș12 ț11",
    "Croatian": "č12 ć6 š9 ž7 đ3",
    "Turkish": "ç11 ğ11 ı51 ö8 ş18 ü18 i̇5 â0.3",
    "Lithuanian": "ą7 č5 ę2 ė17 į6 š13 ų13 ū5 ž9",
    "Latvian": "ā45 č1 ē18 ģ1 ī18 ķ1 ļ3 ņ3 š9 ū6 ž3",
    "Estonian": "ä10 ö4 ü9 õ10 š0.2 ž0.2",
    "Russian": "о110 е84 а80 и74 н67 т63 с55 р47 в45 л44 к35 м32 д30 п28 у26 я20 ы19 ь17 г17 з16 б16 ч14 й12 х10 ж9 "
    "ш7 ю6 ц5 щ4 э3 ф3 ъ0.4 ё1",
    "Ukrainian": "о94 а80 н68 и62 і57 в53 т53 е50 р47 с42 к40 л38 у34 д33 м32 п30 з23 я22 ь18 б17 г16 ч14 й14 х10 ж9 "
    "ї8 ю8 ц7 ш7 є6 щ4 ф3 ґ0.1",
    "Bulgarian": "а120 о90 и90 е87 т75 н72 с50 р48 в43 к36 л34 д34 п30 м26 з21 г17 я17 б15 у15 ъ15 ч13 ж8 ц8 щ7 й7 х6 "
    "ш5 ф2 ю1.5 ь0.5",
    "Greek": "α110 ο90 ε80 ι80 τ80 ν65 σ49 η43 ρ42 κ41 π41 ς40 υ40 μ34 λ28 ί26 ό22 ω20 ά20 γ18 έ18 δ17 ή17 θ13 χ12 ύ12 "
    "ώ10 β8 φ8 ζ4 ξ4 ψ2 ϊ0.5",
}

# Code pages with what is known of them before a byte is read: those of Windows are met most, those of DOS seldom.
CODE_PAGES = {
    "cp1252": 1.0, "cp1250": 0.0, "cp1251": 0.0, "cp1253": 0.0, "cp1254": 0.0, "cp1257": 0.0, "iso-8859-15": -0.5,
    "latin-1": -0.5, "iso-8859-2": -0.5, "iso-8859-7": -0.5, "iso-8859-5": -1.5, "koi8-r": -1.5, "koi8-u": -2.0,
    "cp850": -2.5, "cp852": -2.5, "cp866": -2.5, "mac-roman": -2.5, "mac-latin2": -4.0,
}  # fmt: skip
SIGNS = "°µ€£§«»“”„‘’‚–—…²³½¼¾®©±·×º¹\u00a0"

# How unlikely it is, as the logarithm of a chance. Chosen so that one sign within a word weighs as much as two letters
# of another language, and that a capital within a word does not outweigh a letter that the language has.
FOREIGN_LETTER, COMMON_SIGN, OTHER_SIGN, SIGN_IN_WORD, CONTROL = -8.0, -3.0, -7.0, -12.0, -14.0
CAPITAL_WITHIN, SMALL_AMONG_CAPITALS = -4.0, -3.0
FIRST_OF_OTHER_SCRIPTS = 0x370  # Greek and what follows; a letter of theirs among Latin ones is as good as a sign
LEAST_MARGIN = 3.0  # twenty to one: below it a second code page is named too
LEAST_FIT = -6.0  # a letter on average, below which the text is in no language here: it may be of East Asia


@dataclass(frozen=True)
class LikelyEncoding:
    """The encoding that fits best, and another that is nearly as likely and gives other letters."""

    name: str
    rival: str | None = None


def likely_encoding(evidence: bytes) -> LikelyEncoding | None:
    """The code page in which words look most like a language; None where they look like none.

    >>> likely_encoding("Łukasz Wójcik, Gdańsk".encode("cp1250")).name
    'cp1250'
    >>> likely_encoding("Jiří Dvořák, Plzeň, muž".encode("iso-8859-2")).name
    'iso-8859-2'
    """
    words = list(dict.fromkeys(word for word in WORD.findall(evidence) if not word.isascii()))[:WORDS_AT_MOST]
    readings = sorted(_readings(words), key=lambda reading: -reading.score)
    if not readings or readings[0].fit < LEAST_FIT:
        return None
    best = readings[0]
    other = next((reading for reading in readings[1:] if reading.words != best.words), None)
    unclear = other is not None and best.score - other.score < LEAST_MARGIN
    return LikelyEncoding(best.code_page, other.code_page if other and unclear else None)


@dataclass(frozen=True)
class _Reading:
    """Words as one code page reads them: how well they fit the language that they fit best."""

    code_page: str
    words: tuple[str, ...]
    letters: Counter[str] = field(repr=False)
    shape: float  # what capitals and signs within words weigh

    @property
    def fit(self) -> float:
        """How well a letter fits on average."""
        return (self.score - CODE_PAGES[self.code_page]) / max(1, self.letters.total())

    @property
    def score(self) -> float:
        weighed = (
            sum(number * language.get(letter, FOREIGN_LETTER) for letter, number in self.letters.items())
            for language in _languages()
        )
        return max(weighed) + self.shape + CODE_PAGES[self.code_page]


def _readings(words: Sequence[bytes]) -> Iterator[_Reading]:
    for code_page in CODE_PAGES:
        try:
            read = tuple(word.decode(code_page) for word in words)
        except UnicodeDecodeError:
            continue
        letters: Counter[str] = Counter()
        shape = 0.0
        for word in read:
            for place, character in enumerate(word):
                if not character.isascii():
                    around = word[place - 1] if place else "", word[place + 1 : place + 2]
                    shape += _shape(character, *around)
                    letters.update([character.lower()] if character.isalpha() else [])
        yield _Reading(code_page, read, letters, shape)


def _shape(character: str, before: str, after: str) -> float:
    """What a character weighs by where it stands: signs do not stand in words, nor capitals after small letters."""
    if not character.isalpha():
        category = unicodedata.category(character)
        if category == "Cc":
            return CONTROL
        # A currency sign stands before a number: before a letter it is the first letter of a name (Łukasz for £ukasz).
        if after.isalpha() and (before.isalpha() or category == "Sc"):
            return SIGN_IN_WORD
        return COMMON_SIGN if character in SIGNS else OTHER_SIGN
    if ord(character) >= FIRST_OF_OTHER_SCRIPTS and ((before + after).isascii() and (before + after).isalpha()):
        return SIGN_IN_WORD
    if character.isupper() and before.isalpha() and (before.islower() or after.islower()):
        return CAPITAL_WITHIN
    small_among = character.islower() and after.isupper() and (before.isupper() or not before)
    return SMALL_AMONG_CAPITALS if small_among else 0.0


@cache
def _languages() -> tuple[dict[str, float], ...]:
    """The logarithm of the share of each letter among those beyond ASCII, by language."""
    return tuple(map(_shares, LANGUAGES.values()))


def _shares(letters: str) -> dict[str, float]:
    used = {match[1]: float(match[2]) for match in re.finditer(r"([^\d\s]+)([\d.]+)", letters)}
    return {letter: log(number / sum(used.values())) for letter, number in used.items()}
