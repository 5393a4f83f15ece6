"""What was lost, as a page: the sheet, and each column before and after."""

from __future__ import annotations

from sfumato.progress import Tell, quiet
from sfumato.show.charts.chart import Chart
from sfumato.show.page import page
from sfumato.show.sheets.losses import whole_sheet
from sfumato.utility.distributions import distribution
from sfumato.utility.losses import Losses

DRAWN = 60  # columns that get a picture; a page with more is slow to open. Chosen, not measured


def losses_page(losses: Losses, tell: Tell = quiet) -> str:
    """One file of HTML with every number, and the distributions before and after of the columns."""
    names = [column.name for column in losses.compared.pairing.columns][:DRAWN]
    charts: list[Chart] = []
    for drawn, name in enumerate(names):
        tell("Drawing the columns", drawn, len(names))
        charts.append(distribution(losses.compared, name).chart())
    return page(whole_sheet(losses.content()), charts)
