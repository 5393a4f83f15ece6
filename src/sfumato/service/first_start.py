"""The first start: nobody has an account yet, and a link that works once makes the first administrator."""

from __future__ import annotations

from sqlalchemy import select

from sfumato.errors import NotKnown
from sfumato.service.accounts import NewAccount, added_account
from sfumato.service.caller import Caller, at_console
from sfumato.service.entities import Account
from sfumato.service.one_time_links import NO_SUCH, LinkPurpose, new_link, usable_link, use_link
from sfumato.service.passwords import password_hash
from sfumato.service.permissions import Act
from sfumato.service.service import Service
from sfumato.service.slow_down import begin_try, by_address, end_try


def first_start_link(service: Service, caller: Caller | None = None) -> str | None:
    """A link for whoever started the service, where nobody has an account; each start makes a new one."""
    with service.database.reading() as session:
        if session.scalar(select(Account.handle).limit(1)) is not None:
            return None
    with service.act(caller or at_console(), Act.ACCOUNT_CHANGE, change="first start") as deed:
        return new_link(deed.session, service, LinkPurpose.FIRST_START)


def create_first_administrator(service: Service, caller: Caller, secret: str, new: NewAccount, password: str) -> str:
    """The account of the first administrator, by the link of the first start; the name to sign in with."""
    begin_try(service, caller, [by_address(caller.address)], way="first start")
    link = usable_link(service, secret)
    valid = link is not None and link.purpose is LinkPurpose.FIRST_START
    fresh = password_hash(password, new.name, new.mail) if valid else None
    with service.act(caller, Act.SIGN_IN, way="first start") as deed:
        if fresh is None or deed.session.scalar(select(Account.handle).limit(1)) is not None:
            raise NotKnown(NO_SUCH)
        use_link(deed.session, service, link)
        account = added_account(deed, new)
        account.administrator, account.password_hash = True, fresh
        end_try(deed.session, shared=[by_address(caller.address)])
        deed.note(account=account.name)
        return account.name
