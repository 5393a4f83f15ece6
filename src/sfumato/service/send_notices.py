"""Sending of notices by mail and webhook: tried again with growing waits, and never in the way of what happened.

A notice goes out at least once by each way: where the process dies between sending and writing that down, it goes out
again, with the same identifier (Message-ID, Sfumato-Notice), by which a receiver knows it.
"""

from __future__ import annotations

import hmac
import json
import smtplib
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path

from sqlalchemy import select

from sfumato.service.entities import Account, Notice, ServiceProject
from sfumato.service.service import Service

MAIL, WEBHOOK = "mail", "webhook"
ATTEMPTS = 10  # with waits of 1, 2, 4 ... minutes: seventeen hours
FIRST_WAIT = timedelta(minutes=1)
AGE = timedelta(days=3)  # what is older is no news, such as after mail was set up for the first time
AT_ONCE = 100  # notices of one call
PATIENCE = 10  # seconds for a server to answer


@dataclass(frozen=True)
class _Letter:
    """A notice as it goes out: who, of which project, what."""

    notice: Notice
    account: Account
    project: ServiceProject | None

    @property
    def title(self) -> str:
        return " ".join((self.project.title or self.project.name).split()) if self.project else ""


def send_waiting(service: Service) -> int:
    """Send what waits to be sent; how many notices have gone out by every way. What fails is tried again later."""
    ways: dict[str, Callable[[Service, _Letter], None]] = {}
    if service.settings.mail is not None:
        ways[MAIL] = _mail
    if service.settings.webhook is not None:
        ways[WEBHOOK] = _post
    sent = 0
    for letter in _claimed(service) if ways else []:
        done = [way for way, send in ways.items() if way in letter.notice.sent_by or _went(service, letter, send)]
        sent += _kept(service, letter.notice, done, whole=len(done) == len(ways))
    return sent


def _claimed(service: Service) -> list[_Letter]:
    """What is to be sent now. That it is being tried is written first, so that no other process tries it as well."""
    now = service.clock()
    waiting = (
        select(Notice)
        .join(Account, Account.handle == Notice.account)
        .where(
            Notice.sent.is_(None),
            Notice.read.is_(None),
            Notice.attempts < ATTEMPTS,
            Notice.next_attempt <= now,
            Notice.created > now - AGE,
            Account.closed.is_(False),
        )
    )
    with service.database.writing() as session:
        rows = session.scalars(waiting.order_by(Notice.handle).limit(AT_ONCE).with_for_update(of=Notice)).all()
        for row in rows:
            row.next_attempt = now + FIRST_WAIT * 2**row.attempts
            row.attempts += 1
        return [
            _Letter(
                row,
                session.get_one(Account, row.account),
                session.get(ServiceProject, row.project) if row.project else None,
            )
            for row in rows
        ]


def _went(service: Service, letter: _Letter, send: Callable[[Service, _Letter], None]) -> bool:
    import httpx

    try:
        send(service, letter)
    except (OSError, smtplib.SMTPException, httpx.HTTPError, httpx.InvalidURL, ValueError):
        return False
    return True


def _kept(service: Service, notice: Notice, done: list[str], *, whole: bool) -> bool:
    with service.database.writing() as session:
        row = session.get_one(Notice, notice.handle)
        row.sent_by = done
        row.sent = service.clock() if whole else None
    return whole


def _mail(service: Service, letter: _Letter) -> None:
    """By SMTP; somebody without an address gets none, which is no failure."""
    settings = service.settings.mail
    if settings is None or letter.account.mail is None:
        return
    with smtplib.SMTP(settings.host, settings.port, timeout=PATIENCE) as server:
        if settings.start_tls:
            server.starttls(context=ssl.create_default_context())
        if settings.user is not None:
            server.login(settings.user, _secret(settings.password_file))
        server.send_message(_message(letter, settings.sender, letter.account.mail, service.settings.address))


def _message(letter: _Letter, sender: str, to: str, address: str) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Sfumato: something waits for you"
    message["From"], message["To"] = sender, to
    message["Date"] = format_datetime(letter.notice.created)
    message["Message-ID"] = f"<{letter.notice.handle}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(f"{letter.notice.words}\n\nProject: {letter.title}\n{address}\n")
    return message


def _post(service: Service, letter: _Letter) -> None:
    """By a POST of one line of JSON, authenticated by a key that both sides have."""
    import httpx

    line = {
        "notice": letter.notice.handle,
        "account": letter.account.name,
        "kind": letter.notice.kind,
        "words": letter.notice.words,
        "project": letter.title,
        "created": letter.notice.created.isoformat(),
    }
    body = json.dumps(line).encode() + b"\n"
    headers = {"Content-Type": "application/json", "Sfumato-Notice": letter.notice.handle}
    if service.settings.webhook_key_file is not None:
        key = _secret(service.settings.webhook_key_file).encode()
        headers["Sfumato-Signature"] = f"sha256={hmac.new(key, body, sha256).hexdigest()}"
    answer = httpx.post(service.settings.webhook or "", content=body, headers=headers, timeout=PATIENCE)
    answer.raise_for_status()


def _secret(file: Path | None) -> str:
    return file.read_text(encoding="utf-8").strip() if file is not None else ""
