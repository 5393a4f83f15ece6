"""A project at a service: its versions and sources, and the verbs, which run there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.client.file_upload import upload
from sfumato.client.remote_request import RemoteRequest
from sfumato.client.remote_run import RemoteRun
from sfumato.client.remote_verb import RemoteVerb
from sfumato.client.wire import Wire
from sfumato.errors import NotAllowed
from sfumato.progress import Tell, quiet


@dataclass(frozen=True)
class RemoteProject:
    """A project by its name. Every verb takes the options of the command of that name, with underscores for dashes."""

    wire: Wire = field(repr=False)
    name: str

    @property
    def document(self) -> Mapping[str, Any]:
        """Its title and settings."""
        return dict(self.wire.get("projects", self.name, "settings").document)

    @property
    def files(self) -> dict[str, str]:
        """Its files as they are now: names and texts."""
        newest, _ = self._newest()
        return self._texts(newest)

    def versions(self) -> list[Mapping[str, Any]]:
        """Its versions, the newest first: number, author, time and message."""
        return list(self.wire.pages("projects", self.name, "versions"))

    def save(self, files: Mapping[str, str], *, message: str = "") -> int:
        """Write files of the project, new or anew, and leave the others; the number of the version that this makes.

        `Stale` where somebody else has changed it meanwhile.
        """
        newest, etag = self._newest()
        body = {"files": self._texts(newest) | dict(files), "message": message}
        return self._changed("versions", body, etag)

    def diff(self, older: int, newer: int | None = None) -> str:
        """What changed from one version to another, or to the newest, as a unified diff."""
        number = newer if newer is not None else self.versions()[0]["number"]
        changes = self.wire.get("projects", self.name, "versions", number, "differences", before=older).document
        return "".join(str(change["text"] or "") for change in changes)

    def undo(self, version: int, *, message: str = "") -> int:
        """Make the files what they were in a version; the number of the new version that says so."""
        _, etag = self._newest()
        return self._changed("undo", {"number": version, "message": message}, etag)

    def sources(self) -> list[Mapping[str, Any]]:
        """Its tables: names, kinds and sizes."""
        return list(self.wire.pages("projects", self.name, "sources"))

    def upload(self, path: str | Path, *, name: str | None = None, tell: Tell = quiet) -> Mapping[str, Any]:
        """Send a file in parts, from where an earlier try was cut off; the source that it becomes, by its name."""
        return dict(upload(self.wire, self.name, path, name=name, tell=tell))

    def runs(self) -> Iterator[RemoteRun]:
        """Its runs, the newest first."""
        for document in self.wire.pages("projects", self.name, "runs"):
            yield RemoteRun(self.wire, self.name, document)

    def run(self, handle: str) -> RemoteRun:
        """A run by its handle."""
        return RemoteRun(self.wire, self.name, {"handle": handle}).refresh()

    def requests(self) -> list[RemoteRequest]:
        """Its requests, newest first: all of them for stewards and reviewers, and for others their own."""
        try:
            return [RemoteRequest(self.wire, self.name, one) for one in self._pages("requests")]
        except NotAllowed:
            return [RemoteRequest(self.wire, self.name, one, own=True) for one in self._pages("own-requests")]

    def request(self, handle: str, *, own: bool = False) -> RemoteRequest:
        """A request by its handle; `own` for whoever asked for it or receives it."""
        return RemoteRequest(self.wire, self.name, {"request": handle}, own=own).refresh()

    def ask(
        self, purpose: str, columns: list[str], answers: Mapping[str, Any], *, recipient: str | None = None
    ) -> RemoteRequest:
        """Ask for data: for what, which columns, the answers about the recipient, and who that is if not oneself."""
        body = {"purpose": purpose, "columns": columns, "answers": dict(answers), "recipient": recipient}
        document = self.wire.post("projects", self.name, "requests", body=body).document
        return RemoteRequest(self.wire, self.name, document, own=True)

    def start(self, verb: str, *, source: str | None = None, **options: Any) -> RemoteRun:
        """Start a verb by its name, without waiting for it."""
        given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
        body = {"verb": verb, "options": given, "source": source}
        return RemoteRun(self.wire, self.name, self.wire.post("projects", self.name, "runs", body=body).document)

    columns = RemoteVerb("columns", "what is in each column, and what it may be of a person")
    identify = RemoteVerb("identify", "which columns tell people apart")
    assess = RemoteVerb("assess", "how well people are protected, and whether the requirements are met")
    risk = RemoteVerb("risk", "who could be found, by whom")
    explore = RemoteVerb("explore", "several ways to protect the table, beside each other")
    compare = RemoteVerb("compare", "what a release has lost of the original")
    anonymise = RemoteVerb("anonymise", "the table, changed as little as its policy lets it be")
    apply = RemoteVerb("apply", "the table as a plan changes it")
    plan_effects = RemoteVerb("plan effects", "risk and utility before a plan and after each of its steps")
    hierarchy = RemoteVerb("hierarchy", "what the values of a column become at each level")
    tabulate = RemoteVerb("tabulate", "counts that give nobody away, instead of rows")
    release = RemoteVerb("release", "the package for a recipient, with its evidence, to be submitted for review")
    verify = RemoteVerb("verify", "whether a package is what its manifest says")
    report = RemoteVerb("report", "the report on a release, for people")

    def _pages(self, what: str) -> Iterator[Any]:
        return self.wire.pages("projects", self.name, what)

    def _newest(self) -> tuple[Mapping[str, Any], str]:
        """The newest version, and by which hash a change says that it is a change of it."""
        answer = self.wire.get("projects", self.name, "versions", limit=1)
        return next(iter(answer.document["items"]), {"number": 0, "files": {}}), answer.etag or "*"

    def _texts(self, version: Mapping[str, Any]) -> dict[str, str]:
        path = ("projects", self.name, "versions", version["number"], "files")
        return {name: str(self.wire.get(*path, name).document) for name in version["files"]}

    def _changed(self, what: str, body: Any, etag: str) -> int:
        answer = self.wire.ask("POST", "projects", self.name, what, json=body, headers={"If-Match": etag})
        return int(answer.document["number"])
