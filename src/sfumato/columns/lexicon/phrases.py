"""A column name as phrases that the lexicon knows, and the words that it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sfumato.columns.lexicon.vocabulary import Entry, Vocabulary, vocabulary
from sfumato.columns.lexicon.words import words

LONGEST_PHRASE = 7  # words
LONGEST_COMPOUND = 40  # letters
SHORT = frozenset({"id", "no", "nr", "of", "de", "cd"})  # the only words of two letters that are found inside others
SKIPPED = frozenset({"noise", "joining"})
GENITIVE = {"ου": ("ο", "οσ"), "ησ": ("η",), "ασ": ("α",), "εωσ": ("η",), "ων": ("ο", "α", "οσ", "η")}  # folded: ς is σ
NUMBER = Entry(tags=frozenset({"noise"}))


@dataclass(frozen=True)
class Phrase:
    """Some words of a name, and what they mean; nothing where the lexicon does not know them."""

    text: str
    entry: Entry | None
    bare: bool = False  # a number, or a single letter
    place: int = 0  # among the phrases of the name

    def tagged(self, *tags: str) -> bool:
        """Whether the phrase has one of these places in the grammar."""
        return self.entry is not None and not self.entry.tags.isdisjoint(tags)

    @property
    def silent(self) -> bool:
        """Whether the phrase only joins, numbers or places the others."""
        return self.entry is not None and self.entry.concept is None and bool(self.entry.tags & SKIPPED)


@lru_cache(maxsize=4096)
def phrases(name: str) -> tuple[Phrase, ...]:
    """The reading of a name that leaves the fewest letters unknown; camel case may or may not be meant."""
    readings = [_read(words(name, camel=camel)) for camel in (True, False)]
    best: list[Phrase] = min(readings, key=_unknown)
    return tuple(replace(phrase, place=place) for place, phrase in enumerate(best))


def _unknown(read: Sequence[Phrase]) -> tuple[int, int]:
    """Letters that mean nothing, and phrases."""
    return sum(len(phrase.text) for phrase in read if phrase.entry is None), len(read)


def _read(tokens: Sequence[str]) -> list[Phrase]:
    """The longest known phrase at each place, from left to right."""
    known, parts, at = vocabulary(), list[Phrase](), 0
    while at < len(tokens):
        for length in range(min(LONGEST_PHRASE, len(tokens) - at), 0, -1):
            text = "".join(tokens[at : at + length])
            if entry := _listed(tokens[at : at + length], known, first=at == 0):
                parts.append(Phrase(text, entry))
                break
        else:
            parts.extend(_unlisted(tokens[at], known))
        at += length
    return parts


def _listed(tokens: Sequence[str], known: Vocabulary, *, first: bool) -> Entry | None:
    """What some words mean together: as they are listed, or as a number of something.

    `no` before a thing numbers it in French, at the beginning of a name; elsewhere it says that there is none.
    """
    text = "".join(tokens)
    if len(tokens) == 1 or (tokens[0] == "no" and not first):
        return known.entry(text) if len(tokens) == 1 else known.entries.get(text)
    return known.entries.get(text) or known.number_of(tokens)


def _unlisted(token: str, known: Vocabulary) -> list[Phrase]:
    """A word that is not listed: a number, a plural, or a compound of listed words."""
    if token.isdigit() or len(token) == 1:
        return [Phrase(token, NUMBER, bare=True)]
    if token.endswith("s") and (entry := known.entries.get(token[:-1])) and len(token) > 3:
        return [Phrase(token, entry)]
    if entry := _declined(token, known):
        return [Phrase(token, entry)]
    parts = _parts(token, known) if len(token) <= LONGEST_COMPOUND else None
    return [Phrase(part, known.entries[part]) for part in parts] if parts else [Phrase(token, None)]


def _declined(token: str, known: Vocabulary) -> Entry | None:
    """A Greek word in the genitive, as `of a thing` is said: the entry of its nominative."""
    stems = ((token[: -len(case)], endings) for case, endings in GENITIVE.items() if token.endswith(case))
    named = (known.entries.get(stem + ending) for stem, endings in stems if len(stem) > 2 for ending in endings)
    return next((entry for entry in named if entry), None)


def _parts(token: str, known: Vocabulary) -> list[str] | None:
    """The fewest listed words that a compound consists of; None when some letters are left over."""
    best: list[list[str] | None] = [[], *[None] * len(token)]
    for end in range(1, len(token) + 1):
        for start in range(end):
            before, part = best[start], token[start:end]
            if before is None or len(before) > 3 or not _findable(part, known.entries.get(part)):
                continue
            if best[end] is None or len(before) + 1 < len(best[end] or ()):
                best[end] = [*before, part]
    return best[-1] if best[-1] and any(len(part) >= 4 or part >= "가" for part in best[-1]) else None


def _findable(part: str, entry: Entry | None) -> bool:
    """Whether a part is listed, and long enough to be no accident; a Hangul syllable says more than a letter."""
    if entry is None:
        return False
    telling = entry.concept or entry.alone or entry.tags & {"person", "number"}
    return len(part) >= 4 or part in SHORT or (len(part) == 3 and bool(telling)) or (len(part) >= 2 and part >= "가")
