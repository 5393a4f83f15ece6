"""Handles: the names by which clients speak of things. They tell nothing, and sort by when they were made."""

from __future__ import annotations

import secrets
import time

# Crockford's letters: no I, L, O and U, which people misread; in the order of their values, so that texts sort.
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
TIME, CHANCE = 10, 16  # letters of five bits each: 48 bits of milliseconds, and 80 bits that nobody guesses
LENGTH = TIME + CHANCE


def new_handle() -> str:
    """A handle that nobody had before.

    >>> len(new_handle()), new_handle() != new_handle()
    (26, True)
    """
    return _letters(time.time_ns() // 1_000_000, TIME) + _letters(secrets.randbits(5 * CHANCE), CHANCE)


def _letters(number: int, length: int) -> str:
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(length)))
