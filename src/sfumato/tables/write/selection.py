"""How a column is read on its way into a file: SQL in which not a number is no value, and there is one zero."""

from __future__ import annotations

from sfumato.tables.engine import Kind, one_value, quoted
from sfumato.tables.write.release import Field


def native(field: Field) -> str:
    """In its own type, for formats that have every type of Arrow. Categories and long numbers are made plain."""
    from pyarrow import types

    x = quoted(field.name)
    if types.is_floating(field.type):
        return one_value(x, Kind.REAL)
    if field.kind is Kind.INTEGER and not types.is_integer(field.type):
        return f"CAST({x} AS BIGINT)"
    odd = types.is_interval(field.type) or field.kind is Kind.TEXT
    return f"CAST({x} AS VARCHAR)" if odd else x


def plain(field: Field) -> str:
    """As text, a whole number of 64 bits, a double, a date, a moment without a zone, or a truth value."""
    from pyarrow import types

    x = quoted(field.name)
    if field.kind is Kind.TIMESTAMP:
        return f"CAST({x}{_in_utc(field)} AS TIMESTAMP)"
    if field.kind is Kind.REAL:
        real = x if types.is_floating(field.type) else f"CAST({x} AS DOUBLE)"
        return f"CAST({one_value(real, Kind.REAL)} AS DOUBLE)"
    if field.kind is Kind.INTEGER:
        return f"CAST({x} AS BIGINT)"
    return x if field.kind in (Kind.DATE, Kind.BOOLEAN) else f"CAST({x} AS VARCHAR)"


def text(field: Field) -> str:
    """As text that reads back as the same value: no exponent for small numbers, moments in universal time."""
    from pyarrow import types

    x = quoted(field.name)
    if types.is_floating(field.type):
        return _digits(one_value(x, Kind.REAL))
    moment = f"CAST({x}{_in_utc(field)} AS TIMESTAMP)" if field.kind is Kind.TIMESTAMP else x
    return f"CAST({moment} AS VARCHAR)"


def _in_utc(field: Field) -> str:
    return " AT TIME ZONE 'UTC'" if getattr(field.type, "tz", None) else ""


def _digits(number: str) -> str:
    """SQL: 0.00001 and not 1e-05, which a reader may take for a code."""
    printed = f"CAST({number} AS VARCHAR)"
    sign = f"CASE WHEN {printed} LIKE '-%' THEN '-' ELSE '' END"
    zeros = f"repeat('0', TRY_CAST(split_part({printed}, 'e-', 2) AS INTEGER) - 1)"
    digits = f"replace(replace(split_part({printed}, 'e-', 1), '-', ''), '.', '')"
    return f"CASE WHEN {printed} LIKE '%e-%' THEN {sign} || '0.' || {zeros} || {digits} ELSE {printed} END"
