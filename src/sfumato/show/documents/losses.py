"""What was lost between an original and its release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document, where_said


@dataclass(frozen=True, kw_only=True)
class FigureDocument(Document):
    """What a utility model read; null where it is infinite."""

    value: float | None
    normalised: float | None
    untouched: float | None
    removed: float | None
    more: Mapping[str, Any]  # what only this model says: its keys stand among the others
    columns: int | None = where_said()  # of how many a total was made

    def plain(self) -> dict[str, Any]:
        keys: dict[str, Any] = {}
        for key, value in super().plain().items():
            keys |= value if key == "more" else {key: value}
        return keys


@dataclass(frozen=True, kw_only=True)
class NotApplicableDocument(Document):
    """Why a utility model says nothing; its numbers are null."""

    value: None = None
    normalised: None = None
    why_not: str
    columns: int | None = where_said()


OutcomeDocument = FigureDocument | NotApplicableDocument


@dataclass(frozen=True, kw_only=True)
class ColumnChangeDocument(Document):
    """What became of a column: in words, by records, and on which levels of its hierarchy."""

    words: str
    records: Mapping[str, int]  # {"same": 3, "broader": 2, "gone": 1, "moved": 0}
    levels: Sequence[int]
    height: int | None


@dataclass(frozen=True, kw_only=True)
class ClassNumbersDocument(Document):
    """How many different records there were, and are."""

    original: int
    released: int


@dataclass(frozen=True, kw_only=True)
class ModelNoteDocument(Document):
    """What to know of a utility model when its number is read."""

    means: str
    better: str
    bounds: str
    applies_to: str


@dataclass(frozen=True, kw_only=True)
class LossesDocument(Document):
    """Every utility model, by column and in total. It holds no cell value."""

    original: str
    released: str
    records: int
    suppressed: int
    paired_by: str
    quasi_identifiers: Sequence[str]
    target: str | None
    classes: ClassNumbersDocument
    changes: Mapping[str, ColumnChangeDocument]
    columns: Mapping[str, Mapping[str, OutcomeDocument]]  # by column, and by model
    total: Mapping[str, OutcomeDocument]
    models: Mapping[str, ModelNoteDocument]
    normalised: str = "0 is the original itself, 1 is all information removed"
    notes: Sequence[str]
