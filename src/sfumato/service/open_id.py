"""Sign-in with an organisation: OpenID Connect, by an authorization code with PKCE.

It ends in the browser in which it began (a cookie), once (its state), with an answer to this question (its nonce) that
only who asked can turn into something (the verifier). An account is known by issuer and subject, never by a name that
a provider lets people choose.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from sfumato.errors import NotKnown, ServiceRefusal
from sfumato.service.accounts import NewAccount, added_account, identity_of
from sfumato.service.caller import Caller
from sfumato.service.doors import BYTES, hashed
from sfumato.service.entities import Account, PendingSignIn
from sfumato.service.names import MAIL, SHOWN_NAME
from sfumato.service.one_time_links import end_links
from sfumato.service.open_id_provider import OpenIdProvider, OpenIdRefused
from sfumato.service.permissions import Act
from sfumato.service.service import Deed, Service
from sfumato.service.sign_in import SignedIn, enter

LASTS = timedelta(minutes=10)  # that somebody may take at their provider
# Sign-ins under way at once: whoever only begins them must not fill the database. Beyond them the oldest goes, so that
# somebody who begins without end keeps nobody out who comes back within a minute.
MOST = 10_000
PURPOSE = "open-id-verifier"
LONGEST_SUBJECT = 200
BEGIN_AGAIN = "This sign-in was not begun in this browser, or too long ago, or has ended already. Begin again."
NOT_INVITED = "Your organisation knows you, and nobody has invited you here. Ask an administrator for an account."


@dataclass(frozen=True)
class ProviderAnswer:
    """What a browser brings back from the provider."""

    state: str
    code: str | None = None
    error: str | None = None
    issuer: str | None = None


def begin_open_id(service: Service, caller: Caller, answer: str) -> tuple[str, str]:
    """Where a browser has to go, and what a cookie has to hold until it is back; `answer` is where it comes back to."""
    provider = _provider(service)
    state, nonce, verifier, browser = (secrets.token_urlsafe(BYTES) for _ in range(4))
    with _refusals_logged(service, caller, "begin"):
        address = provider.sign_in_address(state=state, nonce=nonce, verifier=verifier, answer=answer)
    # Not written to the log: nobody is known yet, and whoever only begins must not fill the disk with lines.
    now = service.clock()
    with service.database.writing() as session:
        session.execute(delete(PendingSignIn).where(PendingSignIn.expires <= now))
        over = (session.scalar(select(func.count()).select_from(PendingSignIn)) or 0) - MOST + 1
        if over > 0:
            oldest = select(PendingSignIn.state).order_by(PendingSignIn.expires).limit(over)
            session.execute(delete(PendingSignIn).where(PendingSignIn.state.in_(list(session.scalars(oldest)))))
        session.add(
            PendingSignIn(
                state=hashed(state),
                nonce=nonce,
                verifier=service.keys.seal(verifier.encode(), PURPOSE),
                browser=hashed(browser),
                expires=now + LASTS,
            )
        )
    return address, browser


def end_open_id(
    service: Service, caller: Caller, given: ProviderAnswer, *, browser: str | None, answer: str
) -> SignedIn:
    """A new session for who comes back from the provider."""
    provider = _provider(service)
    with _refusals_logged(service, caller, "answer"):
        pending = _taken(service, given.state, browser)
        if given.error is not None or given.code is None:
            word = given.error if given.error and re.fullmatch(r"[a-z_]{1,40}", given.error) else "no code"
            raise OpenIdRefused(f"Your organisation did not sign you in ({word}).")
        verifier = service.keys.unseal(pending.verifier, PURPOSE).decode()
        claims = provider.claims(given.code, verifier=verifier, nonce=pending.nonce, answer=answer, issuer=given.issuer)
    with service.act(caller, Act.SIGN_IN, way="openid", step="answer") as deed:
        account = _account(deed, service, claims)
        # A provider says by `mfa` that it has asked for a second factor (RFC 8176). Who has set one up here shows it.
        methods = claims.get("amr")
        passed = isinstance(methods, list) and "mfa" in methods and not account.second_factor_confirmed
        return enter(service, deed, account, second_factor_passed=passed)


def _provider(service: Service) -> OpenIdProvider:
    if service.settings.open_id is None:
        raise NotKnown("a sign-in with an organisation")
    return OpenIdProvider(service.settings.open_id, service.clock)


def _taken(service: Service, state: str, browser: str | None) -> PendingSignIn:
    """The sign-in that a state is of; it is used up, whatever comes of it, by the browser in which it began."""
    with service.database.writing() as session:
        whose = PendingSignIn.state == hashed(state), PendingSignIn.browser == hashed(browser or "")
        pending = session.scalar(select(PendingSignIn).where(*whose).with_for_update())
        if pending is not None:
            session.delete(pending)
    if pending is None or pending.expires <= service.clock():
        raise OpenIdRefused(BEGIN_AGAIN)
    return pending


def _account(deed: Deed, service: Service, claims: Mapping[str, Any]) -> Account:
    """The account of who the provider knows: theirs already, one that was prepared for them, or a new one."""
    issuer, subject = str(claims["iss"]), str(claims["sub"])
    if not 0 < len(subject) <= LONGEST_SUBJECT:
        raise OpenIdRefused("Your organisation knows you by a subject that is too long to be kept here.")
    known = deed.session.scalar(select(Account).where(Account.issuer == issuer, Account.subject == subject))
    if known is not None:
        if known.closed:
            raise OpenIdRefused("Your account is closed. Ask an administrator.")
        return known
    mail = _verified_mail(claims)
    account = _invited(deed.session, mail)
    if account is not None:
        end_links(deed.session, service, account.handle)
    elif service.settings.open_id is not None and service.settings.open_id.create_accounts:
        account = _new(deed, claims, mail)
    else:
        raise OpenIdRefused(NOT_INVITED)
    account.issuer, account.subject = issuer, subject
    account.identity = identity_of(account.mail, issuer, subject, account.name)
    deed.note(account=account.name)
    return account


def _verified_mail(claims: Mapping[str, Any]) -> str | None:
    """The mail address, where the provider has seen that it is theirs: otherwise anybody could claim anybody's."""
    mail = claims.get("email")
    if claims.get("email_verified") is not True or not isinstance(mail, str):
        return None
    return mail.lower() if re.fullmatch(MAIL, mail) else None


