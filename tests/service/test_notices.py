"""Notices: what waits for whom, kept with what happened, and sent by mail and webhook without getting in its way."""

from __future__ import annotations

import hmac
import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email import message_from_bytes
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from tests.service.certificates import self_signed
from tests.service.released_package import CANARY, Clinic

from sfumato.service.entities import Account, Notice, Run, ServiceProject
from sfumato.service.notices import notify_of_failed_run
from sfumato.service.send_notices import ATTEMPTS, send_waiting
from sfumato.service.settings import MailSettings


@pytest.fixture
def clinic(world) -> Clinic:
    return Clinic.of(world)


@dataclass
class Mailbox:
    """A server of mail on loopback: what it took, and whether it refuses."""

    letters: list[Any] = field(default_factory=list)
    to: list[str] = field(default_factory=list)
    refuses: bool = False

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        if self.refuses:
            return "451 Not now"
        self.letters.append(message_from_bytes(envelope.content))
        self.to += envelope.rcpt_tos
        return "250 Taken"


@dataclass
class Hook:
    """A server that takes lines of JSON: what it took, and what it answers."""

    lines: list[tuple[bytes, dict[str, str]]] = field(default_factory=list)
    status: int = 204
    address: str = ""


class AnyPort(Controller):
    """A server of mail on a port that the system chooses."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def mailbox(**options: Any) -> Iterator[tuple[Mailbox, int]]:
    taken = Mailbox()
    controller = AnyPort(taken, hostname="127.0.0.1", port=0, **options)
    controller.start()
    try:
        yield taken, controller.port
    finally:
        controller.stop()


@contextmanager
def hook() -> Iterator[Hook]:
    taken = Hook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if taken.status < 300:
                taken.lines.append((body, dict(self.headers)))
            self.send_response(taken.status)
            self.end_headers()

        def log_message(self, *_words: Any) -> None:
            """Nothing is written."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    taken.address = f"http://127.0.0.1:{server.server_port}/notices"
    try:
        yield taken
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def configured(clinic: Clinic, minutes: float = 0, **settings: Any) -> Any:
    """The service with other settings, at some minutes after the last notice."""
    service, time = clinic.world.service, rows(clinic)[-1].created + timedelta(minutes=minutes)
    known = service.settings.model_copy(update=settings)
    return replace(service, settings=known, clock=lambda: time)


def rows(clinic: Clinic) -> list[Notice]:
    with clinic.world.service.database.reading() as session:
        return list(session.query(Notice).order_by(Notice.handle))


def test_everybody_reads_their_own_notices_and_nobody_elses(clinic):
    clinic.submitted()
    door = clinic.door("rita")
    (notice,) = door.get("/api/v1/me/notices").json()["items"]
    assert (notice["kind"], notice["project"], notice["read"]) == ("vote-needed", "clinic", None)
    assert clinic.door("ruth").post(f"/api/v1/me/notices/{notice['notice']}/read").status_code == 404
    assert door.post(f"/api/v1/me/notices/{notice['notice']}/read").json()["read"] is not None
    assert clinic.notices("rita") == []
    assert clinic.notices("other") == clinic.notices("otto") == []
    assert clinic.world.door().get("/api/v1/me/notices").status_code == 401


def test_each_step_tells_whom_it_waits_for_and_whose_it_is(clinic):
    request = clinic.released()
    clinic.post("stella", f"/requests/{request}/revoke", {"reason": "Wrong."})
    kinds = {name: clinic.notices(name)[::-1] for name in ("stella", "rita", "quentin", "rex")}
    assert kinds == {
        "stella": ["request-asked", "release-approved"], "rita": [], "quentin": ["request-moved"] * 5,
        "rex": ["package-there", "package-revoked"],
    }  # fmt: skip


def test_a_notice_is_kept_with_what_happened_or_not_at_all(clinic):
    request = clinic.preparing()
    before = len(rows(clinic))
    assert clinic.post("stella", f"/requests/{request}/submit", {"run": "0" * 26}).status_code == 404
    assert len(rows(clinic)) == before


def test_a_failed_run_is_told_to_whoever_started_it(clinic):
    run = clinic.run(state="failed")
    with clinic.session as session:
        notify_of_failed_run(session, session.get_one(Run, run), clinic.world.service.clock())
    (notice,) = clinic.door("stella").get("/api/v1/me/notices").json()["items"]
    assert (notice["kind"], notice["run"]) == ("run-failed", run)


