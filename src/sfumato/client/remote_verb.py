"""A verb of a project at a service: called as here, at work there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, overload

from sfumato.client.remote_run import RemoteResult, RemoteRun
from sfumato.progress import Tell, quiet

if TYPE_CHECKING:
    from sfumato.client.remote_project import RemoteProject


@dataclass(frozen=True)
class RemoteVerb:
    """A verb by the name of its command. Options are those of the command, with underscores for dashes.

    `project.assess(k=5)` waits for what comes of it, and tells meanwhile how far it is; with `wait=False` it gives the
    run that is at work. `source` names another table of the project than the one that its file names.
    """

    name: str
    words: str
    project: RemoteProject | None = None

    def __get__(self, project: RemoteProject | None, owner: type) -> RemoteVerb:
        return self if project is None else replace(self, project=project)

    @overload
    def __call__(
        self, *, wait: Literal[True] = True, tell: Tell = quiet, source: str | None = None, **options: Any
    ) -> RemoteResult: ...
    @overload
    def __call__(
        self, *, wait: Literal[False], tell: Tell = quiet, source: str | None = None, **options: Any
    ) -> RemoteRun: ...
    def __call__(
        self, *, wait: bool = True, tell: Tell = quiet, source: str | None = None, **options: Any
    ) -> RemoteResult | RemoteRun:
        """Start it, and wait for what comes of it unless told not to."""
        if self.project is None:
            raise TypeError(f"{self.name} is a verb of a project: service.project(NAME).{self.name}()")
        run = self.project.start(self.name, source=source, **options)
        return run.wait(tell=tell) if wait else run
