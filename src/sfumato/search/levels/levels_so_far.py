"""Levels so far: what a search knows while it goes on, for whoever watches it and may stop it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class LevelsSoFar:
    """The best combination of levels that a search has met, and what no other is below."""

    levels: Mapping[str, int] | None  # None where it has met none that keeps to the policy
    loss: float | None  # from 0 to 1
    bound: float  # no combination loses less, from 0 to 1
    done: int  # combinations that were looked at or ruled out
    total: int  # all combinations


@dataclass(frozen=True)
class SearchWatch:
    """Who watches a search: `follow` is told how far it is a few times a second, `cancelled` is asked at every look."""

    follow: Callable[[LevelsSoFar], None] | None = None
    cancelled: Callable[[], bool] | None = None
