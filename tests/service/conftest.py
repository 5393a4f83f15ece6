"""A service in a folder of its own, with people of every role in one project, and doors for each of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from sfumato.api.app import application
from sfumato.service.caller import Caller, Way
from sfumato.service.doors import issue_token
from sfumato.service.entities import Account, Membership, ServiceProject
from sfumato.service.permissions import OF_PROJECTS, Act, ServiceRole
from sfumato.service.service import Service
from sfumato.service.settings import Settings


@dataclass
class World:
    """A service, the people in it by name, and how to ask as each of them."""

    service: Service
    accounts: dict[str, Account] = field(default_factory=dict)

    def person(self, name: str, *, administrator: bool = False, auditor: bool = False) -> Account:
        """Somebody with an account, and no role in any project yet."""
        account = Account(
            name=name, shown_name=name.title(), mail=f"{name}@example.org", identity=f"{name}@example.org",
            administrator=administrator, auditor=auditor, created=self.service.clock(),
        )  # fmt: skip
        with self.service.database.writing() as session:
            session.add(account)
        self.accounts[name] = account
        return account

    def project(self, name: str, **roles: str) -> ServiceProject:
        """A project, with the people of each role; several are separated by blanks."""
        project = ServiceProject(name=name, title=name.title(), created=self.service.clock())
        with self.service.database.writing() as session:
            session.add(project)
            session.flush()
            for role, people in roles.items():
                for person in people.split():
                    session.add(
                        Membership(project=project.handle, account=self.accounts[person].handle, role=ServiceRole(role))
                    )
        return project

    def caller(self, name: str) -> Caller:
        """Somebody as the service knows them, for calls without HTTP."""
        account = self.accounts[name]
        held = {ServiceRole.ADMINISTRATOR: account.administrator, ServiceRole.AUDITOR: account.auditor}
        roles = frozenset(role for role, has in held.items() if has)
        return Caller(Way.SESSION, account.handle, account.name, account.identity, roles, "127.0.0.1")

    def token(self, name: str, *scopes: Act) -> str:
        """A token of somebody, for everything unless scopes are given."""
        with self.service.database.writing() as session:
            _, secret = issue_token(
                session, self.service, self.accounts[name].handle, label="test", scopes=scopes or tuple(Act),
                expires=self.service.clock() + timedelta(days=1),
            )  # fmt: skip
        return secret

    def door(self, name: str | None = None, *scopes: Act) -> TestClient:
        """The API as somebody sees it; without a name, as somebody who is not signed in."""
        client = TestClient(application(self.service), raise_server_exceptions=False, base_url="http://testserver")
        if name is not None:
            client.headers["Authorization"] = f"Bearer {self.token(name, *scopes)}"
        return client


def a_world(root: Path, settings: Settings | None = None) -> World:
    """A service with two projects that have nobody in common, but for administrator and auditor."""
    world = World(Service.at(root, settings or Settings()))
    for name in ("stella", "rita", "ruth", "quentin", "rex", "other"):
        world.person(name)
    world.person("ada", administrator=True)
    world.person("otto", auditor=True)
    assert {role.value for role in OF_PROJECTS} == {"requester", "steward", "reviewer", "recipient"}
    world.project("clinic", steward="stella", reviewer="rita ruth", requester="quentin", recipient="rex quentin")
    world.project("elsewhere", steward="other")
    return world


def opened(root: Path, settings: Settings | None = None) -> World:
    """A world that lies in a folder already."""
    made = World(Service.at(root, settings or Settings()))
    with made.service.database.reading() as session:
        made.accounts = {account.name: account for account in session.scalars(select(Account))}
    return made


@pytest.fixture(scope="session")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a world, of which each test has a copy: to make one anew takes a second of waiting for the disk."""
    root = tmp_path_factory.mktemp("pattern") / "root"
    a_world(root).service.database.close()
    return root


@pytest.fixture
def world(tmp_path: Path, pattern: Path) -> Iterator[World]:
    """A world of one test."""
    made = opened(Path(shutil.copytree(pattern, tmp_path / "root")))
    yield made
    made.service.live.end()
    made.service.database.close()
