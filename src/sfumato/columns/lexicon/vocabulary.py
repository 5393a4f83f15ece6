"""Every word and phrase that the lexicon knows, read once from its data files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from sfumato.columns.lexicon.concept import Concept
from sfumato.columns.lexicon.hipaa import Hipaa
from sfumato.columns.lexicon.words import spellings, words
from sfumato.packaged_data import packaged_files, packaged_lists, packaged_yaml
from sfumato.schema import Role

ROLES = {"direct": Role.DIRECT, "quasi": Role.QUASI, "sensitive": Role.SENSITIVE, "plain": Role.NON_SENSITIVE}
STANDARDS = frozenset({"SDTM", "OMOP", "FHIR", "REDCap"})
NUMBER = ("no", "nr", "num", "nbr")  # how people shorten it
NUMBERED = frozenset({"code", "digits", "varied", "telephone"})  # forms of concepts that are numbers of something
NOT_NUMBERED = frozenset({"thing", "about", "about_first", "staff", "person", "number", "key", "noise", "system"})
ELIDED = frozenset("dln")  # what is left of an article: `numero d assure`
COMPOUND = ("nummer", "번호", "beonho")
CODES = frozenset({"code", "cd", "cde", "kode", "ref", "reference"})  # of what people have, not whose it is
SHORTEST = 5  # letters of what is numbered; shorter words are too many things
# The two letters of SDTM domains (Implementation Guide 3.4 and its supplements): `body` is no day of a domain `bo`.
DOMAINS = frozenset({
    "ae", "ag", "ap", "be", "bs", "ce", "cm", "co", "cp", "cv", "da", "dd", "dm", "do", "ds", "dv", "ec", "eg",
    "er", "ex", "fa", "ft", "ga", "ge", "gf", "ho", "ie", "is", "lb", "mb", "mh", "mi", "mk", "ml", "mo", "ms",
    "nv", "oe", "oi", "pb", "pc", "pe", "pf", "po", "pp", "pr", "qs", "re", "rp", "rs", "sb", "sc", "se", "sl",
    "sm", "sr", "ss", "su", "sv", "ta", "td", "te", "ti", "tm", "tr", "ts", "tu", "tv", "ty", "ua", "ur", "vs",
})  # fmt: skip
DOMAIN = "--"  # how the SDTM writes the two letters of any domain


@dataclass(frozen=True)
class Entry:
    """All that a phrase can mean: a concept, plainly, when alone or as a hint, and a place in the grammar."""

    concept: Concept | None = None
    alone: Concept | None = None
    hint: Concept | None = None  # what it may be, among other things: `na`, sodium or not available
    guideline: str = "common"
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Vocabulary:
    """Phrases, joined, to what they mean; and the endings of SDTM variables."""

    entries: dict[str, Entry] = field(default_factory=dict)
    endings: dict[str, Entry] = field(default_factory=dict)
    numbered: dict[str, Entry] = field(default_factory=dict)  # what a number of this is: `policy`

    def entry(self, phrase: str) -> Entry | None:
        """What a joined phrase means: as it is, with its number spelt out, or as an SDTM variable of some domain."""
        spelt = self.entries.get(phrase.removesuffix("nr") + "nummer") if phrase.endswith("nr") else None
        ending = self.endings.get(phrase[2:]) if phrase[:2] in DOMAINS else None
        return self.entries.get(phrase) or spelt or ending

    def number_of(self, tokens: Sequence[str]) -> Entry | None:
        """What a number is of, whatever word is used for it and wherever it stands: `policy_nr`, `id_policy`."""
        first, last = (self.tagged(t, "number", "key") and t not in CODES for t in (tokens[0], tokens[-1]))
        if first == last:
            return None
        of = [token for token in (tokens[1:] if first else tokens[:-1]) if not self.tagged(token, "joining")]
        return self.numbered.get("".join(of))

    def tagged(self, token: str, *tags: str) -> bool:
        """Whether a word has one of these places in the grammar."""
        return token in self.entries and not self.entries[token].tags.isdisjoint(tags)


@cache
def vocabulary() -> Vocabulary:
    """The whole lexicon. Where two concepts claim a phrase, the first keeps it: direct before quasi, and so on."""
    known, listed = Vocabulary(), listed_phrases()
    for phrase, concept, guideline, plainness in listed:
        _add_concept(known, phrase, concept, guideline, plainness)
    for spelling, tags in grammar_of_words().items():
        known.entries[spelling] = replace(known.entries.get(spelling, Entry()), tags=tags)
    for phrase, concept, guideline, plainness in listed:
        if plainness == "names":
            _add_unjoined(known, phrase, concept, guideline)
            _add_numbered(known, phrase, concept, guideline)
    return known


@cache
def grammar_of_words() -> Mapping[str, frozenset[str]]:
    """The places in the grammar of each word that has one: a small part of the lexicon, for whoever needs no more."""
    known: dict[str, frozenset[str]] = {}
    for grammar in (packaged_yaml(__package__, "grammar.yaml"), *_of_languages("grammar")):
        for tag, tagged in grammar.items():
            for phrase in tagged.split(","):
                known |= {spelling: known.get(spelling, frozenset()) | {tag} for spelling in spellings(phrase.strip())}
    return known


@cache
def listed_phrases() -> tuple[tuple[str, Concept, str, str], ...]:
    """Each phrase of the lists, its concept, its guideline, and how plainly it means that: names, alone or hints."""
    return tuple(_listed())


def _listed() -> Iterator[tuple[str, Concept, str, str]]:
    """The phrases, list by list.

    The lists of a role are the files of its folder, by name; a file adds concepts, or names to those of others. What a
    language says for a concept stands where its first list does, and what it says alone where its last does.
    """
    items = [(item, _concept(item, role)) for f, role in ROLES.items() for item in packaged_lists(__package__, f)]
    first = {concept.name: place for place, (_, concept) in reversed([*enumerate(items)])}
    last = {concept.name: place for place, (_, concept) in enumerate(items)}
    for place, (item, concept) in enumerate(items):
        for plainness, where in (("names", first), ("alone", last), ("hints", last)):
            said = _of_languages(plainness) if where[concept.name] == place else ()
            own = ({"": of[concept.name]} for of in said if concept.name in of)
            for listed in (item.get(plainness) or {}, *own):
                for phrase, guideline in _phrases(listed, concept):
                    yield phrase, concept, guideline, plainness


def _of_languages(part: str) -> list[Mapping[str, str]]:
    """What the file of each language says: `names` and `alone` by concept, `grammar` by place in it."""
    return [file.get(part) or {} for file in _languages()]


@cache
def _languages() -> tuple[Mapping[str, Mapping[str, str]], ...]:
    """The files of the languages, by name. To add a language, write one."""
    return tuple(packaged_files(__package__, "languages"))


def _concept(item: Mapping[str, Any], role: Role) -> Concept:
    hipaa = Hipaa(item["hipaa"]) if item.get("hipaa") else None
    return Concept(item["concept"], role, hipaa, item.get("form", "any"), item.get("facility", False))


def _phrases(names: Mapping[str, str], concept: Concept) -> Iterator[tuple[str, str]]:
    """Each phrase and the guideline it comes from: a standard, the HIPAA list, or common use."""
    for source, listed in names.items():
        guideline = source if source in STANDARDS else "HIPAA" if concept.hipaa else "common"
        for phrase in map(str.strip, listed.split(",")):
            yield phrase, guideline
            if phrase.endswith(" number"):
                yield from ((phrase.removesuffix("number") + short, guideline) for short in NUMBER)


def _add_concept(known: Vocabulary, phrase: str, concept: Concept, guideline: str, plainness: str) -> None:
    place = known.endings if phrase.startswith(DOMAIN) else known.entries
    for spelling in spellings(phrase):
        entry = place.get(spelling, Entry(guideline=guideline))
        if plainness == "alone":
            place[spelling] = replace(entry, alone=entry.alone or concept)
        elif plainness == "hints":
            place[spelling] = replace(entry, hint=entry.hint or concept)
        elif entry.concept is None:
            place[spelling] = replace(entry, concept=concept, guideline=guideline)


def _add_unjoined(known: Vocabulary, phrase: str, concept: Concept, guideline: str) -> None:
    """The phrase without the words that only join, where that is not listed as something else: `date birth`."""
    tokens = words(phrase, camel=False)
    loud = [token for token in tokens if token not in ELIDED and not known.tagged(token, "joining")]
    text = "".join(loud)
    if 2 <= len(loud) < len(tokens) and text not in known.entries:
        known.entries[text] = Entry(concept, guideline=guideline)


def _add_numbered(known: Vocabulary, phrase: str, concept: Concept, guideline: str) -> None:
    """What a listed number is of: `policy number` is a number of a `policy`, `numero de dossier` of a `dossier`.

    Not where it is of a thing, a hospital or a person: a number of these is said by the grammar.
    """
    if concept.role is not Role.DIRECT or concept.form not in NUMBERED:
        return
    for of in _numbered_by(phrase, known):
        entry = known.entries.get(of, Entry())
        facility = entry.concept is not None and entry.concept.facility
        if len(of) >= SHORTEST and not facility and entry.tags.isdisjoint(NOT_NUMBERED):
            known.numbered.setdefault(of, Entry(concept, guideline=guideline))


def _numbered_by(phrase: str, known: Vocabulary) -> list[str]:
    """What a phrase numbers, in words of their own or in a compound, with and without the letter that joins it."""
    tokens = words(phrase, camel=False)
    if len(tokens) == 1:
        stems = [tokens[0].removesuffix(ending) for ending in COMPOUND if tokens[0].endswith(ending)]
        return [*stems, *(stem[:-1] for stem in stems if stem.endswith("s"))]
    first, last = (known.tagged(token, "number", "key") for token in (tokens[0], tokens[-1]))
    of = tokens[1:] if first else tokens[:-1]
    return ["".join(t for t in of if not known.tagged(t, "joining"))] if first != last else []
