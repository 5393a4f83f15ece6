"""Every word and phrase that the lexicon knows, read once from its data files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from sfumato.lexicon.concept import Concept
from sfumato.lexicon.hipaa import Hipaa
from sfumato.lexicon.words import spellings
from sfumato.schema import Role

ROLES = {"direct": Role.DIRECT, "quasi": Role.QUASI, "sensitive": Role.SENSITIVE, "plain": Role.NON_SENSITIVE}
STANDARDS = frozenset({"SDTM", "OMOP", "FHIR", "REDCap"})
NUMBER = ("no", "nr", "num", "nbr")  # how people shorten it
DOMAIN = "--"  # how the SDTM writes the two letters of any domain


@dataclass(frozen=True)
class Entry:
    """All that a phrase can mean: a concept, a concept when nothing else is said, a place in the grammar."""

    concept: Concept | None = None
    alone: Concept | None = None
    guideline: str = "common"
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Vocabulary:
    """Phrases, joined, to what they mean; and the endings of SDTM variables."""

    entries: dict[str, Entry] = field(default_factory=dict)
    endings: dict[str, Entry] = field(default_factory=dict)

    def entry(self, phrase: str) -> Entry | None:
        """What a joined phrase means: as it is, with its number spelt out, or as an SDTM variable of some domain."""
        spelt = phrase.removesuffix("nr") + "nummer"
        return self.entries.get(phrase) or self.entries.get(spelt) or self.endings.get(phrase[2:])


@cache
def vocabulary() -> Vocabulary:
    """The whole lexicon. Where two concepts claim a phrase, the first keeps it: direct before quasi, and so on."""
    known = Vocabulary()
    for stem, role in ROLES.items():
        for item in _document(stem):
            concept = _concept(item, role)
            for names, alone in (("names", False), ("alone", True)):
                for phrase, guideline in _phrases(item.get(names) or {}, concept):
                    _add_concept(known, phrase, concept, guideline, alone=alone)
    for tag, listed in _document("grammar").items():
        for phrase in listed.split(","):
            _add_tag(known, phrase.strip(), tag)
    return known


def _document(stem: str) -> Any:
    import yaml

    text = files("sfumato.lexicon").joinpath(f"{stem}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # the same, faster where libyaml is


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


def _add_concept(known: Vocabulary, phrase: str, concept: Concept, guideline: str, *, alone: bool) -> None:
    place = known.endings if phrase.startswith(DOMAIN) else known.entries
    for spelling in spellings(phrase):
        entry = place.get(spelling, Entry(guideline=guideline))
        if alone:
            place[spelling] = replace(entry, alone=entry.alone or concept)
        elif entry.concept is None:
            place[spelling] = replace(entry, concept=concept, guideline=guideline)


def _add_tag(known: Vocabulary, phrase: str, tag: str) -> None:
    for spelling in spellings(phrase):
        entry = known.entries.get(spelling, Entry())
        known.entries[spelling] = replace(entry, tags=entry.tags | {tag})
