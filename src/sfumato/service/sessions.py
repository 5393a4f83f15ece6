"""Sessions: who is signed in with which browser, and the end of it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Update, select, update
from sqlalchemy.orm import Session

from sfumato.errors import NotAllowed, NotKnown
from sfumato.service.caller import Caller
from sfumato.service.entities import SignInSession, Token
from sfumato.service.permissions import Act
from sfumato.service.service import Service

IN_PERSON = "This is only done by somebody who is signed in themselves, with their second factor: not by a token."


def require_in_person(caller: Caller) -> None:
    """Refuse tokens, and whoever has not shown the second factor that they need."""
    if not caller.in_person:
        raise NotAllowed(IN_PERSON)


def list_sessions(service: Service, caller: Caller) -> Sequence[SignInSession]:
    """The sessions of the caller that are open, the newest first."""
    with service.act(caller, Act.SELF_READ) as deed:
        mine = select(SignInSession).where(
            SignInSession.account == deed.account, SignInSession.revoked.is_(False), SignInSession.expires > deed.now
        )
        return deed.session.scalars(mine.order_by(SignInSession.handle.desc()).limit(200)).all()


def revoke_session(service: Service, caller: Caller, handle: str) -> None:
    """End one of the caller's sessions."""
    with service.act(caller, Act.SELF_CHANGE, session=handle, change="end a session") as deed:
        require_in_person(caller)
        one = deed.session.get(SignInSession, handle)
        if one is None or one.account != deed.account:
            raise NotKnown("the session")
        one.revoked = True


def revoke_other_sessions(service: Service, caller: Caller) -> int:
    """End all of the caller's sessions but this one; how many they were."""
    with service.act(caller, Act.SELF_CHANGE, change="end other sessions") as deed:
        require_in_person(caller)
        ended = end_sessions(deed.session, deed.account, but=caller.door)
        deed.note(ended=ended)
        return ended


def sign_out(service: Service, caller: Caller) -> None:
    """End the session in which the caller is."""
    with service.act(caller, Act.SELF_CHANGE, change="sign out") as deed:
        one = deed.session.get(SignInSession, caller.door) if caller.door is not None else None
        if one is not None:  # a token has no session to end
            one.revoked = True


def end_sessions(session: Session, account: str, *, but: str | None = None) -> int:
    """End the sessions of an account, all but one; how many they were."""
    open_ones = update(SignInSession).where(SignInSession.account == account, SignInSession.revoked.is_(False))
    if but is not None:
        open_ones = open_ones.where(SignInSession.handle != but)
    return _rows(session, open_ones)


def end_tokens(session: Session, account: str) -> int:
    """End all tokens of an account; how many they were."""
    return _rows(session, update(Token).where(Token.account == account, Token.revoked.is_(False)))


def _rows(session: Session, ended: Update) -> int:
    return int(session.execute(ended.values(revoked=True)).rowcount)  # type: ignore[attr-defined]
