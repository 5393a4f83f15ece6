"""A column as it is released: its name, and what a format may say about it beside its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ReleasedColumn:
    """One column of the table that is written, under its own name."""

    name: str
    label: str | None = None  # what the column is called in words
    value_labels: Mapping[str, str] | None = None  # what its codes are called; codes as the engine prints them
    categories: tuple[str, ...] | None = None  # the values that it may have, lowest first
