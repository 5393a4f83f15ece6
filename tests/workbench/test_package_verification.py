"""Verification on pages: a real release of a real table, verified by a run, and what each role is told of it."""

from __future__ import annotations

from tests.service.released_package import ANSWERS, Clinic
from tests.service.run_world import state_of, with_project
from tests.workbench.visitors import visitor

from sfumato.service import runs
from sfumato.service.run_queue import claim
from sfumato.service.worker import Worker

HOME = "/projects/clinic/requests"


def done(world, handle: str) -> None:
    """Let a worker do what is queued, by the real program."""
    worker = Worker(world.service)
    while (lease := claim(world.service, worker.name)) is not None:
        worker.take(lease)
    assert state_of(world.service, handle).state == "done", state_of(world.service, handle).problem


def test_a_steward_verifies_a_package_and_its_recipient_is_told_whether_it_holds_and_no_figure(world):
    with_project(world)
    clinic, stella = Clinic(world, {}), visitor(world, "stella")
    built = runs.start(world.service, world.caller("stella"), "clinic", runs.RunWanted("release", {})).handle
    done(world, built)
    request = clinic.preparing(columns=["age"], answers=ANSWERS)
    page = stella.get(f"{HOME}/{request}").text
    assert built in page
    submitted = stella.post(f"{HOME}/{request}/submit", data={"once": "1", "run": built})
    assert "Nobody has verified this package here yet." in submitted.text
    going = stella.post(f"{HOME}/{request}/verify", data={"once": "2"})
    verifying = going.url.path.rpartition("/")[2]
    assert going.url.path == f"/projects/clinic/runs/{verifying}"
    done(world, verifying)
    assert "Every claim holds" in stella.get(f"{HOME}/{request}").text
    for name in ("rita", "ruth"):
        assert "Every claim holds" in visitor(world, name).get(f"{HOME}/{request}").text
        clinic.vote(name, request)
    rex = visitor(world, "rex")
    assert "Every claim holds" not in rex.get(f"{HOME}/{request}").text  # nothing is released yet
    assert clinic.release(request).status_code == 201
    told = rex.get(f"{HOME}/{request}").text
    assert "Every claim holds" in told
    assert f"/runs/{verifying}" not in told
