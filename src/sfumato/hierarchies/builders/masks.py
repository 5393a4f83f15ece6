"""Masks: codes of which fewer and fewer characters are shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sfumato.columns.lexicon import meaning_of
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.postal_code import PostalCode
from sfumato.columns.recognisers.postal_digits import PostalDigits
from sfumato.errors import HierarchyError
from sfumato.hierarchies.builder_interface import Builder, Offer
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts
from sfumato.tables.engine import literal


@dataclass(frozen=True)
class Masks(Formula, Builder):
    """At each level `step` more characters are masked, from the right or from the left (`side`).

    A code shorter than the longest is first filled up with `padding`, where that is given, on the side `pad`: a
    postal code that lost its noughts gets them back with padding="0". `length` is that of the longest code, and is
    found in the data unless it is given.

    >>> Masks().build(["0151", "0203"]).lines
    (('0151', '015*', '01**', '0***', '*'), ('0203', '020*', '02**', '0***', '*'))
    >>> Masks(padding="0").build(["0203", "151"]).label("151", 1)
    '015*'
    """

    plainly: ClassVar[str] = "codes with characters masked from the right or the left"
    side: str = "right"
    character: str = "*"
    step: int = 1
    padding: str = ""
    pad: str = "left"
    length: int | None = None

    def __post_init__(self) -> None:
        if {self.side, self.pad} - {"left", "right"}:
            raise HierarchyError("The side that is masked, and the side that is filled up, is 'left' or 'right'.")
        if len(self.character) != 1 or len(self.padding) > 1:
            raise HierarchyError("Masking and padding take one character each.")
        if self.step < 1 or (self.length is not None and self.length < 1):
            raise HierarchyError("The step and the length of a mask are whole numbers, 1 or more.")

    def formula(self, counts: Counts) -> Formula:
        longest = max((len(text) for text in counts if text is not None), default=1)
        return self if self.length is not None else replace(self, length=max(longest, 1))

    @property
    def height(self) -> int:
        return -(-self._length // self.step)

    def settled(self) -> dict[str, Any]:
        return self.settings()

    @classmethod
    def offer(cls, column: ColumnProfile) -> Offer | None:
        if not column.sample:
            return None
        meaning = meaning_of(column.name, column.label)
        if meaning is not None and meaning.concept.name == "postcode":
            return Offer(cls(), "The name says postcode: characters are masked from the right.", 0.8)
        if any(shape.share(column.sample) >= shape.needed for shape in (PostalCode(), PostalDigits())):
            return Offer(cls(), "The values look like postal codes: characters are masked from the right.", 0.75)
        return None

    def _label(self, text: str, level: int) -> str:
        text = self._filled(text)
        masked = min(level * self.step, len(text))
        shown = text[: len(text) - masked] if self.side == "right" else text[masked:]
        mask = self.character * masked
        return shown + mask if self.side == "right" else mask + shown

    def _sql(self, value: str, level: int) -> str:
        text, masked = self._filled_sql(f"CAST({value} AS VARCHAR)"), level * self.step
        mask = f"repeat({literal(self.character)}, least(length({text}), {masked}))"
        if self.side == "right":
            return f"substr({text}, 1, greatest(length({text}) - {masked}, 0)) || {mask}"
        return f"{mask} || substr({text}, {masked + 1})"

    def _filled(self, text: str) -> str:
        if not self.padding:
            return text
        fill = text.rjust if self.pad == "left" else text.ljust
        return fill(self._length, self.padding)

    def _filled_sql(self, text: str) -> str:
        if not self.padding:
            return text
        filled = f"{self.pad[0]}pad({text}, {self._length}, {literal(self.padding)})"
        return f"CASE WHEN length({text}) < {self._length} THEN {filled} ELSE {text} END"

    @property
    def _length(self) -> int:
        if self.length is None:
            raise self.unfitted()
        return self.length
