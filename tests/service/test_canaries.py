"""Marked values in tables, looked for in everything that leaves the service but rows and downloads."""

from __future__ import annotations

import logging

import pytest
from tests.service.conftest import a_world
from tests.service.test_permission_table import address, operations, question, things

from sfumato.api.app import application
from sfumato.service.entities import RegisteredSource

MARKS = ("zyzzogeton", "19470815123")
TABLE = "name,number,age\n" + "\n".join(f"{MARKS[0]},{MARKS[1]},{age}" for age in range(30, 60)) + "\n"
FOR_ROWS = ("/rows", "/rows/{name}", "/package")  # these paths are there to show them, or to hand them out


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict[str, str]:
    """What every path answers to everybody, and what log and messages hold afterwards."""
    world = a_world(tmp_path_factory.mktemp("canaries") / "root")
    known = things(world)
    content = world.service.storage.keep(TABLE.encode())
    with world.service.database.writing() as session:
        source = session.get_one(RegisteredSource, known["source"])
        source.hash, source.bytes, source.name = content, len(TABLE), "people.csv"
    messages: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    document, answers = application(world.service).openapi(), {}
    for who in ("stella", "rita", "quentin", "rex", "ada", "otto", None):
        door = world.door(who)
        for method, path, operation in operations(document):
            if method == "delete" or path.endswith(("/close", "/reset-password", *FOR_ROWS)):
                continue
            asked = question(path, operation, document)
            answer = door.request(method.upper(), address(path, known), follow_redirects=False, **asked)
            answers[f"{who} {method} {path}"] = answer.text + str(answer.headers)
    logging.getLogger().removeHandler(handler)
    log = world.service.events.log.path.read_text(encoding="utf-8")
    world.service.database.close()
    return {**answers, "log": log, "messages": "\n".join(messages)}


def test_no_cell_is_in_any_answer_error_metric_log_or_message(told):
    assert len(told) > 300
    assert {where for where, text in told.items() for mark in MARKS if mark in text} == set()


def test_the_marks_are_there_to_be_shown(tmp_path):
    """Where rows are asked for by somebody who may see them, they come: the search above looks for the right thing."""
    world = a_world(tmp_path / "root")
    known = things(world)
    content = world.service.storage.keep(TABLE.encode())
    with world.service.database.writing() as session:
        source = session.get_one(RegisteredSource, known["source"])
        source.hash, source.bytes, source.name = content, len(TABLE), "people.csv"
    answer = world.door("stella").get(f"/api/v1/projects/clinic/sources/{known['source']}/rows")
    assert answer.status_code == 200, answer.text
    assert MARKS[0] in answer.text
