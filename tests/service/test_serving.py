"""The service as it is served: by TLS with its own certificate, and behind a proxy that says who asks."""

from __future__ import annotations

import socket
import ssl
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from tests.service.browsers import API, PASSWORD, quick_hashes, uses, with_password  # noqa: F401
from tests.service.certificates import self_signed
from tests.service.run_world import until

from sfumato.cli.server import ServiceServer, http_server
from sfumato.errors import ServiceUnavailable
from sfumato.service.first_start import first_start_link
from sfumato.service.service import Service
from sfumato.service.settings import Settings

HTTPS = "https://sfumato.example.org"
CLAIMED = "203.0.113.7"


@contextmanager
def served(world: Any, **settings: Any) -> Iterator[int]:
    """The server of `sfumato serve` on a port of this machine, with other settings."""
    world.service = replace(world.service, settings=world.service.settings.model_copy(update=settings))
    server = http_server(world.service)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            until(lambda: server.started)
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(60)


def wrong_password(client: httpx.Client, **headers: str) -> httpx.Response:
    """A try to sign in that fails, so that the log has a line and the slow-down a count."""
    return client.post(f"{API}/sign-in", json={"name": "nobody-at-all", "password": PASSWORD}, headers=headers)


def test_with_a_certificate_it_answers_by_tls_only_and_its_cookie_goes_by_tls_only(world, tmp_path):
    certificate, key = self_signed(tmp_path)
    with_password(world, "quentin")
    with served(world, certificate=certificate, private_key=key, address=HTTPS) as port:
        context = ssl.create_default_context(cafile=certificate)
        with httpx.Client(base_url=f"https://127.0.0.1:{port}", verify=context) as client:
            answer = client.post(f"{API}/sign-in", json={"name": "quentin", "password": PASSWORD})
            assert answer.status_code == 200
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-sfumato=")
            assert "Secure" in cookie
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            assert client.get(f"{API}/me").json()["name"] == "quentin"
        with pytest.raises(httpx.ConnectError, match=r"(?i)certificate"):
            httpx.get(f"https://127.0.0.1:{port}{API}/health")
        with pytest.raises(httpx.TransportError):
            httpx.get(f"http://127.0.0.1:{port}{API}/health")


def test_behind_a_proxy_the_address_that_it_has_seen_is_logged_and_slowed_down(world):
    """A client may claim an address as well: what the proxy adds stands behind it, and counts."""
    with served(world, proxy=True, address=HTTPS) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        forwarded = {"X-Forwarded-For": f"198.51.100.99, {CLAIMED}", "X-Forwarded-Proto": "https"}
        codes = [wrong_password(client, **forwarded).status_code for _ in range(6)]
        assert codes[0] == 401
        assert codes[-1] == 429
        answer = client.get(f"{API}/health", headers=forwarded)
        assert "strict-transport-security" in answer.headers
    assert {use["who"]["address"] for use in uses(world)} == {CLAIMED}


@pytest.mark.parametrize("settings", [{}, {"proxy": True, "proxy_addresses": "192.0.2.1"}], ids=["none", "another"])
def test_nobody_but_the_proxy_that_was_named_says_from_where_somebody_asks(world, settings):
    with served(world, **settings) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        wrong_password(client, **{"X-Forwarded-For": CLAIMED, "X-Real-IP": CLAIMED, "Forwarded": f"for={CLAIMED}"})
    assert {use["who"]["address"] for use in uses(world)} == {"127.0.0.1"}


@pytest.mark.parametrize(
    ("host", "settings", "address"),
    [
        ("127.0.0.1", Settings(), "http://127.0.0.1:{port}"),
        ("127.0.0.1", Settings(address=HTTPS), HTTPS),
        ("0.0.0.0", Settings(), Settings().address),  # an address at which nobody is reached is in no link
    ],
)
def test_links_lead_to_the_port_that_it_listens_on_unless_an_address_was_named(tmp_path, host, settings, address):
    from sfumato.service.service import Service

    serving = ServiceServer(Service.at(tmp_path / "root", settings), host, 0, 0)
    try:
        link = first_start_link(serving.service)
        assert link.startswith(address.format(port=serving.port) + "/link/")
        assert serving.service.settings.secure is (settings.address == HTTPS)
    finally:
        serving.listening.close()
        serving.service.database.close()


@pytest.mark.parametrize(
    "error", [OSError("P01"), ValueError("P01"), ServiceUnavailable()], ids=lambda e: type(e).__name__
)
def test_what_is_done_every_hour_is_done_again_whatever_went_wrong_and_no_value_is_said(world, capsys, error):
    server = ServiceServer(world.service, "127.0.0.1", 0, 0)
    times: list[int] = []

    def chore(_service: Any) -> int:
        times.append(1)
        if len(times) == 2:
            server.ending.set()
        raise error

    server._repeat(0.0, "The hourly sweep", chore)
    server.listening.close()
    assert len(times) == 2
    said = capsys.readouterr().err
    assert said.count("The hourly sweep could not be done") == 2
    assert "P01" not in said


def test_what_the_service_keeps_is_for_its_owner_only_whoever_may_look_into_the_folder(tmp_path):
    root = tmp_path / "root"
    root.mkdir(mode=0o755)
    Service.at(root).database.close()
    (root / "service.sqlite").chmod(0o644)  # as an older version left it
    service = Service.at(root)
    with service.database.writing() as session:
        session.execute(text("CREATE TABLE something (a INTEGER)"))
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in root.iterdir()}
    service.database.close()
    assert {name for name in modes if name.startswith("service.sqlite-")}
    assert {name: mode for name, mode in modes.items() if mode & 0o077} == {}
