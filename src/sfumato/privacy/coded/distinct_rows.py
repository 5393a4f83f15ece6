"""Distinct rows: the different rows of several columns of codes, numbered in the order in which they first occur."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.arrow_columns import listed_values, numbers_from_arrow, numbers_to_arrow

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole


def row_numbers(columns: Sequence[Whole]) -> Whole:
    """One number for each different row of codes, in the order in which they first occur.

    After each column rows are numbered anew, so that the product of number and code never runs over, however many
    columns there are.

    >>> row_numbers([np.array([5, 5, 7, 5]), np.array([0, 1, 0, 0])]).tolist()
    [0, 1, 2, 0]
    """
    numbers: Whole = np.zeros(len(columns[0]), dtype=np.int64)
    for codes in columns:
        numbers = value_numbers(numbers * (int(codes.max(initial=0)) + 1) + codes)
    return numbers


def value_numbers(values: Whole) -> Whole:
    """The place of each value among the different ones, in the order in which they first occur.

    >>> value_numbers(np.array([70, 20, 70])).tolist()
    [0, 1, 0]
    """
    return numbers_from_arrow(listed_values(numbers_to_arrow(values)).indices)


def first_places(numbers: Whole) -> Whole:
    """Where each of the numbers 0, 1, 2, ... first occurs.

    >>> first_places(np.array([0, 1, 0, 2])).tolist()
    [0, 1, 3]
    """
    places = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    places[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return places
