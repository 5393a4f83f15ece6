"""Lists of words that names and labels are compared with, kept as YAML in this room."""

from __future__ import annotations

from functools import cache

from sfumato.columns.lexicon.words import folded
from sfumato.packaged_data import packaged_yaml


@cache
def word_list(file: str, sort: str) -> frozenset[str]:
    """The words of one sort in a file, folded.

    >>> "einheit" in word_list("bare_names", "unit")
    True
    """
    listed = packaged_yaml(__package__, f"{file}.yaml")[sort].split(",")
    return frozenset(folded(word.strip()) for word in listed)
