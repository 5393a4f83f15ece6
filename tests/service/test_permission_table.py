"""The table of permissions against every path of the API and every kind of caller, generated from both."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.service.conftest import World, a_world

from sfumato.api.app import application
from sfumato.service.doors import issue_token
from sfumato.service.entities import (
    DataRequest,
    Membership,
    Notice,
    ProjectVersion,
    RegisteredSource,
    Run,
    ServiceProject,
    SignInSession,
    Upload,
)  # fmt: skip
from sfumato.service.permissions import OF_SERVICE, ROWS, Act, Scope, ServiceRole

# acts that no path is, each with the reason
WITHOUT_PATH: dict[Act, str] = {Act.LIVE_OPEN: "it is the first of the questions, which are live.ask"}
HASH = "a" * 64
PEOPLE = {  # who stands for a role, and one who is nothing in this project
    "stella": {ServiceRole.STEWARD}, "rita": {ServiceRole.REVIEWER}, "quentin": {ServiceRole.REQUESTER},
    "rex": {ServiceRole.RECIPIENT}, "otto": {ServiceRole.AUDITOR}, "ada": {ServiceRole.ADMINISTRATOR}, "other": set(),
}  # fmt: skip
TEXTS = {"package_hash": HASH, "sha256": HASH, "code": "123456", "verb": "assess", "scopes": "health", "name": "zoe"}
NOBODY, SCOPELESS = "nobody", "a token without the scope"
REFUSED_BY_ROLE = ("Your role does not let you", "This token or session may not")


def things(world: World) -> dict[str, str]:
    """One of everything in the project `clinic`, by the names that paths have for it."""
    service, now = world.service, world.service.clock()
    stella, quentin, rex = (world.accounts[name].handle for name in ("stella", "quentin", "rex"))
    content = service.storage.keep(b"data: {source: people}\n")
    with service.database.writing() as session:
        project = session.query(ServiceProject).filter_by(name="clinic").one()
        # one who asks, and one who receives: each of them nothing else
        session.query(Membership).filter_by(account=quentin, role="recipient").delete()
        project.current = 1
        made = {
            "version": ProjectVersion(project=project.handle, number=1, hash=HASH, files={"sfumato.yaml": content},
                                      author=stella, created=now),
            "source": RegisteredSource(project=project.handle, name="people", kind="upload", hash=content, bytes=22,
                                       author=stella, created=now),
            "upload": Upload(project=project.handle, name="more.csv", bytes=10, author=stella, created=now,
                             expires=now + timedelta(days=1)),
            "run": Run(project=project.handle, version=1, verb="assess", options={}, command="sfumato assess",
                       state="queued", author=stella, created=now),
            "request": DataRequest(project=project.handle, requester=quentin, recipient=rex, purpose="a study",
                                   columns=["age"], answers={}, state="asked", created=now, changed=now),
            "notice": Notice(account=stella, kind="asked", words="Somebody asks.", created=now),
            "session": SignInSession(hash=HASH, account=stella, created=now, last_used=now, expires=now),
        }  # fmt: skip
        for thing in made.values():
            session.add(thing)
        session.flush()
        token, _ = issue_token(session, service, stella, label="old", scopes=[Act.HEALTH], expires=now)
        handles = {name: thing.handle for name, thing in made.items()}
    return {
        **handles, "token": token.handle, "project": "clinic", "account": "rex", "role": "recipient", "number": "1",
        "file": "sfumato.yaml", "folder": "package", "name": "clinic",
    }  # fmt: skip


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(method, path, operation) for path, all_ in document["paths"].items() for method, operation in all_.items()]


def address(path: str, known: dict[str, str]) -> str:
    """The path with things in it that are there; a handle is that of what stands before it."""
    parts = path.split("/")
    for place, part in enumerate(parts):
        if part == "{handle}":
            parts[place] = known[parts[place - 1].removesuffix("s")]
        elif part == "{name}" and parts[place - 1] not in ("projects",):
            parts[place] = {"connections": "hospital"}.get(parts[place - 1], "summary.json")
        elif part.startswith("{"):
            parts[place] = known[part.strip("{}").removesuffix(":path")]
    return "/".join(parts)


def sample(schema: dict[str, Any], document: dict[str, Any], name: str = "") -> Any:
    """A value that a schema takes: the least that it asks for."""
    if "$ref" in schema:
        return sample(document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], document, name)
    if "anyOf" in schema or "oneOf" in schema:
        return sample((schema.get("anyOf") or schema["oneOf"])[0], document, name)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema.get("type", "object")
    if kind == "object":
        return {key: sample(schema["properties"][key], document, key) for key in schema.get("required", ())}
    if kind == "array":
        return [sample(schema["items"], document, name)] * schema.get("minItems", 0)
    if kind in ("integer", "number"):
        return max(1, schema.get("minimum", 1))
    if kind == "boolean":
        return True
    texts = {
        "package_hash": HASH,
        "sha256": HASH,
        "code": "123456",
        "verb": "assess",
        "scopes": "health",
        "name": "zoe",
    }
    return texts.get(name, "a" * max(3, schema.get("minLength", 3)))


def archive() -> bytes:
    """The files of a project, as an archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as files:
        files.writestr("sfumato.yaml", "data: {source: people}\n")
    return packed.getvalue()


