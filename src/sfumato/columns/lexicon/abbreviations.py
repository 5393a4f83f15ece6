"""Phrases that are shortened: `fec_nac` of `fecha de nacimiento`, `kod_poczt` of `kod pocztowy`."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sfumato.columns.lexicon.vocabulary import ELIDED, Entry, Vocabulary, listed_phrases, vocabulary
from sfumato.columns.lexicon.words import words
from sfumato.schema import Role

NUMBER, DATE = "#", "@"  # any word for a number or a date, so that `nr_hist` is found under `numero de historia`
SHORTEST = 2  # letters of a shortened word beside a number or a date
SHORTEST_BESIDE_WORDS = 3  # beside other words, which are shortened as well
SHORTEST_ALONE = 5  # of a word that stands for itself: shorter ones begin too many things


@dataclass(frozen=True)
class Abbreviations:
    """The listed phrases by the first two letters of their words, and the listed words in order."""

    phrases: Mapping[tuple[str, ...], Sequence[tuple[tuple[str, ...], Entry]]]
    ordered: Sequence[str]
    known: Vocabulary

    def phrase(self, tokens: Sequence[str]) -> Entry | None:
        """What some words are short for, if all the phrases that they may be short for are about the same."""
        asked = tuple(_plain(token, self.known) for token in tokens if not _joins(token, self.known))
        short = [word for word in asked if word not in (NUMBER, DATE)]
        if len(asked) < 2 or not short or all(map(self._understood, short)):
            return None
        least = SHORTEST if len(short) < len(asked) else SHORTEST_BESIDE_WORDS
        if min(map(len, short)) < least:
            return None
        fitting = [entry for listed, entry in self.phrases.get(_key(asked), ()) if _short_for(asked, listed)]
        return fitting[0] if len({_about(entry) for entry in fitting}) == 1 else None

    def _understood(self, word: str) -> bool:
        """Whether a word says what it means beside others, so that it is no abbreviation."""
        entry = self.known.entries.get(word)
        return entry is not None and bool(entry.concept or entry.tags)

    def word(self, token: str) -> Entry | None:
        """What a word is the beginning of, if all the words that begin so are about one thing that names nobody."""
        if len(token) < SHORTEST_ALONE:
            return None
        start, fitting = bisect_left(self.ordered, token), list[Entry]()
        for word in self.ordered[start:]:
            if not word.startswith(token):
                break
            fitting.append(self.known.entries[word])
        concept = fitting[0].concept if len({_about(entry) for entry in fitting}) == 1 else None
        return fitting[0] if concept and concept.role is not Role.DIRECT else None


@cache
def abbreviations() -> Abbreviations:
    """Every listed phrase of several words, and every listed word."""
    known, phrases = vocabulary(), defaultdict[tuple[str, ...], list[tuple[tuple[str, ...], Entry]]](list)
    single = {word for word, entry in known.entries.items() if entry.concept is None}
    for phrase, concept, guideline, plainness in listed_phrases():
        said = words(phrase, camel=False)
        if len(said) == 1 and said[0] in known.entries:
            single.add(said[0])
        loud = tuple(_plain(word, known) for word in said if not _joins(word, known))
        if len(loud) > 1 and plainness == "names" and not set(loud) <= {NUMBER, DATE}:
            phrases[_key(loud)].append((loud, Entry(concept, guideline=guideline)))
    return Abbreviations(phrases, sorted(single), known)


def _plain(word: str, known: Vocabulary) -> str:
    return NUMBER if known.tagged(word, "number") else DATE if known.tagged(word, "dating") else word


def _joins(word: str, known: Vocabulary) -> bool:
    return word in ELIDED or (known.tagged(word, "joining") and not known.tagged(word, "dating"))


def _key(loud: Sequence[str]) -> tuple[str, ...]:
    return tuple(word[:SHORTEST] for word in loud)


def _short_for(asked: Sequence[str], listed: Sequence[str]) -> bool:
    return all(word.startswith(short) for short, word in zip(asked, listed, strict=True))


def _about(entry: Entry) -> tuple[str | None, frozenset[str]]:
    return entry.concept.name if entry.concept else None, entry.tags if entry.concept is None else frozenset()
