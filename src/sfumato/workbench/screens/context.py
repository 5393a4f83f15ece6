"""Context: why, for whom and under which controls data leave, and where that puts the release in the matrix."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from sfumato.errors import NotKnown
from sfumato.project.context.benefit import Likelihood, Need
from sfumato.project.context.checklist import CHECKLISTS
from sfumato.project.context.checklist import Response as Answer
from sfumato.project.context.file import TEXTS
from sfumato.project.context.risk_benefit import Level
from sfumato.project.file.context_keys import AUDIENCES
from sfumato.project.recipient.grade import Grade
from sfumato.service.caller import Caller
from sfumato.service.context_answers import RECIPIENT as FILE
from sfumato.service.context_answers import ProjectContext, answer_context, answer_recipient, project_context
from sfumato.service.permissions import ROWS, Act
from sfumato.service.request_documents import questions
from sfumato.service.runs import RunWanted, start
from sfumato.service.seen_state import unchanged
from sfumato.service.service import Service
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.attempts import attempt
from sfumato.workbench.form_fields import TheForm, answers_given, text_of
from sfumato.workbench.places import place_in
from sfumato.workbench.typed_commands import typed as typed_command

router = APIRouter(prefix="/projects/{project}/context")
ABOUT, RECIPIENT, BENEFITS, MATRIX = "about", "recipient", "benefits", "matrix"
LISTS = {checklist.key: checklist for checklist in CHECKLISTS}
PARTS = (ABOUT, RECIPIENT, *LISTS, BENEFITS, MATRIX)
CHOICES = {"release": AUDIENCES, "need": list(Need), "likelihood": list(Likelihood), "level": list(Level)}
WORDS = ("form", "recipients", "effect")  # what else is said of a column, in words
COLUMNS = 50  # on one page


@router.get("")
def overview(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """What was answered and what was not, and where that puts the release."""
    place = place_in(service, caller, project, "context")
    known = project_context(service, caller, project)
    return shown(
        request, "context.html", caller=caller, place=place, known=known, parts_of=PARTS, counts=_counts(known),
        levels=list(Level), may=place.may(Act.RUN_START),
    )  # fmt: skip


@router.post("/measure")
def measure(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """Read the risk off the table: a run."""
    run = start(service, caller, project, RunWanted("context", {}))
    return gone_on(request, f"/projects/{project}/runs/{run.handle}")


@router.get("/{part}")
def form(
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    *,
    part: str,
    find: Annotated[str, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Response:
    """The questions of one part."""
    return _form(request, service, caller, project, part=part, find=find, page=page)


@router.post("/{part}")
def answer(
    request: Request, service: TheService, caller: TheCaller, project: str, *, part: str, given: TheForm
) -> Response:
    """Write the answers of one part; a refusal stands above them as they were given."""
    if part not in PARTS:
        raise NotKnown("the part of the context")
    known = project_context(service, caller, project)
    changes = answers_given(given) if part == RECIPIENT else _changes(part, given, known)
    write = answer_recipient if part == RECIPIENT else answer_context
    require, back = unchanged(text_of(given, "on")), text_of(given, "back")

    def again(problem: str, status: int) -> Response:
        return _form(request, service, caller, project, part=part, typed=changes, problem=problem, status=status)

    done = attempt(lambda: write(service, caller, project, changes, require=require), again)
    return done or gone_on(request, f"/projects/{project}/context{f'/{part}?{back}' if back else ''}")


def _form(
    request: Request,
    service: Service,
    caller: Caller,
    project: str,
    *,
    part: str,
    find: str = "",
    page: int = 0,
    typed: dict[str, Any] | None = None,
    problem: str = "",
    status: int = 200,
) -> Response:
    if part not in PARTS:
        raise NotKnown("the part of the context")
    place = place_in(service, caller, project, "context")
    known = project_context(service, caller, project)
    names = [one for one in known.document.benefits.columns if find.casefold() in one.column.casefold()]
    return shown(
        request, "context_part.html", caller=caller, place=place, status=status, known=known, part=part,
        answers={**known.answers, **(typed or {})}, about_recipient=known.recipient if typed is None else typed,
        questions=questions(), answers_file=_answers_file(known), command=_command(known, part),
        checklist=LISTS.get(part), said=list(Answer), texts=TEXTS, choices=CHOICES, words=WORDS,
        grades=[grade.value for grade in Grade], columns=names[page * COLUMNS : (page + 1) * COLUMNS],
        find=find, page=page, last=(page + 1) * COLUMNS >= len(names), problem=problem, written=_written(known, part),
        may=place.may(Act.PROJECT_CHANGE), who=[role.value for role in ROWS[Act.PROJECT_CHANGE].roles],
        following=PARTS[PARTS.index(part) + 1] if part != PARTS[-1] else "",
    )  # fmt: skip


def _answers_file(known: ProjectContext) -> str:
    """The file with the answers about the recipient: the one that the project names, or the one that lies ready."""
    said = str(known.answers.get(RECIPIENT) or "")
    if said and said.lower() not in {grade.value.lower() for grade in Grade}:
        return said
    return FILE if known.recipient else ""


def _command(known: ProjectContext, part: str) -> str:
    """The command that does the same as a part of the form."""
    if part != RECIPIENT:
        return typed_command("context", "--ask")
    return typed_command("recipient", f"--answers={_answers_file(known)}" if known.recipient else f"--template={FILE}")


def _written(known: ProjectContext, part: str) -> str:
    if part != ABOUT:
        return known.lines(part)
    said = [known.lines(key).removeprefix("context:\n") for key in TEXTS]
    return "context:\n" + "".join(said) if any(said) else ""


def _counts(known: ProjectContext) -> dict[str, tuple[int, int]]:
    """How many questions of each part are answered, and how many there are."""
    document = known.document
    lists = [*document.five_safes, document.impact_assessment]
    released = [one for one in document.benefits.columns if one.released]
    silent = len(document.benefits.unanswered)
    return {
        ABOUT: (sum(bool(known.answers.get(key)) for key in TEXTS), len(TEXTS)),
        RECIPIENT: (len(known.recipient), len(questions())),
        **{one.name: (len(one.controls) - one.unanswered, len(one.controls)) for one in lists},
        BENEFITS: (len(released) - silent, len(released)),
        MATRIX: (sum(axis.level is not None for axis in (document.matrix.risk, document.matrix.benefit)), 2),
    }


def _changes(part: str, given: FormData, known: ProjectContext) -> dict[str, Any]:
    """The answers of a part as the project file has them; what is left empty is unanswered."""
    if part == ABOUT:
        return {key: " ".join(text_of(given, key).split()) or None for key in TEXTS}
    if part in LISTS:
        answers = {question.key: text_of(given, question.key) for question in LISTS[part].questions}
        return {part: {key: None if said in ("", Answer.UNANSWERED) else said for key, said in answers.items()}}
    if part == MATRIX:
        decided = {key: " ".join(text_of(given, key).split()) for key in ("risk", "benefit", "because")}
        return {MATRIX: {key: said for key, said in decided.items() if said} or None}
    return {BENEFITS: _benefits(given, known)}


def _benefits(given: FormData, known: ProjectContext) -> dict[str, Any]:
    """What was said of the columns on this page; what was said of others, and in words not asked here, stays."""
    said: dict[str, Any] = {name: dict(one) for name, one in (known.answers.get(BENEFITS) or {}).items()}
    for place, name in enumerate(given.getlist("column")):
        if isinstance(name, str):
            fields = {key: " ".join(text_of(given, f"{key}.{place}").split()) for key in ("need", "likelihood", *WORDS)}
            whole = {**said.get(name, {}), **{key: value or None for key, value in fields.items()}}
            said[name] = {key: value for key, value in whole.items() if value is not None}
    return {name: one for name, one in said.items() if one}