def question(path: str, operation: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """A question as the path takes it: its body, its header, its parameters that are needed."""
    asked: dict[str, Any] = {"headers": {}, "params": {}}
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "header" and parameter["name"] == "Upload-Offset":
            asked["headers"]["Upload-Offset"] = "0"
        elif parameter["in"] == "query" and parameter.get("required"):
            asked["params"][parameter["name"]] = "a"
    body = operation.get("requestBody", {}).get("content", {})
    if "application/json" in body:
        asked["json"] = sample(body["application/json"]["schema"], document)
    elif body:
        asked["content"] = archive() if "application/zip" in body else b"0123456789"
    return asked


def expected(act: Act, who: str) -> set[str]:
    """What the table says of somebody: allowed, or by which status they are refused."""
    row = ROWS[act]
    if row.scope is Scope.PUBLIC:
        return {"allowed"}
    if who == NOBODY:
        return {"401"}
    if who == SCOPELESS:
        return {"403"}
    if row.scope is Scope.SELF:
        return {"allowed"}
    roles = PEOPLE[who]
    if row.scope is Scope.SERVICE:
        return {"allowed"} if roles & set(row.roles) else {"403"}
    if not roles - {ServiceRole.AUDITOR}:
        return {"404"}
    return {"allowed"} if roles & set(row.roles) else {"403"}


def is_allowed(answer: Any, act: Act) -> bool:
    """Whether the table let somebody through: what a function refuses by rules of its own is refused in other words."""
    if act is Act.SIGN_IN:
        return True  # a wrong password is answered with 401, whoever tries it
    detail = answer.json().get("detail", "") if "problem+json" in answer.headers.get("content-type", "") else ""
    if answer.status_code == 403:
        return not detail.startswith(REFUSED_BY_ROLE)
    return answer.status_code != 401 and answer.status_code < 500 and "the project." not in detail


@pytest.fixture(scope="module")
def document(tmp_path_factory) -> dict[str, Any]:
    world = a_world(tmp_path_factory.mktemp("document") / "root")
    return application(world.service).openapi()


@pytest.fixture(scope="module")
def peopled(tmp_path_factory) -> tuple[World, dict[str, str], dict[str, TestClient]]:
    """A world with one of everything, and a door for each caller."""
    world = a_world(tmp_path_factory.mktemp("peopled") / "root")
    known = things(world)
    app = application(world.service)
    doors = {}
    for who in (*PEOPLE, NOBODY, SCOPELESS):
        doors[who] = TestClient(app, raise_server_exceptions=False)
        if who != NOBODY:
            token = world.token("stella", Act.HEALTH) if who == SCOPELESS else world.token(who)
            doors[who].headers["Authorization"] = f"Bearer {token}"
    return world, known, doors


def test_every_path_says_which_act_it_is_and_every_act_has_a_path(document):
    acts = [operation.get("x-act") for _, _, operation in operations(document)]
    assert None not in acts
    assert set(acts) <= {act.value for act in Act}
    assert {act for act in Act if act.value not in acts} == set(WITHOUT_PATH)


def outcome(answer: Any, act: Act, wanted: set[str]) -> bool:
    return is_allowed(answer, act) if wanted == {"allowed"} else str(answer.status_code) in wanted


@pytest.mark.parametrize("who", [NOBODY, SCOPELESS, "other", "otto", "rex", "quentin", "rita", "ada", "stella"])
def test_every_path_answers_every_caller_as_the_table_says(peopled, document, who):
    """Paths that are for somebody in person, and not for a token, refuse a token whatever its scope."""
    _, known, doors = peopled
    wrong = []
    for method, path, operation in operations(document):
        act = Act(operation["x-act"])
        wanted = expected(act, who)
        if operation.get("x-in-person") and who not in (NOBODY, SCOPELESS):
            wanted = {"403"}
        if path.endswith(("/close", "/reset-password")) and wanted == {"allowed"}:
            continue  # it would shut the door of somebody whom other paths need
        answer = doors[who].request(
            method.upper(), address(path, known), follow_redirects=False, **question(path, operation, document)
        )
        if not outcome(answer, act, wanted):
            wrong.append((method.upper(), path, answer.status_code, sorted(wanted), answer.text[:150]))
    assert wrong == []


def test_what_is_foreign_and_what_is_not_there_are_answered_with_the_same_bytes(peopled, document):
    """A steward of another project asks for each thing of this one by its handle, and for one that nobody has."""
    _, known, doors = peopled
    handles = ("source", "upload", "run", "request", "notice", "session", "token")
    absent = {**known, "project": "nothing", **dict.fromkeys(handles, "0" * 26)}
    checked = 0
    for method, path, operation in operations(document):
        if "/projects/{" not in path:
            continue
        asked = question(path, operation, document)
        ways = [
            address(path, known),
            address(path, absent).replace("/projects/clinic", "/projects/nothing"),
            address(path, known).replace("/projects/clinic", "/projects/nothing"),
            address(path, absent),
        ]
        answers = [doors["other"].request(method.upper(), way, **asked) for way in ways]
        kinds = {(answer.status_code, answer.content, answer.headers["content-type"]) for answer in answers}
        assert len(kinds) == 1, (method, path, kinds)
        checked += 1
    assert checked > 40


def test_things_of_one_project_are_not_known_in_another_of_the_same_person(peopled, document):
    """Somebody who is steward of two projects cannot reach into one by the handles of the other."""
    world, known, doors = peopled
    wrong = []
    for method, path, operation in operations(document):
        act = Act(operation["x-act"])
        held = any(part in path for part in ("{run}", "{request}", "{handle}"))
        if not held or ServiceRole.STEWARD not in ROWS[act].roles or method == "delete":
            continue
        way = address(path, known).replace("/projects/clinic", "/projects/elsewhere")
        answer = doors["other"].request(method.upper(), way, **question(path, operation, document))
        if answer.status_code != 404:
            wrong.append((method, path, answer.status_code, answer.text[:150]))
    assert wrong == []


def test_the_service_roles_are_those_of_the_table():
    assert set(OF_SERVICE) == {ServiceRole.AUDITOR, ServiceRole.ADMINISTRATOR}
    assert set().union(*PEOPLE.values()) == set(ServiceRole)
