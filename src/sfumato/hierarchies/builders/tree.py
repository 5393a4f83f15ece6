"""Trees: categories and what each belongs to, from a mapping."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from sfumato.bounded_file import file_bytes
from sfumato.errors import HierarchyError, UnreadableFile
from sfumato.hierarchies.builder_interface import Builder
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import TOP, Counts, Hierarchy
from sfumato.hierarchies.lookup import Lookup

HEADINGS = {("child", "parent"), ("value", "parent"), ("value", "group")}


@dataclass(frozen=True)
class Tree(Builder):
    """Each category below what it belongs to: a mapping from child to parent, or a CSV file of child,parent.

    Level 1 is the parent, level 2 the parent's parent, and so on. A branch that is shorter than the longest waits
    below the top. Where there is more than one root, the top is `*`.

    >>> illnesses = {"Gastric flu": "Digestive", "Flu": "Respiratory", "COVID": "Respiratory"}
    >>> Tree(illnesses).build(["Flu", "COVID", "Gastric flu"]).lines[1]
    ('Flu', 'Respiratory', '*')
    """

    plainly: ClassVar[str] = "categories below what they belong to, from child,parent"
    mapping: Mapping[str, str] | str = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.mapping:
            raise HierarchyError("A tree needs its mapping: a file of child,parent, or a dictionary.")

    def formula(self, counts: Counts) -> Formula:
        parents = _read(self.mapping) if isinstance(self.mapping, str | Path) else dict(self.mapping)
        chains = {node: _chain(node, parents) for node in dict.fromkeys([*parents, *parents.values()])}
        if len({chain[-1] for chain in chains.values()}) > 1:
            chains = {node: [*chain, TOP] for node, chain in chains.items()}
        height = max(map(len, chains.values()))
        lines = (_waiting(chain, height) for chain in chains.values() if len(chain) > 1)
        return Lookup(Hierarchy(tuple(lines)), self.settings())


def _chain(node: str, parents: Mapping[str, str]) -> list[str]:
    """A category and all that it belongs to, up to the root."""
    chain = [node]
    while chain[-1] in parents:
        chain.append(parents[chain[-1]])
        if len(chain) > len(parents) + 1:
            raise HierarchyError("The mapping runs in a circle: following the parents of a category leads back to it.")
    return chain


def _waiting(chain: list[str], height: int) -> tuple[str, ...]:
    """A line of full length: a short chain stays below its root until all others are there."""
    return (*chain[:-1], *[chain[-2]] * (height - len(chain)), chain[-1])


def _read(path: str | Path) -> dict[str, str]:
    try:
        text = file_bytes(path).decode("utf-8-sig")
    except OSError as error:
        raise UnreadableFile(path, f"the mapping cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UnreadableFile(path, "the mapping cannot be read as UTF-8 text.") from None
    delimiter = ";" if ";" in text.split("\n", 1)[0] else ","
    parents: dict[str, str] = {}
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:
        raise UnreadableFile(path, "a quote is not closed, or a category is longer than any name.") from None
    for number, line in enumerate(lines, 1):
        if not line or (number == 1 and tuple(cell.strip().lower() for cell in line) in HEADINGS):
            continue
        if len(line) != 2 or parents.setdefault(line[0], line[1]) != line[1]:
            raise UnreadableFile(path, "expected child and parent, and one parent for each child.", line=number)
    return parents
