"""Formulas: what any value becomes at each level, decided without a list of the values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from sfumato.errors import HierarchyError, SchemaError, UnplacedValues
from sfumato.hierarchies.hierarchy import TOP, Counts, Hierarchy
from sfumato.tables.engine import literal


class Formula(ABC):
    """The label of any value at each level, in Python and in SQL, with the same result.

    A subclass says what a value becomes between the value itself (level 0) and the top (`height`), in `_label`
    and `_sql`; None and null stand for a value that the formula has no place for. Values are texts, as the
    engine writes them: `CAST(value AS VARCHAR)`.
    """

    expects: ClassVar[str] = "cannot be placed"  # what is wrong with a value that has no place, as a verb
    listed: ClassVar[bool] = False  # whether its SQL is a long list: for many records, join with a level instead

    @property
    @abstractmethod
    def height(self) -> int:
        """The top level."""

    @abstractmethod
    def _label(self, text: str, level: int) -> str | None: ...

    @abstractmethod
    def _sql(self, value: str, level: int) -> str: ...

    @abstractmethod
    def settled(self) -> dict[str, Any]:
        """The kind and the parameters of the builder that gives this formula without a look at the data."""

    @property
    def top(self) -> str:
        """What everything becomes at the top."""
        return TOP

    def missing(self, level: int) -> str | None:
        """What a missing value becomes: it stays missing below the top."""
        return self.top if level == self.height else None

    def places(self, text: str) -> bool:
        """Whether a value has a place below the top."""
        return self.height < 2 or self._label(text, 1) is not None

    def label(self, text: str | None, level: int) -> str | None:
        """What one value becomes at a level. A value without a place goes straight to the top."""
        self._check(level)
        if text is None:
            return self.missing(level)
        if level in (0, self.height):
            return self.top if level else text
        label = self._label(text, level)
        return self.top if label is None else label

    def sql(self, value: str, level: int) -> str:
        """The same as SQL over an expression, which `one_value` has made comparable if it is a real number."""
        self._check(level)
        if level == 0:
            return f"CAST({value} AS VARCHAR)"
        if level == self.height:
            return literal(self.top)
        lacking = self.missing(level)
        missing = "NULL" if lacking is None else literal(lacking)
        placed = f"coalesce({self._sql(value, level)}, {literal(self.top)})"
        return f"CASE WHEN {value} IS NULL THEN {missing} ELSE {placed} END"

    def unplaced(self, value: str) -> str:
        """SQL condition: whether a value has no place. To be checked before anything is written."""
        return f"({value} IS NOT NULL AND {self._sql(value, 1)} IS NULL)" if self.height > 1 else "FALSE"

    def lacking(self, counts: Counts) -> dict[str, int]:
        """The values without a place, and how many records hold each."""
        return {text: n for text, n in counts.items() if text is not None and not self.places(text)}

    def hierarchy(self, counts: Counts, *, unknown: str = "error") -> Hierarchy:
        """The hierarchy of the values at hand; a value without a place is an error, or goes to the top."""
        if unknown not in ("error", "top"):
            raise HierarchyError("What to do with a value that has no place (unknown) is 'error' or 'top'.")
        lacking = self.lacking(counts) if unknown == "error" else {}
        if lacking:
            raise UnplacedValues(self.expects, values=len(lacking), records=sum(lacking.values()))
        levels = range(1, self.height + 1)
        lines = ((text, *(str(self.label(text, level)) for level in levels)) for text in in_order(counts))
        return Hierarchy(tuple(lines), missing=(None, *(self.missing(level) for level in levels)))

    def _check(self, level: int) -> None:
        if not 0 <= level <= self.height:
            raise SchemaError(f"The hierarchy has levels 0 to {self.height}; there is no level {level}.")


def in_order(counts: Counts) -> list[str]:
    """Values as people list them: numbers by size, everything else as text; missing left out.

    >>> in_order({"10": 1, None: 2, "9": 1})
    ['9', '10']
    """
    texts = [text for text in counts if text is not None]
    try:
        return sorted(texts, key=lambda text: (float(text), text))
    except ValueError:
        return sorted(texts)
