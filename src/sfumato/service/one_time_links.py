"""One-time links: for the first administrator, for who is invited, for who forgot a password.

The secret stands behind the `#` of the address: a browser sends that part to nobody, so that no log has it. The page
there posts it, with the password that is chosen.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import cast

from sqlalchemy import CursorResult, select, update
from sqlalchemy.orm import Session

from sfumato.errors import NotKnown
from sfumato.service.caller import Caller
from sfumato.service.doors import BYTES, hashed
from sfumato.service.entities import Account, OneTimeLink
from sfumato.service.passwords import password_hash
from sfumato.service.permissions import Act
from sfumato.service.service import Service
from sfumato.service.sessions import end_sessions
from sfumato.service.slow_down import begin_try, by_address, by_name, end_try

NO_SUCH = "the link, or it was used, or it has expired"


class LinkPurpose(StrEnum):
    """What a link is for."""

    FIRST_START = "first-start"
    INVITATION = "invitation"
    PASSWORD = "password"


LASTS = {
    LinkPurpose.FIRST_START: timedelta(hours=24),
    LinkPurpose.INVITATION: timedelta(days=7),
    LinkPurpose.PASSWORD: timedelta(hours=24),
}


@dataclass(frozen=True)
class UsableLink:
    """A link that somebody holds: what it is for, and for whom."""

    hash: str
    purpose: LinkPurpose
    account: Account | None


def new_link(session: Session, service: Service, purpose: LinkPurpose, account: str | None = None) -> str:
    """A new link, whole; those before it for the same person no longer work."""
    end_links(session, service, account)
    secret, now = secrets.token_urlsafe(BYTES), service.clock()
    session.add(
        OneTimeLink(
            hash=hashed(secret), purpose=purpose.value, account=account, created=now, expires=now + LASTS[purpose]
        )
    )
    return f"{service.settings.address.rstrip('/')}/link/{purpose.value}#{secret}"


def end_links(session: Session, service: Service, account: str | None) -> None:
    """Make the links of an account useless; of nobody's account, those of the first start."""
    whose = OneTimeLink.account.is_(None) if account is None else OneTimeLink.account == account
    session.execute(update(OneTimeLink).where(whose, OneTimeLink.used.is_(None)).values(used=service.clock()))


def usable_link(service: Service, secret: str) -> UsableLink | None:
    """The link that a secret opens, where it may be used now."""
    with service.database.reading() as session:
        link = session.scalar(select(OneTimeLink).where(OneTimeLink.hash == hashed(secret)))
        if link is None or link.used is not None or link.expires <= service.clock():
            return None
        account = session.get(Account, link.account) if link.account is not None else None
        return UsableLink(link.hash, LinkPurpose(link.purpose), account)


def use_link(session: Session, service: Service, link: UsableLink | None) -> None:
    """Use a link up, in one statement that looks and changes: of two who use it at once, one is refused."""
    now = service.clock()
    unused = update(OneTimeLink).where(OneTimeLink.used.is_(None), OneTimeLink.expires > now)
    if link is None or _changed(session, unused.where(OneTimeLink.hash == link.hash).values(used=now)) != 1:
        raise NotKnown(NO_SUCH)


def set_password(service: Service, caller: Caller, secret: str, password: str) -> str:
    """The password of an invitation, or instead of a forgotten one; the name to sign in with.

    A password that is not taken leaves the link as it is. All sessions of the account are ended.
    """
    begin_try(service, caller, [by_address(caller.address)], way="link")
    link = usable_link(service, secret)
    account = link.account if link is not None else None
    fresh = password_hash(password, account.name, account.mail) if account is not None else None
    whose = {"account": account.name} if account is not None else {}
    with service.act(caller, Act.SIGN_IN, way="link", **whose) as deed:
        known = deed.session.get(Account, account.handle) if account is not None else None
        if known is None or known.closed or fresh is None:
            raise NotKnown(NO_SUCH)
        use_link(deed.session, service, link)
        known.password_hash = fresh
        end_sessions(deed.session, known.handle)
        end_try(deed.session, by_name(known.name), shared=[by_address(caller.address)])
        return known.name


def _changed(session: Session, statement: object) -> int:
    return cast("CursorResult[None]", session.execute(statement)).rowcount  # type: ignore[call-overload]
