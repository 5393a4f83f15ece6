"""Columns on few lines: siblings, and columns that have their role for the same reason, share one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from sfumato.show.documents.identification import IdentifiedColumnDocument
from sfumato.show.sheet import named

FEWEST = 3  # columns that share a line: two are told apart faster than a line about both is read
FIRST = 3  # names on a line of columns that share no stem


@dataclass(frozen=True)
class ColumnGroup:
    """Columns on one line; a column alone is a group of one."""

    columns: tuple[IdentifiedColumnDocument, ...]
    siblings: bool = False  # they share a stem of their names

    @property
    def title(self) -> str:
        """The name of a column, the stem of siblings, or the first names and how many more there are."""
        names = [column.name for column in self.columns]
        if len(names) == 1:
            return names[0]
        return f"{stem_of(names)} ({len(names)} columns)" if self.siblings else named(names, FIRST)


def stem_of(names: Sequence[str]) -> str:
    """The words that names begin or end with, and a star; the first and the last name where they share too little.

    >>> stem_of(["gene_a", "gene_b"]), stem_of(["kras_mut", "bras_mut"]), stem_of(["q1", "q2", "q10"])
    ('gene_*', '*_mut', 'q1 … q10')
    """
    start, end = _start(names), _start([name[::-1] for name in names])[::-1]
    words, word = re.match(r".*[\W_]", start), re.search(r"[\W_].*", end)
    start, end = words[0] if words else start.rstrip("0123456789"), word[0] if word else end.lstrip("0123456789")
    if len(start) > 1:
        return f"{start}*"
    return f"*{end}" if len(end) > 1 else f"{names[0]} … {names[-1]}"


def _start(names: Sequence[str]) -> str:
    """The letters that all names begin with: what the first and the last in order share, all share."""
    first, last = min(names), max(names)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(letter for letter, _ in same)


def column_groups(
    columns: Sequence[IdentifiedColumnDocument],
    families: Iterable[Sequence[str]],
    *,
    reason: Callable[[IdentifiedColumnDocument], str],
    level: Callable[[IdentifiedColumnDocument], str],
    most: int,
) -> tuple[ColumnGroup, ...]:
    """At most so many groups, each of one role, in the order of the table: every column its own where they are few.

    Siblings come together first; then columns that have the same role for the same reason, whatever numbers it
    holds; and what is still too much by role and `level` of certainty, the largest groups, and among single columns
    the least certain, last.
    """
    if len(columns) <= most:
        return tuple(ColumnGroup((column,)) for column in columns)
    by_name, groups = {column.name: column for column in columns}, list[ColumnGroup]()
    for family in families:
        members = tuple(by_name.pop(name) for name in family if name in by_name)
        if len(members) >= FEWEST:
            groups.append(ColumnGroup(members, siblings=True))
        else:
            by_name |= {column.name: column for column in members}
    alike = _together(by_name.values(), lambda c: (c.role, level(c), re.sub(r"\d+", "#", reason(c))))
    groups += [group for members in alike for group in _group_or_each(members)]
    if len(groups) > most:
        sorts = len({(column.role, level(column)) for column in columns})
        groups.sort(key=lambda group: (-len(group.columns), group.columns[0].sure))
        kept, rest = groups[: max(most - sorts, 0)], groups[max(most - sorts, 0) :]
        merged = _together((c for group in rest for c in group.columns), lambda c: (c.role, level(c)))
        groups = [*kept, *(ColumnGroup(tuple(members)) for members in merged)]
    place = {column.name: at for at, column in enumerate(columns)}
    return tuple(sorted(groups, key=lambda group: place[group.columns[0].name]))


def _together(
    columns: Iterable[IdentifiedColumnDocument], key: Callable[[IdentifiedColumnDocument], Hashable]
) -> Iterable[list[IdentifiedColumnDocument]]:
    groups = defaultdict[Hashable, list[IdentifiedColumnDocument]](list)
    for column in columns:
        groups[key(column)].append(column)
    return groups.values()


def _group_or_each(members: Sequence[IdentifiedColumnDocument]) -> Sequence[ColumnGroup]:
    if len(members) >= FEWEST:
        return [ColumnGroup(tuple(members))]
    return [ColumnGroup((column,)) for column in members]
