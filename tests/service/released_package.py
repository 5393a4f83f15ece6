"""A real release of a small table, made once for all tests, and runs, versions and requests that stand on it."""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from tests.service.conftest import World

from sfumato.service.entities import DataRequest, ProjectVersion, RegisteredSource, Run, ServiceProject

CANARY = "zebrafever"  # a cell of the table: it is in rows, and nowhere else
PROJECT = """\
data: {source: people.csv}
columns:
  age: {role: quasi, type: integer}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
plan:
  steps:
    - generalise: {column: age, level: 1, hierarchy: {kind: ages}}
"""
ANSWERS: dict[str, Any] = {
    "institution": "ministry", "working_years": 4,
    **dict.fromkeys(["training", "handling_plan", "safe_transfer", "intrusion_protection", "access_records",
                     "security_checks", "expertise", "resources", "other_databases"], "yes"),
    **dict.fromkeys(["shaming", "profit", "ban_missing", "open_data"], "no"),
}  # fmt: skip # of a recipient of grade Low
MIDDLE = {**ANSWERS, "institution": "hospital"}
ASKED: dict[str, Any] = {"purpose": "Falls on wards", "columns": ["age", "diagnosis"], "answers": ANSWERS}


@cache
def real_release(project: str = PROJECT, without: int = 0) -> dict[str, bytes]:
    """The files of a package and its evidence, as the verb writes them, by the names that runs give them.

    `without` says how many people are no longer in the table.
    """
    import sfumato as sf

    rows = [f"{age},{sex},{CANARY if age == 31 else 'gout'}" for age in (31, 33, 41, 43) for sex in "fm"] * 3
    rows = rows[without:]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        home = Path(folder)
        (home / "people.csv").write_text("\n".join(["age,sex,diagnosis", *rows]) + "\n", encoding="utf-8")
        (home / "sfumato.yaml").write_text(project, encoding="utf-8")
        made = sf.release(home / "sfumato.yaml", home / "package")
        folders = {"package": made.folder, "package-evidence": made.evidence}
        return {f"{name}/{path.name}": path.read_bytes() for name, at in folders.items() for path in at.iterdir()}


@dataclass
class Clinic:
    """The project `clinic` of a world, with doors for its people, and what is done there again and again."""

    world: World
    door_of: dict[str, TestClient]

    @classmethod
    def of(cls, world: World) -> Clinic:
        clinic = cls(world, {})
        clinic.version("stella")
        return clinic

    def door(self, name: str) -> TestClient:
        if name not in self.door_of:
            self.door_of[name] = self.world.door(name)
        return self.door_of[name]

    def get(self, name: str, path: str) -> Any:
        return self.door(name).get(f"/api/v1/projects/clinic{path}")

    def post(self, name: str, path: str, body: Any = None, **headers: str) -> Any:
        return self.door(name).post(f"/api/v1/projects/clinic{path}", json=body, headers=headers)

    @property
    def session(self) -> Any:
        return self.world.service.database.writing()

    def set(self, **settings: Any) -> None:
        """Change settings of the project."""
        with self.session as session:
            project = session.query(ServiceProject).filter_by(name="clinic").one()
            for name, value in settings.items():
                setattr(project, name, value)

    def row(self, handle: str) -> DataRequest:
        with self.world.service.database.reading() as session:
            return session.get_one(DataRequest, handle)

    def version(self, author: str, text: str = PROJECT, run: str | None = None) -> int:
        """A new version of the project."""
        storage, clock = self.world.service.storage, self.world.service.clock
        with self.session as session:
            project = session.query(ServiceProject).filter_by(name="clinic").one()
            project.current += 1
            session.add(
                ProjectVersion(
                    project=project.handle, number=project.current, hash=sha256(text.encode()).hexdigest(), run=run,
                    files={"sfumato.yaml": storage.keep(text.encode())}, author=self.world.accounts[author].handle,
                    created=clock(),
                )
            )  # fmt: skip
            return project.current

    def run(self, author: str = "stella", project: str = PROJECT, without: int = 0, **other: Any) -> str:
        """A run of the release that is done, of the current version; `without` so many people of the table."""
        service = self.world.service
        files = [
            {"name": name, "sha256": service.storage.keep(content), "bytes": len(content)}
            for name, content in real_release(project, without).items()
        ]
        with self.session as session:
            home = session.query(ServiceProject).filter_by(name="clinic").one()
            content = f"ab{without:062}"
            same = {"project": home.handle, "hash": content}
            source = session.query(RegisteredSource).filter_by(**same).first() or RegisteredSource(
                project=home.handle, name="people", kind="upload", hash=content, bytes=1,
                author=self.world.accounts[author].handle, created=service.clock(),
            )  # fmt: skip
            session.add(source)
            session.flush()
            fields = {
                "project": home.handle, "version": home.current, "verb": "release", "options": {}, "command": "",
                "state": "done", "author": self.world.accounts[author].handle, "created": service.clock(),
                "source": source.handle, "result": {"document": {}, "files": files},
            }  # fmt: skip
            run = Run(**{**fields, **other})
            session.add(run)
            session.flush()
            return run.handle

    def asked(self, **other: Any) -> str:
        """A request that was asked by quentin, for rex."""
        answer = self.post("quentin", "/requests", {**ASKED, "recipient": "rex", **other})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["request"])

    def preparing(self, **other: Any) -> str:
        request = self.asked(**other)
        assert self.post("stella", f"/requests/{request}/take-up").status_code == 200
        return request

    def submitted(self, project: str = PROJECT, **other: Any) -> str:
        request = self.preparing(**other)
        answer = self.post("stella", f"/requests/{request}/submit", {"run": self.run(project=project)})
        assert answer.status_code == 200, answer.text
        return request

    def vote(self, name: str, request: str, verdict: str = "approve", **other: Any) -> Any:
        body = {"package_hash": self.row(request).package_hash or "0" * 64, "verdict": verdict, "reason": "As read."}
        return self.post(name, f"/requests/{request}/votes", {**body, **other})

    def approved(self, **other: Any) -> str:
        request = self.submitted(**other)
        for name in ("rita", "ruth"):
            assert self.vote(name, request).status_code == 201
        return request

    def release(self, request: str, name: str = "stella", **headers: str) -> Any:
        words = self.get(name, f"/requests/{request}/release").json()
        body = {key: words.get(key, "0" * 64) for key in ("package_hash", "confirmation")}
        return self.post(name, f"/requests/{request}/release", body, **headers)

    def released(self, **other: Any) -> str:
        request = self.approved(**other)
        assert self.release(request).status_code == 201
        return request

    def state(self, request: str) -> str:
        return str(self.get("stella", f"/requests/{request}").json()["state"])

    def notices(self, name: str) -> list[str]:
        """The kinds of the notices that somebody has not read."""
        answer = self.door(name).get("/api/v1/me/notices", params={"unread": True})
        return [one["kind"] for one in answer.json()["items"]]
