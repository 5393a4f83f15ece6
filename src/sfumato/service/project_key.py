"""The key of a project, taken out: who has it beside the files makes the same releases on a command line."""

from __future__ import annotations

from sfumato.service.caller import Caller
from sfumato.service.permissions import Act
from sfumato.service.service import Service


def project_key(service: Service, caller: Caller, project: str) -> bytes:
    """The key by which a project draws at random, as `sfumato.key` holds it. It can undo what was drawn."""
    with service.act(caller, Act.KEY_READ, project=project) as deed:
        return service.keys.of_project(deed.project.handle).read_bytes()
