"""The order of the rows of a release: by a hash of what is released of them, and by nothing else.

A table often comes in the order of something that is not released: admissions by day, people by age. Rows that keep it
hand it on. Ordered by a hash of their released values they are a function of the released rows as a set (with repeats),
so that their order tells nothing that the rows do not tell themselves; no key is needed for that. Rows of the same
place are the same rows.
"""

from __future__ import annotations

from dataclasses import replace

from sfumato.tables.engine import Kind, listed, quoted, unused
from sfumato.tables.write.release import Field, ReleasedTable
from sfumato.tables.write.stream import printed


def in_released_order(release: ReleasedTable) -> ReleasedTable:
    """The same columns of the same rows, in the order of a hash of what is released of each row."""
    engine, table = release.table.engine, release.table
    row = f"concat_ws(';', {listed(map(_cell, release.fields))})"  # not by operators: a thousand of them are too deep
    taken = {name.casefold() for name in table.columns}
    place = unused("place", lambda name: name.casefold() in taken)
    placed = engine.view(f"SELECT *, {engine.plain_hash(row)} AS {quoted(place)} FROM {table} AS source")
    return replace(release, table=placed, order_by=place)


def _cell(field: Field) -> str:
    """SQL for a cell in the text of a row, so written that no two different rows have the same: an absent one is a
    dash, any other follows an equals sign, and the semicolon between cells is marked where it stands within one.

    The text of the value stands in it once, since that of a real number is long on other engines.
    """
    text = printed(field)
    if field.kind in (Kind.TEXT, Kind.OTHER):  # others have neither sign
        text = f"replace(replace({text}, '~', '~~'), ';', '~;')"
    return f"coalesce('=' || {text}, '-')"
