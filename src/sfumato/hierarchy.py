"""Generalisation hierarchies: what a value becomes at each level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SchemaError

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Hierarchy:
    """One line per value: the value itself, then what it becomes at level 1, 2, ... up to the top.

    >>> Hierarchy((("Rural", "*"), ("Urban", "*"))).height
    1
    """

    lines: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if len({len(line) for line in self.lines}) != 1 or len({line[0] for line in self.lines}) != len(self.lines):
            raise SchemaError("A hierarchy needs one line per value, all with the same number of levels.")

    @property
    def values(self) -> tuple[str, ...]:
        """The values that the hierarchy knows."""
        return tuple(line[0] for line in self.lines)

    @property
    def height(self) -> int:
        """The top level."""
        return len(self.lines[0]) - 1

    def at_level(self, level: int) -> pa.Table:
        """What each value becomes at a level, as columns value and label."""
        import pyarrow

        if not 0 <= level <= self.height:
            raise SchemaError(f"The hierarchy has levels 0 to {self.height}; there is no level {level}.")
        return pyarrow.table({"value": list(self.values), "label": [line[level] for line in self.lines]})
