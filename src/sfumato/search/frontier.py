"""Frontiers: of many possible releases those that no other beats in both risk and loss, and where the bargain is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isfinite

from sfumato.search.evaluation import NodeReading
from sfumato.show.documents.frontier import FrontierDocument, PointDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.frontier import frontier_sheet


@dataclass(frozen=True)
class Point:
    """One possible release: how it is made, what it loses and what risk it leaves."""

    method: str
    requirements: tuple[str, ...]
    suppression: float  # the largest share of records that may be suppressed
    levels: Mapping[str, int] | None  # by column; None where a method has no levels
    score: float  # what is lost
    risk: float
    suppressed: int  # records
    classes: int
    bounds: Mapping[str, float] = field(default_factory=dict)  # by the name of the requirement
    readings: tuple[NodeReading, ...] = ()  # of every requirement; none where a method has no levels

    @property
    def risk_and_loss(self) -> tuple[float, float]:
        """Risk and loss, to twelve significant digits: nothing is better by less."""
        return float(f"{self.risk:.12g}"), float(f"{self.score:.12g}")


@dataclass(frozen=True, repr=False)
class Frontier(Presented):
    r"""Possible releases, of which those count that are not dominated.

    A point is dominated where another has no more risk and no more loss, and less of one of them. Of several with the
    same risk and loss the first counts. The knee is the point of the front that lies farthest below the straight line
    between its two ends, when risk and loss both go from 0 to 1 along the front:

    .. math:: \arg\max_i \; \frac{1 - r_i - s_i}{\sqrt 2}

    Beyond it, either further gain costs more of the other than it did before. Of equals the one with the lower risk is
    the knee; so it is of two points, and of points of which none lies below the line: `distance` is 0 then.

    References
    ----------
    Das (1999). On characterizing the "knee" of the Pareto curve based on normal-boundary intersection.
    Structural Optimization 18, 107-115.

    Examples
    --------
    >>> def point(k: int, loss: float) -> Point:
    ...     return Point(method="optimal", requirements=(f"k = {k}",), suppression=0.02, levels=None, score=loss,
    ...                  risk=1 / k, suppressed=0, classes=9)
    >>> curve = Frontier((point(2, 0.2), point(5, 0.3), point(20, 0.9)))
    >>> curve.knee.requirements
    ('k = 5',)
    """

    points: tuple[Point, ...]
    risk: str = "the highest risk of a person"  # what the risk of a point is
    loss: str = "loss"  # what its score is

    @cached_property
    def front_places(self) -> tuple[int, ...]:
        """Where the points that count stand among all, the lowest risk first; those without a finite risk and loss
        never do.
        """
        finite = [place for place, point in enumerate(self.points) if all(map(isfinite, point.risk_and_loss))]
        places: list[int] = []
        least = inf
        for place in sorted(finite, key=lambda place: self.points[place].risk_and_loss):
            loss = self.points[place].risk_and_loss[1]
            if loss < least:  # whoever came before has no more risk, so only less loss counts
                places.append(place)
                least = loss
        return tuple(places)

    @property
    def front(self) -> tuple[Point, ...]:
        """The points that count, the lowest risk first."""
        return tuple(self.points[place] for place in self.front_places)

    @cached_property
    def knee_place(self) -> int | None:
        """Where the knee stands among all points; None where there is no point."""
        return max(self.front_places, key=lambda place: self.distance(self.points[place]), default=None)

    @property
    def knee(self) -> Point | None:
        """The point of the front that lies farthest below the line between its ends; None where there is no point."""
        return None if self.knee_place is None else self.points[self.knee_place]

    def distance(self, point: Point) -> float:
        """How far a point lies below the line between the ends of the front, rounded to twelve decimals."""
        safest, finest = self.front[0].risk_and_loss, self.front[-1].risk_and_loss
        if safest == finest:
            return 0.0
        r = (point.risk_and_loss[0] - safest[0]) / (finest[0] - safest[0])
        s = (point.risk_and_loss[1] - finest[1]) / (safest[1] - finest[1])
        return round((1 - r - s) / 2**0.5, 12) + 0.0

    def content(self) -> FrontierDocument:
        """Everything as plain values, in the order given."""
        return FrontierDocument(
            risk=self.risk,
            loss=self.loss,
            points=[self._point(place) for place in range(len(self.points))],
            front=self.front_places,
            knee=self.knee_place,
            knee_distance=self.distance(self.knee) if self.knee else None,
        )

    def sheet(self) -> Sheet:
        """The curve for people."""
        return frontier_sheet(self.content())

    def _point(self, place: int) -> PointDocument:
        point = self.points[place]
        return PointDocument(
            method=point.method,
            requirements=point.requirements,
            suppression=point.suppression,
            levels=point.levels,
            score=point.score if isfinite(point.score) else None,
            risk=point.risk if isfinite(point.risk) else None,
            suppressed=point.suppressed,
            classes=point.classes,
            on_front=place in self.front_places,
            knee=place == self.knee_place,
        )
