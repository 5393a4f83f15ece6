"""A service elsewhere: `sf.connect(url, token)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from sfumato.client.remote_project import RemoteProject
from sfumato.client.remote_request import RemoteRequest
from sfumato.client.wire import Wire
from sfumato.outputs import whole


def connect(url: str, token: str, *, certificates: str | None = None, transport: Any = None) -> RemoteService:
    """A service by its address, as whom the token belongs to.

    Everything is sent by TLS, and the certificate of the server is verified: by those that the system trusts, or by
    the file `certificates`. Only on this machine itself it goes without. What the service refuses is raised as an error
    of `sfumato.errors`, in its words; where it does not answer it is asked again for half a minute, and nothing is done
    twice by that. `transport` is one of httpx, such as for tests.

    >>> connect("https://sfumato.example.org", "sfumato_not-a-token")
    RemoteService(url='https://sfumato.example.org')
    """
    wire = Wire.to(url, token, certificates=certificates, transport=transport)
    return RemoteService(wire.url, wire)


@dataclass(frozen=True)
class RemoteService:
    """A service, as somebody who has a token sees it. The token is in no representation of it."""

    url: str
    wire: Wire = field(repr=False)

    @property
    def version(self) -> str:
        """The version of Sfumato there."""
        return str(self.wire.get("health").document["version"])

    @property
    def me(self) -> Mapping[str, Any]:
        """The account that the token belongs to."""
        return dict(self.wire.get("me").document)

    def projects(self) -> list[RemoteProject]:
        """The projects in which one has a role."""
        return [RemoteProject(self.wire, str(one["name"])) for one in self.wire.pages("projects")]

    def project(self, name: str) -> RemoteProject:
        """A project by its name. Whether there is one is known when it is first used."""
        return RemoteProject(self.wire, name)

    def requests(self) -> list[RemoteRequest]:
        """The requests of all projects in which one has a role."""
        return [request for project in self.projects() for request in project.requests()]

    def notices(self, *, unread: bool = True) -> list[Mapping[str, Any]]:
        """What waits for oneself."""
        return list(self.wire.pages("me", "notices", unread=unread))

    def mark_read(self, notice: str) -> None:
        """Mark a notice as read, by its handle."""
        self.wire.post("me", "notices", notice, "read")

    def log(self) -> Iterator[Mapping[str, Any]]:
        """The lines of the log, for auditors."""
        yield from self.wire.pages("log")

    def verify_log(self) -> Mapping[str, Any]:
        """Whether the log is as it was written, for auditors."""
        return dict(self.wire.get("log", "verification").document)

    def export_log(self, path: str | Path) -> Path:
        """The whole log as a file, for auditors; `sfumato log --verify` checks it."""
        target = Path(path)
        place = whole(target.absolute().parent, private=True, overwrite=False)
        with place as draft, (draft / target.name).open("wb") as file:
            for chunk in self.wire.stream("log", "export"):
                file.write(chunk)
        return target

    def close(self) -> None:
        """Hang up."""
        self.wire.close()

    def __enter__(self) -> RemoteService:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
