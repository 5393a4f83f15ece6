"""Uploads: they go on after a cut, end at a limit, take no memory, and are a source only when they are whole."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from threading import Thread

import pytest
from tests.service.conftest import a_world
from tests.service.project_of_visits import BASE, CANARY, PROJECT, log_of, put, uploaded, visits

from sfumato.api.app import application
from sfumato.errors import NotKnown
from sfumato.service.settings import Settings
from sfumato.service.uploads import begin_part
from sfumato.web.part_stream import CHUNK

UPLOADS = f"{BASE}/uploads"


def begun(door, size: int, name: str = "visits.csv") -> str:
    answer = door.post(UPLOADS, json={"name": name, "bytes": size})
    assert answer.status_code == 201, answer.text
    return f"{UPLOADS}/{answer.json()['handle']}"


@contextmanager
def served(world):
    """The API at a port, as a server has it."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(application(world.service), port=0, log_level="error"))
    thread = Thread(target=server.run)
    thread.start()
    try:
        wait_for(lambda: server.started)
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def wait_for(happened) -> None:
    """Wait until something has happened; half a minute is for a machine that is very busy."""
    until = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < until, "It did not happen."
        time.sleep(0.02)


def part(door, place: str, content, offset: int):
    return door.patch(f"{place}/parts", content=content, headers={"Upload-Offset": str(offset)})


