"""Long lists on a page: what of them is shown, and what is before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
COLUMNS = 50  # columns on one page: some screens long, and quick to draw


@dataclass(frozen=True)
class ListPage(Generic[T]):
    """A part of a list by its number, from 1 on."""

    items: Sequence[T]
    number: int
    pages: int
    total: int


def page_of(items: Sequence[T], number: int, size: int = COLUMNS) -> ListPage[T]:
    """A part of a list; a number beyond the last is the last.

    >>> page_of([1, 2, 3], 9, 2)
    ListPage(items=[3], number=2, pages=2, total=3)
    """
    pages = max(1, -(-len(items) // size))
    number = min(max(number, 1), pages)
    return ListPage(items[(number - 1) * size : number * size], number, pages, len(items))
