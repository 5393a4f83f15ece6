"""The risk-benefit matrix: four levels of each, and where a release stands in it.

References: Carvalho, Antunes, Costa, Moniz, Empowering open data sharing for social good: a privacy-aware approach, for
the matrix with the levels low, moderate, high and very high, and moderate as the usual level of publication; after
Green et al. (2017), Open data privacy. Neither says how a level is found: the numbers below are ours, on the cell-size
precedents of El Emam (2013), Guide to the de-identification of personal health information.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sfumato.show.documents.context import AxisDocument, MatrixCellDocument, MatrixDocument
from sfumato.show.sheet import counted, number


class Level(StrEnum):
    """A level of risk or of benefit."""

    LOW = "low"
    MODERATE = "moderate"
    HIGH = "high"
    VERY_HIGH = "very high"

    @property
    def rank(self) -> int:
        """0 for low to 3 for very high."""
        return list(Level).index(self)

    def moved(self, by: int) -> Level:
        """So many levels up or down, as far as there are levels.

        >>> str(Level.HIGH.moved(1)), str(Level.LOW.moved(-1))
        ('very high', 'low')
        """
        return list(Level)[min(3, max(0, self.rank + by))]


# The smallest class of a release, and the level of risk that it stands for: 0.05, 0.09 and 0.2 at most.
SMALLEST = {20: Level.LOW, 11: Level.MODERATE, 5: Level.HIGH, 1: Level.VERY_HIGH}


class Area(StrEnum):
    """What is usual for the releases that stand in a cell of the matrix. The areas are ours."""

    USUAL = "usual"
    WEIGH = "weigh"
    PROTECT = "protect"

    @property
    def about(self) -> str:
        """What it means, in a sentence."""
        return {
            Area.USUAL: "Releases with this risk and benefit are usual. The decision stays with a person.",
            Area.WEIGH: "The risk has to be weighed against the benefit, by people, and the reasons recorded.",
            Area.PROTECT: "The benefit does not bear this risk: protect the data further, or restrict who has them.",
        }[self]


def area(risk: Level, benefit: Level) -> Area:
    """The area of a cell: low risk is usual; moderate risk needs some benefit, and more risk needs as much of it.

    >>> for risk in Level:
    ...     print(*(area(risk, benefit).value for benefit in Level))
    usual usual usual usual
    weigh usual usual usual
    protect protect weigh weigh
    protect protect protect weigh
    """
    if risk.rank <= min(1, benefit.rank):
        return Area.USUAL
    needed = {1: 0, 2: 2, 3: 3}[risk.rank]
    return Area.WEIGH if benefit.rank >= needed else Area.PROTECT


@dataclass(frozen=True)
class MeasuredRisk:
    """What was read off the table that is to be released: the smallest class, and of which table."""

    smallest: int
    source: str
    who: str = "record"  # or person

    @property
    def risk(self) -> float:
        """The chance of finding the person who is easiest to find."""
        return 1 / self.smallest

    @property
    def level(self) -> Level:
        """The level of risk, when somebody is sure to try.

        >>> [str(MeasuredRisk(size, "").level) for size in (1, 4, 5, 10, 11, 19, 20)]
        ['very high', 'very high', 'high', 'high', 'moderate', 'moderate', 'low']
        """
        return next(level for size, level in SMALLEST.items() if self.smallest >= size)

    @property
    def words(self) -> str:
        """The reading in a sentence."""
        return (
            f"The smallest class of {self.source} has {counted(self.smallest, self.who)}: "
            f"a chance of {number(self.risk)} for whoever is easiest to find, which is {self.level}."
        )


@dataclass(frozen=True)
class Axis:
    """A level on one side of the matrix, and why; no level while it is unanswered."""

    level: Level | None
    why: tuple[str, ...]
    by_the_rules: Level | None = None  # the same, unless somebody has decided otherwise

    def content(self) -> AxisDocument:
        """The axis as plain values."""
        return AxisDocument(
            level=self.level,
            by_the_rules=self.by_the_rules if self.by_the_rules is not None else self.level,
            decided=self.by_the_rules != self.level,
            why=self.why,
        )


@dataclass(frozen=True)
class MatrixPosition:
    """Where a release stands: a level of risk and one of benefit, each with its reasons."""

    risk: Axis
    benefit: Axis

    @property
    def area(self) -> Area | None:
        """What is usual there; None while a side is unanswered."""
        if self.risk.level is None or self.benefit.level is None:
            return None
        return area(self.risk.level, self.benefit.level)

    @property
    def words(self) -> str:
        """The place in a sentence."""
        risk, benefit = (axis.level or "unanswered" for axis in (self.risk, self.benefit))
        return f"Risk {risk}, benefit {benefit}{f': {self.area}' if self.area else ''}."

    def content(self) -> MatrixDocument:
        """The place as plain values, with the whole matrix."""
        return MatrixDocument(
            risk=self.risk.content(),
            benefit=self.benefit.content(),
            area=self.area,
            sentence=self.area.about if self.area else "The release is not placed: a side is unanswered.",
            areas=[
                MatrixCellDocument(risk=risk, benefit=benefit, area=area(risk, benefit))
                for risk in Level
                for benefit in Level
            ],
        )