def _invited(session: Session, mail: str | None) -> Account | None:
    """The one account that was prepared for a mail address, and that nobody has used yet."""
    if mail is None:
        return None
    unused = Account.issuer.is_(None), Account.password_hash.is_(None), Account.closed.is_(False)
    accounts = session.scalars(select(Account).where(Account.mail == mail, *unused).limit(2)).all()
    return accounts[0] if len(accounts) == 1 else None


def _new(deed: Deed, claims: Mapping[str, Any], mail: str | None) -> Account:
    """An account without any role, by a name that nobody has."""
    asked = str(claims.get("preferred_username") or (mail or "person").partition("@")[0]).lower()
    base = re.sub(r"[^a-z0-9]+", "-", asked).strip("-")[:40].strip("-") or "person"
    taken = set(deed.session.scalars(select(Account.name).where(Account.name.startswith(base, autoescape=True))))
    name = base if base not in taken else f"{base}-{secrets.token_hex(4)}"
    shown = claims.get("name")
    readable = shown if isinstance(shown, str) and re.fullmatch(SHOWN_NAME, shown) else name
    return added_account(deed, NewAccount(name=name, shown_name=readable, mail=mail))


@contextmanager
def _refusals_logged(service: Service, caller: Caller, step: str) -> Iterator[None]:
    """Write down what is refused before there is a deed: while a provider is asked, no transaction waits."""
    try:
        yield
    except ServiceRefusal as error:
        service.events.refused(caller, Act.SIGN_IN, {"way": "openid", "step": step}, error)
        raise
