"""Hierarchies: what the values of a column may become, as a tree and as a table, edited in place and seen in effect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from pydantic import BaseModel, Field

from sfumato.errors import Conflict, HierarchyError, UnknownColumn
from sfumato.hierarchies.builders.from_file import hierarchy_in, hierarchy_text
from sfumato.service.caller import Caller
from sfumato.service.hierarchy_files import keep_hierarchy, lines_and_command, name_of, require_size, take_out
from sfumato.service.live_questions import LiveReply, ask, ask_by_shape
from sfumato.service.seen_state import unchanged
from sfumato.service.service import Service
from sfumato.web.sent_file import SentFile, sent_file
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import by_htmx, gone_on, shown
from sfumato.workbench.places import place_in
from sfumato.workbench.release_pictures import bar

router = APIRouter(prefix="/projects/{project}/hierarchies")
FEW = 30  # values of a hierarchy that is shown unfolded
LONGEST = 900_000  # letters of a draft in a form, which a question of a page may have


class DraftForm(BaseModel):
    """A draft of a hierarchy: its text, and the edit that somebody makes of it."""

    column: Annotated[str, Field(max_length=1000)]
    of: Annotated[str, Field(max_length=64)] = ""  # the hash of the version that it was made on
    text: Annotated[str, Field(max_length=LONGEST)] = ""
    edit: Annotated[str, Field(max_length=20)] = ""
    level: int = 0
    label: Annotated[str, Field(max_length=1000)] = ""
    before: Annotated[str, Field(max_length=1000)] = ""
    after: Annotated[str, Field(max_length=1000)] = ""
    after_level: int = 0  # of the label that is called otherwise
    of_level: int | None = None  # the level that is taken out, or that one is added above
    picked: list[str] = []  # values, and labels as LEVEL:LABEL whose values are meant
    under: list[Annotated[str, Field(max_length=1100)]] = []
    kind: Annotated[str, Field(max_length=50)] = ""
    edges: Annotated[str, Field(max_length=10_000)] = ""
    width: Annotated[str, Field(max_length=50)] = ""

    def question(self) -> dict[str, Any]:
        """The draft as a live question."""
        if self.edit == "build":
            given = {name: value for name in ("edges", "width") if (value := getattr(self, name).strip())}
            return {"column": self.column, "kind": self.kind, "parameters": given if self.kind == "intervals" else {}}
        levels = {"relabel": self.after_level, "add": self.of_level, "take": self.of_level}
        level = levels.get(self.edit, self.level)
        told = {
            "what": self.edit, "level": self.level if level is None else level, "label": self.label,
            "values": [*self.picked, *self._values_under()], "before": self.before, "after": self.after,
        }  # fmt: skip
        return {"column": self.column, "text": self.text or None, "edits": [told] if self.edit else []}

    def _values_under(self) -> list[str]:
        """The values under the labels that are ticked."""
        if self.edit != "group" or not self.under:
            return []
        ticked = {tuple(one.split(":", 1)) for one in self.under}
        lines = hierarchy_in(self.text, name_of(self.column)).lines
        return [line[0] for line in lines if any((str(i), label) in ticked for i, label in enumerate(line))]


@router.get("")
def hierarchies(
    request: Request, service: TheService, caller: TheCaller, project: str, column: str | None = None
) -> Response:
    """The hierarchies of a project, or that of a column."""
    place = place_in(service, caller, project, "hierarchies")
    if not place.may("live.ask"):
        return shown(request, "release_denied.html", caller=caller, place=place, built=[])
    return _page(request, service, caller, project, {"column": column} if column else {})


@router.post("/draft")
def draft(
    request: Request, service: TheService, caller: TheCaller, project: str, given: Annotated[DraftForm, Form()]
) -> Response:
    """What an edit makes of a draft; nothing is saved."""
    return _page(request, service, caller, project, given.question(), made_on=given.of, is_draft=True)


@router.post("/files")
async def uploaded(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """A hierarchy from a file in the common format, as a draft; nothing of it is read that is too large."""
    await run_in_threadpool(place_in, service, caller, project, "hierarchies")
    sent = await sent_file(request)
    require_size(sent.size)
    content = b"".join([chunk async for chunk in sent.content()])
    return await run_in_threadpool(_drafted, request, service, caller, project, sent, content)


def _drafted(  # noqa: PLR0917
    request: Request, service: Service, caller: Caller, project: str, sent: SentFile, content: bytes
) -> Response:
    column = sent.fields.get("column", "")[:1000]
    try:
        text = hierarchy_text(hierarchy_in(content.decode("utf-8-sig"), sent.name))
    except UnicodeDecodeError:
        raise HierarchyError("This file is not UTF-8 text. Save it as UTF-8, and choose it again.") from None
    return _page(request, service, caller, project, {"column": column, "text": text}, is_draft=True)


@router.get("/file.csv")
def saved(service: TheService, caller: TheCaller, project: str, column: str) -> Response:
    """The hierarchy of a column as a file that other tools read."""
    take_out(service, caller, project, column)
    reply = ask(service, caller, project, {"what": "hierarchy", "column": column, "whole": True})
    text = reply.answers[0].get("text") if reply.ready else None
    if text is None:
        raise Conflict(reply.problem or "There is no hierarchy that could be taken out. Try again in a moment.")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name_of(column))}"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/effect")
def effect(
    request: Request, service: TheService, caller: TheCaller, project: str, given: Annotated[DraftForm, Form()]
) -> Response:
    """What a draft would do to a release, beside the hierarchy that there is."""
    place = place_in(service, caller, project, "hierarchies")
    question = {"column": given.column, "text": given.text}
    reply = ask(service, caller, project, {"what": "effect", **question})
    told = reply.answers[0] if reply.ready else {"state": "busy"}
    return shown(request, "_hierarchy_effect.html", caller=caller, place=place, effect=told, text=given.text,
                 column=given.column)  # fmt: skip


@router.post("/keep")
def keep(
    request: Request, service: TheService, caller: TheCaller, project: str, given: Annotated[DraftForm, Form()]
) -> Response:
    """Write a draft into a file of the project, as a new version."""
    reply = ask(service, caller, project, {"what": "hierarchy", "column": given.column, "text": given.text})
    answer: dict[str, Any] = reply.answers[0] if reply.ready else {"problem": reply.problem or "Try again in a moment."}
    if "problem" in answer:
        raise Conflict(answer["problem"])
    if answer["lacking"]["values"]:
        raise Conflict("Some values have no place in this hierarchy. Give each of them one first.")
    keep_hierarchy(service, caller, project, given.column, given.text, require=unchanged(given.of))
    return gone_on(request, f"/projects/{project}/hierarchies?column={quote(given.column, safe='')}")


def _page(  # noqa: PLR0917
    request: Request,
    service: Service,
    caller: Caller,
    project: str,
    question: Mapping[str, Any],
    made_on: str = "",
    *,
    is_draft: bool = False,
) -> Response:
    place = place_in(service, caller, project, "hierarchies")
    column = question.get("column")

    def questions(shape: Mapping[str, Any]) -> list[dict[str, Any]]:
        names = [one["name"] for one in shape["columns"]]
        if column is not None and column not in names:
            raise UnknownColumn(str(column), names)
        return [{"what": "hierarchy", **question}] if column is not None else []

    reply: LiveReply = ask_by_shape(service, caller, project, questions)
    if reply.shape is None:
        return shown(request, "live_state.html", caller=caller, place=place, reply=reply)
    known = reply.answers[0] if reply.answers else None
    problem = (known or {}).get("problem")
    if problem and is_draft:  # the last draft stays, with what is wrong about the edit above it
        before = {"what": "hierarchy", "column": column, "text": question.get("text")}
        known = ask(service, caller, project, before).answers[0]
    first = next((one["name"] for one in reply.shape["columns"]), "")
    lines, command = lines_and_command(service, caller, project, column or first, question) if first else ("", "")
    typed = defaultdict(str, question.get("parameters") or {}, kind=question.get("kind") or "")
    is_part = by_htmx(request)
    return shown(
        request, "_hierarchy.html" if is_part else "hierarchies.html", caller=caller, place=place, reply=reply,
        known=known, column=column, problem=problem, is_draft=is_draft, is_part=is_part, made_on=made_on or reply.hash,
        bar=bar, few=FEW, typed=typed, file=name_of(column) if column else "", lines=lines if column else "",
        command=command,
    )  # fmt: skip
