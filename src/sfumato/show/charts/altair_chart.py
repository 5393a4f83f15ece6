"""A chart as one of Altair, to be changed or saved, that draws itself here: Altair's own pages fetch their library."""

from __future__ import annotations

from typing import Any

from sfumato.show.charts.chart import Chart, grammar, svg_of


def altair_chart(chart: Chart) -> Any:
    """The chart as an object of Altair, which a notebook shows as a picture, without a network.

    `MissingExtra` where Altair is not installed.
    """
    plain = grammar().Chart.from_dict({**chart.spec, "description": chart.alternative})
    kind = type(plain)  # of charts there are several: layers, and panels beside each other
    offline = type(kind.__name__, (kind,), {"_repr_mimebundle_": _picture, "__module__": kind.__module__})
    object.__setattr__(plain, "__class__", offline)  # Altair takes whatever is set otherwise for a part of the chart
    return plain


def _picture(chart: Any, *_: Any, **__: Any) -> dict[str, str]:
    """What a notebook shows of a chart, also of one that somebody has changed since."""
    spec = chart.to_dict()
    title = spec.get("title")
    lines = title.get("text", "") if isinstance(title, dict) else title or ""
    text = lines if isinstance(lines, str) else " ".join(lines)
    return {"image/svg+xml": svg_of(spec, text, str(spec.get("description", ""))), "text/plain": text or "A chart"}
