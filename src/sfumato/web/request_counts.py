"""Counts of questions and answers for Prometheus: by path as it is declared, never by what stood in its place."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.types import Scope

BASE = "/api/v1"  # what the paths of the API begin with
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
OTHER = "other"  # a path or method that there is none of: what strangers try would be labels without end
# Seconds. A page-sized read takes milliseconds; what takes half a minute is an upload or a download.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)


class RequestCounts:
    """What one process has answered since it started. Labels hold no name, handle or datum."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._answers = Counter(
            "sfumato_requests", "Answers by path, method and class of status.", ("route", "method", "status"),
            registry=self.registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "sfumato_request_seconds", "How long answers took.", ("route",), buckets=BUCKETS, registry=self.registry
        )
        self._bytes = Counter("sfumato_upload_bytes", "Bytes of files that were sent here.", registry=self.registry)

    def answered(self, scope: Scope, status: int, seconds: float) -> None:
        """Count an answer; status 0 is one that never began."""
        route = route_of(scope)
        method = scope["method"] if scope["method"] in METHODS else OTHER
        self._answers.labels(route, method, f"{status // 100}xx" if status else "none").inc()
        self._seconds.labels(route).observe(seconds)

    def received(self, count: int) -> None:
        """Count bytes of a file."""
        self._bytes.inc(count)


def route_of(scope: Scope) -> str:
    """The path of a question as it is declared, such as `/projects/{project}`."""
    path: str = getattr(scope.get("route"), "path", OTHER)
    return path.removeprefix(BASE)  # versions of FastAPI differ in whether a route knows of it
