"""The glossary of reports: terms and attacks in plain words, found by name, or by their occurrence in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sfumato.errors import UnusableInput, did_you_mean


class Kind(StrEnum):
    """What a term is about."""

    DISCLOSURE = "What can become known"
    ATTACK = "Attacks"
    DATA = "Data"
    MEASURE = "Measures"
    CHANGE = "Changes to the data"
    GOVERNANCE = "Governance"


@dataclass(frozen=True)
class Term:
    """A term, other words for it, and what it means."""

    term: str
    means: str
    kind: Kind
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The term and the other words for it."""
        return (self.term, *self.also)

    def document(self) -> dict[str, Any]:
        """The term as plain values."""
        return {"term": self.term, "also": list(self.also), "kind": self.kind.value, "means": self.means}


def find(name: str, terms: Iterable[Term] | None = None) -> Term:
    """The term of this name, or the one that it is another word for.

    >>> find("equivalence class").term, find("Linking Attacks").term
    ('class', 'linking attack')
    """
    known = tuple(TERMS if terms is None else terms)
    wanted = _plain(name)
    for term in known:
        if wanted in {_plain(each) for each in term.names} | {_plain(each) + "s" for each in term.names}:
            return term
    names = [each for term in known for each in term.names]
    raise UnusableInput(f"There is no term {name!r} in the glossary.{did_you_mean(name, names)}")


def terms_in(text: str, terms: Iterable[Term] | None = None) -> tuple[Term, ...]:
    """The terms that a text speaks of, in the order of the glossary; whole words, in singular or plural.

    A single letter counts only as it is written (`k`, `l`, `t`), and not within a longer name.

    >>> [term.term for term in terms_in("k = 1: records of a class of one are open to a linking attack.")]
    ['linking attack', 'record', 'class', 'k']
    """
    return tuple(term for term in (TERMS if terms is None else terms) if _pattern(term).search(text))


def _pattern(term: Term) -> re.Pattern[str]:
    """What a term looks like in a text: blanks, hyphens and underscores are one; classes are a class."""
    words = (_flexible(name) for name in term.names)
    return re.compile(rf"(?<![\w-])(?<!\w['’])(?:{'|'.join(words)})(?![\w-])")


def _flexible(name: str) -> str:
    parts = r"[\s_-]+".join(re.escape(part) for part in re.split(r"[\s_-]+", name))
    plural = f"(?:{re.escape(name[:-1])}ies|{parts})" if name.endswith("y") else f"{parts}(?:e?s)?"
    return parts if len(name) == 1 else f"(?i:{plural})"


def _plain(name: str) -> str:
    return " ".join(re.split(r"[\s_-]+", name.strip().lower()))


def _terms(kind: Kind, *entries: tuple[str, str] | tuple[str, str, tuple[str, ...]]) -> tuple[Term, ...]:
    return tuple(Term(name, means, kind, *also) for name, means, *also in entries)


