"""Words of which the names of people consist."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from sfumato.columns.lexicon.words import folded
from sfumato.packaged_data import packaged_yaml

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@cache
def given_names() -> frozenset[str]:
    """Frequent given names, folded."""
    return _listed("given_names.txt")


@cache
def family_names() -> frozenset[str]:
    """Frequent family names, folded."""
    return _listed("family_names.txt")


@cache
def name_words(sort: str) -> frozenset[str]:
    """Words that go with names, or that no name holds."""
    return frozenset(packaged_yaml(__package__, "name_words.yaml")[sort].split())


def split(value: str) -> list[str]:
    """The words of a value; capitals are given to those that were written without any.

    >>> split("van 't Hof"), split("o'brien-jones")
    (['van', 't', 'Hof'], ["O'Brien-Jones"])
    """
    return _WORD.findall(value.title() if value.islower() else value)


def capitalised(word: str) -> bool:
    """Whether a word can be part of a name: with a capital, or one of those that join."""
    return word[0].isupper() or word.istitle() or folded(word) in name_words("particles")


@cache
def other_thing(word: str) -> bool:
    """Whether a folded word belongs to a hospital, a drug or a disease, and to no name."""
    return word.removesuffix("s") in name_words("no_names") or word.endswith(tuple(name_words("no_endings")))


def _listed(file: str) -> frozenset[str]:
    text = files(__package__).joinpath(file).read_text(encoding="utf-8")
    return frozenset(folded(word) for line in text.splitlines() if not line.startswith("#") for word in line.split())
