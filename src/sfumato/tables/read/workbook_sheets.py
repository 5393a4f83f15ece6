"""The sheets of a workbook: which of them hold the data, and what is said of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sfumato.errors import UnreadableFile, did_you_mean

EVERY = "*"  # the name that means all sheets of one shape
NEARLY_SAME = 0.8  # the share of titles in common from which two headers look alike: one column more or less of ten
LEAST_COLUMNS = 3  # a sheet with fewer is a legend, a list of codes or a note. Chosen, not measured
SMALL = 20  # a sheet with fewer than a twentieth of the cells of another is no rival of it. Chosen, not measured
SHOWN = 20  # sheets that a message names


@dataclass(frozen=True)
class SheetShape:
    """What a sheet looks like from outside: its name, its header and its size."""

    name: str
    titles: tuple[str, ...]  # of the first row that holds anything; empty where a cell is no text
    records: int  # rows below it
    hidden: bool = False

    @property
    def size(self) -> str:
        """Rows and columns, in words."""
        size = f"{self.records} x {len(self.titles)}" if self.titles else "empty"
        return f"hidden, {size}" if self.hidden else size

    @property
    def cells(self) -> int:
        return self.records * len(self.titles)

    @property
    def is_table(self) -> bool:
        """Whether it may be data: records below titles that are texts, each another; a pivot or a report has not."""
        names = [title.casefold() for title in self.titles if title]
        return self.records > 0 and len(names) == len(self.titles) == len(set(names))

    def alike(self, other: SheetShape) -> bool:
        """Whether both have the same titles, or nearly so."""
        own, theirs = ({title.casefold() for title in shape.titles if title} for shape in (self, other))
        return bool(own & theirs) and len(own & theirs) >= NEARLY_SAME * len(own | theirs)


def chosen_sheet(source: str, shapes: Sequence[SheetShape], name: str | None) -> SheetShape:
    """The sheet that was named, or the one that clearly holds the data; `UnreadableFile` asks where none does."""
    if not shapes:
        raise UnreadableFile(source, "the workbook has no sheets.")
    if name is not None:
        named = next((shape for shape in shapes if shape.name == name), None)
        if named is None:
            near = did_you_mean(name, [shape.name for shape in shapes])
            raise UnreadableFile(source, f"there is no sheet {name!r}.{near}")
        return named
    seen = [shape for shape in shapes if not shape.hidden] or list(shapes)
    filled = [shape for shape in seen if shape.records] or [shape for shape in seen if shape.titles] or seen
    tables = [shape for shape in filled if shape.is_table] or filled
    largest = max(tables, key=lambda shape: shape.cells)
    rivals = [shape for shape in tables if shape is largest or _rivals(shape, largest)]
    if len(rivals) == 1:
        return largest
    raise _unclear(source, rivals, shapes)


def _rivals(shape: SheetShape, largest: SheetShape) -> bool:
    """Whether a sheet could be meant as well as the largest."""
    if shape.alike(largest):
        return True
    return len(shape.titles) >= LEAST_COLUMNS and shape.cells * SMALL >= largest.cells


def _unclear(source: str, rivals: Sequence[SheetShape], shapes: Sequence[SheetShape]) -> UnreadableFile:
    same = all(rivals[0].alike(shape) for shape in rivals[1:])
    what = "look alike" if same else "may each be the data"
    problem = f"the workbook has several sheets that {what}: {', '.join(_listed(rivals))}."
    others = [shape for shape in shapes if shape not in rivals]
    problem += f" Besides: {', '.join(_listed(others))}." if others else ""
    together = f", or read all of one shape as one with --table '{EVERY}'" if same else ""
    return UnreadableFile(source, problem, hint=f"Name one of them with --table{together}.")


def sheets_of_one_shape(
    source: str, shapes: Sequence[SheetShape], headers: Sequence[frozenset[str]]
) -> tuple[SheetShape, ...]:
    """The sheets that have the same columns, in any order: the only ones, or those that several sheets share.

    `headers` are the names of the columns of each sheet. What is hidden is left out: it was meant not to be seen.
    """
    groups: dict[frozenset[str], list[SheetShape]] = {}
    for shape, header in zip(shapes, headers, strict=True):
        if shape.records and header and not shape.hidden:
            groups.setdefault(header, []).append(shape)
    if not groups:
        raise UnreadableFile(source, "no sheet of the workbook that can be seen holds records.")
    shared = [group for group in groups.values() if len(group) > 1] or list(groups.values())
    if len(shared) == 1:
        return tuple(shared[0])
    named = "; ".join(", ".join(_listed(group)) for group in shared)
    problem = f"the sheets of the workbook have several shapes, so they are not one table: {named}."
    raise UnreadableFile(source, problem, hint="Name one of them with --table.")


def sheet_note(read: Sequence[SheetShape], shapes: Sequence[SheetShape], *, named: bool) -> Iterator[str]:
    """Which sheets were read, and which were not; of those that a person named by itself, only how many there are."""
    if len(shapes) == 1:
        return
    first = read[0]
    if named and len(read) == 1:
        yield f"The sheet {first.name!r} is read, 1 of {len(shapes)} in the workbook."
        return
    others = [shape for shape in shapes if shape not in read]
    what = f"The sheet {_listed([first])[0]} is" if len(read) == 1 else f"{len(read)} sheets are"
    names = "" if len(read) == 1 else f" as one table: {', '.join(_listed(read))}"
    yield f"{what} read{names}." + (f" Not read: {', '.join(_listed(others))}." if others else "")


def _listed(shapes: Sequence[SheetShape]) -> list[str]:
    listed = [f"{shape.name!r} ({shape.size})" for shape in shapes[:SHOWN]]
    return [*listed, f"and {len(shapes) - SHOWN} more"] if len(shapes) > SHOWN else listed
