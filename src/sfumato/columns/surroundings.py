"""What stands around a column: the name and the columns of its table, and the keys of other tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sfumato.columns.families import Family, headed_families, stem_families, value_families
from sfumato.columns.profile import ColumnProfile
from sfumato.schema import Role


@dataclass(frozen=True)
class TableKey:
    """A column of another table that tells its people or their records apart, and the values that it has."""

    table: str
    column: str
    values: frozenset[str] = field(repr=False)


@dataclass(frozen=True)
class Surroundings:
    """What a column is read beside. `roles` are what the columns beside seem to be by themselves, where that is known.

    What is derived from all columns is derived once, in a cached property, since every column asks for it.
    """

    table: str = ""
    columns: tuple[ColumnProfile, ...] = ()
    keys: tuple[TableKey, ...] = ()
    roles: Mapping[str, Role | None] = field(default_factory=dict)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the columns, folded."""
        return frozenset(column.name.strip().casefold() for column in self.columns)

    @cached_property
    def families_by_column(self) -> Mapping[str, tuple[tuple[Family, Counter[Role]], ...]]:
        """The families of each column, by its stem, its last word or its values, and the roles known in each."""
        families = defaultdict[str, tuple[tuple[Family, Counter[Role]], ...]](tuple)
        for kind in (stem_families, headed_families, value_families):
            for family in kind(self.columns):
                known = Counter(role for name in family.columns if (role := self.roles.get(name)))
                for name in family.columns:
                    families[name] += ((family, known),)
        return dict(families)


ALONE = Surroundings()
