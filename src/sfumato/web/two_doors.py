"""Two doors of one service: what begins with `/api/` goes to machines' door, everything else to people's."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

API = "/api/"


class TwoDoors:
    """The door for machines and the one for people, at one address."""

    def __init__(self, machines: ASGIApp, people: ASGIApp) -> None:
        self.machines, self.people = machines, people

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        for_people = scope["type"] == "http" and not scope["path"].startswith(API)
        await (self.people if for_people else self.machines)(scope, receive, send)
