"""Limits of formats: what their names, labels and values may be, said before anything is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sfumato.errors import OutputError
from sfumato.tables.engine import Kind, listed, literal, quoted
from sfumato.tables.write.release import Check, Field, ReleasedTable
from sfumato.tables.write.stream import plain

ELSEWHERE = "Write .csv or .parquet instead, or change the column."
EXACT = 2**53  # whole numbers below it survive being stored as a double


@dataclass(frozen=True)
class NameRule:
    """What a format calls its columns."""

    pattern: str
    longest: int
    rule: str  # in words
    in_bytes: bool = False
    capitals: bool = True  # whether Age and age are two names
    reserved: tuple[str, ...] = ()

    def allow(self, name: str) -> bool:
        """Whether a column may have the name."""
        length = len(name.encode()) if self.in_bytes else len(name)
        fits = re.fullmatch(self.pattern, name) is not None and length <= self.longest
        return fits and name.upper() not in self.reserved

    def refusal(self, release: ReleasedTable) -> OutputError | None:
        """What to say of columns whose names are not allowed, or that differ in capitals only."""
        names = [column.name for column in release.columns]
        if refused := [name for name in names if not self.allow(name)]:
            word = "a name" if len(refused) == 1 else "names"
            return _refused(release, refused, f"cannot be {word} in this format: {self.rule}.")
        times = Counter(map(str.casefold, names))
        if alike := [name for name in names if not self.capitals and times[name.casefold()] > 1]:
            return _refused(release, alike, "differ in capitals only, which this format ignores.")
        return None


def _refused(release: ReleasedTable, names: list[str], problem: str) -> OutputError:
    shown = ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return OutputError(f"{release.name}: {shown} {problem} Rename before writing, or write .csv or .parquet.")


def label_refusal(release: ReleasedTable, longest: int, longest_value: int | None = None) -> OutputError | None:
    """What to say of the first column whose label, or whose label of a value, has too many bytes."""
    for column in (field.column for field in release.fields):
        if column.label and len(column.label.encode()) > longest:
            return _long_label(release, column.name, "label", longest)
        labels = (column.value_labels or {}).values()
        if longest_value is not None and any(len(label.encode()) > longest_value for label in labels):
            return _long_label(release, column.name, "label of a value", longest_value)
    return None


def _long_label(release: ReleasedTable, name: str, what: str, longest: int) -> OutputError:
    return OutputError(f"{release.name}: the column {name!r} has a {what} of more than {longest} bytes. Shorten it.")


def long_integers(fields: Iterable[Field]) -> Iterator[Check]:
    """Whole numbers of more than 64 bits, which sums may be and hardly any program reads."""
    from pyarrow import types

    for field in fields:
        if field.kind is Kind.INTEGER and not types.is_integer(field.type):
            x = quoted(field.name)
            unfit = f"{x} > {2**63 - 1} OR {x} < {-(2**63)}"
            yield Check(field.name, unfit, "of more than 64 bits", "Release the column as text.")


def inexact(fields: Iterable[Field]) -> Iterator[Check]:
    """Whole numbers that a double would change."""
    for field in fields:
        if field.kind is Kind.INTEGER:
            x = quoted(field.name)
            unfit = f"{x} >= {EXACT} OR {x} <= -{EXACT}"
            yield Check(field.name, unfit, "with more digits than this format keeps", "Release the column as text.")


def beyond(fields: Iterable[Field], largest: float | None = None, smallest: float = 0.0) -> Iterator[Check]:
    """Real numbers that are infinite, or larger or smaller than the format has them."""
    for field in fields:
        if field.kind is Kind.REAL:
            size = f"abs({plain(field)})"
            unfit = f"{size} >= {literal(float('inf') if largest is None else largest)}"
            unfit += f" OR ({size} > 0 AND {size} < {literal(smallest)})" if smallest else ""
            yield Check(field.name, unfit, "that no number of this format can be, such as infinity", ELSEWHERE)


def early(fields: Iterable[Field], first: str) -> Iterator[Check]:
    """Dates and moments before the calendar of the format begins, or after the year 9999."""
    for field in fields:
        if field.kind in (Kind.DATE, Kind.TIMESTAMP):
            day = f"CAST({plain(field)} AS DATE)"
            unfit = f"{day} < CAST({literal(first)} AS DATE) OR {day} > CAST('9999-12-31' AS DATE)"
            yield Check(field.name, unfit, f"before {first} or after 9999-12-31", ELSEWHERE)


def long_text(fields: Iterable[Field], longest: int, *, characters: bool = False) -> Iterator[Check]:
    """Text that is too long, in bytes unless characters are counted."""
    for field in fields:
        if field.kind in (Kind.TEXT, Kind.OTHER):
            x = plain(field)
            unfit = f"length({x}) > {longest}" if characters else f"octet_length(encode({x})) > {longest}"
            unit = "characters" if characters else "bytes"
            yield Check(field.name, unfit, f"of more than {longest} {unit}", ELSEWHERE)


def with_nul(fields: Iterable[Field]) -> Iterator[Check]:
    """Text with the character NUL, which ends a text in most programs."""
    for field in fields:
        if field.kind in (Kind.TEXT, Kind.OTHER):
            unfit = f"contains({plain(field)}, chr(0))"
            yield Check(field.name, unfit, "with a NUL character, which is no text", "Remove the character.")


def outside_categories(fields: Iterable[Field]) -> Iterator[Check]:
    """Text that is none of the categories of its column."""
    for field in fields:
        if field.kind is Kind.TEXT and field.column.categories is not None:
            x, known = plain(field), listed(literal(category) for category in field.column.categories)
            unfit = f"{x} NOT IN ({known})" if known else f"{x} IS NOT NULL"
            yield Check(field.name, unfit, "that are none of its categories", "Name every category, or none.")
