"""Masking: characters are hidden, all of them or some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.plans.blocks.parameters import column_names, whole, words_or_none
from sfumato.plans.blocks.values_in_sql import text_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import literal

MADE_UP = ("L69 3BX", "0151 794 2000", "Ann")


@dataclass(frozen=True)
class Mask(Transformation):
    """Hide the characters of values, but for some at the left or at the right.

    Each hidden character becomes `character`, so the length stays. With a `placeholder` the hidden part becomes that,
    whatever its length: with nothing kept, all values look alike. A value that is no longer than what would be kept
    is hidden whole. Numbers and dates become texts; a missing value stays missing.

    Examples
    --------
    The names of the thesis's table become xxxx, and only the area of a postcode stays:

    >>> Mask("name", placeholder="xxxx").masked("Emma")
    'xxxx'
    >>> Mask("postcode", keep_left=3).masked("L69 3BX")
    'L69****'
    """

    columns: str | tuple[str, ...]
    keep_left: int = 0
    keep_right: int = 0
    character: str = "*"
    placeholder: str | None = None

    aliases: ClassVar[tuple[str, ...]] = ("redact",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        whole(self, "keep_left", self.keep_left, 0)
        whole(self, "keep_right", self.keep_right, 0)
        words_or_none(self, "placeholder", self.placeholder)
        if not isinstance(self.character, str) or len(self.character) != 1:
            raise self.wrong("character must be one character.")

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        return draft.changed({name: self._sql(text_of(draft, name)) for name in self.columns})

    def masked(self, text: str) -> str:
        """What one value becomes."""
        kept = self.keep_left + self.keep_right
        left, right = (self.keep_left, self.keep_right) if len(text) > kept else (0, 0)
        hidden = len(text) - left - right
        middle = self.character * hidden if self.placeholder is None else self.placeholder
        return text[:left] + middle + text[len(text) - right :]

    def explained(self) -> str:
        kept = [f"the {side} {n}" for side, n in (("first", self.keep_left), ("last", self.keep_right)) if n]
        but = f", but for {' and '.join(kept)}," if kept else ""
        with_what = self.character if self.placeholder is None else self.placeholder
        return f"Hide the characters of {', '.join(self.columns)}{but} behind {with_what!r}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return tuple((text, self.masked(text)) for text in MADE_UP)

    def _sql(self, text: str) -> str:
        kept = self.keep_left + self.keep_right
        if not kept:
            return f"CASE WHEN {text} IS NOT NULL THEN {self._hidden(f'length({text})')} END"
        right = f"substr({text}, length({text}) - {self.keep_right - 1})" if self.keep_right else "''"
        part = f"substr({text}, 1, {self.keep_left}) || {self._hidden(f'length({text}) - {kept}')} || {right}"
        return (
            f"CASE WHEN length({text}) > {kept} THEN {part} "
            f"WHEN {text} IS NOT NULL THEN {self._hidden(f'length({text})')} END"
        )

    def _hidden(self, length: str) -> str:
        if self.placeholder is not None:
            return literal(self.placeholder)
        return f"repeat({literal(self.character)}, CAST({length} AS INTEGER))"
