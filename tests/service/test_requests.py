"""Requests: who asks for what, the fifteen answers, and what those who asked get to see."""

from __future__ import annotations

import pytest
from tests.service.released_package import ANSWERS, ASKED, MIDDLE, PROJECT, Clinic

from sfumato.proof.use_log.chain import Chain
from sfumato.service.entities import Membership, ServiceProject
from sfumato.service.permissions import Act


@pytest.fixture
def clinic(world) -> Clinic:
    return Clinic.of(world)


def test_a_request_has_the_grade_that_its_answers_give(clinic):
    answer = clinic.post("quentin", "/requests", {**ASKED, "recipient": "rex"})
    assert answer.status_code == 201
    assert {key: answer.json()[key] for key in ("state", "grade", "recipient", "requester")} == {
        "state": "asked", "grade": "Low", "recipient": "rex", "requester": "quentin"
    }  # fmt: skip
    assert clinic.row(clinic.asked(answers=MIDDLE)).grade == "Middle"
    assert clinic.notices("stella") == ["request-asked", "request-asked"]


WRONG = [
    {"answers": {**ANSWERS, "institution": "castle"}}, {"answers": {"institution": "ministry"}}, {"answers": {}},
    {"answers": {**ANSWERS, "colour": "red"}}, {"purpose": " "}, {"purpose": "a\u0000b"}, {"columns": []},
    {"more": 1}, {"recipient": "other"}, {"recipient": "nobody"}, {"recipient": "stella"},
]  # fmt: skip


def test_a_request_that_is_not_right_is_refused(clinic):
    answers = [clinic.post("quentin", "/requests", {**ASKED, **wrong}) for wrong in WRONG]
    assert [answer.status_code for answer in answers] == [422] * len(WRONG)
    assert clinic.get("stella", "/requests").json()["items"] == []


def test_a_recipient_of_another_project_and_one_who_is_not_there_are_refused_in_the_same_words(clinic):
    words = {
        clinic.post("quentin", "/requests", {**ASKED, "recipient": who}).json()["detail"] for who in ("other", "x")
    }
    assert len(words) == 1


def test_whoever_asks_receives_unless_somebody_else_is_named(clinic):
    assert clinic.post("quentin", "/requests", ASKED).json()["recipient"] == "quentin"


def test_the_questions_are_those_of_the_command_line(clinic):
    questions = clinic.get("quentin", "/recipient-questions").json()
    assert [one["key"] for one in questions][:2] == ["institution", "shaming"]
    assert {one["key"] for one in questions} == set(ANSWERS)
    assert len(questions) == 15


def test_the_steward_gets_the_lines_and_the_command_that_the_grade_asks_for(clinic):
    from sfumato.project.file import Project
    from sfumato.project.recipient.answers import read_answers

    policy = clinic.get("stella", f"/requests/{clinic.asked(answers=MIDDLE)}").json()["policy"]
    assert (policy["grade"], policy["threshold"]) == ("Middle", 0.5)
    selection = Project.parse(f"data: {{source: a.csv}}\n{policy['lines']}").selection
    assert selection is not None
    assert selection.grade == "Middle"
    assert selection.scores == {"linkage": 10, "reidentifiability": 0, "understanding": 6}
    assert policy["command"] == "sfumato identify --recipient recipient.yaml --write"
    import yaml

    assert read_answers({**yaml.safe_load(policy["answers_file"])})["institution"] == "hospital"


def test_a_key_asks_once_and_another_question_under_it_is_refused(clinic):
    body = {**ASKED, "recipient": "rex"}
    first, second = (clinic.post("quentin", "/requests", body, **{"Idempotency-Key": "k"}) for _ in range(2))
    assert first.json() == second.json()
    other = clinic.post("quentin", "/requests", {**body, "purpose": "Other"}, **{"Idempotency-Key": "k"})
    assert other.status_code == 422
    assert len(clinic.get("stella", "/requests").json()["items"]) == 1
    last = Chain.of(clinic.world.service.events.log, verify=True).uses[-1]
    assert (last["who"]["name"], last["command"]["name"]) == ("quentin", "request.create")
    assert last["outcome"]["verdict"] == "OtherQuestion"


