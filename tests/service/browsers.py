"""Browsers at the doors of a service: people with passwords, a clock that is moved by hand, codes, and the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pyotp
import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient

from sfumato.api.app import application
from sfumato.proof.use_log.chain import Chain
from sfumato.service import passwords
from sfumato.service.entities import Account
from sfumato.service.settings import Settings

PASSWORD = "four plain words here"
NEW_PASSWORD = "five other plain words now"
API = "/api/v1"
CAREFUL = passwords.HASHER  # the one of the service
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Passwords that are hashed in no time; a test file that imports this has it."""
    monkeypatch.setattr(passwords, "HASHER", QUICK)
    passwords._of_nobody.cache_clear()
    yield
    passwords._of_nobody.cache_clear()


@dataclass
class HandClock:
    """A time that stands still until it is moved."""

    time: datetime

    def __call__(self) -> datetime:
        return self.time

    def on(self, **span: float) -> None:
        self.time += timedelta(**span)


def timed(world, settings: Settings | None = None) -> HandClock:
    """Give a world a clock that is moved by hand, and other settings where they are given."""
    clock = HandClock(datetime.now(UTC))
    world.service = replace(world.service, clock=clock, settings=settings or world.service.settings)
    return clock


def with_password(world, name: str, password: str = PASSWORD) -> None:
    """Give somebody a password."""
    with world.service.database.writing() as session:
        session.get_one(Account, world.accounts[name].handle).password_hash = QUICK.hash(password)


def browser(world, base_url: str = "http://testserver") -> TestClient:
    """A browser that nobody has signed in with."""
    return TestClient(application(world.service), raise_server_exceptions=False, base_url=base_url)


def signed_in(world, name: str) -> TestClient:
    """A browser in which somebody has signed in with their password."""
    with_password(world, name)
    client = browser(world)
    answer = client.post(f"{API}/sign-in", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return client


def code(secret: str, clock: HandClock) -> str:
    """The code that an application shows now."""
    return pyotp.TOTP(secret).at(clock.time)


def with_second_factor(world, name: str, clock: HandClock) -> tuple[TestClient, str]:
    """A browser in which somebody has signed in and set up a second factor, and its secret; its code is a used one."""
    client = signed_in(world, name)
    secret = client.post(f"{API}/me/second-factor").json()["secret"]
    answer = client.post(f"{API}/me/second-factor/confirm", json={"code": code(secret, clock)})
    assert answer.status_code == 200, answer.text
    clock.on(seconds=30)
    return client, secret


def uses(world) -> list[dict[str, Any]]:
    """What the log has, and that it is whole."""
    chain = Chain.of(world.service.events.log, verify=True)
    assert chain.problems == ()
    return list(chain.uses)


def last_use(world) -> dict[str, Any]:
    return uses(world)[-1]


def log_text(world) -> str:
    return world.service.events.log.path.read_text(encoding="utf-8")


def database_bytes(world) -> bytes:
    """All that is on the disk of the database."""
    return b"".join(path.read_bytes() for path in sorted(world.service.root.glob("service.sqlite*")))
