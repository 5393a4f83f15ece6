"""The guard before every path: no question larger than a limit, the headers of every answer, and what is counted.

It speaks ASGI itself: the middleware that Starlette makes of a function costs a task and a queue for each question, and
answers to errors that nobody foresaw pass it by, without their headers.
"""

from __future__ import annotations

import logging
import re
import time
import traceback
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sfumato.web.problems import UNFORESEEN, answer_of
from sfumato.web.request_counts import RequestCounts

MOST_BYTES = 1_000_000  # of a question, but for the paths that take files, which have limits of their own
# Those paths, whole: by an end alone `/projects/files/runs` would be one of them, and be read into memory without limit
# from whoever asks, since a body is read before anybody knows who that is.
FILES = re.compile(
    r"/api/v1/projects/[^/]+/(files|files/[^/]+|uploads/[^/]+/parts)|/projects/[^/]+/(table|versions|hierarchies)/files"
)
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
TRANSPORT = "max-age=31536000"  # a year: browsers come back by TLS only
log = logging.getLogger("sfumato.api")


class Guard:
    """What every question passes on its way in, and every answer on its way out."""

    def __init__(self, app: ASGIApp, *, counts: RequestCounts, secure: bool) -> None:
        self.app, self.counts = app, counts
        headers = HEADERS | ({"Strict-Transport-Security": TRANSPORT} if secure else {})
        self.headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]  # as ASGI has them

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(one for one in self.headers if one[0] not in given)]
            await send(message)

        try:
            await self._answered(scope, receive, answer)
        except Exception as error:
            log.error("%s", said_of_unforeseen(error))
            if status:  # it has begun to answer: a connection that ends says that the answer is not whole
                raise
            await answer_of(500, "unforeseen", UNFORESEEN)(scope, receive, answer)
        finally:
            self.counts.answered(scope, status, time.perf_counter() - began)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        large = not length.isdecimal() or int(length) > MOST_BYTES or "transfer-encoding" in headers
        takes_file = FILES.fullmatch(scope["path"]) is not None
        if large and not takes_file:
            refusal = answer_of(413, "too-large", f"A question has {MOST_BYTES:,} bytes at the most.")
            await refusal(scope, receive, send)
            return
        if takes_file and length.isdecimal():
            self.counts.received(int(length))
        await self.app(scope, receive, send)


def said_of_unforeseen(error: BaseException) -> str:
    """An error that nobody foresaw, for whoever runs the service: its kind and where it was; its words may quote data.

    >>> said_of_unforeseen(ValueError("4711"))
    'Unforeseen: ValueError'
    """
    places: Sequence[traceback.FrameSummary] = traceback.extract_tb(error.__traceback__)
    where = [f"{place.filename}:{place.lineno} {place.name}" for place in places]
    return "\n  ".join([f"Unforeseen: {type(error).__name__}", *where])
