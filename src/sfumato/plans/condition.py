"""Conditions: which records are meant, written as data."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.errors import PlanError, did_you_mean
from sfumato.plans.blocks.values_in_sql import compared, constant, text_of
from sfumato.plans.draft import Draft
from sfumato.tables.engine import Kind, listed, literal

ORDER = {"below": "<", "above": ">", "at_least": ">=", "at_most": "<="}
TESTS = ("equals", "not_equals", "in", "not_in", *ORDER, "missing", "matches")
JOINTS = ("all", "any", "not")
WORDS = {
    "equals": "is", "not_equals": "is not", "in": "is one of", "not_in": "is none of", "below": "is below",
    "above": "is above", "at_least": "is at least", "at_most": "is at most", "matches": "matches",
}  # fmt: skip
Shown = bool | Callable[[str, Any], bool]  # whether values are named: all, none, or by column and value
# What the engines read alike: characters, classes, groups, repetitions and alternatives; no looking around or back.
PLAIN_PATTERN = re.compile(
    r"(?:\\[dDwWsS]|\\[^0-9A-Za-z]|\[\^?(?:\\.|[^\]\[&\\])+\]|\(\?:|\((?!\?)|[*+?}](?!\+)|[^\\\[\](*+?}])*"
)


class Condition(ABC):
    """A statement about a record that is true or false; about a missing value every comparison is false.

    As data, a condition is a column and what is asked of it; all that is asked must hold:
    `{column: age, at_least: 18, below: 65}`. The questions are `equals`, `not_equals`, `in`, `not_in`, `below`,
    `above`, `at_least`, `at_most`, `missing: true` or `false`, and `matches`, a regular expression that the whole
    value must match. Several are joined by `all`, `any` and `not`.

    >>> adults = Condition.of({"any": [{"column": "age", "at_least": 18}, {"column": "age", "missing": True}]})
    >>> adults.words()
    'age is at least 18, or age is missing'
    >>> adults.words(values=False)
    'age is at least …, or age is missing'
    """

    @staticmethod
    def of(data: Any) -> Condition:
        """The condition that data describe."""
        if not isinstance(data, Mapping):
            raise PlanError("A condition is written as keys and values, such as {column: age, below: 18}.")
        joints = [key for key in data if key in JOINTS]
        if not joints:
            return ColumnCondition.read(data)
        if len(data) > 1:
            raise PlanError("A condition has one of all, any and not, and nothing beside it.")
        return JoinedConditions.read(joints[0], data[joints[0]])

    @abstractmethod
    def sql(self, draft: Draft) -> str:
        """The condition as SQL over `record`, never null."""

    @abstractmethod
    def words(self, *, values: Shown = True) -> str:
        """The condition as people say it; without the values that it names, which may be cells, for evidence.

        `values` may also say of each column and value whether it is named.
        """

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""


@dataclass(frozen=True)
class JoinedConditions(Condition):
    """Conditions of which all hold, any holds, or the only one does not."""

    joint: str
    parts: tuple[Condition, ...]

    @classmethod
    def read(cls, joint: str, data: Any) -> JoinedConditions:
        """From what stands after all, any or not."""
        if joint == "not":
            return cls(joint, (Condition.of(data),))
        if not isinstance(data, list | tuple) or not data:
            raise PlanError(f"After {joint} comes a list of conditions, at least one.")
        return cls(joint, tuple(Condition.of(part) for part in data))

    def sql(self, draft: Draft) -> str:
        parts = [part.sql(draft) for part in self.parts]
        if self.joint == "not":
            return f"(NOT {parts[0]})"
        return f"({(' AND ' if self.joint == 'all' else ' OR ').join(parts)})"

    def words(self, *, values: Shown = True) -> str:
        said = [part.words(values=values) for part in self.parts]
        parts = [
            f"({w})" if isinstance(part, JoinedConditions) else w for w, part in zip(said, self.parts, strict=True)
        ]
        if self.joint == "not":
            return f"it is not so that {parts[0]}"
        return (", and " if self.joint == "all" else ", or ").join(parts)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in self.parts for name in part.columns))


@dataclass(frozen=True)
class ColumnCondition(Condition):
    """What is asked of one column; all of it must hold."""

    column: str
    tests: tuple[tuple[str, Any], ...]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> ColumnCondition:
        """From a mapping with the key `column`."""
        for key in data:
            if key not in ("column", *TESTS):
                raise PlanError(f"A condition has no key {key!r}.{did_you_mean(str(key), ('column', *TESTS, *JOINTS))}")
        column = data.get("column")
        if not isinstance(column, str):
            raise PlanError("A condition needs the name of a column, such as {column: age, below: 18}.")
        tests = tuple((key, value) for key, value in data.items() if key != "column")
        if not tests:
            raise PlanError(f"The condition on {column!r} asks nothing. Choose from {', '.join(TESTS)}.")
        for key, value in tests:
            _check(column, key, value)
        return cls(column, tests)

    def sql(self, draft: Draft) -> str:
        draft.require(self.column)
        return f"({' AND '.join(self._test(draft, key, value) for key, value in self.tests)})"

    def words(self, *, values: Shown = True) -> str:
        def named(key: str, value: Any) -> str:
            every = value if isinstance(value, list | tuple) else [value]
            shown = values if isinstance(values, bool) else all(values(self.column, one) for one in every)
            return _said(key, value, shown=shown)

        return ", and ".join(f"{self.column} {named(key, value)}" for key, value in self.tests)

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def _test(self, draft: Draft, key: str, value: Any) -> str:
        cell, kind = compared(draft, self.column), draft.kind(self.column)
        if key == "missing":
            return f"({cell} IS {'' if value else 'NOT '}NULL)"
        if key == "matches":
            return f"coalesce(regexp_full_match({text_of(draft, self.column)}, {literal(value)}), FALSE)"
        if key in ORDER:
            return self._order(draft, key, value)
        values = value if key in ("in", "not_in") else [value]
        among = f"{cell} IN ({listed(constant(v, kind, self.column) for v in values)})"
        return f"coalesce({f'NOT {among}' if key.startswith('not') else among}, FALSE)"

    def _order(self, draft: Draft, key: str, value: Any) -> str:
        kind, order = draft.kind(self.column), draft[self.column].order
        if order:
            return self._rank(draft, key, value, order)
        if kind in (Kind.TEXT, Kind.BOOLEAN, Kind.OTHER):
            raise PlanError(
                f"Column {self.column!r} holds {kind.value}, of which none is below or above another. "
                f"Use equals, in or matches."
            )
        bound = constant(value, kind, self.column)
        return f"coalesce({compared(draft, self.column)} {ORDER[key]} {bound}, FALSE)"

    def _rank(self, draft: Draft, key: str, value: Any, order: tuple[str, ...]) -> str:
        """By the place among ordered categories."""
        if str(value) not in order:
            raise PlanError(f"The condition on {self.column!r} compares with something that is none of its categories.")
        place = order.index(str(value))
        kept = {
            "below": order[:place],
            "at_most": order[: place + 1],
            "above": order[place + 1 :],
            "at_least": order[place:],
        }[key]
        if not kept:
            return "FALSE"
        return f"coalesce({text_of(draft, self.column)} IN ({listed(map(literal, kept))}), FALSE)"


def _check(column: str, key: str, value: Any) -> None:
    wrong = f"The condition on {column!r}: {key} "
    if key == "missing" and not isinstance(value, bool):
        raise PlanError(wrong + "is true or false.")
    if key in ("in", "not_in") and (not isinstance(value, list | tuple) or not value):
        raise PlanError(wrong + "needs a list of values, at least one.")
    if key == "matches":
        _check_pattern(wrong, value)
    if value is None or (isinstance(value, list | tuple) and None in value):
        raise PlanError(wrong + "cannot ask for a missing value. Use missing: true.")
    if isinstance(value, Mapping) or (isinstance(value, list | tuple) and key not in ("in", "not_in")):
        raise PlanError(wrong + "needs one value.")


def _check_pattern(wrong: str, pattern: Any) -> None:
    if not isinstance(pattern, str):
        raise PlanError(wrong + "needs a pattern in quotes.")
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):  # OverflowError: repeated more often than anything can be
        raise PlanError(wrong + "needs a regular expression, and this is none.") from None
    if not PLAIN_PATTERN.fullmatch(pattern):
        raise PlanError(
            wrong + "takes plain regular expressions only: characters, classes such as [A-Z] or \\d, groups, "
            "repetitions and alternatives."
        )


def _said(key: str, value: Any, *, shown: bool) -> str:
    if key == "missing":
        return "is missing" if value else "is not missing"
    if not shown:
        return f"{WORDS[key]} …"
    values = value if isinstance(value, list | tuple) else [value]
    return f"{WORDS[key]} {', '.join(repr(v) if isinstance(v, str) else str(v) for v in values)}"
