"""Changes of a project: whatever was submitted of it is no longer what was reviewed."""

from __future__ import annotations

from sqlalchemy import select

from sfumato.service.entities import DataRequest
from sfumato.service.notices import NoticeKind, notify, settle
from sfumato.service.request_states import AT_STAKE, Move, move_on
from sfumato.service.service import Deed


def project_changed(deed: Deed) -> None:
    """Project, plan or data of a project are other ones now: what was submitted is prepared anew, and no vote counts.

    Within the transaction of the change, so that there is no moment in which a vote could fall on the old state.
    """
    at_stake = select(DataRequest).where(
        DataRequest.project == deed.project.handle, DataRequest.state.in_([state.value for state in AT_STAKE])
    )
    reset = list(deed.session.scalars(at_stake.with_for_update()))
    for request in reset:
        move_on(request, Move.CHANGE, deed.now)
        request.round += 1
        request.run = request.version = request.package_hash = request.summary = None
        settle(deed, request)
        notify(deed, NoticeKind.CHANGED, request.preparers, request)
    if reset:
        deed.note(reviews_reset=[request.handle for request in reset])