TERMS: tuple[Term, ...] = (
    *_terms(
        Kind.DISCLOSURE,
        (
            "identity disclosure",
            "Somebody finds out which record belongs to a certain person, and with it everything that the record says.",
            ("re-identification", "re-identified"),
        ),
        (
            "attribute disclosure",
            "Somebody learns a value of a person, such as a diagnosis, even without knowing which record is theirs.",
        ),
        (
            "inferential disclosure",
            "The data let somebody guess a value of a person with more confidence than before, by what they say about "
            "people alike. The guess can be wrong and do harm all the same.",
        ),
        (
            "singling out",
            "One record can be told from all others, though it is not yet known whose it is.",
            ("singled out",),
        ),
        ("linkability", "Two records of the same person can be recognised as such, in one table or across two."),
        ("inference", "A value can be worked out from others with more than a guess's confidence."),
    ),
    *_terms(
        Kind.ATTACK,
        (
            "linking attack",
            "The table is joined with another one that has names, such as a voter register, on columns that both have.",
            ("linkage attack", "record linkage"),
        ),
        (
            "homogeneity attack",
            "Everybody in a class has the same sensitive value. Whoever knows that a person is in the class knows the "
            "value, however large the class is.",
        ),
        (
            "background-knowledge attack",
            "What is known beside the table rules out the other values of a class, until one is left.",
        ),
        (
            "similarity attack",
            "The sensitive values of a class differ in words but not in meaning: gastritis, gastric ulcer and stomach "
            "cancer all say that the stomach is ill.",
        ),
        (
            "skewness attack",
            "A class has another mixture of values than everybody has. Where half of it is positive and of everybody "
            "one in a hundred, each member is suspected fifty times as much.",
        ),
        ("prosecutor", "An attacker who knows that a certain person is in the table, and looks for their record."),
        ("journalist", "An attacker who wants to find anybody at all, and does not know who is in the table."),
        ("marketer", "An attacker who wants to find as many people as possible, and accepts mistakes."),
        (
            "membership",
            "That a person is in the table at all, which can be the secret itself: a register of a disease.",
        ),
    ),
    *_terms(
        Kind.DATA,
        ("record", "One row of the table."),
        ("direct identifier", "A column that names a person by itself: a name, a health number, an e-mail address."),
        (
            "quasi-identifier",
            "A column that somebody else may know of a person, and that together with others points at one: age, sex, "
            "postcode.",
        ),
        (
            "sensitive attribute",
            "A column that an attacker would like to learn, such as a diagnosis.",
            ("sensitive column",),
        ),
        (
            "class",
            "The people who are equal on every quasi-identifier, and so cannot be told apart by them.",
            ("equivalence class",),
        ),
        ("singleton", "A class of one: a person like nobody else in the table."),
        ("population unique", "A person like nobody else in the whole population, not only in the table."),
        ("special unique", "A record that few columns suffice to single out, which makes it easier to find."),
    ),
    *_terms(
        Kind.MEASURE,
        ("k", "The size of the smallest class: everybody looks like at least k - 1 others.", ("k-anonymity",)),
        (
            "l",
            "How many different sensitive values the least varied class has. With 1, the value of all in it is known.",
            ("l-diversity", "distinct l-diversity", "entropy l-diversity"),
        ),
        (
            "t",
            "How far the sensitive values of a class are from everybody's; 0 says that the class tells nothing new.",
            ("t-closeness",),
        ),
        (
            "maximum risk",
            "The chance of picking the right record for the person who is easiest to find: one over the size of the "
            "smallest class.",
            ("highest risk",),
        ),
        ("average risk", "The chance of picking the right record for somebody drawn at random: classes per person."),
        ("risk ladder", "How many records are in classes below 3, 5, 11 and 20, the sizes that guidelines ask for."),
        ("match rate", "The share of people for whom an attacker would name a record, rightly or wrongly."),
        ("uniqueness", "Of a column: the values that occur once, per record."),
        ("influence", "Of a column: the share of the classes that would merge with others if it were not known."),
        (
            "non-uniform entropy",
            "How much less the released values say than the original ones: rare values that become common lose most.",
            ("NUE",),
        ),
        ("utility", "How much of what the purpose needs is still in the released data."),
    ),
    *_terms(
        Kind.CHANGE,
        ("generalisation", "A value becomes a broader one: 34 becomes 30 to 39.", ("generalise", "generalised")),
        ("suppression", "A value, or a whole record, is taken out.", ("suppressed",)),
        ("hierarchy", "What each value becomes at each step of generalisation."),
        ("noise", "Numbers or dates are moved by a small amount drawn at random."),
        (
            "pseudonym",
            "A code in the place of an identifier. Whoever holds the key can go back; the data stay personal.",
        ),
    ),
    *_terms(
        Kind.GOVERNANCE,
        (
            "Five Safes",
            "Five questions about a release: is the project right, are the people trustworthy, is the setting secure, "
            "do the data protect people, and are the results checked?",
        ),
        (
            "DPIA",
            "A data protection impact assessment: what could go wrong for people, and what is done about it, written "
            "down before the data are used. GDPR, article 35.",
            ("impact assessment", "data protection impact assessment"),
        ),
        ("recipient", "Who will have the data. The grade says how well they could find people in it."),
        (
            "honest broker",
            "Somebody independent of both sides, who reviews the grade of a recipient and the use of the data.",
        ),
        (
            "risk-benefit matrix",
            "Four levels of risk beside four of benefit; where a release stands says what to weigh.",
        ),
        ("threshold", "The number that a reading must keep to before the data may be released."),
        ("preset", "Requirements and settings that come with Sfumato, each with its source."),
    ),
)
