"""Metrics for Prometheus, and the guard before every path."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from sfumato.api.app import application
from sfumato.errors import ServiceUnavailable
from sfumato.service.entities import Run
from sfumato.service.settings import Settings
from sfumato.web.guard import HEADERS


def families(text: str) -> dict[str, list]:
    return {family.name: family.samples for family in text_string_to_metric_families(text)}


def value(text: str, sample_name: str, **labels: str) -> float:
    samples = [sample for family in families(text).values() for sample in family]
    return next(s.value for s in samples if s.name == sample_name and labels.items() <= s.labels.items())


def with_settings(world, **settings):
    return replace(world.service, settings=Settings(**settings))


def test_answers_are_counted_by_the_declared_path_and_class_of_status(world):
    door = world.door("ada")
    for path in ("/api/v1/health", "/api/v1/health", "/api/v1/secret-name-of-somebody"):
        door.get(path)
    text = door.get("/api/v1/metrics").text
    assert value(text, "sfumato_requests_total", route="/health", method="GET", status="2xx") == 2
    assert value(text, "sfumato_requests_total", route="other", method="GET", status="4xx") == 1
    assert value(text, "sfumato_request_seconds_count", route="/health") == 2
    assert "secret-name" not in text


def test_runs_queue_workers_and_log_are_told_without_a_name(world):
    with world.service.database.writing() as session:
        for state in ("queued", "queued", "done"):
            session.add(
                Run(project=project_of(world), version=1, verb="assess", options={}, command="", state=state,
                    author=world.accounts["stella"].handle, created=world.service.clock())
            )  # fmt: skip
    door = world.door("otto")
    door.get("/api/v1/health")
    text = door.get("/api/v1/metrics").text
    assert value(text, "sfumato_runs", state="queued", verb="assess") == 2
    assert value(text, "sfumato_queue_length") == 2
    assert value(text, "sfumato_workers") == 0
    assert value(text, "sfumato_database_up") == 1
    labels = {label for samples in families(text).values() for sample in samples for label in sample.labels}
    assert labels == {"route", "method", "status", "state", "verb", "le"}
    for person in world.accounts.values():
        assert person.handle not in text
        assert not re.search(rf"\b{person.name}\b", text)


def project_of(world) -> str:
    from sqlalchemy import select

    from sfumato.service.entities import ServiceProject

    with world.service.database.reading() as session:
        return session.scalars(select(ServiceProject.handle).where(ServiceProject.name == "clinic")).one()


@pytest.mark.parametrize(("who", "status"), [(None, 401), ("stella", 403), ("ada", 200), ("otto", 200)])
def test_metrics_are_for_administrator_and_auditor(world, who, status):
    assert world.door(who).get("/api/v1/metrics").status_code == status


def test_metrics_are_for_everybody_where_the_settings_say_so_even_without_a_database(world, monkeypatch):
    service = with_settings(world, public_metrics=True)
    door = TestClient(application(service))
    assert door.get("/api/v1/metrics").status_code == 200

    def gone():
        raise ServiceUnavailable

    monkeypatch.setattr(service.database, "reading", gone)
    assert value(door.get("/api/v1/metrics").text, "sfumato_database_up") == 0


def every_kind_of_answer(door):
    yield door.get("/api/v1/health")
    yield door.get("/api/v1/nothing")
    yield door.get("/api/v1/metrics")
    yield door.delete("/api/v1/health")
    yield door.post("/api/v1/health", content=b"a" * 1_000_001)
    yield door.get("/api/v1/unforeseen")
    yield door.options("/api/v1/health")


def test_every_kind_of_answer_has_the_headers_that_keep_a_browser_safe(world):
    app = application(world.service)

    @app.get("/api/v1/unforeseen")
    def unforeseen():
        raise ValueError("cell value 4711")

    door = TestClient(app, raise_server_exceptions=False)
    answers = list(every_kind_of_answer(door))
    assert [answer.status_code for answer in answers] == [200, 404, 401, 405, 413, 500, 405]
    for answer in answers:
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        assert "strict-transport-security" not in answer.headers


def test_by_tls_a_browser_is_told_to_come_back_by_tls_only(world):
    door = TestClient(application(with_settings(world, address="https://sfumato.example.org")))
    assert door.get("/api/v1/health").headers["strict-transport-security"] == "max-age=31536000"


def test_what_nobody_foresaw_is_noted_by_kind_and_place_and_never_by_its_words(world, caplog):
    app = application(world.service)

    @app.get("/api/v1/unforeseen")
    def unforeseen():
        raise ValueError("cell value 4711")

    answer = TestClient(app, raise_server_exceptions=False).get("/api/v1/unforeseen")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert "ValueError" in caplog.text
    assert "test_metrics.py" in caplog.text
    assert "4711" not in answer.text + caplog.text
