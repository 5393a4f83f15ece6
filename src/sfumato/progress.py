"""Progress: what is going on, for whoever is watching."""

from __future__ import annotations

from typing import Protocol


class Tell(Protocol):
    """Says what is being done, and where it can be counted, how much of it is done."""

    def __call__(self, words: str, /, done: int = 0, total: int = 0) -> None:
        """Say it."""


def of_one(name: str, tell: Tell, words: str, /, done: int = 0, total: int = 0) -> None:
    """Say it of one of several things, by its name."""
    tell(f"{name}: {words}", done, total)


def quiet(words: str, /, done: int = 0, total: int = 0) -> None:
    """Say nothing."""
