"""What each column means for privacy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from sfumato.errors import MissingRole, UnknownColumn

# Three equally frequent values have entropy ln 3, and exp(ln 3) is 3.0000000000000004 in floating point: a
# reading this close to its bound keeps to it.
TOLERANCE = 1e-9


class Role(StrEnum):
    """How a column bears on re-identification."""

    DIRECT = "direct"  # names one person by itself: NHS number, e-mail
    QUASI = "quasi"  # names one person together with others: age, postcode
    SENSITIVE = "sensitive"  # what an attacker would like to learn: diagnosis
    NON_SENSITIVE = "non-sensitive"


NO_ROLE = "undecided"  # what is said of a column that nothing and nobody gives a role


def role_name(role: Role | None) -> str:
    """A role in a word; None is undecided."""
    return NO_ROLE if role is None else role.value


class Scale(StrEnum):
    """Which comparisons make sense between the values of a column."""

    NOMINAL = "nominal"  # equal or not: diagnosis
    ORDINAL = "ordinal"  # before or after: tumour grade
    NUMERIC = "numeric"  # how far apart: age, cholesterol
    DATE = "date"


class Missing(StrEnum):
    """How a missing quasi-identifier compares with the values of other records."""

    OWN_VALUE = "own_value"  # missing equals missing and nothing else
    WILDCARD = "wildcard"  # missing may be anything, so it equals everything
    NEVER_MATCHES = "never_matches"  # missing equals nothing, not even missing


@dataclass(frozen=True)
class Attribute:
    """One column: its role, its scale, and how coarsely it is read."""

    name: str
    role: Role = Role.NON_SENSITIVE
    scale: Scale = Scale.NOMINAL
    bins: tuple[float, ...] = ()  # edges: a number is read as the interval it falls in
    order: tuple[str, ...] = ()  # the values of an ordinal column, lowest first
    hierarchy: str | None = None  # file with what a value becomes at each level
    level: int = 0  # the level of the hierarchy at which the column is read
    label: str | None = None  # what the source calls the column in words
    value_labels: Mapping[str, str] | None = None  # what the source calls its codes


@dataclass(frozen=True)
class Schema:
    """Every column's meaning, in column order."""

    attributes: tuple[Attribute, ...]

    @classmethod
    def of(cls, columns: Iterable[str]) -> Schema:
        """A schema in which every column is non-sensitive until somebody says otherwise."""
        return cls(tuple(Attribute(column) for column in columns))

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.attributes)

    def __getitem__(self, column: str) -> Attribute:
        for attribute in self.attributes:
            if attribute.name == column:
                return attribute
        raise UnknownColumn(column, self.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column name, in order."""
        return tuple(attribute.name for attribute in self.attributes)

    def columns_with(self, role: Role) -> tuple[str, ...]:
        """Columns that have the role, in the order of the schema."""
        return tuple(attribute.name for attribute in self.attributes if attribute.role is role)

    def require(self, role: Role, needed_for: str) -> tuple[str, ...]:
        """Columns that have the role; `MissingRole` when there is none."""
        columns = self.columns_with(role)
        if not columns:
            raise MissingRole(role, needed_for)
        return columns

    def with_attribute(self, column: str, **changes: object) -> Schema:
        """A schema in which one column is understood differently."""
        return self.with_attributes({column: changes})

    def with_attributes(self, changes: Mapping[str, Mapping[str, object]]) -> Schema:
        """A schema in which the named columns are understood differently, made at once: there may be ten thousand."""
        known = set(self.columns)
        for column in changes:
            if column not in known:
                raise UnknownColumn(column, self.columns)
        return Schema(tuple(replace(a, **changes.get(a.name, {})) for a in self.attributes))  # type: ignore[arg-type]

    def with_roles(self, roles: Mapping[str, str]) -> Schema:
        """A schema in which the named columns have the given roles."""
        return self.with_attributes({column: {"role": Role(role)} for column, role in roles.items()})
