"""Explored: many possible releases of one table, risk against loss, each a plan that can be applied."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.errors import UnusableInput
from sfumato.outputs import whole, write_text
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import plan_text
from sfumato.progress import Tell, quiet
from sfumato.search.anonymisation import PLAN, Anonymised
from sfumato.search.frontier import Frontier, Point
from sfumato.search.make_release import make_release, solution_plan
from sfumato.search.method_interface import SearchRequest
from sfumato.search.prepare import PreparedTable
from sfumato.search.solve import SolvedTable, write_files
from sfumato.show.charts.chart import Chart
from sfumato.show.charts.lines import Mark, Series, lines
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.frontier import frontier_sheet

CURVE = "curve.json"


@dataclass(frozen=True, eq=False)
class SearchTrial:
    """One possible release: how it was searched, and what was found."""

    method: str
    request: SearchRequest
    solved: SolvedTable


@dataclass(frozen=True, repr=False)
class Explored(Presented):
    """The curve of risk against loss, and behind each of its points a plan. Points are numbered from 1 on."""

    ready: PreparedTable = field(repr=False)
    frontier: Frontier
    tried: tuple[SearchTrial, ...] = field(repr=False)  # one for each point
    notes: tuple[str, ...] = ()

    @property
    def knee(self) -> int | None:
        """The number of the point at which a further step to either side costs most."""
        found = self.frontier.knee
        return None if found is None else self._number(found)

    def plan(self, number: int) -> Plan:
        """The plan of a point."""
        tried = self._at(number)
        return solution_plan(self.ready, tried.request, tried.solved)

    def release(self, number: int, tell: Tell = quiet) -> Anonymised:
        """The release of a point, made, read anew and compared with the original."""
        tried = self._at(number)
        return make_release(self.ready, tried.method, tried.request, tried.solved, tell=tell)

    def document(self) -> dict[str, Any]:
        """Everything as plain values."""
        found = self.frontier.document()
        return {"source": self.ready.extract.name, **found, "notes": list(self.notes)}

    def sheet(self) -> Sheet:
        """The curve as a table; the knee is marked."""
        return frontier_sheet(self.document())

    def chart(self) -> Chart:
        """The front as a picture, the knee marked."""
        front, knee = self.frontier.front, self.frontier.knee
        methods = dict.fromkeys(point.method for point in front)
        series = [Series(m, tuple((p.risk, p.score) for p in front if p.method == m)) for m in methods]
        what = "knee" if knee is not None and self.frontier.distance(knee) else "safest"
        mark = None if knee is None else Mark(knee.risk, knee.score, f"{what}: {', '.join(knee.requirements)}")
        return lines(
            "Risk against loss", series, x=self.frontier.risk, y=self.frontier.loss, marked=mark,
            note="Releases that no other beats in both; below and to the left is better.",
        )  # fmt: skip

    def write(self, folder: str | Path) -> tuple[Path, ...]:
        """Write the curve, and the plan of each point of the front with its files in a folder of its own."""
        folder = Path(folder)
        written = []
        for point in self.frontier.front:
            number = self._number(point)
            tried, place = self._at(number), folder / f"point-{number:02}"
            with whole(place) as draft:
                write_files(draft, tried.solved, self.ready.hierarchies)
                write_text(draft / PLAN, plan_text(self.plan(number), _description(point)))
            written.append(place / PLAN)
        write_text(folder / CURVE, self.to_json())
        return (folder / CURVE, *written)

    def _number(self, point: Point) -> int:
        return next(i for i, found in enumerate(self.frontier.points, 1) if found is point)

    def _at(self, number: int) -> SearchTrial:
        if not 1 <= number <= len(self.tried):
            raise UnusableInput(f"There are points 1 to {len(self.tried)}, and no point {number}.")
        return self.tried[number - 1]


def _description(point: Point) -> str:
    return f"Found by `sfumato explore` ({point.method}) for {', '.join(point.requirements)}."