@pytest.mark.parametrize("way", ["a token that is not for it", "without the role", "without any role"])
def test_a_kept_answer_is_for_nobody_who_may_not_ask_for_it_now(clinic, way):
    body, key = {**ASKED, "recipient": "rex"}, {"Idempotency-Key": "k"}
    assert clinic.post("quentin", "/requests", body, **key).status_code == 201
    door, status = clinic.door("quentin"), {"without any role": 404}.get(way, 403)
    if way == "a token that is not for it":
        door = clinic.world.door("quentin", Act.SELF_READ)
    else:
        roles = ["requester"] if way == "without the role" else ["requester", "recipient"]
        with clinic.session as session:
            who = Membership.account == clinic.world.accounts["quentin"].handle
            session.query(Membership).filter(who, Membership.role.in_(roles)).delete()
    again = door.post("/api/v1/projects/clinic/requests", json=body, headers=key)
    assert (again.status_code, "request" in again.json()) == (status, False)
    last = Chain.of(clinic.world.service.events.log, verify=True).uses[-1]
    assert (last["command"]["name"], last["outcome"]["refused"]) == ("request.create", True)


def test_somebody_follows_and_withdraws_their_own_request_and_nobody_elses(clinic):
    world = clinic.world
    world.person("quinn")
    with clinic.session as session:
        project = session.query(ServiceProject).filter_by(name="clinic").one()
        session.add(Membership(project=project.handle, account=world.accounts["quinn"].handle, role="requester"))
    request = clinic.asked()
    assert clinic.get("quinn", f"/own-requests/{request}").status_code == 404
    assert clinic.get("quinn", "/own-requests").json()["items"] == []
    assert clinic.post("quinn", f"/own-requests/{request}/withdraw").status_code == 404
    assert clinic.post("rex", f"/own-requests/{request}/withdraw").status_code in (403, 404)
    assert [one["request"] for one in clinic.get("rex", "/own-requests").json()["items"]] == [request]
    assert clinic.post("quentin", f"/own-requests/{request}/withdraw").json()["state"] == "withdrawn"
    assert clinic.post("quentin", f"/own-requests/{request}/withdraw").status_code == 409
    assert "request-withdrawn" in clinic.notices("stella")


def test_whoever_asked_reads_why_a_request_was_rejected(clinic):
    request = clinic.asked()
    assert clinic.post("stella", f"/requests/{request}/reject", {"reason": "There is no basis."}).status_code == 200
    assert clinic.get("quentin", f"/own-requests/{request}").json()["reason"] == "There is no basis."
    assert clinic.notices("quentin") == ["request-moved"]


def test_lists_come_in_pages_newest_first_and_by_state(clinic):
    made = [clinic.asked() for _ in range(3)]
    page = clinic.get("stella", "/requests?limit=2").json()
    assert [one["request"] for one in page["items"]] == sorted(made, reverse=True)[:2]
    rest = clinic.get("stella", f"/requests?limit=2&after={page['next']}").json()
    assert [one["request"] for one in rest["items"]] == [min(made)]
    assert rest["next"] is None
    clinic.post("stella", f"/requests/{made[0]}/take-up")
    assert [one["request"] for one in clinic.get("stella", "/requests?state=preparing").json()["items"]] == [made[0]]


def test_another_tenant_sees_nothing_of_a_request_by_any_path(clinic):
    request = clinic.submitted()
    paths = ["", "/votes", "/comments", "/review", "/review/rows", "/review/documents/package/plan.yaml", "/release"]
    for project in ("clinic", "elsewhere"):
        door = clinic.world.door("other")
        answers = [door.get(f"/api/v1/projects/{project}/requests/{request}{path}") for path in paths]
        assert {answer.status_code for answer in answers} == {404}
        assert not any("Falls" in answer.text or "clinic" in answer.text for answer in answers)
        for path, body in (("take-up", None), ("submit", {"run": "0" * 26}), ("revoke", {"reason": "x"})):
            assert door.post(f"/api/v1/projects/{project}/requests/{request}/{path}", json=body).status_code == 404


def test_a_project_that_was_selected_for_a_lower_grade_is_refused_in_the_words_of_the_command_line(clinic):
    clinic.version("stella", PROJECT + "selection: {grade: Low, threshold: 0.75}\n")
    request = clinic.preparing(answers=MIDDLE)
    answer = clinic.post("stella", f"/requests/{request}/submit", {"run": clinic.run()})
    assert answer.status_code == 422
    assert "were selected for the grade Low" in answer.json()["detail"]
    assert "the recipient has the grade Middle (0.5), so nothing was released" in answer.json()["detail"]
    assert clinic.state(request) == "preparing"
    low = clinic.preparing()
    assert clinic.post("stella", f"/requests/{low}/submit", {"run": clinic.run()}).status_code == 200
