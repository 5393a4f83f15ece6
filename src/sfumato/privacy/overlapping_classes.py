"""Neighbours: which classes could be the same people, when a missing value may be anything."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.tables.engine import Table, listed

Pattern = frozenset[str]  # the keys that are missing


def neighbours(classes: Table, keys: Sequence[str]) -> Table:
    """Pairs of classes that agree on every key that neither lacks: columns class_id, member_id.

    Comparing every class with every other takes quadratic time, so classes are taken by which keys
    they lack: those that lack A agree with those that lack B when they are equal on the rest,
    which is a plain join. Every class is a neighbour of itself.
    """
    found = patterns(classes, keys)
    joins = [_agreeing(classes, keys, a, b) for a in found for b in found]
    return classes.engine.query(" UNION ALL ".join(joins))


def patterns(classes: Table, keys: Sequence[str]) -> list[Pattern]:
    """Which keys are missing together, in any class."""
    flags = listed(f"{key} IS NULL" for key in keys)
    numbers = listed(str(i) for i in range(1, len(keys) + 1))
    rows = classes.engine.fetch(f"SELECT {flags} FROM {classes} GROUP BY {numbers} ORDER BY {numbers}")
    return [frozenset(key for key, missing in zip(keys, row, strict=True) if missing) for row in rows]


def _agreeing(classes: Table, keys: Sequence[str], a: Pattern, b: Pattern) -> str:
    shared = [f"one.{key} = other.{key}" for key in keys if key not in a | b]
    return f"""
        SELECT one.class_id, other.class_id AS member_id
        FROM (SELECT * FROM {classes} WHERE {_lacking(keys, a)}) AS one
        JOIN (SELECT * FROM {classes} WHERE {_lacking(keys, b)}) AS other ON {" AND ".join(shared) or "TRUE"}"""


def _lacking(keys: Sequence[str], pattern: Pattern) -> str:
    return " AND ".join(f"{key} IS {'' if key in pattern else 'NOT '}NULL" for key in keys)
