"""Estimates: a number that was reasoned out and not counted, and what to know about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Estimate:
    """A number that a model gives, what it is at least and at most whatever the model says, and a caveat.

    Without a value the model has no answer, and the caveat says why. An estimate is not a count: show the caveat
    beside it.

    >>> Estimate(120.0, lowest=0.0, highest=400.0, caveat="Assumes a random sample.").over(1000)
    Estimate(value=0.12, lowest=0.0, highest=0.4, caveat='Assumes a random sample.')
    """

    value: float | None
    lowest: float | None = None
    highest: float | None = None
    caveat: str = ""

    def over(self, whole: float) -> Estimate:
        """The same as a share of a whole."""

        def share(number: float | None) -> float | None:
            return None if number is None else number / whole

        return Estimate(share(self.value), share(self.lowest), share(self.highest), self.caveat)

    def document(self) -> dict[str, Any]:
        """The estimate as plain values."""
        return {"value": self.value, "lowest": self.lowest, "highest": self.highest, "caveat": self.caveat}
