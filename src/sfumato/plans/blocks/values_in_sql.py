"""Values in SQL: a column as it is, as it is compared and as text, and the values that a plan names."""

from __future__ import annotations

from datetime import date, datetime
from math import isfinite
from typing import Any

from sfumato.errors import PlanError
from sfumato.plans.draft import Draft
from sfumato.tables.engine import Kind, as_text, literal, quoted

HINTS = {
    Kind.TEXT: "a text: put the value in quotes, so that 0151 and no stay what they are",
    Kind.INTEGER: "whole numbers",
    Kind.REAL: "numbers",
    Kind.DATE: "dates, such as 2024-03-01",
    Kind.TIMESTAMP: "dates with times, such as 2024-03-01 14:30:00",
    Kind.BOOLEAN: "true or false",
}


def value_of(column: str) -> str:
    """A column, as SQL over `record`."""
    return f"record.{quoted(column)}"


def compared(draft: Draft, column: str) -> str:
    """A column as its values are compared, as SQL over `record`.

    Not a number is no value, and 0.7 in single precision is 0.7, and not 0.699999988.
    """
    value = value_of(column)
    if draft.kind(column) is not Kind.REAL:
        return value
    single = f"WHEN upper(typeof({value})) = 'FLOAT' THEN CAST(CAST({value} AS VARCHAR) AS DOUBLE)"
    return f"CASE WHEN {value} IS NULL OR isnan({value}) THEN NULL {single} ELSE CAST({value} AS DOUBLE) END"


def text_of(draft: Draft, column: str) -> str:
    """The values of a column as texts, as SQL over `record`."""
    return as_text(value_of(column), draft.kind(column))


def constant(value: Any, kind: Kind, column: str) -> str:
    """A value of a plan as SQL of the kind that a column holds; `PlanError` where it is not of that kind."""
    try:
        return _written(value, kind)
    except (TypeError, ValueError, OverflowError):
        expected = HINTS.get(kind, "values that cannot be compared")
        raise PlanError(f"Column {column!r} holds {kind.value}: expected {expected}.") from None


def _written(value: Any, kind: Kind) -> str:
    if kind is Kind.TEXT:
        return literal(_text(value))
    if kind is Kind.BOOLEAN:
        return str(_boolean(value)).upper()
    if kind.numeric:
        return literal(_number(value))
    if kind in (Kind.DATE, Kind.TIMESTAMP):
        return _moment(value)
    raise TypeError


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _boolean(value: Any) -> bool:
    words = {"true": True, "false": False}
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    if not isinstance(value, bool):
        raise TypeError
    return value


def _number(value: Any) -> int | float:
    if isinstance(value, bool):
        raise TypeError
    number = float(value)
    if not isfinite(number):
        raise ValueError
    return int(value) if isinstance(value, int) else int(number) if number.is_integer() else number


def _moment(value: Any) -> str:
    moment = value if isinstance(value, date) else datetime.fromisoformat(value)
    if not isinstance(moment, datetime):
        return f"CAST({literal(moment.isoformat())} AS DATE)"
    if moment.tzinfo is not None:
        raise ValueError
    return f"CAST({literal(moment.isoformat(sep=' '))} AS TIMESTAMP)"
