"""A run at a service: started there, followed from here, and what came of it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.client.wire import Wire
from sfumato.errors import OutputError, ServiceRefusal, SfumatoError
from sfumato.outputs import is_plain_name, whole
from sfumato.progress import Tell, quiet

DOCUMENT = "result.json"  # the file of a run that is its document
OVER = ("done", "failed", "cancelled")
# Seconds between two looks at a run: a short one is over in one of them, and a long one is not asked about a hundred
# times a minute by everybody.
FIRST, LONGEST, GROWTH = 0.2, 5.0, 1.5


class RunFailed(SfumatoError):
    """A run ended without a result; says why, in the words of the command line."""


@dataclass
class RemoteRun:
    """A verb at work at a service. `document` is what the service last said of it."""

    wire: Wire = field(repr=False)
    project: str
    document: dict[str, Any] = field(repr=False)

    @property
    def handle(self) -> str:
        """The handle by which the service knows it."""
        return str(self.document["handle"])

    @property
    def verb(self) -> str:
        """Which verb it is."""
        return str(self.document["verb"])

    @property
    def state(self) -> str:
        """Where it was when it was last asked about: queued, running, done, failed or cancelled."""
        return str(self.document["state"])

    @property
    def command(self) -> str:
        """What does the same on the command line."""
        return str(self.document["command"])

    def refresh(self) -> RemoteRun:
        """Ask how far it is."""
        self.document = self.wire.get("projects", self.project, "runs", self.handle).document
        return self

    def cancel(self) -> RemoteRun:
        """Stop it; what it had computed is gone."""
        self.document = self.wire.post("projects", self.project, "runs", self.handle, "cancel").document
        return self

    def wait(self, *, tell: Tell = quiet, seconds: float | None = None) -> RemoteResult:
        """Wait until it is over, and say meanwhile what it does; `RunFailed` where it has no result.

        After so many `seconds` a `ServiceRefusal` is raised, and the run goes on.
        """
        pause, until = FIRST, None if seconds is None else time.monotonic() + seconds
        while self.refresh().state not in OVER:
            tell(self.document.get("words") or self.state, self.document.get("done", 0), self.document.get("total", 0))
            if until is not None and time.monotonic() > until:
                raise ServiceRefusal(f"The run {self.handle} is not over after {seconds:g} seconds. It goes on.")
            self.wire.sleep(pause)
            pause = min(LONGEST, pause * GROWTH)
        if self.state != "done":
            raise RunFailed(self.document.get("problem") or f"The run was {self.state}.")
        return RemoteResult(self)


@dataclass(frozen=True)
class RemoteResult:
    """What came of a run: its document, whether all requirements are met, and its files."""

    run: RemoteRun

    @property
    def met(self) -> bool:
        """Whether every requirement is met, where there are any: the command would end with 0."""
        return self.run.document.get("met") is not False

    @property
    def document(self) -> Any:
        """The result as plain values, as the command writes it with `--json`; None where the verb has none."""
        path = ("projects", self.run.project, "runs", self.run.handle)
        if any(file["rows"] for file in self.run.document["files"] if file["name"] == DOCUMENT):
            return json.loads(b"".join(self.run.wire.stream(*path, "rows", DOCUMENT)))
        return self.run.wire.get(*path, "result").document

    @property
    def files(self) -> Mapping[str, int]:
        """The names of its files, and how many bytes each has."""
        return {str(file["name"]): int(file["bytes"]) for file in self.run.document["files"]}

    def save(self, folder: str | Path, *, tell: Tell = quiet) -> Path:
        """Write its files to a folder, all or none of them, readable by nobody else."""
        target = Path(folder)
        with whole(target, private=True, overwrite=False) as draft:
            for file in self.run.document["files"]:
                name = str(file["name"])
                if not all(map(is_plain_name, name.split("/"))):
                    raise OutputError(f"The service names a file that is none: {name!r}.")
                self._download(file, draft / name, tell)
        return target

    def _download(self, document: Mapping[str, Any], to: Path, tell: Tell) -> None:
        """Fetch one file; what shows records has a door of its own, and a line in the log."""
        run, written = self.run, 0
        name, size, door = str(document["name"]), int(document["bytes"]), "rows" if document["rows"] else "files"
        to.parent.mkdir(parents=True, exist_ok=True)
        with to.open("wb") as file:
            for chunk in run.wire.stream("projects", run.project, "runs", run.handle, door, name):
                written += file.write(chunk)
                tell(f"Fetching {name}", written, size)
        if written != size:
            raise OutputError(f"{name} did not arrive whole: {written} of {size} bytes. Try again.")
