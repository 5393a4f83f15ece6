"""Release: bounds, share and levels by slider or number, risk and loss at once; then the choice is kept, and built."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response, StreamingResponse
from pydantic import BaseModel, Field

from sfumato.errors import Conflict, Stale
from sfumato.service import runs as of_service
from sfumato.service.caller import Caller
from sfumato.service.column_decisions import column_evidence
from sfumato.service.live_questions import LiveReply, ask, ask_by_shape, asked_for_a_glance, carry_over
from sfumato.service.local_table import is_alone
from sfumato.service.project_policy import uncounted_persons_by
from sfumato.service.project_text import project_text
from sfumato.service.release_choices import current_text, keep_levels
from sfumato.service.release_packages import (
    PARTS,
    REPORT,
    newest_about,
    package_archive,
    package_report,
    package_seen,
    release_runs,
)
from sfumato.service.run_commands import SIGNING_KEY
from sfumato.service.run_queue import OVER, RunState
from sfumato.service.runs import RunWanted, run_of
from sfumato.service.seen_state import CHANGED, unchanged
from sfumato.service.service import Service
from sfumato.service.versions import version
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.number_sources import measure_sources
from sfumato.workbench.places import place_in
from sfumato.workbench.release_setting import ReleaseSetting, Shape
from sfumato.workbench.release_view import release_view, setting_of
from sfumato.workbench.screens.package_files import sealed

router = APIRouter(prefix="/projects/{project}/release")
BUILT = 5  # packages that are listed, the newest first
COMMAND = "sfumato release --project=sfumato.yaml --out=package"
SIGNED = f" --key={SIGNING_KEY}"  # in the folder of a run; a copied command would not find it there


class KeepForm(BaseModel):
    """What somebody keeps: the setting, and the hash of the version that it was made on."""

    s: Annotated[str, Field(max_length=20_000)]
    of: Annotated[str, Field(max_length=64)]


@router.get("")
def release(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """The screen, at the setting that the address names or else the one of the project file."""
    place = place_in(service, caller, project, "release")
    built = release_runs(service, caller, project, limit=BUILT)
    if not place.may("live.ask"):
        return shown(request, "release_denied.html", caller=caller, place=place, built=built)
    query = request.query_params
    search = _searched(service, caller, project, query)
    view = release_view(
        service, caller, project, query, lambda shape: _at_best(setting_of(query, shape), search), neighbours=True
    )
    if isinstance(view, LiveReply):
        return shown(request, "live_state.html", caller=caller, place=place, reply=view)
    searched, sent = "best" in query, "share" in query  # a form that is sent names its sliders one by one
    if sent or (searched and "best" in search):
        going_on = "&best=1" if searched and "best" not in search else ""
        return RedirectResponse(view.address() + going_on, 303)
    lines = _lines(service, caller, project, view.setting, view.shape)
    evidence = column_evidence(service, caller, project) if place.may("result.read") else None
    several = uncounted_persons_by(project_text(service, caller, project).project, evidence)
    return shown(
        request, "release.html", caller=caller, place=place, view=view, search=search, lines=lines, command=COMMAND,
        built=built, several=several, since=view.hash, sources=measure_sources(),
    )  # fmt: skip


@router.get("/live")
def live(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """What follows a slider: only what has changed, each part at its own place."""
    place = place_in(service, caller, project, "release")
    view = release_view(service, caller, project, request.query_params)
    if isinstance(view, LiveReply):
        return _shown_anew()
    began = ReleaseSetting.decoded(request.query_params.get("s"), view.shape) or view.setting
    touched = began.touched(request.query_params)
    answer = shown(request, "_release_live.html", caller=caller, place=place, view=view, touched=touched)
    answer.headers["HX-Replace-Url"] = view.address()
    return answer


@router.get("/written")
def written(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """The lines that a choice writes: a moment after the sliders rest, since the whole project file is read for it."""
    place = place_in(service, caller, project, "release")
    reply = ask(service, caller, project)
    if reply.shape is None:
        return _shown_anew()
    lines = _lines(service, caller, project, setting_of(request.query_params, reply.shape), reply.shape)
    return shown(request, "_release_written.html", caller=caller, place=place, lines=lines, command=COMMAND)


@router.get("/steps")
def steps(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """Each column one level away: why not one lower, or what would help."""
    place = place_in(service, caller, project, "release")
    view = release_view(service, caller, project, request.query_params, neighbours=True)
    if isinstance(view, LiveReply):
        return _shown_anew()
    return shown(request, "_release_steps.html", caller=caller, place=place, view=view)


@router.get("/curve")
def growing(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """The curve as far as it has grown."""
    place = place_in(service, caller, project, "release")
    view = release_view(service, caller, project, request.query_params)
    if isinstance(view, LiveReply):
        return _shown_anew()
    return shown(request, "_release_curve.html", caller=caller, place=place, view=view, oob=False)


@router.get("/best")
def best(request: Request, service: TheService, caller: TheCaller, project: str) -> Response:
    """How far the search for the levels that lose least is, and what it has found."""
    place, query = place_in(service, caller, project, "release"), request.query_params
    reply = ask_by_shape(service, caller, project, lambda shape: [setting_of(query, shape).question("best", shape)])
    if reply.shape is None:
        return _shown_anew()
    setting, search = setting_of(query, reply.shape), reply.answers[0]
    return shown(
        request, "_release_search.html", caller=caller, place=place, search=search, setting=setting,
        taken=_at_best(setting, search),
    )  # fmt: skip


@router.post("/keep")
def keep(
    request: Request, service: TheService, caller: TheCaller, project: str, given: Annotated[KeepForm, Form()]
) -> Response:
    """Write the choice into the project file, as a new version."""
    unchanged(given.of)(version(service, caller, project, 0).hash)
    reply = ask(service, caller, project)
    if reply.shape is None:
        raise Conflict(reply.problem or "The table is still made ready. Try again in a moment.")
    setting = ReleaseSetting.decoded(given.s, reply.shape)
    if setting is None:
        raise Stale(CHANGED)
    chosen = setting.chosen(reply.shape)
    kept = keep_levels(service, caller, project, chosen, require=unchanged(given.of))
    carry_over(service, kept, reply.version, chosen)
    return gone_on(request, f"/projects/{project}/release?s={quote(setting.code)}#build")


@router.post("/package")
def build(
    request: Request, service: TheService, caller: TheCaller, project: str, of: Annotated[str, Form(max_length=64)]
) -> Response:
    """Build the package of the newest version: a run of `release`."""
    unchanged(of)(version(service, caller, project, 0).hash)
    run = of_service.start(service, caller, project, RunWanted("release", {}))
    return gone_on(request, f"/projects/{project}/release/package/{run.handle}")


def _as_copied(service: Service, caller: Caller, command: str) -> str:
    """The command of a run as it runs elsewhere: whoever opened a table alone has the key that signs, others do not."""
    with_key = f" --key={shlex.quote(str(service.keys.signing()))}" if is_alone(caller) else ""
    return command.replace(SIGNED, with_key)


@router.get("/package/{run}")
def package(request: Request, service: TheService, caller: TheCaller, project: str, run: str) -> Response:
    """A package: the progress of its run, its verdict, its files, whether it verifies, and the way on."""
    place = place_in(service, caller, project, "release")
    known = run_of(service, caller, project, run)
    newest = version(service, caller, project, 0).number
    seen, verified = None, None
    if known.state == RunState.DONE and place.may("result.read"):
        seen = package_seen(service, caller, project, run)
        verified = newest_about(service, caller, project, run, "verify")
    return shown(
        request, "package.html", caller=caller, place=place, run=known, over=known.state in OVER, seen=seen,
        command=_as_copied(service, caller, known.command), verified=verified,
        verified_over=verified is not None and verified.state in OVER, newest=newest, parts_of=PARTS,
    )  # fmt: skip


@router.post("/package/{run}/verify")
def verify(request: Request, service: TheService, caller: TheCaller, project: str, run: str) -> Response:
    """Read and follow the package again, against the table: a run of `verify`."""
    of_service.start(service, caller, project, RunWanted("verify", {}, earlier=run))
    return gone_on(request, f"/projects/{project}/release/package/{run}#verified")


@router.get("/package/{run}/report")
def report(service: TheService, caller: TheCaller, project: str, run: str) -> Response:
    """The report of a package, sealed as every report is."""
    return sealed(package_report(service, caller, project, run), REPORT)


@router.get("/package/{run}/{part}.zip")
def archive(service: TheService, caller: TheCaller, project: str, run: str, part: str) -> Response:
    """The package, or its evidence, as an archive to save."""
    chunks = package_archive(service, caller, project, run, part if part in PARTS else PARTS[0])
    headers = {"Content-Disposition": f'attachment; filename="{project}-{part}.zip"'}
    return StreamingResponse(chunks, media_type="application/zip", headers=headers)


def _shown_anew() -> Response:
    """The process that answers has ended meanwhile: the page is loaded again, and says how far the next one is."""
    return Response(status_code=204, headers={"HX-Refresh": "true"})


def _searched(service: Service, caller: Caller, project: str, query: Mapping[str, str]) -> Mapping[str, Any]:
    """The search for the levels that lose least, where somebody asks for it, or nobody has chosen any levels yet."""
    reply = ask(service, caller, project)
    wanted = "best" in query or ("s" not in query and reply.shape is not None and reply.shape["levels"] is None)
    if reply.shape is None or not wanted:
        return {}
    question = setting_of(query, reply.shape).question("best", reply.shape)
    reply = asked_for_a_glance(service, caller, project, question)
    return reply.answers[0] if reply.ready else {}


def _at_best(setting: ReleaseSetting, search: Mapping[str, Any]) -> ReleaseSetting:
    return setting.at(search["best"]) if "best" in search else setting


def _lines(service: Service, caller: Caller, project: str, setting: ReleaseSetting, shape: Shape) -> str:
    return setting.chosen(shape).lines(current_text(service, caller, project))
