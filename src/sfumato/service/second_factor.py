"""The second factor: a code of six digits from an application of one's own (TOTP, RFC 6238), each taken once.

There are no recovery codes, which would be one more secret that lies about: whoever loses the application asks an
administrator to reset it, and the last administrator does so at the console of the server (`sfumato account reset`).
"""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest
from typing import cast

import pyotp
from sqlalchemy import CursorResult, update

from sfumato.errors import Conflict, NotAllowed, NotSignedIn
from sfumato.service.caller import Caller, Way
from sfumato.service.entities import Account, SignInSession
from sfumato.service.permissions import Act
from sfumato.service.service import Deed, Service
from sfumato.service.sessions import end_sessions, require_in_person
from sfumato.service.sign_in import REFUSED, SignedIn, enter
from sfumato.service.slow_down import begin_try, by_code, end_try

ISSUER = "Sfumato"
STEP = 30  # seconds that a code lasts
WINDOW = 1  # steps before and after the present one that are taken as well: clocks differ, and people type slowly
WRONG = "This code is not right, or was used before. Wait for the next one."
NOT_SET_UP = "There is no second factor yet. Set one up first."


@dataclass(frozen=True)
class SetUp:
    """What an application has to be given, shown once: an address for its camera, or the secret to type."""

    uri: str
    secret: str


def begin_set_up(service: Service, caller: Caller) -> SetUp:
    """A new secret for the caller's application; it counts once a code of it was shown."""
    secret = pyotp.random_base32()
    with service.act(caller, Act.SELF_CHANGE, change="begin to set up the second factor") as deed:
        _require_session(caller)
        account = deed.session.get_one(Account, deed.account)
        if account.second_factor_confirmed:
            raise Conflict("There is a second factor already. Take it away first, with a code of it.")
        account.second_factor = service.keys.seal(secret.encode(), _purpose(account))
        return SetUp(pyotp.TOTP(secret).provisioning_uri(account.name, ISSUER), secret)


def confirm_set_up(service: Service, caller: Caller, code: str) -> SignedIn:
    """The second factor counts from now on; a new session, in which it was shown. All others are ended."""
    _counted(service, caller, "second factor")
    signed_in: SignedIn | None = None
    with service.act(caller, Act.SELF_CHANGE, change="confirm the second factor") as deed:
        _require_session(caller)
        account = deed.session.get_one(Account, deed.account)
        if account.second_factor is None or account.second_factor_confirmed:
            raise Conflict("There is nothing to confirm. Begin to set up a second factor first.")
        if code_taken(service, deed, account, code):
            account.second_factor_confirmed = True
            end_try(deed.session, by_code(account.handle))
            end_sessions(deed.session, account.handle)
            signed_in = enter(service, deed, account, second_factor_passed=True)
        else:
            deed.note(**REFUSED, reason="wrong code")
    if signed_in is None:
        raise NotAllowed(WRONG)
    return signed_in


def pass_second_factor(service: Service, caller: Caller, code: str) -> SignedIn:
    """The second step of signing in: a new session, in which the second factor was shown."""
    if caller.way is not Way.SESSION or caller.account is None:
        error = NotSignedIn()  # refused as a stranger is, of whose tries not each has a line
        service.events.refused(caller, Act.SIGN_IN, {"way": "code"}, error)
        raise error
    begin_try(service, caller, [by_code(caller.account)], way="code")
    signed_in: SignedIn | None = None
    with service.act(caller, Act.SIGN_IN, way="code") as deed:
        account = deed.session.get_one(Account, deed.account)
        if not account.second_factor_confirmed:
            raise Conflict(NOT_SET_UP)
        if code_taken(service, deed, account, code):
            end_try(deed.session, by_code(account.handle))
            signed_in = enter(service, deed, account, second_factor_passed=True)
        else:
            deed.note(**REFUSED, reason="wrong code")
    if signed_in is None:
        raise NotSignedIn(WRONG)
    return signed_in


def remove_second_factor(service: Service, caller: Caller, code: str) -> None:
    """Take the caller's second factor away, with a code of it; who needs one has to set up another at once."""
    _counted(service, caller, "second factor")
    right = False
    with service.act(caller, Act.SELF_CHANGE, change="remove the second factor") as deed:
        require_in_person(caller)
        account = deed.session.get_one(Account, deed.account)
        if not account.second_factor_confirmed:
            raise Conflict(NOT_SET_UP)
        right = code_taken(service, deed, account, code)
        if right:
            forget_second_factor(account)
            end_try(deed.session, by_code(account.handle))
            end_sessions(deed.session, account.handle, but=caller.door)
            here = deed.session.get(SignInSession, caller.door)
            if here is not None:
                here.second_factor_passed = False
        else:
            deed.note(**REFUSED, reason="wrong code")
    if not right:
        raise NotAllowed(WRONG)


def forget_second_factor(account: Account) -> None:
    """An account without a second factor; which codes were used stays known."""
    account.second_factor, account.second_factor_confirmed = None, False


def code_taken(service: Service, deed: Deed, account: Account, code: str) -> bool:
    """Whether a code is right at this time and was not used before; from now on it is, and all before it."""
    if account.second_factor is None:
        return False
    totp = pyotp.TOTP(service.keys.unseal(account.second_factor, _purpose(account)).decode(), interval=STEP)
    now = int(deed.now.timestamp()) // STEP
    steps = range(now - WINDOW, now + WINDOW + 1)
    right = [step for step in steps if compare_digest(totp.generate_otp(step), code.strip().replace(" ", ""))]
    if not right:
        return False
    # One statement that looks and changes: of two who show the same code at once, one is refused.
    taken = deed.session.execute(
        update(Account)
        .where(Account.handle == account.handle, Account.last_code_step < right[0])
        .values(last_code_step=right[0])
    )
    return cast("CursorResult[None]", taken).rowcount == 1


def _counted(service: Service, caller: Caller, change: str) -> None:
    """Count a try of somebody who may make one: a token must not make its owner wait."""
    if caller.way is not Way.SESSION:
        with service.act(caller, Act.SELF_CHANGE, change=change):
            _require_session(caller)
    begin_try(service, caller, [by_code(caller.account or "")], Act.SELF_CHANGE, change=change)


def _require_session(caller: Caller) -> None:
    """Refuse tokens. Somebody who has still to set up what they need is let in: that is what they are to do."""
    if caller.way is not Way.SESSION:
        raise NotAllowed("A second factor is set up by somebody who is signed in themselves, not by a token.")


def _purpose(account: Account) -> str:
    return f"second-factor:{account.handle}"
