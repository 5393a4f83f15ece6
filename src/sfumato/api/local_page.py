"""The page of one person: what was found out about their table so far, and how to go on. No script is on it."""

from __future__ import annotations

import hmac
from html import escape
from typing import Annotated

from fastapi import FastAPI, Path
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from sfumato.api.app import application
from sfumato.api.calls import COOKIE, TheCaller
from sfumato.api.request_counts import BASE
from sfumato.errors import NotKnown
from sfumato.service import runs
from sfumato.service.doors import open_session
from sfumato.service.entities import Account
from sfumato.service.local_table import OpenedTable
from sfumato.service.run_queue import OVER, RunState
from sfumato.service.run_results import SHEET
from sfumato.service.service import Service

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>{again}</head>
<body><main><h1>{title}</h1>
<p>{words}</p>
<pre>{sheet}</pre>
<h2>How to go on</h2>
<p>The same on the command line: <code>{command}</code></p>
<p>Everything that this service can do is under <code>{base}</code>; this browser is signed in there:
<a href="{base}/projects/{project}/runs">runs</a>, <a href="{base}/verbs">verbs and their options</a>,
<a href="{base}/openapi.json">the description of all paths</a>.</p>
</main></body></html>
"""
AGAIN = '<meta http-equiv="refresh" content="2">'


def local_application(service: Service, opened: OpenedTable) -> FastAPI:
    """The usual API, with an address that lets one person in once, and the page of their table."""
    app = application(service)
    left = [opened.secret]  # the address works once

    @app.get("/open/{secret}", include_in_schema=False)
    def let_in(secret: Annotated[str, Path(max_length=200)]) -> Response:
        if not left or not hmac.compare_digest(secret.encode(), left[0].encode()):
            raise NotKnown("this address: it works once. Run `sfumato open` again")
        left.clear()
        with service.database.writing() as session:
            account = session.get_one(Account, opened.caller.account)
            cookie = open_session(session, service, account, address="127.0.0.1", second_factor_passed=True)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, cookie, httponly=True, samesite="strict")
        return answer

    @app.get("/", include_in_schema=False)
    def table(caller: TheCaller) -> HTMLResponse:
        return HTMLResponse(_page(service, opened, caller))

    return app


def _page(service: Service, opened: OpenedTable, caller: TheCaller) -> str:
    run = runs.run_of(service, caller, opened.project, opened.run)
    sheet = ""
    if run.state == RunState.DONE:
        _, path = runs.result_file(service, caller, opened.project, opened.run, SHEET, rows=False)
        sheet = path.read_text(encoding="utf-8", errors="replace")
    words = run.problem or {RunState.DONE: "What its columns are:"}.get(RunState(run.state), run.words or "Waiting ...")
    return PAGE.format(
        title=escape(opened.project),
        again="" if run.state in OVER else AGAIN,
        words=escape(words),
        sheet=escape(sheet),
        command=escape(run.command),
        base=BASE,
        project=escape(opened.project),
    )
