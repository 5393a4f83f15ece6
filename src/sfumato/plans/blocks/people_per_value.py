"""Frequency: how many people share a value or a class."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.plans.blocks.values_in_sql import text_of
from sfumato.plans.draft import Draft
from sfumato.tables.engine import listed, literal, one_value, quoted

FEW = 1000  # values or rows that are named one by one; for more of them, a join. Chosen, not measured


@dataclass(frozen=True)
class FrequentValues:
    """Whether the value of a record is held by enough people, as SQL over `record`, and what to join for it."""

    sql: str  # true, or null or false
    join: str = ""
    values: tuple[str, ...] = ()  # those that enough people hold, unless they are too many to name


def people(draft: Draft) -> str:
    """How many people some records are about, as an aggregate over `record`: subjects, or records without one."""
    return "count(*)" if draft.subject is None else f"count(DISTINCT {draft.person})"


def population(draft: Draft) -> int:
    """How many people the draft is about."""
    return int(draft.engine.fetch(f"SELECT {people(draft)} FROM {draft.table} AS record")[0][0])


def frequent(draft: Draft, column: str, least: float) -> FrequentValues:
    """The values of a column that at least so many people hold. Only those are ever named, never a rare one."""
    text = text_of(draft.require(column), column)
    held = f"""
        SELECT {text} AS value FROM {draft.table} AS record WHERE {text} IS NOT NULL
        GROUP BY 1 HAVING {people(draft)} >= {literal(least)}"""
    values = [str(value) for (value,) in draft.engine.fetch(f"{held} ORDER BY 1 LIMIT {FEW + 1}")]
    if len(values) <= FEW:
        among = f"({text} IN ({listed(map(literal, values))}))" if values else "FALSE"
        return FrequentValues(among, values=tuple(values))
    table = draft.engine.query(held)
    return FrequentValues(f"({table}.value IS NOT NULL)", f"LEFT JOIN {table} AS {table} ON {table}.value = {text}")


def in_small_classes(draft: Draft, columns: tuple[str, ...], size: int) -> str:
    """A SELECT of the numbers of the records whose class, by some columns, is of fewer people than a size."""
    keys = [one_value(f"record.{quoted(name)}", draft.kind(name)) for name in columns]
    named = [f"key_{i}" for i in range(len(keys))]
    items = listed(f"{key} AS {name}" for key, name in zip(keys, named, strict=True))
    small = draft.engine.query(f"""
        SELECT {items} FROM {draft.counted} AS record
        GROUP BY {listed(keys)} HAVING {people(draft)} < {size}""")
    alike = " AND ".join(f"small.{name} IS NOT DISTINCT FROM {key}" for key, name in zip(keys, named, strict=True))
    return f"SELECT {draft.number} AS number FROM {draft.counted} AS record JOIN {small} AS small ON {alike}"


def left_out(draft: Draft, rows: str) -> tuple[Draft, int]:
    """The draft without some records, given as a SELECT of `number`, and how many they are."""
    table = draft.engine.query(rows)
    records = table.count()
    if records <= FEW:
        numbers = [str(number) for (number,) in draft.engine.fetch(f"SELECT number FROM {table} ORDER BY number")]
        left = draft.where(f"{draft.number} NOT IN ({listed(numbers)})") if numbers else draft
    else:
        join = f"LEFT JOIN {table} AS {table} ON {table}.number = {draft.number}"
        left = draft.where(f"{table}.number IS NULL", join=join)
    return replace(left, whole=draft.whole.without(table) if draft.whole else None), records


def noted(draft: Draft, note: str) -> Draft:
    """The draft with one more note for whoever signs the release."""
    return replace(draft, notes=(*draft.notes, note))
