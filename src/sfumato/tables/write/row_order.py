"""The order of the rows of a release: by a hash of what is released of them, and by nothing else.

A table often comes in the order of something that is not released: admissions by day, people by age. Rows that keep it
hand it on. Ordered by a hash of their released values they are a function of the released rows as a set (with repeats),
so that their order tells nothing that the rows do not tell themselves; no key is needed for that. Rows of the same
place are the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sfumato.tables.engine import Kind, listed, quoted, unused
from sfumato.tables.short_table import ShortTable
from sfumato.tables.write.release import Field, ReleasedTable, RepeatedRows
from sfumato.tables.write.stream import printed

# Of the first so many rows, at most so large a share may be different for equal rows to be placed together.
SAMPLE, DIFFERENT = 100_000, 0.25  # chosen: a row in four still saves three hashes and a sort of long texts
# Kinds of which equal values are printed alike: the two zeros of real numbers are, moments of two zones are not.
PRINTED_ALIKE = (Kind.TEXT, Kind.INTEGER, Kind.REAL, Kind.BOOLEAN, Kind.DATE)


def in_released_order(release: ReleasedTable, short: ShortTable | None = None) -> ReleasedTable:
    """The same columns of the same rows, in the order of a hash of what is released of each row.

    Rows that are held with short texts, few rows, and those of an engine that waits for each statement, are placed once
    for all that are equal, where many are. These come near for it, and the file is written there.
    """
    together = None
    if all(field.kind in PRINTED_ALIKE for field in release.fields):
        if short is not None:
            together = _placed_together(release, short) if _repeated(release, short) else None
        elif release.table.engine.few:  # counted at once: a look at the first rows would be one at all
            together = _placed_together(release, ShortTable(release.table, ()), fewer=True)
        elif release.table.engine.waits:
            whole = ShortTable(release.table, ())
            together = _placed_together(release, whole, near=True) if _repeated(release, whole) else None
    if together is not None:
        return together
    engine, table = release.table.engine, release.table
    plain = _plain_texts(release, short) if short is not None else {}
    row = f"concat_ws(';', {listed(map(_cell, release.fields))})"  # not by operators: a thousand of them are too deep
    if plain:  # the same text with fewer operators: each takes as long as all of a concatenation
        cells = [("';', " if place else "") + _part(field, plain) for place, field in enumerate(release.fields)]
        row = f"concat({listed(cells)})"
    taken = {name.casefold() for name in table.columns}
    place = unused("place", lambda name: name.casefold() in taken)
    placed = engine.view(f"SELECT *, {engine.plain_hash(row)} AS {quoted(place)} FROM {table} AS source")
    return replace(release, table=placed, order_by=place)


def _plain_texts(release: ReleasedTable, short: ShortTable) -> dict[str, bool]:
    """The columns with short texts of which none has a sign to be marked, and whether some record lacks its text."""
    names = [field.name for field in release.fields if field.name in short.texts]
    each = (
        f"SELECT {place} AS place, count(CASE WHEN contains(x, ';') OR contains(x, '~') THEN 1 END) AS signs, "
        f"count(*) - count(x) AS lacking FROM (SELECT DISTINCT {quoted(name)} AS x FROM {short.table}) AS own"
        for place, name in enumerate(names)
    )
    rows = short.table.engine.fetch(" UNION ALL ".join(each)) if names else []
    return {names[int(place)]: bool(lacking) for place, signs, lacking in rows if not signs}


def _repeated(release: ReleasedTable, short: ShortTable) -> bool:
    """Whether most rows of the release are equal to others."""
    names = quoted(*(field.name for field in release.fields))
    first = f"(SELECT {names} FROM {short.table} LIMIT {SAMPLE}) AS sample"
    different = f"(SELECT DISTINCT {names} FROM {first}) AS different"
    return bool(short.table.engine.fetch(f"SELECT count(*) <= {SAMPLE * DIFFERENT} FROM {different}")[0][0])


def _placed_together(
    release: ReleasedTable, short: ShortTable, *, fewer: bool = False, near: bool = False
) -> ReleasedTable | None:
    """The rows in the same order, by the places of the different ones among them.

    None where `fewer` is asked for, and most rows are different; or `near`, and the different ones are too many for it.
    """
    columns = [field.name for field in release.fields]
    taken = {name.casefold() for name in columns}
    place, times = (unused(name, lambda free: free.casefold() in taken) for name in ("place", "times"))
    names = quoted(*columns)
    counted = short.table.engine.near(
        f"SELECT {names}, count(*) AS {quoted(times)} FROM {short.table} GROUP BY {names}"
    )
    engine = counted.engine
    if (fewer and counted.count() > DIFFERENT * short.table.count()) or (near and engine is short.table.engine):
        engine.drop(counted)
        return None
    spelt = ShortTable(counted, tuple(name for name in short.texts if name in columns)).spelt()
    row = f"concat_ws(';', {listed(map(_cell, release.fields))})"
    placed = engine.query(
        f"SELECT *, row_number() OVER (ORDER BY {engine.plain_hash(row)}) AS {quoted(place)} FROM {spelt} AS source"
    )
    each = engine.view(f"SELECT {names}, {quoted(place)}, unnest(range({quoted(times)})) FROM {placed}")
    engine.drop(spelt, counted)
    return replace(release, table=each, order_by=place, repeated=RepeatedRows(placed, times))


def _part(field: Field, plain: Mapping[str, bool]) -> str:
    """A cell in the text of a row, as arguments of a concatenation: of a column that lacks nothing, what it holds."""
    if plain.get(field.name) is False:
        return f"'=', {printed(field)}"
    return _cell(field, marked=field.name not in plain)


def _cell(field: Field, *, marked: bool = True) -> str:
    """SQL for a cell in the text of a row, so written that no two different rows have the same: an absent one is a
    dash, any other follows an equals sign, and the semicolon between cells is marked where it stands within one.

    The text of the value stands in it once, since that of a real number is long on other engines.
    """
    text = printed(field)
    if marked and field.kind in (Kind.TEXT, Kind.OTHER):  # others have neither sign
        text = f"replace(replace({text}, '~', '~~'), ';', '~;')"
    return f"coalesce('=' || {text}, '-')"
