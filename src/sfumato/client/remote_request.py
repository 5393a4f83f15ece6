"""A request for data at a service: what it says, and what may be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sfumato.client.remote_run import RemoteRun
from sfumato.client.wire import Wire
from sfumato.outputs import whole
from sfumato.progress import Tell, quiet

Verdict = Literal["approve", "return", "reject"]


@dataclass
class RemoteRequest:
    """Somebody asks for data. `document` is what the service last said of it; `own` where one asked for it, or
    receives it, and sees no more than that.
    """

    wire: Wire = field(repr=False)
    project: str
    document: dict[str, Any] = field(repr=False)
    own: bool = False

    @property
    def handle(self) -> str:
        """The handle by which the service knows it."""
        return str(self.document["request"])

    @property
    def state(self) -> str:
        """Where it stands: asked, preparing, submitted, reviewed, approved, released, or at an end."""
        return str(self.document["state"])

    @property
    def package_hash(self) -> str | None:
        """The hash of the package that was submitted: what a vote is cast on."""
        return self.document.get("package_hash")

    def refresh(self) -> RemoteRequest:
        """Ask how it stands."""
        self.document = self.wire.get(*self._path()).document
        return self

    def withdraw(self) -> RemoteRequest:
        """Take back one's own request."""
        return self._moved("withdraw")

    def take_up(self) -> RemoteRequest:
        """Begin to prepare what was asked for."""
        return self._moved("take-up")

    def reject(self, reason: str) -> RemoteRequest:
        """Say no to it, and why."""
        return self._moved("reject", reason=reason)

    def submit(self, run: RemoteRun | str) -> RemoteRequest:
        """Submit the package of a run for review."""
        return self._moved("submit", run=run if isinstance(run, str) else run.handle)

    def review(self) -> Mapping[str, Any]:
        """What a review stands on. That it was read is logged."""
        return dict(self.wire.get(*self._path(), "review").document)

    def votes(self) -> list[Mapping[str, Any]]:
        """Who has voted; and what they said, once all votes of the round are in."""
        return list(self.wire.get(*self._path(), "votes").document["votes"])

    def vote(self, verdict: Verdict, reason: str, *, package_hash: str | None = None) -> RemoteRequest:
        """Vote on a package: the one that this object knows of, unless its hash is given."""
        body = {"package_hash": package_hash or self.package_hash, "verdict": verdict, "reason": reason}
        self.wire.post(*self._path(), "votes", body=body)
        return self.refresh()

    def comment(self, text: str, *, about: str = "") -> Mapping[str, Any]:
        """Comment on it, on a column or on a figure."""
        return dict(self.wire.post(*self._path(), "comments", body={"text": text, "about": about}).document)

    def comments(self) -> list[Mapping[str, Any]]:
        """The comments that one may read, oldest first."""
        return list(self.wire.pages(*self._path(), "comments"))

    def preview_release(self) -> Mapping[str, Any]:
        """What a release would hand to whom, and the words that confirm it."""
        return dict(self.wire.get(*self._path(), "release").document)

    def release(self, confirmation: str) -> RemoteRequest:
        """Release what was approved; the confirmation is that of `preview_release`, which somebody has read."""
        body = {"package_hash": self.package_hash, "confirmation": confirmation}
        self.document = self.wire.post(*self._path(), "release", body=body).document
        return self

    def revoke(self, reason: str) -> RemoteRequest:
        """Stop further downloads."""
        return self._moved("revoke", reason=reason)

    def download(self, path: str | Path, *, tell: Tell = quiet) -> Path:
        """The package that was released to oneself, as a ZIP archive that nobody else can read."""
        target, size = Path(path), 0
        place = whole(target.absolute().parent, private=True, overwrite=False)
        with place as draft, (draft / target.name).open("wb") as file:
            for chunk in self.wire.stream(*self._path(), "package"):
                size += file.write(chunk)
                tell("Fetching the package", size)
        return target

    def report_use(self, use: str) -> RemoteRequest:
        """Report what became of a package."""
        self.document = self.wire.post(*self._path(), "uses", body={"use": use}).document
        return self

    def _path(self) -> tuple[str, ...]:
        return ("projects", self.project, "own-requests" if self.own else "requests", self.handle)

    def _moved(self, move: str, **body: str) -> RemoteRequest:
        self.document = self.wire.post(*self._path(), move, body=body or None).document
        return self
