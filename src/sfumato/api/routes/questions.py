"""Live questions: what levels and bounds would come to, answered at once by a process that holds the project."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from sfumato.api.calls import of, paths
from sfumato.service.live_questions import ask
from sfumato.service.permissions import Act
from sfumato.web.who_asks import TheCaller, TheService

router = paths("live questions")
MOST = 50  # questions at once


class LiveQuestionsDocument(BaseModel):
    """Questions, each with `what` it asks (at, neighbours, best, curve, counts, lines, hierarchy, effect)."""

    model_config = ConfigDict(extra="forbid")

    questions: Annotated[list[dict[str, Any]], Field(max_length=MOST)]


class LiveReplyDocument(BaseModel):
    """Answers in the order of the questions; or how far the process is on its way, or why it never will be ready."""

    version: int
    ready: bool
    answers: list[dict[str, Any]]
    words: str
    done: int
    total: int
    problem: str | None


@router.post("/projects/{project}/questions", **of(Act.LIVE_ASK, 409))
def questions(
    service: TheService, caller: TheCaller, project: Annotated[str, Path(max_length=200)], body: LiveQuestionsDocument
) -> LiveReplyDocument:
    """Ask about the newest version of a project. The first question starts the process that answers: ask again."""
    reply = ask(service, caller, project, *body.questions)
    return LiveReplyDocument(
        version=reply.version,
        ready=reply.ready,
        answers=list(reply.answers),
        words=reply.words,
        done=reply.done,
        total=reply.total,
        problem=reply.problem,
    )
