"""A change of a project or of its data: what was submitted for review goes back, for it is no longer what was seen."""

from __future__ import annotations

from sqlalchemy import select

from sfumato.service.entities import DataRequest
from sfumato.service.service import Deed

SEEN = ("submitted", "reviewed", "approved")  # the states of a request in which somebody votes, or has voted
BACK = "preparing"


def project_changed(deed: Deed) -> None:
    """Put the requests of a project that are under review back to be prepared, with a new round of votes."""
    wanted = select(DataRequest).where(DataRequest.project == deed.project.handle, DataRequest.state.in_(SEEN))
    for request in deed.session.scalars(wanted):
        request.state, request.package_hash, request.changed = BACK, None, deed.now
        request.round += 1
        deed.note(reset=[*deed.outcome.get("reset", ()), request.handle])
