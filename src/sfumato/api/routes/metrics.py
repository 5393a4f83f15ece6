"""Metrics for Prometheus, without a name, handle or datum in any label."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import PlainTextResponse
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from sfumato.api.calls import of, paths
from sfumato.service.operating_figures import OperatingFigures, operating_figures
from sfumato.service.permissions import Act
from sfumato.web.who_asks import TheCaller, TheService

router = paths("health")


@router.get("/metrics", response_class=PlainTextResponse, **of(Act.METRICS))
def metrics(request: Request, service: TheService, caller: TheCaller) -> PlainTextResponse:
    """How the service is doing: what this process has answered, and what is in the database at this moment."""
    figures = operating_figures(service, caller)
    text = generate_latest(request.app.state.counts.registry) + generate_latest(_gauges(figures))
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def _gauges(figures: OperatingFigures) -> CollectorRegistry:
    registry = CollectorRegistry()
    plain = {
        "database_up": ("Whether the database answers.", float(figures.database_up)),
        "log_lines": ("Lines of the log.", figures.log_lines),
        "queue_length": ("Runs that wait for a worker.", figures.queue),
        "workers": ("Workers that are at work on a run.", figures.workers),
        "uploading_bytes": ("Bytes that have arrived of uploads which are not whole.", figures.uploading_bytes),
    }
    for name, (words, value) in plain.items():
        Gauge(f"sfumato_{name}", words, registry=registry).set(value)
    runs = Gauge("sfumato_runs", "Runs by state and verb.", ("state", "verb"), registry=registry)
    for (state, verb), count in figures.runs.items():
        runs.labels(state, verb).set(count)
    return registry
