"""Explored: many possible releases of one table, risk against loss, each a plan that can be applied."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from sfumato.errors import UnusableInput
from sfumato.outputs import whole, write_text
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import plan_text
from sfumato.progress import Tell, quiet
from sfumato.search.anonymisation import PLAN, Anonymised
from sfumato.search.frontier import Frontier
from sfumato.search.make_release import make_release, solution_plan
from sfumato.search.method_interface import SearchRequest
from sfumato.search.prepare import PreparedTable
from sfumato.search.solve import SolvedTable, write_files
from sfumato.show.charts.chart import Chart
from sfumato.show.documents.frontier import FrontierDocument
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
    trials: tuple[SearchTrial, ...] = field(repr=False)  # one for each point
    notes: tuple[str, ...] = ()

    @property
    def knee(self) -> int | None:
        """The number of the point at which a further step to either side costs most."""
        place = self.frontier.knee_place
        return None if place is None else place + 1

    def plan(self, number: int) -> Plan:
        """The plan of a point."""
        trial = self._trial(number)
        return solution_plan(self.ready, trial.request, trial.solved)

    def release(self, number: int, tell: Tell = quiet) -> Anonymised:
        """The release of a point, made, read anew and compared with the original."""
        trial = self._trial(number)
        return make_release(self.ready, trial.method, trial.request, trial.solved, tell=tell)

    def content(self) -> FrontierDocument:
        """Everything as plain values."""
        return replace(self.frontier.content(), source=self.ready.extract.name, notes=self.notes)

    def sheet(self) -> Sheet:
        """The curve as a table; the knee is marked."""
        return frontier_sheet(self.content())

    def chart(self) -> Chart:
        """The front as a picture, the knee marked."""
        return next(iter(self.charts))

    def write(self, folder: str | Path) -> tuple[Path, ...]:
        """Write the curve, and the plan of each point of the front with its files in a folder of its own."""
        folder = Path(folder)
        written = []
        for number in (place + 1 for place in self.frontier.front_places):
            point, own = self.frontier.points[number - 1], folder / f"point-{number:02}"
            description = f"Found by `sfumato explore` ({point.method}) for {', '.join(point.requirements)}."
            with whole(own, private=True) as draft:
                write_files(draft, self._trial(number).solved, self.ready.hierarchies)
                write_text(draft / PLAN, plan_text(self.plan(number), description))
            written.append(own / PLAN)
        write_text(folder / CURVE, self.to_json())
        return (folder / CURVE, *written)

    def _trial(self, number: int) -> SearchTrial:
        if not 1 <= number <= len(self.trials):
            raise UnusableInput(f"There are points 1 to {len(self.trials)}, and no point {number}.")
        return self.trials[number - 1]
