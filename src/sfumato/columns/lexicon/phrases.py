"""A column name as phrases that the lexicon knows, and the words that it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sfumato.columns.lexicon.abbreviations import abbreviations
from sfumato.columns.lexicon.greek_letters import greek_word
from sfumato.columns.lexicon.inflections import listed_forms
from sfumato.columns.lexicon.vocabulary import Entry, Vocabulary, vocabulary
from sfumato.columns.lexicon.words import words
from sfumato.schema import Role

LONGEST_PHRASE = 7  # words
LONGEST_COMPOUND = 40  # letters
SHORT = frozenset({"id", "no", "nr", "of", "de", "cd"})  # the only words of two letters that are found inside others
JOINS = frozenset({"of", "de"})  # of which no compound begins: `deliver` is no liver
SKIPPED = frozenset({"noise", "joining"})
LINKING = ("es", "en", "er", "s", "n", "e")  # letters between the words of a German, Dutch or Swedish compound
SHORTEST_CLINICAL = 8  # letters of a word of health that are no accident inside another
SHORTEST_STEM = 3  # letters before an ending that says what a compound is
SHORTEST_JOINED, LONGEST_JOINED = 6, 12  # letters of shortened words that are written as one
OF = frozenset({"di", "de", "da", "do", "das", "dos", "del", "della", "dello", "dell", "dei", "delle", "degli"})
# What people had an age at: `deathage`, and how it is told.
AGED = frozenset(
    {"diagnosis", "death", "onset", "admission", "surgery", "baseline", "years", "months", "group", "anchor"}
)
SUFFIXES = frozenset(
    {"als", "ics", "ors", "ses", "ship", "hip"}
)  # end English words; by themselves they mean something
NUMBER = Entry(tags=frozenset({"noise"}))
WHOLE = Entry(tags=frozenset({"whole"}))


@dataclass(frozen=True)
class Phrase:
    """Some words of a name, and what they mean; nothing where the lexicon does not know them."""

    text: str
    entry: Entry | None
    bare: bool = False  # a number, or a single letter
    place: int = 0  # among the phrases of the name
    guessed: bool = False  # read as the beginning of a word, or as the end of a compound

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
    if any(phrase.entry is None for phrase in readings[0]):
        known, tokens = vocabulary().entries, words(name)
        spelt = ([word if word in known else _greek(word) for word in tokens], [*map(_greek, tokens)])
        readings.extend(_read(greek) for greek in spelt if greek != tokens)
    best: list[Phrase] = _dated(min(readings, key=_unknown))
    return tuple(replace(phrase, place=place) for place, phrase in enumerate(best))


def _greek(word: str) -> str:
    return greek_word(word) or word


def _dated(read: list[Phrase]) -> list[Phrase]:
    """The phrases, with `data` as the date that it is in Italian, Portuguese and Polish: `data_ricovero`."""
    events = any(phrase.tagged("event") for phrase in read)

    def date(at: int, phrase: Phrase) -> bool:
        undecided = phrase.tagged("dating") and phrase.entry is not None and phrase.entry.concept is None
        return undecided and (events or (at + 2 < len(read) and read[at + 1].text in OF))

    entry = vocabulary().entries["date"]
    return [replace(phrase, entry=entry) if date(at, phrase) else phrase for at, phrase in enumerate(read)]


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
    """What some words mean together: as they are listed, as a number of something, or as what they are short for.

    `no` before a thing numbers it in French, at the beginning of a name; elsewhere it says that there is none.
    """
    text = "".join(tokens)
    if len(tokens) == 1:
        return known.entry(text)
    if tokens[0] == "no" and not first:
        return known.entries.get(text)
    return known.entries.get(text) or known.number_of(tokens) or abbreviations().phrase(tokens)


def _unlisted(token: str, known: Vocabulary) -> list[Phrase]:
    """A word that is not listed: a number, an inflected word, a compound of listed words, or a shortened word."""
    if token.isdigit() or len(token) == 1:
        return [Phrase(token, NUMBER, bare=True)]
    if token.endswith("s") and (entry := known.entries.get(token[:-1])) and len(token) > 3:
        return [Phrase(token, entry)]
    if entry := next((entry for form in listed_forms(token) if (entry := known.entries.get(form))), None):
        return [Phrase(token, entry)]
    parts = _parts(token, known) if len(token) <= LONGEST_COMPOUND else None
    if parts:
        return [Phrase(part, known.entries[part]) for part in parts]
    if entry := abbreviations().word(token):
        return [Phrase(token, entry, guessed=True)]
    return _ended(token, known) or _clinical(token, known) or _joined(token) or [Phrase(token, None)]


def _joined(token: str) -> list[Phrase]:
    """A word that is several shortened ones without anything between them: `DIAGPRIN`, `TIPALT`."""
    if not SHORTEST_JOINED <= len(token) <= LONGEST_JOINED:
        return []
    borders = range(SHORTEST_STEM, len(token) - SHORTEST_STEM + 1)
    entries = (abbreviations().phrase((token[:border], token[border:])) for border in borders)
    entry = next((entry for entry in entries if entry), None)
    return [Phrase(token, entry, guessed=True)] if entry else []


def _clinical(token: str, known: Vocabulary) -> list[Phrase]:
    """A word that begins or ends with a long word of health, whatever the rest is: `diagnosispriority`."""
    for length in range(len(token) - 1, SHORTEST_CLINICAL - 1, -1):
        for part, rest in ((token[:length], token[length:]), (token[-length:], token[:-length])):
            entry = known.entries.get(part)
            if entry and entry.concept and entry.concept.role is Role.SENSITIVE:
                clinical = Phrase(part, entry, guessed=True)
                return [clinical, Phrase(rest, None)] if token.startswith(part) else [Phrase(rest, None), clinical]
    return []


def _ended(token: str, known: Vocabulary) -> list[Phrase]:
    """A compound of which the end is listed, which says what it is: `Anfragedatum` is a date, whatever comes first."""
    for start in range(SHORTEST_STEM, len(token) - SHORTEST_STEM + 1):
        ending = token[start:]
        if known.tagged(ending, "ending"):
            return [Phrase(token[:start], None), Phrase(ending, known.entries[ending], guessed=True)]
    return []


def _parts(token: str, known: Vocabulary) -> list[str] | None:
    """The fewest listed words that a compound consists of; None when some letters are left over."""
    best: list[list[str] | None] = [[], *[None] * len(token)]
    for end in range(1, len(token) + 1):
        for start in range(end):
            before = best[start]
            if (
                before is None
                or len(before) > 3
                or not (part := _part(token[start:end], known, first=not start, inside=end < len(token)))
            ):
                continue
            if best[end] is None or len(before) + 1 < len(best[end] or ()):
                best[end] = [*before, part]
    parts = best[-1]
    long = parts and any(len(part) >= 4 or part >= "가" for part in parts)
    return parts if long and not any(_accidental(part, parts or (), known) for part in parts or ()) else None


def _accidental(part: str, parts: Sequence[str], known: Vocabulary) -> bool:
    """Whether three letters that are said of people stand beside what is not: `stockage` and `drainage` are no ages."""
    entry = known.entries[part]
    if len(part) != 3 or part >= "가" or entry.concept is None or entry.concept.role is Role.SENSITIVE:
        return False
    beside = ("person", "staff", "number", "key") if part == "age" else ("person", "staff", "number", "key", "noise")
    others = [other for other in parts if other != part]
    return not all(other in AGED or known.tagged(other, *beside) for other in others)


def _part(letters: str, known: Vocabulary, *, first: bool, inside: bool) -> str | None:
    """The listed word that some letters of a compound are, perhaps with those that link it to the next."""
    if _findable(letters, known.entries.get(letters)) and not (first and letters in JOINS):
        return letters
    stems = (letters.removesuffix(link) for link in LINKING if inside and letters.endswith(link))
    return next((stem for stem in stems if len(stem) >= 4 and stem in known.entries), None)


def _findable(part: str, entry: Entry | None) -> bool:
    """Whether a part is listed, and long enough to be no accident; a Hangul syllable says more than a letter."""
    if entry is None or entry == WHOLE or part in SUFFIXES:
        return False
    telling = entry.concept or entry.alone or entry.tags & {"person", "number"}
    return len(part) >= 4 or part in SHORT or (len(part) == 3 and bool(telling)) or (len(part) >= 2 and part >= "가")
