"""Parameters: what a plan writes for a step, checked before any data are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from math import isfinite
from typing import Any

from sfumato.errors import did_you_mean
from sfumato.plans.step_interface import Transformation


def column_names(step: Transformation, columns: Any) -> tuple[str, ...]:
    """One column or several, each once."""
    names = (columns,) if isinstance(columns, str) else tuple(columns or ())
    if not names or not all(isinstance(name, str) and name for name in names):
        raise step.wrong("name a column, or a list of columns.")
    if len(set(names)) != len(names):
        raise step.wrong("a column is named twice.")
    return names


def one_column(step: Transformation, name: str, value: Any) -> str:
    """The name of a column."""
    if not isinstance(value, str) or not value:
        raise step.wrong(f"{name} must be the name of a column.")
    return value


def choice(step: Transformation, name: str, value: Any, options: Iterable[str]) -> str:
    """One of several words."""
    words = list(options)
    if value not in words:
        nearest = did_you_mean(value, words) if isinstance(value, str) else ""
        raise step.wrong(f"{name} must be one of {', '.join(words)}.{nearest}")
    return str(value)


def whole(step: Transformation, name: str, value: Any, least: int) -> int:
    """A whole number, not below some other."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise step.wrong(f"{name} must be a whole number, {least} or more.")
    return value


def real(step: Transformation, name: str, value: Any) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise step.wrong(f"{name} must be a number.")
    return value


def words_or_none(step: Transformation, name: str, value: Any) -> str | None:
    """A text, or nothing."""
    if value is not None and not isinstance(value, str):
        raise step.wrong(f"{name} must be a text: put it in quotes.")
    return value


def flag(step: Transformation, name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise step.wrong(f"{name} must be true or false.")
    return value


def day(value: Any) -> date | None:
    """The day that a plan writes, as YAML reads it or as a text of ISO 8601; None where it is none.

    >>> day("2024-03-01"), day("2024-3-1")
    (datetime.date(2024, 3, 1), None)
    """
    if isinstance(value, datetime):
        return value.date() if value.time() == datetime.min.time() else None
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value) if len(value) == 10 else None
    except (TypeError, ValueError):
        return None
