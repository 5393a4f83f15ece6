"""Frontiers: of many possible releases those that no other beats in both risk and loss, and where the bargain is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from math import inf, isfinite
from typing import Any

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

    @property
    def place(self) -> tuple[float, float]:
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
    >>> made = [("optimal", (f"k = {k}",), 0.02, None, score, 1 / k, 0, 9) for k, score in ((2, .2), (5, .3), (20, .9))]
    >>> curve = Frontier(tuple(Point(*each) for each in made))
    >>> curve.knee.requirements
    ('k = 5',)
    """

    points: tuple[Point, ...]
    risk: str = "the highest risk of a person"  # what the risk of a point is
    loss: str = "loss"  # what its score is

    @cached_property
    def front(self) -> tuple[Point, ...]:
        """The points that count, the lowest risk first; those without a finite risk and loss never do."""
        found: list[Point] = []
        least = inf
        for point in sorted((p for p in self.points if all(map(isfinite, p.place))), key=lambda p: p.place):
            if point.place[1] < least:
                found.append(point)
                least = point.place[1]
        return tuple(found)

    @property
    def knee(self) -> Point | None:
        """The point of the front that lies farthest below the line between its ends; None where there is no point."""
        return max(self.front, key=self.distance, default=None)

    def distance(self, point: Point) -> float:
        """How far a point lies below the line between the ends of the front, rounded to twelve decimals."""
        safest, finest = self.front[0].place, self.front[-1].place
        if safest == finest:
            return 0.0
        r = (point.place[0] - safest[0]) / (finest[0] - safest[0])
        s = (point.place[1] - finest[1]) / (safest[1] - finest[1])
        return round((1 - r - s) / 2**0.5, 12) + 0.0

    def document(self) -> dict[str, Any]:
        """Everything as plain values, in the order given."""
        on = [id(point) for point in self.front]
        knee = self.knee
        return {
            "risk": self.risk,
            "loss": self.loss,
            "points": [
                _plain(point) | {"on_front": id(point) in on, "knee": point is knee} for point in self.points
            ],
            "front": [next(i for i, p in enumerate(self.points) if p is point) for point in self.front],
            "knee": next((i for i, point in enumerate(self.points) if point is knee), None),
            "knee_distance": self.distance(knee) if knee else None,
        }  # fmt: skip

    def sheet(self) -> Sheet:
        """The curve for people."""
        return frontier_sheet(self.document())


def _plain(point: Point) -> dict[str, Any]:
    found = asdict(point) | {"requirements": list(point.requirements)}
    return {key: None if isinstance(x, float) and not isfinite(x) else x for key, x in found.items()}
