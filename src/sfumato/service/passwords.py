"""Passwords: kept as argon2id, long instead of complicated, and none by default."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from secrets import token_urlsafe
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from sfumato.errors import ServiceRefusal, TooOften

# 15 letters or more would do without a second factor (NIST SP 800-63B-4, 3.1.1.2); whoever changes something has one.
SHORTEST = 12
LONGEST = 256  # letters: a longer one makes nothing safer, and costs time to hash
# RFC 9106 asks for 64 MiB where they are there, OWASP for 46 MiB and one pass at the least. Two passes over 46 MiB need
# about 50 ms; a hash that was made with other parameters is made anew when its owner signs in.
HASHER = PasswordHasher(time_cost=2, memory_cost=46 * 1024, parallelism=1)
# Each hash takes its memory while it is made: two at once are 92 MiB, whoever else signs in waits for a moment.
_AT_ONCE = BoundedSemaphore(2)
PATIENCE = 10  # seconds


class WeakPassword(ServiceRefusal):
    """A password that is not taken; says which rule it breaks, never what it is."""

    status, kind = 422, "weak-password"


def password_hash(password: str, *names: str | None) -> str:
    """What is kept of a new password; `names` are the words that it must not consist of."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise WeakPassword(f"A password has {SHORTEST} to {LONGEST} letters. A sentence of a few words is a good one.")
    plain = password.lower()
    if len(set(plain)) < 5:
        raise WeakPassword("This password has fewer than five different letters. Take a sentence of a few words.")
    if any(name and len(name) >= 3 and len(plain.replace(name.lower(), "")) < SHORTEST // 2 for name in names):
        raise WeakPassword(
            "This password is little more than your name or mail address. Take a sentence of a few words."
        )
    with _in_turn():
        return HASHER.hash(password)


def password_is(kept: str | None, given: str) -> bool:
    """Whether a password is the one that was kept; it takes as long where there is none, so that time tells nothing."""
    with _in_turn():
        try:
            return HASHER.verify(kept or _of_nobody(), given) and kept is not None
        except (VerificationError, InvalidHashError):
            return False


def kept_anew(kept: str, password: str) -> str:
    """What is kept of a password that was right: made anew where other parameters were used then than today."""
    if not HASHER.check_needs_rehash(kept):
        return kept
    with _in_turn():
        return HASHER.hash(password)


@cache
def _of_nobody() -> str:
    """A hash that no password has."""
    return HASHER.hash(token_urlsafe(32))


@contextmanager
def _in_turn() -> Iterator[None]:
    if not _AT_ONCE.acquire(timeout=PATIENCE):
        raise TooOften(PATIENCE)
    try:
        yield
    finally:
        _AT_ONCE.release()
