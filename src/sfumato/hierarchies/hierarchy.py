"""Generalisation hierarchies: what a value becomes at each level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sfumato.errors import HierarchyError, SchemaError
from sfumato.show.documents.hierarchy import HierarchyDocument, LevelDocument, LineDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.hierarchy import hierarchy_html, hierarchy_sheet

if TYPE_CHECKING:
    import pyarrow as pa

TOP = "*"  # what everything becomes in the end

Counts = Mapping[str | None, int]  # values as the engine writes them as text, and how many records hold each
Line = tuple[str | None, ...]


@dataclass(frozen=True)
class Origin:
    """Where a hierarchy comes from: the column, what built it and why, and how many records hold each value."""

    column: str
    kind: str
    parameters: Mapping[str, Any]  # that build the same hierarchy again, without a look at the data
    why: str
    counts: Counts = field(repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Hierarchy(Presented):
    """One line per value: the value itself, then what it becomes at level 1, 2, ... up to the top.

    Values with the same label at one level have the same label at every level above, and the top is one
    label. A missing value has a line of its own: it stays missing (None) below the top, unless `missing` says
    otherwise.

    >>> towns = Hierarchy((("Rural", "*"), ("Urban", "*")))
    >>> towns.height, towns.label("Rural", 1), towns.label(None, 0), towns.label(None, 1)
    (1, '*', None, '*')
    """

    lines: tuple[tuple[str, ...], ...]
    missing: Line = ()
    origin: Origin | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        widths = {len(line) for line in (*self.lines, *([self.missing] if self.missing else []))}
        if len(widths) != 1 or len({line[0] for line in self.lines}) != len(self.lines):
            raise SchemaError("A hierarchy needs one line per value, all with the same number of levels.")
        object.__setattr__(self, "missing", self.missing or (*[None] * self.height, self.top))
        check_tree((*self.lines, self.missing))

    def __contains__(self, value: object) -> bool:
        return value is None or value in self._places

    @property
    def values(self) -> tuple[str, ...]:
        """The values that the hierarchy knows, missing left out."""
        return tuple(line[0] for line in self.lines)

    @property
    def height(self) -> int:
        """The top level."""
        return len(self.lines[0] if self.lines else self.missing) - 1

    @property
    def top(self) -> str:
        """What everything becomes at the top."""
        return str((self.lines[0] if self.lines else self.missing)[-1])

    def at_level(self, level: int) -> pa.Table:
        """What each value becomes at a level, as columns value and label; the last row is the missing value."""
        import pyarrow

        self._check_level(level)
        columns = {"value": [*self.values, None], "label": [line[level] for line in (*self.lines, self.missing)]}
        return pyarrow.table(columns, pyarrow.schema([(name, pyarrow.string()) for name in columns]))

    def label(self, value: str | None, level: int) -> str | None:
        """What one value becomes at a level."""
        self._check_level(level)
        if value not in self:
            raise HierarchyError("The hierarchy lacks a value that was looked up in it.")
        return (self.missing if value is None else self._places[value])[level]

    def labels(self, level: int) -> tuple[str, ...]:
        """The different labels of the values at a level, in the order of the lines."""
        self._check_level(level)
        return tuple(dict.fromkeys(line[level] for line in self.lines))

    def of(self, origin: Origin) -> Hierarchy:
        """The same hierarchy, knowing where it comes from."""
        return replace(self, origin=origin)

    def content(self) -> HierarchyDocument:
        """Everything as plain values. It holds the values of the column: that is what a hierarchy is."""
        origin, counts = self.origin, self._counts()
        return HierarchyDocument(
            column=origin.column if origin else None,
            kind=origin.kind if origin else None,
            parameters=origin.parameters if origin else {},
            why=origin.why if origin else None,
            notes=origin.notes if origin else (),
            height=self.height,
            values=len(self.lines),
            records=sum(counts.values()) if origin else None,
            missing=counts.get(None, 0) if origin else None,
            levels=[self._level(level, counts) for level in range(self.height + 1)],
            lines=[
                LineDocument(labels=line, records=counts.get(line[0]) if origin else None) for line in self._shown()
            ],
        )

    def sheet(self, *, whole: bool = False) -> Sheet:
        """The hierarchy for people, as a tree; a big one is abbreviated unless the whole is asked for."""
        return hierarchy_sheet(self.content(), whole=whole)

    def _repr_html_(self) -> str:
        from sfumato.show.charts.chart import can_draw

        return hierarchy_html(self.content(), tuple(self.charts) if can_draw() else ())

    @cached_property
    def _places(self) -> dict[str, tuple[str, ...]]:
        return {line[0]: line for line in self.lines}

    def _counts(self) -> Counts:
        return self.origin.counts if self.origin else {}

    def _shown(self) -> Iterator[Line]:
        """The lines, the missing value's among them unless it is known that none is missing."""
        yield from self.lines
        if self.origin is None or self._counts().get(None):
            yield self.missing

    def _level(self, level: int, counts: Counts) -> LevelDocument:
        held: Counter[str | None] = Counter()
        for line in self._shown():
            held[line[level]] += counts.get(line[0], 0)
        smallest = min(held.values(), default=0) if counts else None
        return LevelDocument(level=level, labels=len(held), smallest=smallest)

    def _check_level(self, level: int) -> None:
        if not 0 <= level <= self.height:
            raise SchemaError(f"The hierarchy has levels 0 to {self.height}; there is no level {level}.")


def check_tree(lines: Iterable[Sequence[str | None]]) -> None:
    """Whether lines are a tree: what is one label stays one label further up, and the top is one.

    >>> check_tree([("a", "x", "*"), ("b", "x", "y")])
    Traceback (most recent call last):
    sfumato.errors.HierarchyError: This is no hierarchy: 1 label of level 1 becomes more than one label at level 2.
    """
    lines = list(lines)
    for level in range(1, len(lines[0])):
        above: dict[str | None, set[str | None]] = {}
        for line in lines:
            above.setdefault(line[level - 1], set()).add(line[level])
        split = sum(len(labels) > 1 for labels in above.values())
        if split:
            those = "1 label" if split == 1 else f"{split} labels"
            raise HierarchyError(
                f"This is no hierarchy: {those} of level {level - 1} become{'s' if split == 1 else ''} "
                f"more than one label at level {level}."
            )
    if len({line[-1] for line in lines}) > 1:
        raise HierarchyError("This is no hierarchy: at the top level everything must become one and the same label.")
