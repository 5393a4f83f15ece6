"""The client: the paths of a real application, in the words and classes of this package."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.service.conftest import World

import sfumato as sf
from sfumato.api.app import application, routers
from sfumato.client.file_upload import PART
from sfumato.client.remote_run import RunFailed
from sfumato.client.wire import WAITS
from sfumato.errors import (
    Conflict,
    InfeasiblePolicy,
    MissingExtra,
    NotAllowed,
    NotKnown,
    NotSignedIn,
    SecretError,
    ServiceRefusal,
    ServiceUnavailable,
    Stale,
    TooLarge,
    TooOften,
)  # fmt: skip

httpx = pytest.importorskip("httpx")
PROJECT = "data: {source: people.csv}\ncolumns:\n  age: {role: quasi}\n"


def of(world: World, name: str, *scopes) -> sf.RemoteService:
    """The service as somebody sees it, without a network."""
    door = TestClient(application(world.service), raise_server_exceptions=False)
    return sf.connect("http://127.0.0.1:1", world.token(name, *scopes), transport=door._transport)


def answering(*answers: httpx.Response | Exception, asked: list[httpx.Request]) -> sf.RemoteService:
    """A service that gives some answers, one after the other."""
    given = iter(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        one = next(given)
        if isinstance(one, Exception):
            raise one
        return one

    service = sf.connect("https://sfumato.example.org", "sfumato_t", transport=httpx.MockTransport(answer))
    object.__setattr__(service.wire, "sleep", lambda seconds: None)
    return service


def problem(status: int, kind: str, detail: str = "So it is.", **headers: str) -> httpx.Response:
    document = {"type": f"urn:sfumato:problem:{kind}", "title": kind, "status": status, "detail": detail}
    return httpx.Response(status, json=document, headers={"content-type": "application/problem+json", **headers})


def test_the_token_is_in_no_representation(world):
    token = world.token("stella")
    service = sf.connect("http://127.0.0.1:1", token)
    for thing in (service, service.wire, service.project("clinic")):
        assert token not in repr(thing)


@pytest.mark.parametrize(
    "url", ["http://sfumato.example.org", "ftp://127.0.0.1", "sfumato.example.org", "http://10.0.0.1"]
)
def test_a_token_is_not_sent_over_a_network_in_the_clear(url):
    with pytest.raises(SecretError, match="https"):
        sf.connect(url, "sfumato_t")


def test_without_httpx_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    with pytest.raises(MissingExtra, match=r"sfumato\[client\]"):
        sf.connect("https://sfumato.example.org", "sfumato_t")


@pytest.mark.parametrize(
    ("status", "kind", "error"),
    [(401, "not-signed-in", NotSignedIn), (403, "not-allowed", NotAllowed), (404, "not-known", NotKnown),
     (409, "conflict", Conflict), (409, "refused", InfeasiblePolicy), (412, "stale", Stale),
     (413, "too-large", TooLarge),
     (422, "of-no-kind-we-know", ServiceRefusal), (429, "too-often", TooOften), (500, "unforeseen", ServiceRefusal)],
)  # fmt: skip
def test_a_problem_is_raised_as_the_error_that_it_was_there(status, kind, error):
    routers()  # a service in the same process, whose own errors are finer
    service = answering(problem(status, kind, **{"retry-after": "7"}), asked=[])
    with pytest.raises(error, match="So it is") as raised:
        service.project("clinic").document  # noqa: B018
    assert type(raised.value) is error
    if error is TooOften:
        assert raised.value.after == 7


def test_a_service_that_is_down_is_asked_again_under_the_same_key():
    asked: list[httpx.Request] = []
    started = httpx.Response(201, json={"handle": "r", "state": "queued"})
    service = answering(problem(503, "unavailable"), httpx.ReadTimeout("late"), started, asked=asked)
    run = service.project("clinic").assess(wait=False)
    assert (run.handle, run.state, len(asked)) == ("r", "queued", 3)
    assert len({request.headers["idempotency-key"] for request in asked}) == 1


def test_a_service_that_stays_down_is_told_after_half_a_minute():
    asked: list[httpx.Request] = []
    service = answering(*[httpx.ConnectError("refused")] * 99, asked=asked)
    with pytest.raises(ServiceUnavailable, match=r"sfumato\.example\.org"):
        service.version  # noqa: B018
    assert len(asked) == len(WAITS) + 1
    assert 25 < sum(WAITS) < 60


def test_an_edit_is_not_asked_twice():
    """Without a key it is not known whether the first question was answered."""
    asked: list[httpx.Request] = []
    listed = httpx.Response(200, json={"items": [], "next": None}, headers={"etag": '"a"'})
    service = answering(listed, httpx.ReadTimeout("late"), asked=asked)
    with pytest.raises(ServiceUnavailable):
        service.project("clinic").save({"sfumato.yaml": PROJECT})
    assert len(asked) == 2


def test_versions_are_saved_compared_and_undone(world):
    project = of(world, "stella").project("clinic")
    assert project.files == {}
    first = project.save({"sfumato.yaml": PROJECT}, message="the first")
    second = project.save({"sfumato.yaml": PROJECT + "  sex: {role: quasi}\n"})
    assert (first, second) == (1, 2)
    assert "+  sex: {role: quasi}" in project.diff(1)
    assert project.undo(1) == 3
    assert project.files == {"sfumato.yaml": PROJECT}
    assert [version["number"] for version in project.versions()] == [3, 2, 1]


def test_a_change_of_an_older_state_is_stale(world):
    one, other = of(world, "stella").project("clinic"), of(world, "stella").project("clinic")
    seen = one._newest()
    other.save({"sfumato.yaml": PROJECT})
    with pytest.raises(Stale):
        one._changed("versions", {"files": {"sfumato.yaml": PROJECT}, "message": ""}, seen[1])


def test_a_file_is_sent_in_parts_and_taken_up_where_it_was_cut_off(world, tmp_path, monkeypatch):
    file, told = tmp_path / "people.csv", []
    rows = "\n".join(f"{30 + n % 20},{'FM'[n % 2]}" for n in range(5000))
    file.write_text(f"age,sex\n{rows}\n")
    monkeypatch.setattr("sfumato.client.file_upload.PART", 10_000)
    project = of(world, "stella").project("clinic")
    ask, count = project.wire.http.request, iter(range(99))

    def cut(method, path, **question):
        if method == "PATCH" and next(count) == 2:
            raise KeyboardInterrupt
        return ask(method, path, **question)

    monkeypatch.setattr(project.wire.http, "request", cut)
    with pytest.raises(KeyboardInterrupt):
        project.upload(file)
    source = project.upload(file, tell=lambda words, done=0, total=0: told.append(done))
    assert told[0] == 20_000
    assert told[-1] == file.stat().st_size == source["bytes"]
    assert [one["name"] for one in project.sources()] == [source["name"]]
    assert PART == 8_000_000


def test_a_run_is_started_followed_and_cancelled(world):
    service = of(world, "stella")
    project = service.project("clinic")
    project.save({"sfumato.yaml": PROJECT.replace("people.csv", "people")})
    project.upload(written(world.service.root.parent / "people.csv", "age\n30\n"), name="people.csv")
    source = project.sources()[0]["name"]
    project.save({"sfumato.yaml": PROJECT.replace("people.csv", source)})
    run = project.assess(wait=False, k=2)
    assert (run.verb, run.state) == ("assess", "queued")
    assert run.command.startswith("sfumato assess")
    assert [one.handle for one in project.runs()] == [run.handle]
    assert run.cancel().state == "cancelled"
    with pytest.raises(RunFailed):
        run.wait()


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_run_or_request_that_is_not_there_is_not_known(world):
    project = of(world, "stella").project("clinic")
    for ask in (project.run, project.request):
        with pytest.raises(NotKnown):
            ask("0" * 26)


def test_what_somebody_may_not_is_raised_in_the_words_of_the_service(world):
    with pytest.raises(NotAllowed, match="Your role does not let you run a verb"):
        of(world, "rita").project("clinic").assess()
    with pytest.raises(NotKnown) as foreign:
        of(world, "other").project("clinic").versions()
    with pytest.raises(NotKnown) as nothing:
        of(world, "other").project("nothing").versions()
    assert str(foreign.value) == str(nothing.value)
    with pytest.raises(NotSignedIn):
        sf.connect("http://127.0.0.1:1", "sfumato_wrong",
                   transport=TestClient(application(world.service))._transport).projects()  # fmt: skip


def test_an_auditor_reads_verifies_and_exports_the_log(world, tmp_path):
    with pytest.raises(NotAllowed):
        of(world, "rita").project("clinic").assess()
    service = of(world, "otto")
    lines = list(service.log())
    assert lines[0]["line"]["who"]["name"] == "rita"
    assert service.verify_log()["whole"] is True
    exported = service.export_log(tmp_path / "log.jsonl")
    assert exported.read_bytes() == world.service.events.log.path.read_bytes()
    with pytest.raises(NotAllowed):
        list(of(world, "stella").log())


def test_requests_are_those_of_all_projects_and_for_others_their_own(world):
    assert of(world, "stella").requests() == []
    assert of(world, "quentin").requests() == []
    assert [project.name for project in of(world, "stella").projects()] == ["clinic"]
    assert of(world, "stella").notices() == []