def test_an_upload_that_was_cut_goes_on_where_it_ended_also_after_a_restart_and_is_then_the_whole_file(world, tmp_path):
    content = visits(120_000)
    door = world.door("stella")
    place = begun(door, len(content))

    sent = CHUNK + 300_000
    with served(world) as port:  # a connection that ends in the middle of a part
        head = (
            f"PATCH {place}/parts HTTP/1.1\r\nHost: x\r\nAuthorization: {door.headers['Authorization']}\r\n"
            f"Upload-Offset: 0\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(head.encode() + content[:sent])
            wait_for(lambda: door.get(place).json()["received"] > 0)
        # Until nobody writes to it any more: the cut is noticed then, and what came before it is kept.
        wait_for(lambda: part(door, place, b"", door.get(place).json()["received"]).status_code == 200)
        arrived = door.get(place).json()["received"]
    assert CHUNK <= arrived <= sent
    wrong = part(door, place, content, 0)
    assert (wrong.status_code, wrong.headers["Upload-Offset"]) == (409, str(arrived))
    further = arrived + 10_000
    assert part(door, place, content[arrived:further], arrived).headers["Upload-Offset"] == str(further)
    early = door.post(f"{place}/source", json={})
    assert (early.status_code, f"{further:,}" in early.json()["detail"]) == (409, True)
    world.service.database.close()  # a restart: a new service at the same root
    again = type(world)(type(world.service).at(world.service.root), world.accounts)
    door = again.door("stella")
    assert door.get(place).json()["received"] == further
    assert part(door, place, content[further:], further).status_code == 200
    wanted = sha256(content).hexdigest()
    wrong = door.post(f"{place}/source", json={"sha256": "0" * 64})
    assert wrong.status_code == 409
    source = door.post(f"{place}/source", json={"sha256": wanted})
    assert (source.status_code, source.json()["hash"], source.json()["bytes"]) == (201, wanted, len(content))
    kept = again.service.storage.path(wanted)
    assert kept.read_bytes() == content
    assert kept.stat().st_mode & 0o777 == 0o600
    assert door.get(place).status_code == 404
    assert list((world.service.root / "uploads").iterdir()) == []
    assert CANARY.encode() not in log_of(again.service)
    again.service.database.close()


def test_what_is_larger_than_the_limit_or_than_it_was_said_to_be_is_refused(tmp_path):
    world = a_world(tmp_path / "root", Settings(upload_bytes=1_000_000))
    door = world.door("stella")
    refused = door.post(UPLOADS, json={"name": "visits.csv", "bytes": 1_000_001})
    assert (refused.status_code, "1,000,000 bytes" in refused.json()["detail"]) == (413, True)
    place = begun(door, 1_000)
    assert part(door, place, b"a" * 900, 0).status_code == 200
    beyond = part(door, place, b"a" * 200, 900)
    assert (beyond.status_code, "1,000 bytes" in beyond.json()["detail"]) == (413, True)
    endless = part(door, place, (b"a" * CHUNK for _ in range(50)), 900)  # without a length
    assert endless.status_code == 413
    assert door.get(place).json()["received"] == 900  # nothing of what was refused
    assert part(door, place, b"a" * 100, 900).status_code == 200
    assert door.delete(place).status_code == 204
    assert list((world.service.root / "uploads").iterdir()) == []
    world.service.database.close()


def test_two_parts_at_once_are_one_too_many(world):
    door = world.door("stella")
    place = begun(door, 100)
    arrival = begin_part(world.service, world.caller("stella"), "clinic", place.rpartition("/")[2], 0)
    assert part(door, place, b"a" * 10, 0).status_code == 409
    assert door.post(f"{place}/source", json={}).status_code == 409
    arrival.write(b"b" * 10)
    arrival.close()
    assert part(door, place, b"a" * 90, 10).status_code == 200


NAMES = ["../visits.csv", "/etc/passwd", "a/b.csv", "visits.exe", "visits", ".csv", "-a.csv", "nul.csv", "a\n.csv",
         "sfumato.yaml", "sfumato.key", "a\\b.csv", "x:y.csv", "visits.csv ", "<b>.csv|"]  # fmt: skip


def test_no_upload_under_a_name_that_is_none_or_is_taken(world):
    door = world.door("stella")
    answers = [door.post(UPLOADS, json={"name": name, "bytes": 5}) for name in NAMES]
    assert {name: answer.status_code for name, answer in zip(NAMES, answers, strict=True)} == dict.fromkeys(NAMES, 422)
    assert door.post(UPLOADS, json={"name": "a.csv", "bytes": 0}).status_code == 422
    assert door.post(UPLOADS, json={"name": "a.csv", "bytes": 5, "path": "/etc"}).status_code == 422
    put(door, "sfumato.yaml", PROJECT)
    put(door, "sex.csv", "f\nm\n")
    assert door.post(UPLOADS, json={"name": "SEX.csv", "bytes": 5}).status_code == 409
    uploaded(door, visits())
    assert door.post(UPLOADS, json={"name": "Visits.csv", "bytes": 5}).status_code == 409
    assert put(door, "visits.csv", "a\n").status_code == 422
    assert list((world.service.root / "uploads").iterdir()) == []


def test_a_key_begins_one_upload_however_often_it_is_asked(world):
    door = world.door("stella")
    handles = {
        door.post(UPLOADS, json={"name": "a.csv", "bytes": 5}, headers={"Idempotency-Key": "one"}).json()["handle"]
        for _ in range(3)
    }
    assert len(handles) == len(door.get(UPLOADS).json()) == 1


def test_others_see_no_upload_and_send_no_part(world):
    place = begun(world.door("stella"), 10)
    for who, reading, sending in (("other", 404, 404), ("rita", 200, 403), ("rex", 403, 403), (None, 401, 401)):
        door = world.door(who)
        assert door.get(place).status_code == reading
        assert part(door, place, b"a" * 10, 0).status_code == sending
        assert door.post(f"{place}/source", json={}).status_code == sending
        assert door.delete(place).status_code == sending
    elsewhere = place.replace("clinic", "elsewhere")
    assert part(world.door("other"), elsewhere, b"a" * 10, 0).status_code == 404
    assert world.door("stella").get(place).json()["received"] == 0


def test_an_upload_whose_time_is_over_is_no_more(world):
    door = world.door("stella")
    place = begun(door, 10)
    late = type(world.service)(**{**vars(world.service), "clock": lambda: world.service.clock() + timedelta(hours=49)})
    with pytest.raises(NotKnown):
        begin_part(late, world.caller("stella"), "clinic", place.rpartition("/")[2], 0)


FLAT = """
import resource, sys
from pathlib import Path
from tests.service.conftest import a_world
from tests.service.test_uploads import begun, part
world = a_world(Path(sys.argv[1]) / "root")
door = world.door("stella")
size, chunk = int(sys.argv[2]) * 2**20, bytes(2**16)
def peak(size, name):
    place = begun(door, size, name)
    assert part(door, place, (chunk for _ in range(size // len(chunk))), 0).status_code == 200
    assert door.post(f"{place}/source", json={}).status_code == 201
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
small = peak(2**20, "small.csv")
print(peak(size, "large.csv") - small)
"""


def test_a_large_upload_takes_no_more_memory_than_a_small_one(tmp_path):
    """Over a real socket in tests/soak; here the application itself, with 64 MB in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-c", FLAT, str(tmp_path), "64"], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 100, "megabytes"
