"""Families of columns: siblings that share a stem of their names, or the same few values, and are judged together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sfumato.columns.lexicon.words import folded
from sfumato.columns.profile import ColumnProfile

FEWEST = 3  # siblings: two columns `weight1` and `weight2` may be alike, and need nobody to say so
FEWEST_HEADED = 4  # that end in the same word and share nothing else
MOST_VALUES = 8  # of a column whose set of values is an answer, not a measurement
LONGEST_VALUE = 60  # letters of an answer
_DIGITS = re.compile(r"\d+")
_OPTION = re.compile(r"(.+?)(?:___|/)(?=[^/]+$)")  # before the option: `gym___0`, `nature/beaten`
_LAST = re.compile(r"[_. -]([^\W\d_]{2,})\d*$")
# Stems that number questions or variables without saying of what.
BARE = frozenset(
    {"", "x", "v", "y", "f", "q", "c", "var", "col", "column", "field", "item", "variable", "feature", "question",
     "frage", "unnamed", "attr", "attribute", "feld", "champ", "campo", "domanda", "pregunta", "vraag", "spalte"}
)  # fmt: skip
# Answers that columns of any sort have. Columns that share them are siblings only where they stand side by side.
COMMON = frozenset(
    {"yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "0.0", "1.0", "ja", "nein", "nee", "j", "oui", "non",
     "o", "si", "s", "sim", "nao", "tak", "nie", "nej", "ναι", "οχι", "unknown", "unk", "u", "na", "n/a", "none",
     "checked", "unchecked", "x", "-", "?", "missing", "not applicable"}
)  # fmt: skip


class Sharing(StrEnum):
    """What the columns of a family have in common."""

    STEM = "the stem of their names"
    HEAD = "the last word of their names"
    VALUES = "the same few values"


@dataclass(frozen=True)
class Family:
    """Columns that belong together, in the order of the table."""

    stem: str  # what their names have in common; empty where it is only their values
    columns: tuple[str, ...]
    sharing: Sharing = Sharing.STEM

    @property
    def bare(self) -> bool:
        """Whether the stem only numbers the columns: `x1`, `v2`, `item3` need not be alike."""
        return self.sharing is Sharing.STEM and folded(self.stem).strip("_ .-#") in BARE


def stem_families(columns: Sequence[ColumnProfile]) -> Iterator[Family]:
    """Columns that differ in a running number, or in the option behind a mark: `cpq1`, `gym___0`, `nature/beaten`."""
    options = dict(_grouped(columns, _question))
    yield from _families(options, Sharing.STEM)
    grouped = {name for members in options.values() if len(members) >= FEWEST for name in members}
    rest = [column for column in columns if column.name not in grouped]
    yield from _families(dict(_grouped(rest, _numbered)), Sharing.STEM)


def headed_families(columns: Sequence[ColumnProfile]) -> Iterator[Family]:
    """Columns that end in the same word, which says what sort of thing they are: `tp53_mut`, `kras_mut`."""
    heads = {head: names for head, names in _grouped(columns, _head) if len(names) >= FEWEST_HEADED}
    yield from _families(heads, Sharing.HEAD)


def value_families(columns: Sequence[ColumnProfile]) -> Iterator[Family]:
    """Columns with the same few values, or some of them: `No`, `Steady`, `Up`, `Down`.

    Yes and no, and the steps of a scale, are answers to anything: such columns are siblings where they stand in a row.
    """
    answers = {column.name: _answers(column) for column in columns}
    sets = defaultdict[frozenset[str], list[str]](list)
    for name, values in answers.items():
        if values:
            sets[values].append(name)
    telling = {values: names for values, names in sets.items() if not _common(values) and len(values) > 1}
    whole = _absorbed(telling, {values: names for values, names in sets.items() if values not in telling})
    place = {column.name: at for at, column in enumerate(columns)}
    taken = set[str]()
    for names in whole:
        if len(names) >= FEWEST:
            yield Family("", tuple(sorted(names, key=place.__getitem__)), Sharing.VALUES)
            taken.update(names)
    yield from _runs(columns, {name: values for name, values in answers.items() if name not in taken})


def _absorbed(telling: dict[frozenset[str], list[str]], others: dict[frozenset[str], list[str]]) -> Iterator[list[str]]:
    """The columns of each telling set, with those that hold only some of its values; the fullest set first."""
    holders = defaultdict[str, list[frozenset[str]]](list)
    for values in sorted(telling, key=lambda values: -len(telling[values])):
        for value in values:
            holders[value].append(values)
    members = {values: list(names) for values, names in telling.items()}
    smaller = sorted({**telling, **others}, key=len)
    for values in smaller:
        rarest = min((holders[value] for value in values if value in holders), key=len, default=[])
        # Of the sets with this value only the most usual are tried, so that the work stays linear.
        whole = next((one for one in rarest[:20] if values < one and len(telling[one]) >= FEWEST), None)
        if whole and values in members:
            members[whole] += members.pop(values)
        elif whole:
            members[whole] += others[values]
    yield from members.values()


def _runs(columns: Sequence[ColumnProfile], answers: dict[str, frozenset[str]]) -> Iterator[Family]:
    """Columns with common answers that stand side by side, at most one other between them."""
    run, universe, gap = list[str](), frozenset[str](), 0
    for column in columns:
        values = answers.get(column.name, frozenset())
        alike = bool(values) and _common(values) and (not run or values <= universe or universe <= values)
        if alike:
            run.append(column.name)
            universe, gap = universe | values, 0
            continue
        gap += 1
        if gap > 1 or (values and _common(values)):
            yield from _run(run)
            run, universe, gap = ([column.name], values, 0) if values and _common(values) else ([], frozenset(), 0)
    yield from _run(run)


def _run(names: Sequence[str]) -> Iterator[Family]:
    if len(names) >= FEWEST:
        yield Family("", tuple(names), Sharing.VALUES)


def _grouped(columns: Iterable[ColumnProfile], key: Callable[[str], str | None]) -> Iterable[tuple[str, list[str]]]:
    groups = defaultdict[str, list[str]](list)
    for column in columns:
        if (stem := key(column.name)) is not None:
            groups[stem].append(column.name)
    return groups.items()


def _families(groups: dict[str, list[str]], sharing: Sharing) -> Iterator[Family]:
    return (Family(stem, tuple(names), sharing) for stem, names in groups.items() if len(names) >= FEWEST)


def _question(name: str) -> str | None:
    """What stands before the option of a question with several answers."""
    option = _OPTION.match(name.strip())
    return folded(option[1]) if option else None


def _numbered(name: str) -> str | None:
    """The name with a mark where its numbers are; None where it has none."""
    stem, numbers = _DIGITS.subn("#", folded(name.strip()))
    return stem if numbers else None


def _head(name: str) -> str | None:
    last = _LAST.search(name.strip())
    return folded(last[1]) if last else None


def _answers(column: ColumnProfile) -> frozenset[str]:
    """The few values of a column, folded; none where there are many, or they are long."""
    if not 0 < len(column.sample) <= MOST_VALUES or column.known > MOST_VALUES:
        return frozenset()
    if any(len(value) > LONGEST_VALUE for value in column.sample):
        return frozenset()
    return frozenset(folded(value.strip()) for value in column.sample)


def _common(values: frozenset[str]) -> bool:
    """Whether these are answers that columns of any sort have: yes and no, or the steps of a scale."""
    return all(value in COMMON or value.removesuffix(".0").removeprefix("-").isdecimal() for value in values)
