"""Builders: each makes one kind of hierarchy for the values at hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import NoneType, UnionType
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

from sfumato.columns.profile import ColumnProfile
from sfumato.errors import HierarchyError, did_you_mean
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts, Hierarchy
from sfumato.members import Named


@dataclass(frozen=True)
class Offer:
    """A builder that suits a column, why, and how well from 0 to 1; the best offer is taken.

    Strengths are an order, no measurements: 1 where the type of the column decides, 0.75 to 0.9 where its name or the
    form of its values do, about 0.5 for a guess from the numbers, and 0.1 for what any column can become.
    """

    builder: Builder
    why: str
    strength: float


class Builder(Named, ABC):
    """One kind of hierarchy. To add one, write a subclass in one new file of `hierarchies/`.

    Subclasses are frozen dataclasses whose fields are the parameters. They say in `formula` what any value
    becomes at each level; the hierarchy of the values at hand follows from it. A builder that decides all
    without a look at the data may be its own formula: inherit from both.
    """

    plainly: ClassVar[str]  # what it makes, in a few words
    rules: ClassVar[tuple[str, ...]] = ()  # lists among the parameters that never hold values of the data

    @abstractmethod
    def formula(self, counts: Counts) -> Formula:
        """What any value becomes at each level, decided on how many records hold each value."""

    @classmethod
    def offer(cls, column: ColumnProfile) -> Offer | None:
        """Whether this kind suits a column, and with which parameters; None where it does not."""
        return None

    @classmethod
    def given(cls, parameters: Mapping[str, Any]) -> Self:
        """The builder with these parameters, which may be texts: numbers and lists (0,18,65) are read from them."""
        known = {field.name for field in fields(cls)}  # type: ignore[arg-type]
        hints = get_type_hints(cls)
        for name in parameters:
            if name not in known:
                problem = f"Hierarchies of the kind {cls.name()} have no parameter {name!r}."
                raise HierarchyError(problem + (did_you_mean(name, known) if known else " They have none."))
        return cls(**{name: _checked(name, value, hints[name]) for name, value in parameters.items()})

    def build(self, values: Counts | Iterable[str | None], *, unknown: str = "error") -> Hierarchy:
        """The hierarchy of the values at hand, given as texts, or as texts and how many records hold each.

        A value without a place is an error; with `unknown="top"` it goes straight to the top.
        """
        counts = values if isinstance(values, Mapping) else Counter(values)
        return self.formula(counts).hierarchy(counts, unknown=unknown)

    def sql(self, value: str, level: int) -> str:
        """What a SQL expression becomes at a level, for a builder that needs no look at the data."""
        return self.formula({}).sql(value, level)

    def settings(self) -> dict[str, Any]:
        """The kind, and the parameters that are not the usual ones, as plain values."""
        unusual = {f.name: getattr(self, f.name) for f in fields(self) if not _usual(f, getattr(self, f.name))}  # type: ignore[arg-type]
        return {"kind": self.name(), **{name: plain_value(value) for name, value in unusual.items()}}

    def unfitted(self) -> HierarchyError:
        """The error of a formula that was asked before it has seen the data."""
        return HierarchyError(
            f"{self.name()} has to see the data first: call formula(counts), and ask what it returns."
        )


def plain_value(value: Any) -> Any:
    """A parameter as YAML and JSON can write it.

    >>> plain_value((1, (2.5, "a")))
    [1, [2.5, 'a']]
    """
    if isinstance(value, tuple | list):
        return [plain_value(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): plain_value(part) for key, part in value.items()}
    return value if isinstance(value, int | float | bool | None) else str(value)


def _usual(field: Any, value: Any) -> bool:
    default = (
        field.default_factory() if field.default is MISSING and field.default_factory is not MISSING else field.default
    )
    return bool(value == default)


def _checked(name: str, value: Any, hint: Any) -> Any:
    try:
        return read_as(value, hint)
    except (TypeError, ValueError):
        raise HierarchyError(f"The parameter {name!r} cannot be read: expected {_expected(hint)}.") from None


def read_as(value: Any, hint: Any) -> Any:
    """A parameter as people write it, as a value of a type; `TypeError` or `ValueError` where it is none.

    >>> read_as("0,18,65", tuple[float, ...]), read_as("a,b;a", tuple[tuple[str, ...], ...])
    ((0, 18, 65), (('a', 'b'), ('a',)))
    """
    if get_origin(hint) is UnionType:
        return _any_of(value, get_args(hint))
    if get_origin(hint) is tuple:
        return _several(value, get_args(hint)[0])
    if get_origin(hint) is Mapping:
        return {str(key): str(part) for key, part in dict(value).items()}
    if isinstance(value, bool | NoneType):
        raise TypeError
    return hint(value) if hint is str else _number(value, hint)


def _any_of(value: Any, hints: Iterable[Any]) -> Any:
    """A value as the first of several types that it fits."""
    if value is None and NoneType in hints:
        return None
    for hint in hints:
        try:
            return read_as(value, hint)
        except (TypeError, ValueError):
            continue
    raise TypeError


def _several(value: Any, hint: Any) -> tuple[Any, ...]:
    if isinstance(value, str):
        value = value and [part.strip() for part in value.split(";" if get_origin(hint) is tuple else ",")]
    return tuple(read_as(part, hint) for part in (value if isinstance(value, Iterable) else [value]))


def _number(value: Any, hint: Any) -> Any:
    number = float(value)
    if number.is_integer():
        return int(value) if isinstance(value, int) else int(number)
    if hint is int:
        raise ValueError
    return number


def _expected(hint: Any) -> str:
    kinds = [kind for kind in get_args(hint) if kind is not NoneType] if get_origin(hint) is UnionType else [hint]
    if get_origin(kinds[0]) is tuple:
        return "values with commas between them, such as 0,18,65"
    return {int: "a whole number", float: "a number"}.get(kinds[0], "a text")
