"""The door of one person: an address that lets them in once, to the project of the table that they opened."""

from __future__ import annotations

import hmac
from typing import Annotated

from fastapi import FastAPI, Path
from fastapi.responses import RedirectResponse, Response

from sfumato.errors import NotKnown
from sfumato.service.doors import open_session
from sfumato.service.entities import Account
from sfumato.service.local_table import OpenedTable
from sfumato.service.service import Service
from sfumato.web.who_asks import give_cookie


def let_in_once(pages: FastAPI, service: Service, opened: OpenedTable) -> None:
    """Add the address to the workbench."""
    left = [opened.secret]  # the address works once

    @pages.get("/open/{secret}")
    def let_in(secret: Annotated[str, Path(max_length=200)]) -> Response:
        if not left or not hmac.compare_digest(secret.encode(), left[0].encode()):
            raise NotKnown("this address: it works once. Run `sfumato open` again")
        left.clear()
        with service.database.writing() as session:
            account = session.get_one(Account, opened.caller.account)
            cookie = open_session(session, service, account, address="127.0.0.1", second_factor_passed=True)
        answer = RedirectResponse(f"/projects/{opened.project}/table", 303)
        give_cookie(answer, service, cookie)
        return answer
