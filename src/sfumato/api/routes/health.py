"""Whether the service is up, and whether it can work."""

from __future__ import annotations

from pydantic import BaseModel
from sqlalchemy import text

from sfumato import __version__
from sfumato.api.calls import of, paths
from sfumato.service.permissions import Act
from sfumato.web.who_asks import TheCaller, TheService

router = paths("health")


class Health(BaseModel):
    """That it answers, and as which version."""

    status: str
    version: str


@router.get("/health", **of(Act.HEALTH))
def health() -> Health:
    """Whether the process answers."""
    return Health(status="up", version=__version__)


@router.get("/ready", **of(Act.HEALTH))
def ready(service: TheService, caller: TheCaller) -> Health:
    """Whether its database answers too, so that it can work."""
    with service.act(caller, Act.HEALTH) as deed:
        deed.session.execute(text("SELECT 1"))
    return Health(status="ready", version=__version__)
