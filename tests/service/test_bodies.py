"""Bodies of questions: nobody fills memory or disk with one, whatever the things are called that its path names."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient
from tests.workbench.visitors import visitor

from sfumato.api import app as machines
from sfumato.cli.server import both_doors
from sfumato.service.hierarchy_files import LARGEST
from sfumato.web.guard import MOST_BYTES
from sfumato.workbench import app as people

# The paths that take a file as it comes, piece by piece, each with a limit of its own.
TAKE_FILES = {
    ("PUT", "/api/v1/projects/{name}/files"),
    ("PUT", "/api/v1/projects/{name}/files/{file}"),
    ("PATCH", "/api/v1/projects/{name}/uploads/{handle}/parts"),
    ("POST", "/projects/{project}/table/files"),
    ("POST", "/projects/{project}/versions/files"),
    ("POST", "/projects/{project}/hierarchies/files"),
}
TOO_MUCH = b"a" * (MOST_BYTES + 1)


def paths_with_bodies() -> set[tuple[str, str]]:
    routes = [route for door in (machines, people) for router in door.routers() for route in router.routes]
    return {(method, route.path) for route in routes for method in route.methods if method not in ("GET", "HEAD")}


@pytest.mark.parametrize("called", ["files", "parts", "uploads", "table", "versions", "hierarchies"])
def test_whatever_things_are_called_no_path_reads_a_large_body_but_those_that_take_files(world, called):
    """A body is read before it is known who sends it: by strangers too."""
    door = TestClient(both_doors(world.service), raise_server_exceptions=False)
    known = paths_with_bodies()
    assert len(known) > 100
    assert known >= TAKE_FILES
    taken = set()
    for method, path in sorted(known):
        answer = door.request(method, re.sub(r"{[^}]*}", called, path), content=TOO_MUCH)
        taken |= {(method, path)} if answer.status_code != 413 else set()
    assert taken - {("DELETE", "/api/v1/projects/{name}/files/{file}")} == TAKE_FILES  # to delete a file reads none


def test_a_file_for_a_hierarchy_is_not_read_from_a_stranger_nor_beyond_its_limit(world, monkeypatch):
    read: list[int] = []

    async def counted(sent):
        read.append(sent.size)
        yield b""

    monkeypatch.setattr("sfumato.web.sent_file.SentFile.content", counted)
    file = {"file": ("age.csv", b"a" * (LARGEST + 1))}
    for name, status in ((None, 401), ("other", 404), ("stella", 413)):
        answer = visitor(world, name).post(
            "/projects/clinic/hierarchies/files", data={"column": "age"}, files=file, follow_redirects=False
        )
        assert answer.status_code in (status, 303), name  # whoever is not signed in is led to where one signs in
    assert read == []
