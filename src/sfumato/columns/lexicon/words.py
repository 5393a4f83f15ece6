"""A column name as words, whatever its spelling."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 200  # characters of a name that are read; what follows says nothing new
_WORD = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-zà-öø-ÿα-ώ0-9])(?=[A-ZÀ-ÖØ-ÞΑ-Ω])|(?<=[A-Z])(?=[A-Z][a-z])")
# Letters with a stroke or two in one, which Unicode does not take apart.
_UNDIVIDED = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class _Marks(dict[int, int | None]):
    """Letters as they are, and marks above or below them gone: each looked up in Unicode once, when it is met."""

    def __missing__(self, number: int) -> int | None:
        self[number] = None if unicodedata.combining(chr(number)) else number
        return self[number]


_MARKS = _Marks()


def folded(text: str) -> str:
    """Text without accents and capitals; Hangul syllables stay whole.

    >>> folded("Prénom"), folded("Ημερομηνία"), folded("Straße"), folded("Płeć"), folded("전화번호")
    ('prenom', 'ημερομηνια', 'strasse', 'plec', '전화번호')
    """
    if text.isascii():
        return text.casefold()  # nothing to take apart; the lexicon folds a hundred thousand texts, most of them such
    apart = unicodedata.normalize("NFKD", text.translate(_UNDIVIDED))
    return unicodedata.normalize("NFC", apart.translate(_MARKS)).casefold()


def words(name: str, *, camel: bool = True) -> list[str]:
    """The words and numbers of a name.

    >>> words("DM__dateOfBirth2"), words("IPAddress"), words("pat. tel-nr")
    (['dm', 'date', 'of', 'birth', '2'], ['ip', 'address'], ['pat', 'tel', 'nr'])
    """
    read = name[:LONGEST]
    return _WORD.findall(folded(_CAMEL.sub(" ", read) if camel else read))


def joined(phrase: str) -> str:
    """A phrase as it is looked up: its words without anything between them.

    >>> joined("Date of birth")
    'dateofbirth'
    """
    return "".join(words(phrase, camel=False))


def spellings(phrase: str) -> set[str]:
    """A phrase without umlauts, and with the two letters that stand for one.

    >>> sorted(spellings("Führerschein"))
    ['fuehrerschein', 'fuhrerschein']
    """
    return {joined(phrase)} if phrase.isascii() else {joined(phrase), joined(phrase.casefold().translate(_UMLAUTS))}