def test_a_mail_and_a_line_go_out_once_and_hold_the_title_of_the_project_and_no_data(clinic, tmp_path):
    (tmp_path / "hook.key").write_text("a secret of the hook\n", encoding="utf-8")
    with clinic.session as session:
        session.query(ServiceProject).filter_by(name="clinic").one().title = "Wards\r\nBcc: everybody@example.org"
    clinic.asked(purpose=f"To study {CANARY}")
    with mailbox() as (box, port), hook() as taken:
        service = configured(clinic, mail=MailSettings(host="127.0.0.1", port=port), webhook=taken.address,
                             webhook_key_file=tmp_path / "hook.key")  # fmt: skip
        assert send_waiting(service) == 1
        assert send_waiting(service) == 0
    (letter,), ((line, headers),) = box.letters, taken.lines
    assert (box.to, letter["Bcc"], letter["Subject"]) == (
        ["stella@example.org"], None, "Sfumato: something waits for you"
    )  # fmt: skip
    assert "Project: Wards Bcc: everybody@example.org" in letter.get_payload()
    assert {key: json.loads(line)[key] for key in ("account", "kind")} == {"account": "stella", "kind": "request-asked"}
    expected = hmac.new(b"a secret of the hook", line, sha256).hexdigest()
    assert headers["Sfumato-Signature"] == f"sha256={expected}"
    assert headers["Sfumato-Notice"] == rows(clinic)[0].handle
    assert rows(clinic)[0].handle in letter["Message-ID"]
    assert CANARY not in letter.as_string() + line.decode()


def test_what_fails_is_tried_again_with_growing_waits_by_the_way_that_failed_alone(clinic):
    clinic.asked()
    with mailbox() as (box, port), hook() as taken:
        settings = {"mail": MailSettings(host="127.0.0.1", port=port), "webhook": taken.address}
        box.refuses = True
        assert send_waiting(configured(clinic, **settings)) == 0
        assert (len(box.letters), len(taken.lines), rows(clinic)[0].sent_by) == (0, 1, ["webhook"])
        for tried, minutes in enumerate((1, 3, 7, 15), start=1):
            assert send_waiting(configured(clinic, minutes=minutes - 0.1, **settings)) == 0
            assert rows(clinic)[0].attempts == tried
            assert send_waiting(configured(clinic, minutes=minutes, **settings)) == 0
            assert rows(clinic)[0].attempts == tried + 1
        box.refuses = False
        assert send_waiting(configured(clinic, minutes=60, **settings)) == 1
    assert (len(box.letters), len(taken.lines)) == (1, 1)


def test_a_server_that_never_answers_breaks_nothing_and_is_given_up(clinic):
    request = clinic.asked()
    settings = {"mail": MailSettings(host="127.0.0.1", port=1), "webhook": "http://127.0.0.1:1/"}
    for hour in range(ATTEMPTS + 2):
        assert send_waiting(configured(clinic, minutes=60 * 9 * hour + 1, **settings)) == 0
    notice = rows(clinic)[0]
    assert notice.sent is None
    assert notice.attempts <= ATTEMPTS
    assert clinic.post("stella", f"/requests/{request}/take-up").status_code == 200


def test_what_was_read_meanwhile_and_closed_accounts_get_no_mail(clinic):
    clinic.submitted()
    first = clinic.door("rita").get("/api/v1/me/notices").json()["items"][0]["notice"]
    clinic.door("rita").post(f"/api/v1/me/notices/{first}/read")
    with clinic.session as session:
        session.get_one(Account, clinic.world.accounts["ruth"].handle).closed = True
    with mailbox() as (box, port):
        send_waiting(configured(clinic, mail=MailSettings(host="127.0.0.1", port=port)))
    assert sorted(set(box.to)) == ["quentin@example.org", "stella@example.org"]


def test_nothing_is_sent_where_no_way_is_set_up(clinic):
    clinic.asked()
    assert send_waiting(clinic.world.service) == 0
    assert rows(clinic)[0].attempts == 0


def test_a_login_takes_its_password_from_a_file_and_never_without_tls_where_tls_is_asked_for(clinic, tmp_path):
    seen = []

    def check(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        seen.append((data.login, data.password))
        return AuthResult(success=True)

    (tmp_path / "mail.password").write_text("open sesame\n", encoding="utf-8")
    clinic.asked()
    options = {"authenticator": check, "auth_require_tls": False, "auth_required": True}
    with mailbox(**options) as (box, port):
        mail = MailSettings(host="127.0.0.1", port=port, user="sfumato", password_file=tmp_path / "mail.password")
        strict = mail.model_copy(update={"start_tls": True})
        assert send_waiting(configured(clinic, mail=strict)) == 0  # this server has no TLS: nothing was said to it
        assert (seen, box.letters) == ([], [])
        assert send_waiting(configured(clinic, minutes=2, mail=mail)) == 1
    assert seen == [(b"sfumato", b"open sesame")]


def test_a_mail_goes_by_tls_to_a_server_whose_certificate_is_trusted_and_to_no_other(clinic, tmp_path, monkeypatch):
    certificate, key = self_signed(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    clinic.asked()
    with mailbox(tls_context=context, require_starttls=True) as (box, port):
        mail = MailSettings(host="127.0.0.1", port=port, start_tls=True)
        assert send_waiting(configured(clinic, mail=mail)) == 0  # nobody vouches for this certificate
        assert box.letters == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert send_waiting(configured(clinic, minutes=2, mail=mail)) == 1
    assert box.to == ["stella@example.org"]
