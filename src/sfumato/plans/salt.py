"""Salt: bytes that follow from a table, and that nobody can tell who does not hold all of it."""

from __future__ import annotations

from hashlib import sha256

from sfumato.plans.blocks.constants import text_of
from sfumato.plans.draft import Draft

DRAWS, BITS = 2, 52  # numbers drawn for a record, and their bits: together more than can be tried out
HALF = 2 ** (BITS // 2)  # a number is added up in two halves, so that sums stay below what a whole number holds


def salt_of(draft: Draft) -> bytes:
    """The salt of a table: the same on every engine and in any order of the records, another for other cells.

    A hash of a short list says whether a guess of the list is right. With salt in it, it says so only to those who hold
    the table.
    """
    cells = ", '|', ".join(f"coalesce({text_of(draft, name)}, '')" for name in draft.names) or "''"
    lines = draft.engine.view(f"SELECT concat({cells}, '') AS line FROM {draft.table} AS record")
    drawn = ", ".join(f"{draft.engine.uniform(_text(i))} * {HALF} AS u{i}" for i in range(DRAWS))
    sums = ", ".join(f"{_sum(f'floor(u{i})')}, {_sum(f'(u{i} - floor(u{i})) * {HALF}')}" for i in range(DRAWS))
    found = draft.engine.fetch(f"SELECT {sums} FROM (SELECT {drawn} FROM {lines}) AS drawn")[0]
    draft.engine.drop(lines)
    return sha256(" ".join(str(int(n or 0)) for n in found).encode()).hexdigest().encode()


def _text(draw: int) -> str:
    return f"concat('kept {draw}|', line)"


def _sum(whole: str) -> str:
    return f"sum(CAST({whole} AS BIGINT))"
