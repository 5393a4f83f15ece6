"""The glossary of reports: terms and attacks in plain words, found by name, or by their occurrence in a text."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import yaml

from sfumato.errors import UnusableInput, did_you_mean
from sfumato.show.documents.glossary import Term


@cache
def terms() -> tuple[Term, ...]:
    """Every term of the glossary, in its order: those about one thing after each other."""
    by_kind = yaml.safe_load(files(__package__).joinpath("glossary.yaml").read_text("utf-8"))
    return tuple(
        Term(term=entry["term"], also=tuple(entry.get("also", ())), kind=kind, means=entry["means"])
        for kind, entries in by_kind.items()
        for entry in entries
    )


def find(name: str) -> Term:
    """The term of this name, or the one that it is another word for.

    >>> find("equivalence class").term, find("Linking Attacks").term
    ('class', 'linking attack')
    """
    plain = _plain(name)
    for term in terms():
        if plain in {_plain(each) for each in term.names} | {_plain(each) + "s" for each in term.names}:
            return term
    names = [each for term in terms() for each in term.names]
    raise UnusableInput(f"There is no term {name!r} in the glossary.{did_you_mean(name, names)}")


def terms_in(text: str) -> tuple[Term, ...]:
    """The terms that a text speaks of, in the order of the glossary; whole words, in singular or plural.

    A single letter counts only as it is written (`k`, `l`, `t`), and not within a longer name.

    >>> [term.term for term in terms_in("k = 1: records of a class of one are open to a linking attack.")]
    ['linking attack', 'record', 'class', 'k']
    """
    return tuple(term for term in terms() if _pattern(term).search(text))


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
