"""The whole path, as people walk it: a service that is started by its command, and everybody at the client."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.service.released_package import ANSWERS
from tests.service.run_world import PROJECT, TABLE

import sfumato as sf
from sfumato.errors import NotAllowed, NotKnown, NotSignedIn, ServiceRefusal
from sfumato.service.permissions import TABLE as PERMISSIONS
from sfumato.service.permissions import Scope

httpx = pytest.importorskip("httpx")
pyotp = pytest.importorskip("pyotp")
PASSWORD = "a long sentence that nobody guesses"
PEOPLE = {"stella": "steward", "rita": "reviewer", "ruth": "reviewer", "quentin": "requester", "rex": "recipient"}


@dataclass
class Served:
    """A service in a process of its own, and the client of everybody who has an account in it."""

    process: subprocess.Popen[bytes]
    address: str
    link: str
    people: dict[str, sf.RemoteService] = field(default_factory=dict)

    @classmethod
    def at(cls, root: Path) -> Served:
        command = [sys.executable, "-m", "sfumato", "serve", "--root", str(root), "--port", "0", "--workers", "1"]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONUNBUFFERED": "1"}
        )
        assert process.stdout is not None
        listens, link = process.stdout.readline().decode(), process.stdout.readline().decode()
        return cls(process, re.search(r"http://[\d.]+:\d+", listens)[0], link.rpartition("#")[2].strip())

    def browser(self) -> httpx.Client:
        """Somebody who comes with a browser, and is nobody yet."""
        return httpx.Client(base_url=f"{self.address}/api/v1", timeout=60)

    def come_in(self, name: str, browser: httpx.Client, roles: set[str]) -> None:
        """Sign in, set up the second factor, and take a token for everything that the roles allow."""
        _good(browser.post("/sign-in", json={"name": name, "password": PASSWORD}))
        secret = _good(browser.post("/me/second-factor"))["secret"]
        _good(browser.post("/me/second-factor/confirm", json={"code": pyotp.TOTP(secret).now()}))
        rows = [row for row in PERMISSIONS if row.scope is Scope.SELF or roles & set(row.roles)]
        acts = [row.act for row in rows if row.scope is not Scope.PUBLIC]
        token = _good(browser.post("/me/tokens", json={"label": "notebook", "scopes": acts}))["secret"]
        self.people[name] = sf.connect(self.address, token)


def _good(answer: httpx.Response) -> dict:
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else {}


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    """A service with people of every role, each of whom came by the link that was made for them."""
    service = Served.at(tmp_path_factory.mktemp("service") / "root")
    try:
        ada = service.browser()
        first = {"secret": service.link, "password": PASSWORD, "name": "ada", "mail": "ada@example.org"}
        _good(ada.post("/sign-in/first-start", json=first))
        service.come_in("ada", ada, {"administrator"})
        invited = {}
        for name in (*PEOPLE, "otto"):
            asked = {"name": name, "mail": f"{name}@example.org", "auditor": name == "otto"}
            invited[name] = _good(ada.post("/accounts", json=asked))["link"].rpartition("#")[2]
        people = [{"account": name, "role": role} for name, role in PEOPLE.items()]
        _good(ada.post("/projects", json={"name": "clinic", "title": "The clinic", "people": people}))
        for name, secret in invited.items():
            browser = service.browser()
            _good(browser.post("/sign-in/link", json={"secret": secret, "password": PASSWORD}))
            service.come_in(name, browser, {PEOPLE.get(name, "auditor")})
        yield service
    finally:
        service.process.send_signal(signal.SIGTERM)
        service.process.wait(60)
    assert service.process.returncode == 0


def test_from_a_table_to_a_package_that_was_reviewed_released_downloaded_and_verified(served, tmp_path):
    table = tmp_path / "patients.csv"
    table.write_text(TABLE)
    stella, rita, ruth, quentin, rex, otto = (served.people[name] for name in (*PEOPLE, "otto"))
    clinic = stella.project("clinic")
    clinic.upload(table)
    clinic.save({"sfumato.yaml": PROJECT}, message="First")
    assessed = clinic.assess()
    assert assessed.met is False
    assert "sfumato assess" in assessed.run.command

    asked = quentin.project("clinic").ask("A study of care", ["age", "sex", "diagnosis"], ANSWERS, recipient="rex")
    request = stella.project("clinic").request(asked.handle).take_up()
    made = clinic.release()
    assert made.met
    request = request.submit(made.run)
    package = request.package_hash

    with pytest.raises(NotAllowed):  # who prepared it does not vote
        request.vote("approve", "Mine is good.")
    ours = [person.project("clinic").request(asked.handle) for person in (rita, ruth)]
    ours[0].vote("approve", "Small groups are gone.", package_hash=package)
    (theirs,) = ours[1].votes()
    assert (theirs["reviewer"], theirs["verdict"], theirs["reason"]) == ("rita", None, None)  # blind until all are in
    ours[1].vote("approve", "So I see it.", package_hash=package)
    assert request.refresh().state == "approved"

    with pytest.raises((NotKnown, NotAllowed, ServiceRefusal)):  # approval is no release
        rex.project("clinic").request(asked.handle, own=True).download(tmp_path / "early.zip")
    with pytest.raises(ServiceRefusal):
        request.release("yes")
    assert request.release(request.preview_release()["confirmation"]).state == "released"

    received = rex.project("clinic").request(asked.handle, own=True)
    with zipfile.ZipFile(received.download(tmp_path / "package.zip")) as archive:
        archive.extractall(tmp_path / "package")
    (folder,) = {path.parent for path in (tmp_path / "package").rglob("manifest.json")}
    assert sf.verify(folder).agrees
    assert "P01" not in (folder / "released.csv").read_text()

    request.revoke("The study was called off.")
    with pytest.raises(ServiceRefusal):
        received.download(tmp_path / "again.zip")

    assert otto.verify_log()["problems"] == []
    acts = {line["line"].get("command", {}).get("name") for line in otto.log()}
    assert {"sign-in", "run.start", "request.submit", "review.vote", "request.release", "package.download"} <= acts
    with pytest.raises(NotAllowed):
        list(stella.log())


def test_a_token_that_nobody_issued_opens_nothing(served):
    with pytest.raises(NotSignedIn):
        sf.connect(served.address, "sfumato_" + "x" * 43).projects()
