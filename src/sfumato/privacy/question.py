"""Questions: what is asked of a table, as options give it: what its columns mean, and what must hold."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from numbers import Real
from typing import Any

from sfumato.errors import PolicyError, SchemaError, did_you_mean
from sfumato.privacy.policy import Requirement
from sfumato.privacy.requirement_text import Shorthand, read
from sfumato.schema import Missing, Role, Scale, Schema
from sfumato.tables.engine import Kind
from sfumato.tables.read.date_format import DateFormat
from sfumato.tables.source import ReadOptions


@dataclass(frozen=True)
class Question:
    """What the columns of a table mean, and what must hold. What is left out stays as it was."""

    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()
    non_sensitive: tuple[str, ...] = ()
    release_rest: bool = False  # columns that nobody named are released as well
    subject: str | None = None
    missing: Missing | None = None
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # column -> fields of its Attribute
    shorthand: Shorthand = field(default_factory=Shorthand)
    requirements: tuple[Requirement, ...] = ()
    separator: str = "--"

    @classmethod
    def written(
        cls,
        *,
        quasi: Iterable[str] | str = (),
        sensitive: Iterable[str] | str = (),
        direct: Iterable[str] | str = (),
        non_sensitive: Iterable[str] | str = (),
        release_rest: bool = False,
        subject: str | None = None,
        k: int | None = None,
        l: float | None = None,  # noqa: E741
        t: float | None = None,
        distances: Mapping[str, str] | None = None,
        requirements: Iterable[Requirement | str] = (),
        bins: Mapping[str, Any] | None = None,
        sensitive_bins: Mapping[str, Any] | None = None,
        hierarchies: Mapping[str, str] | None = None,
        orders: Mapping[str, Any] | None = None,
        scales: Mapping[str, str] | None = None,
        missing: str | None = None,
        count_missing: bool = False,
    ) -> Question:
        """A question from plain values or from texts: bins as numbers or "0,6,12", hierarchies as "FILE@LEVEL"."""
        edges_for_l = {column: _edges(column, edges) for column, edges in _by_column("sensitive_bins", sensitive_bins)}
        return cls(
            quasi=_names("quasi", quasi),
            sensitive=_names("sensitive", sensitive),
            direct=_names("direct", direct),
            non_sensitive=_names("non_sensitive", non_sensitive),
            release_rest=_flag("release_rest", release_rest),
            subject=_subject(subject),
            missing=None if missing is None else _missing(missing),
            changes=_changes(bins, hierarchies, orders, scales),
            shorthand=Shorthand(
                _bound("k", k, 1), _bound("l", l, 1), _bound("t", t, 0), dict(_by_column("distance", distances)),
                edges_for_l, count_missing,
            ),
            requirements=_requirements(requirements),
        )  # fmt: skip

    @property
    def roles(self) -> dict[str, Role]:
        """The columns whose role the question says."""
        named = {
            Role.QUASI: self.quasi,
            Role.SENSITIVE: self.sensitive,
            Role.DIRECT: self.direct,
            Role.NON_SENSITIVE: self.non_sensitive,
        }
        roles: dict[str, Role] = {}
        for role, columns in named.items():
            for column in columns:
                if column in roles:
                    raise PolicyError(
                        f"{column!r} is named both as {roles[column].value} and as {role.value}. A column has one role."
                    )
                roles[column] = role
        return roles

    @property
    def named_columns(self) -> tuple[str, ...]:
        """The columns that the question speaks of."""
        return tuple(dict.fromkeys((*self.roles, *self.changes)))

    def schema(self, schema: Schema) -> Schema:
        """A schema changed as the question says; its quasi-identifiers in the order in which they were named."""
        roles = self.roles
        schema = schema.with_roles(roles).with_attributes(self.changes)
        place = {column: i for i, column in enumerate(roles)}
        return Schema(tuple(sorted(schema, key=lambda attribute: place.get(attribute.name, len(place)))))


def read_options(
    *, kinds: Mapping[str, str] | None = None, date_formats: Mapping[str, str] | None = None, **options: Any
) -> ReadOptions:
    """How to read a source, with the types of columns as texts; `number` is either kind of number."""
    names = {**{kind.value: kind for kind in Kind if kind is not Kind.OTHER}, "number": Kind.REAL}
    for column, name in (kinds or {}).items():
        if name not in names:
            raise SchemaError(f"Column {column!r}: there is no type {name!r}.{did_you_mean(name, names)}")
    for column, form in (date_formats or {}).items():
        try:
            DateFormat.of(form)
        except SchemaError as error:
            raise SchemaError(f"Column {column!r}: {error}", column=column) from None
    decided = {column: names[name] for column, name in (kinds or {}).items()}
    return ReadOptions(kinds=decided, date_formats=date_formats or {}, **options)


def _changes(bins: Any, hierarchies: Any, orders: Any, scales: Any) -> dict[str, dict[str, Any]]:
    """What is said about single columns, by column."""
    changes: dict[str, dict[str, Any]] = {}
    for column, edges in _by_column("bins", bins):
        changes.setdefault(column, {})["bins"] = _edges(column, edges)
    for column, place in _by_column("hierarchies", hierarchies):
        changes.setdefault(column, {}).update(_level(column, place))
    for column, values in _by_column("orders", orders):
        changes.setdefault(column, {}).update(scale=Scale.ORDINAL, order=_values(values))
    for column, scale in _by_column("scales", scales):
        changes.setdefault(column, {})["scale"] = _scale(column, scale)
    return changes


def _names(what: str, names: Any) -> tuple[str, ...]:
    """Names of columns, given as several or as one, each once."""
    several = [names] if isinstance(names, str) else () if names is None else names
    columns = tuple(dict.fromkeys(several)) if isinstance(several, Iterable) else (several,)
    if not all(isinstance(name, str) for name in columns):
        raise SchemaError(
            f"{what} takes names of columns, as text: {what}=['age', 'sex']. A number is no name; '0' is."
        )
    return columns


def _subject(subject: Any) -> str | None:
    if subject is not None and (not isinstance(subject, str) or not subject):
        raise SchemaError("subject takes the name of one column, as text.")
    return subject


def _flag(what: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise SchemaError(f"{what} is True or False.")
    return value


def _bound(name: str, bound: Any, least: int) -> Any:
    """A bound on k, l or t; k counts people, so it is whole."""
    if bound is None:
        return None
    number = isinstance(bound, Real) and not isinstance(bound, bool) and isfinite(bound) and float(bound) >= least
    if not number or (name == "k" and bound % 1):
        raise PolicyError(f"{name} is a {'whole ' if name == 'k' else ''}number from {least} on.")
    return float(bound) if bound % 1 else int(bound)


def _by_column(what: str, settings: Any) -> Iterable[tuple[str, Any]]:
    if settings is not None and not isinstance(settings, Mapping):
        raise SchemaError(f"{what} is given by column: {what}={{'age': ...}}.")
    return (settings or {}).items()


def _requirements(requirements: Any) -> tuple[Requirement, ...]:
    """Requirements, given as several or as one, each a text, keys as in a project file, or made before."""
    one = isinstance(requirements, str | Requirement | Mapping) or not isinstance(requirements, Iterable)
    several = [requirements] if one else requirements
    return tuple(each if isinstance(each, Requirement) else read(each) for each in several)


def _edges(column: str, edges: Any) -> tuple[float, ...]:
    try:
        return tuple(float(edge) for edge in (edges.split(",") if isinstance(edges, str) else edges))
    except (ValueError, TypeError, OverflowError):
        raise SchemaError(f"The bins of {column!r} must be numbers: {column}=0,6,12,18.") from None


def _level(column: str, place: str) -> dict[str, Any]:
    file, at, level = place.rpartition("@")
    if not at or not level.isdigit():
        raise SchemaError(f"The hierarchy of {column!r} must be a file and a level: {column}=FILE@1.")
    return {"hierarchy": file, "level": int(level)}


def _scale(column: str, scale: str) -> Scale:
    if scale not in list(Scale):
        raise SchemaError(f"Column {column!r}: there is no scale {scale!r}.{did_you_mean(scale, list(Scale))}")
    return Scale(scale)


def _values(values: Any) -> tuple[str, ...]:
    return tuple(next(csv.reader([values], skipinitialspace=True), [])) if isinstance(values, str) else tuple(values)


def _missing(reading: str) -> Missing:
    if reading not in list(Missing):
        raise PolicyError(f"There is no reading of missing values {reading!r}.{did_you_mean(reading, list(Missing))}")
    return Missing(reading)
