"""The context of a release as a page: the sheet, and the matrix drawn."""

from __future__ import annotations

from sfumato.project.context.result import Context
from sfumato.show.charts.chart import Chart
from sfumato.show.page import page


def context_page(context: Context) -> str:
    """One file of HTML with every answer and the matrix."""
    return page(context.sheet(), [matrix_chart(context)])


def matrix_chart(context: Context) -> Chart:
    """The risk-benefit matrix, highest risk at the top, with the release in it."""
    return next(iter(context.charts))
