"""The grade of a recipient, and the threshold that it sets."""

from __future__ import annotations

from enum import StrEnum


class Grade(StrEnum):
    """How likely the recipient is to re-identify people."""

    HIGH = "High"
    MIDDLE = "Middle"
    LOW = "Low"

    @property
    def threshold(self) -> float:
        """The score from which on a column counts as a quasi-identifier: the higher the grade, the more columns."""
        return {Grade.HIGH: 0.25, Grade.MIDDLE: 0.5, Grade.LOW: 0.75}[self]
