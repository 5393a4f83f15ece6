"""The context of a release as a page: the sheet, and the matrix drawn."""

from __future__ import annotations

from sfumato.project.context.result import Context
from sfumato.project.context.risk_benefit import Level
from sfumato.show.charts.chart import Chart
from sfumato.show.charts.matrix import matrix
from sfumato.show.page import page


def context_page(context: Context) -> str:
    """One file of HTML with every answer and the matrix."""
    return page(context.sheet(), [matrix_chart(context)])


def matrix_chart(context: Context) -> Chart:
    """The risk-benefit matrix, highest risk at the top, with the release in it."""
    content = context.content().matrix
    cells = {(cell.risk, cell.benefit): cell.area for cell in content.areas}
    down, across = [*reversed(Level)], [*Level]
    risk, benefit = context.place.risk.level, context.place.benefit.level
    return matrix(
        "Risk and benefit of the release",
        [f"{level} risk" for level in down],
        [f"{level} benefit" for level in across],
        [[cells[risk, benefit] for benefit in across] for risk in down],
        here=(None if risk is None else down.index(risk), None if benefit is None else across.index(benefit)),
        note=f"{context.place.words} {content.sentence}",
    )
