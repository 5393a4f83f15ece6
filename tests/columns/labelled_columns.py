"""The labelled set by which the detection of columns is judged, written without a look at the detectors.

A label says whether a column is a direct identifier and whether the HIPAA Safe Harbor list holds it; columns of
which reasonable stewards would say different things (initials, codes of physicians, provinces, the first digits of
a postcode, encounter numbers) are left out. The borders between quasi, sensitive and non-sensitive are soft.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from .labelled import (
    dutch,
    english,
    french,
    german,
    greek,
    italian,
    korean,
    polish,
    portuguese,
    spanish,
    swedish,
)
from .labelled.column import LabelledColumn, drawn
from .labelled.drawing import listed
from .labelled.sorts import HIPAA, ROLES

__all__ = ["HIPAA", "ROLES", "TABLES", "LabelledColumn", "development", "held_out", "labelled_columns"]

TABLES = {
    "en": english, "nl": dutch, "de": german, "fr": french, "pt": portuguese, "el": greek, "es": spanish, "ko": korean,
    "it": italian, "pl": polish, "sv": swedish,
}  # fmt: skip


@cache
def labelled_columns(seed: int = 0) -> tuple[LabelledColumn, ...]:
    """Every labelled column; the same seed gives the same values."""
    return tuple(
        drawn(name, sort, language, decoy=decoy, seed=seed)
        for language, table in TABLES.items()
        for names, decoy in ((table.COLUMNS, False), (table.DECOYS, True))
        for name, sort in named(names)
    )


def named(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each column name with its sort."""
    for sort, text in names.items():
        yield from ((name, sort) for name in listed(text))


def development(seed: int = 0) -> list[LabelledColumn]:
    """The columns that may be looked at while detectors are written."""
    return [column for column in labelled_columns(seed) if not column.held_out]


def held_out(seed: int = 0) -> list[LabelledColumn]:
    """The columns that only judge."""
    return [column for column in labelled_columns(seed) if column.held_out]
