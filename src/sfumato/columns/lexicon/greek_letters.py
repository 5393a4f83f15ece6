"""Greek words in Latin letters, however they are spelt: `noshleia`, `nosileia` and `nosilia` are one word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from sfumato.columns.lexicon.vocabulary import listed_phrases, vocabulary
from sfumato.columns.lexicon.words import words

SHORTEST = 5  # letters: shorter words sound like too many of other languages
SHORTEST_LISTED = 4  # in Greek, where one letter stands for two
# How each letter is heard; two letters that are heard as one come first. Folded: no accents, no final sigma.
GREEK = (
    ("ου", "u"), ("ει", "i"), ("οι", "i"), ("υι", "i"), ("αι", "e"), ("ευ", "ev"), ("αυ", "av"), ("μπ", "b"),
    ("ντ", "d"), ("γκ", "g"), ("γγ", "g"), ("γχ", "gx"), ("α", "a"), ("β", "v"), ("γ", "g"), ("δ", "d"), ("ε", "e"),
    ("ζ", "z"), ("η", "i"), ("θ", "th"), ("ι", "i"), ("κ", "k"), ("λ", "l"), ("μ", "m"), ("ν", "n"), ("ξ", "ks"),
    ("ο", "o"), ("π", "p"), ("ρ", "r"), ("σ", "s"), ("τ", "t"), ("υ", "i"), ("φ", "f"), ("χ", "x"), ("ψ", "ps"),
    ("ω", "o"),
)  # fmt: skip
LATIN = (
    ("ou", "u"), ("ei", "i"), ("oi", "i"), ("ai", "e"), ("eu", "ev"), ("ef", "ev"), ("ey", "ev"), ("au", "av"),
    ("af", "av"), ("ay", "av"), ("mp", "b"), ("nt", "d"), ("gk", "g"), ("gg", "g"), ("ng", "g"), ("gch", "gx"),
    ("nch", "gx"), ("ch", "x"), ("ph", "f"), ("th", "th"), ("ks", "ks"), ("x", "ks"), ("w", "o"), ("h", "i"),
    ("y", "i"), ("u", "i"), ("b", "v"), ("c", "k"), ("8", "th"),
)  # fmt: skip
_LATIN = re.compile("|".join(sorted((letters for letters, _ in LATIN), key=len, reverse=True)))
_GREEK = re.compile("|".join(sorted((letters for letters, _ in GREEK), key=len, reverse=True)))


@lru_cache(maxsize=4096)
def greek_word(token: str) -> str | None:
    """The listed Greek word that a folded word in Latin letters sounds like; None where there is none.

    >>> greek_word("noshleia"), greek_word("nosilia"), greek_word("hmeromhnia"), greek_word("height")
    ('νοσηλεια', 'νοσηλεια', 'ημερομηνια', None)
    """
    if len(token) < SHORTEST or not token.isascii() or not token.isalpha():
        return None
    return next((word for sound in _sounds(token) if (word := _heard(sound))), None)


def _heard(sound: str) -> str | None:
    """The word of a sound, or the nominative or genitive that it is the genitive of: `nosilias`, `farmakou`."""
    listed = _listed()
    if sound in listed or not sound.endswith(("s", "u")):
        return listed.get(sound)
    nominative = listed.get(sound[:-1]) if sound.endswith("s") else None
    return f"{nominative}σ" if nominative else listed.get(f"{sound[:-1]}o") or listed.get(f"{sound[:-1]}os")


def _sounds(token: str) -> Iterator[str]:
    """How a word in Latin letters may be heard: `x` is written for both ξ and χ."""
    heard, other = dict(LATIN), dict(LATIN) | {"x": "x"}
    yield _LATIN.sub(lambda letters: heard[letters[0]], token)
    if "x" in token:
        yield _LATIN.sub(lambda letters: other[letters[0]], token)


@cache
def _listed() -> dict[str, str]:
    """Every listed Greek word by its sound, in the nominative and as it is inflected in listed phrases."""
    heard = dict(GREEK)
    listed = {word for phrase, *_ in listed_phrases() for word in words(phrase, camel=False)} | set(
        vocabulary().entries
    )
    known = (word for word in listed if "α" <= word[:1] <= "ω" and len(word) >= SHORTEST_LISTED)
    return {_GREEK.sub(lambda letters: heard[letters[0]], word): word for word in sorted(known)}
