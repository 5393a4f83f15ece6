"""The exposure as a page: the sheet, and heat maps of scenarios and of pairs of columns."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.attackers.exposure import Exposure
from sfumato.show.charts.chart import Chart
from sfumato.show.charts.grids import heat_map
from sfumato.show.documents.exposure import ExposureDocument, ScenarioDocument
from sfumato.show.page import page

STEPS = ("alone", "fewer than 3", "fewer than 5", "fewer than 11", "fewer than 20")


def exposure_page(exposure: Exposure) -> str:
    """One file of HTML with every number and the heat maps."""
    document = exposure.content()
    return page(exposure.sheet(), [_by_threshold(document.scenarios), *_by_pairs(document)])


def _by_threshold(scenarios: Sequence[ScenarioDocument]) -> Chart:
    """Scenarios by class size: per cent of the records in classes that small."""
    names = [scenario.name for scenario in scenarios]
    numbers = [[100 * records / s.records for records in (s.singled_out, *s.below.values())] for s in scenarios]
    return heat_map("Records at risk, by scenario and class size (%)", names, list(STEPS), numbers)


def _by_pairs(document: ExposureDocument) -> list[Chart]:
    """Pairs of columns: per cent of the records that they single out; the columns themselves on the diagonal."""
    sets = {frozenset(s.columns): s.percent for s in (document.sets.found if document.sets else ())}
    names = [name for name in document.quasi_identifiers if frozenset([name]) in sets]
    if len(names) < 2:
        return []
    numbers = [[sets.get(frozenset([one, other])) for other in names] for one in names]
    return [heat_map("Records singled out by pairs of columns (%)", names, names, numbers)]
