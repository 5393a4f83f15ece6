"""Reviews: nobody reviews their own work, nobody knows another's vote before the end, and a vote is of one package."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from tests.service.released_package import CANARY, PROJECT, Clinic, real_release

from sfumato.canonical import canonical
from sfumato.proof.use_log.chain import Chain
from sfumato.service.changes import project_changed
from sfumato.service.entities import Account, DataRequest, Membership, RegisteredSource, Run, ServiceProject, Vote
from sfumato.service.permissions import Act


@pytest.fixture
def clinic(world) -> Clinic:
    return Clinic.of(world)


def member(clinic: Clinic, name: str, role: str) -> None:
    """Give somebody a role; whoever is not there comes."""
    if name not in clinic.world.accounts:
        clinic.world.person(name)
    with clinic.session as session:
        project = session.query(ServiceProject).filter_by(name="clinic").one()
        session.add(Membership(project=project.handle, account=clinic.world.accounts[name].handle, role=role))


def same_person(clinic: Clinic, one: str, other: str, **marks: str) -> None:
    """Make two accounts those of one person."""
    with clinic.session as session:
        account = session.get_one(Account, clinic.world.accounts[one].handle)
        account.identity = clinic.world.accounts[other].identity.upper()
        for name, value in marks.items():
            setattr(account, name, value)


def changed(clinic: Clinic) -> None:
    """Somebody changes the project, as whoever edits it does."""
    number = clinic.version("stella")
    with clinic.world.service.act(clinic.world.caller("stella"), Act.PROJECT_CHANGE, project="clinic") as deed:
        assert deed.project.current == number
        project_changed(deed)


def uses(clinic: Clinic, act: Act) -> list[dict]:
    chain = Chain.of(clinic.world.service.events.log, verify=True)
    assert chain.problems == ()
    return [use for use in chain.uses if use["command"]["name"] == act.value]


def test_a_submitted_package_is_known_by_the_hash_of_its_manifest(clinic):
    request = clinic.submitted()
    assert clinic.row(request).package_hash == sha256(real_release()["package/manifest.json"]).hexdigest()
    assert clinic.row(request).preparers == [clinic.world.accounts["stella"].handle]
    assert clinic.notices("rita") == clinic.notices("ruth") == ["vote-needed"]
    (use,) = uses(clinic, Act.REQUEST_SUBMIT)
    assert use["outcome"]["package"] == clinic.row(request).package_hash


def test_only_a_whole_release_of_the_current_version_is_submitted(clinic):
    request = clinic.preparing()
    files = [{"name": name, "sha256": sha256(content).hexdigest(), "bytes": len(content)}
             for name, content in real_release().items()]  # fmt: skip
    other = {"sha256": files[0]["sha256"]}
    swapped = [{**one, **other} if one["name"] == "package/released.csv" else one for one in files]
    lacking = [one for one in files if one["name"] != "package/plan.yaml"]
    for status, fields in (
        (409, {"verb": "assess"}), (409, {"state": "running"}), (409, {"result": None}),
        (409, {"result": {"files": []}}),
        (409, {"result": {"files": swapped}}), (409, {"result": {"files": lacking}}), (412, {"version": 0}),
    ):  # fmt: skip
        answer = clinic.post("stella", f"/requests/{request}/submit", {"run": clinic.run(**fields)})
        assert answer.status_code == status, (fields, answer.text)
    assert clinic.post("stella", f"/requests/{request}/submit", {"run": "0" * 26}).status_code == 404
    run = clinic.run()
    clinic.version("stella", run=run)  # which the run wrote itself, with what it chose
    assert clinic.post("stella", f"/requests/{request}/submit", {"run": run}).status_code == 200


def test_nobody_reviews_what_they_prepared_asked_for_or_will_receive(clinic):
    """As author of a version, of the run, as who submits, asks, receives: by a token as well, and all is logged."""
    for name in ("author", "runner", "stella", "quentin", "rex"):
        member(clinic, name, "reviewer")
    member(clinic, "runner", "steward")
    clinic.version("author")
    clinic.version("stella")
    request = clinic.preparing()
    submit = {"run": clinic.run(author="runner")}
    assert clinic.post("stella", f"/requests/{request}/submit", submit).status_code == 200
    for name in ("author", "runner", "stella", "quentin", "rex"):
        assert clinic.vote(name, request).status_code == 403, name
        scoped = clinic.world.door(name, Act.VOTE)
        body = {"package_hash": clinic.row(request).package_hash, "verdict": "approve", "reason": "Fine."}
        assert scoped.post(f"/api/v1/projects/clinic/requests/{request}/votes", json=body).status_code == 403
        assert "vote-needed" not in clinic.notices(name)
    verdicts = [use["outcome"]["verdict"] for use in uses(clinic, Act.VOTE)]
    assert verdicts == ["NotAllowed"] * 10
    assert clinic.vote("rita", request).status_code == 201


@pytest.mark.parametrize("whose", ["stella", "quentin", "rex"])
def test_a_second_account_of_one_identity_is_the_same_person(clinic, whose):
    same_person(clinic, "rita", whose)
    request = clinic.submitted()
    assert clinic.vote("rita", request).status_code == 403
    assert clinic.notices("rita") == []


def test_two_accounts_of_one_reviewer_count_once(clinic):
    same_person(clinic, "ruth", "rita", identity="somebody", mail="RITA@example.org")
    request = clinic.submitted()
    assert clinic.vote("rita", request).status_code == 201
    answer = clinic.vote("ruth", request)
    assert (answer.status_code, "another account" in answer.json()["detail"]) == (403, True)
    assert clinic.state(request) == "submitted"


def test_an_identity_that_turns_out_to_be_shared_stops_the_release(clinic):
    request = clinic.approved()
    same_person(clinic, "ruth", "rex")
    assert clinic.release(request).status_code == 409
    assert clinic.state(request) == "approved"


def test_whoever_asked_reads_no_evidence_even_as_a_reviewer(clinic):
    member(clinic, "quentin", "reviewer")
    request = clinic.submitted()
    for path in ("review", "review/documents/evidence/report.html", "review/rows", "votes", "comments"):
        assert clinic.get("quentin", f"/requests/{request}/{path}").status_code == 403
    assert clinic.get("quentin", f"/requests/{request}").json()["verdict"] is None


def test_votes_and_comments_are_blind_by_every_way_to_read_until_all_are_in(clinic):
    request = clinic.submitted()
    secret = "k-is-weak-on-the-wards"
    clinic.vote("rita", request, "approve", reason=secret)
    said = clinic.post("rita", f"/requests/{request}/comments", {"text": secret, "about": "age"})
    assert said.status_code == 201
    assert secret in clinic.get("rita", f"/requests/{request}/votes").text
    assert secret in clinic.get("rita", f"/requests/{request}/comments").text
    paths = [f"/requests/{request}", "/requests", f"/requests/{request}/votes", f"/requests/{request}/comments",
             f"/requests/{request}/review", f"/own-requests/{request}", "/own-requests"]  # fmt: skip
    for name in ("ruth", "stella", "quentin", "rex", "ada", "otto"):
        answers = [clinic.get(name, path) for path in paths] + [clinic.door(name).get("/api/v1/me/notices")]
        for answer in answers:
            assert secret not in answer.text
            assert '"approve"' not in answer.text
    (vote,) = clinic.get("ruth", f"/requests/{request}/votes").json()["votes"]
    assert (vote["reviewer"], vote["verdict"], vote["reason"]) == ("rita", None, None)
    log = clinic.world.service.events.log.path.read_text(encoding="utf-8")
    assert secret not in log
    assert '"approve"' not in log
    clinic.vote("ruth", request)
    assert secret in clinic.get("ruth", f"/requests/{request}/votes").text
    assert secret in clinic.get("stella", f"/requests/{request}/comments").text


def test_the_log_has_a_vote_as_a_hash_until_all_are_in_and_then_what_opens_it(clinic):
    request = clinic.submitted()
    clinic.vote("rita", request, "approve")
    clinic.vote("ruth", request, "approve")
    first, last = (use["outcome"] for use in uses(clinic, Act.VOTE))
    assert "revealed" not in first
    hashes = [sha256(canonical(one)).hexdigest() for one in last["revealed"]]
    assert sorted(hashes) == sorted([first["vote"], last["vote"]])
    assert [one["verdict"] for one in last["revealed"]] == ["approve", "approve"]


def test_all_approve_all_return_and_all_reject_each_lead_where_the_table_says(clinic):
    ends = {}
    for verdict in ("approve", "return", "reject"):
        request = clinic.submitted()
        for name in ("rita", "ruth"):
            assert clinic.vote(name, request, verdict).status_code == 201
        ends[verdict] = clinic.state(request)
        row = clinic.row(request)
        assert (row.round, row.package_hash is None) == ((1, True) if verdict == "return" else (0, False))
        if verdict == "reject":
            assert clinic.get("quentin", f"/own-requests/{request}").json()["reason"] == (
                "The reviewers rejected the release."
            )
    assert ends == {"approve": "approved", "return": "preparing", "reject": "rejected"}
    assert {"release-approved", "release-returned", "release-rejected"} <= set(clinic.notices("stella"))
    assert clinic.notices("rita") == []


def test_disagreement_goes_back_to_the_reviewers_who_now_see_both_votes(clinic):
    request = clinic.submitted()
    clinic.vote("rita", request, "approve")
    clinic.vote("ruth", request, "reject", reason="Too fine.")
    assert clinic.state(request) == "reviewed"
    shown = clinic.get("rita", f"/requests/{request}/votes").json()["votes"]
    assert [(one["reviewer"], one["verdict"]) for one in shown] == [("rita", "approve"), ("ruth", "reject")]
    assert clinic.notices("ruth") == ["vote-needed-again"]
    clinic.vote("ruth", request, "approve", reason="Convinced.")
    assert clinic.get("rita", f"/requests/{request}/votes").json()["votes"][-1]["verdict"] is None
    assert clinic.state(request) == "reviewed"
    clinic.vote("rita", request, "approve")
    assert clinic.state(request) == "approved"


def test_a_reviewer_votes_once_in_a_round_also_by_a_double_click(clinic):
    request = clinic.submitted()
    body = {"package_hash": clinic.row(request).package_hash, "verdict": "approve", "reason": "Fine."}
    path, key = f"/requests/{request}/votes", {"Idempotency-Key": "twice"}
    first, again = (clinic.post("rita", path, body, **key) for _ in range(2))
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert clinic.post("rita", path, body).status_code == 409
    assert clinic.post("rita", path, {**body, "verdict": "reject"}, **key).status_code == 422
    with clinic.world.service.database.reading() as session:
        assert session.query(Vote).count() == 1


def test_a_vote_on_another_package_is_refused(clinic):
    request = clinic.submitted()
    assert clinic.vote("rita", request, package_hash="f" * 64).status_code == 412
    assert clinic.get("rita", f"/requests/{request}/votes").json()["votes"] == []


def test_a_change_after_submission_begins_anew_and_no_older_vote_counts(clinic):
    request = clinic.submitted()
    old = clinic.row(request).package_hash
    clinic.vote("rita", request)
    changed(clinic)
    assert clinic.state(request) == "preparing"
    assert clinic.row(request).package_hash is None
    assert clinic.vote("ruth", request, package_hash=old).status_code == 409
    run = clinic.run()
    assert clinic.post("stella", f"/requests/{request}/submit", {"run": run}).status_code == 200
    clinic.vote("ruth", request)
    assert clinic.state(request) == "submitted"
    shown = clinic.get("ruth", f"/requests/{request}/votes").json()["votes"]
    assert [one["verdict"] for one in shown] == [None, "approve"]  # that round never ended, and stays blind
    approved = clinic.vote("rita", request)
    assert (approved.status_code, clinic.state(request)) == (201, "approved")
    changed(clinic)
    assert clinic.release(request).status_code == 409
    assert clinic.state(request) == "preparing"


def test_a_version_that_nobody_told_the_requests_of_stops_votes_and_release_all_the_same(clinic):
    request, approved = clinic.submitted(), clinic.approved()
    clinic.version("stella")
    assert clinic.vote("rita", request).status_code == 412
    assert clinic.release(approved).status_code == 412


def test_a_project_with_one_reviewer_is_approved_by_one_vote_and_one_with_none_not_at_all(clinic):
    clinic.set(reviewers=1)
    request = clinic.submitted()
    clinic.set(reviewers=0)
    assert clinic.vote("rita", request).status_code == 409
    clinic.set(reviewers=1)
    clinic.vote("rita", request)
    assert clinic.state(request) == "approved"
    clinic.set(reviewers=0)
    assert clinic.release(request).status_code == 409
    other = clinic.preparing()
    assert clinic.post("stella", f"/requests/{other}/submit", {"run": clinic.run()}).status_code == 409


def test_fewer_reviewers_after_submission_need_no_fewer_votes(clinic):
    request = clinic.submitted()
    clinic.set(reviewers=1)
    clinic.vote("rita", request)
    assert clinic.state(request) == "submitted"
    clinic.vote("ruth", request)
    assert clinic.state(request) == "approved"
    clinic.set(reviewers=3)
    assert clinic.release(request).status_code == 409


def test_reviewers_read_what_changed_the_package_and_the_evidence_and_that_is_logged(clinic):
    request = clinic.submitted()
    review = clinic.get("rita", f"/requests/{request}/review").json()
    assert {key: review[key] for key in ("columns", "levels", "k", "records", "columns_not_asked_for")} == {
        "columns": ["age", "sex", "diagnosis"], "levels": {"age": 1}, "k": 6, "records": 24,
        "columns_not_asked_for": ["sex"],
    }  # fmt: skip
    assert review["changes"][0]["name"] == "sfumato.yaml"
    assert "+  - {measure: k_anonymity, at_least: 3}" in review["changes"][0]["difference"]
    assert review["earlier"] == []
    listed = {(one["folder"], one["name"]) for one in review["files"]}
    assert {("package", "manifest.json"), ("package", "report.html"), ("evidence", "report.html")} <= listed
    for folder, name in sorted(listed):
        opened = clinic.get("rita", f"/requests/{request}/review/documents/{folder}/{name}")
        assert opened.content == real_release()[f"package{'-evidence' if folder == 'evidence' else ''}/{name}"]
    assert len(uses(clinic, Act.REVIEW_READ)) == 1 + len(listed)
    for folder, name in (
        ("package", "released.csv"), ("evidence", "salt"), ("evidence", "keys.json"), ("evidence", "plan.yaml"),
        ("package", "..%2f..%2fservice.yaml"), ("files", "plan.yaml"),
    ):  # fmt: skip
        assert clinic.get("rita", f"/requests/{request}/review/documents/{folder}/{name}").status_code == 404


def test_reviewers_see_released_rows_only_where_the_project_allows_it(clinic):
    request = clinic.submitted()
    assert clinic.get("rita", f"/requests/{request}/review/rows").status_code == 403
    clinic.set(rows_for_reviewers=True)
    rows = clinic.get("rita", f"/requests/{request}/review/rows")
    assert rows.content == real_release()["package/released.csv"]
    assert CANARY in rows.text
    assert [use["outcome"].get("refused", False) for use in uses(clinic, Act.REVIEW_ROWS)] == [False, True, False]


def test_earlier_releases_of_the_same_source_stand_beside_a_new_one(clinic):
    earlier = clinic.released()
    with clinic.session as session:  # as if it had been another one: coarser, and without the diagnosis
        row = session.get_one(DataRequest, earlier)
        row.summary = {**row.summary, "levels": {"age": 2}, "columns": ["age", "sex"], "k": 12}
    request = clinic.submitted()
    review = clinic.get("rita", f"/requests/{request}/review").json()
    (beside,) = review["earlier"]
    expected = {"request": earlier, "recipient": "rex", "purpose": "Falls on wards", "k": 12, "records": 24,
                "adds_columns": ["diagnosis"], "finer_columns": ["age"], "other_columns": ["age"]}  # fmt: skip
    assert {key: beside[key] for key in expected} == expected
    assert "age differently generalised" in beside["warning"]
    assert (review["since_version"], review["changes"]) == (1, [])
    with clinic.session as session:  # another source
        row = session.get_one(DataRequest, earlier)
        row.summary = {**row.summary, "sources": {"hashes": ["cd" * 32], "names": ["others"]}}
    assert clinic.get("rita", f"/requests/{request}/review").json()["earlier"] == []


def test_the_same_people_are_released_no_more_often_than_the_project_allows(clinic):
    clinic.set(releases_per_source=1)
    first, second = clinic.approved(), clinic.approved()
    assert [clinic.release(one).status_code for one in (first, second)] == [201, 409]
    request = clinic.preparing()
    answer = clinic.post("stella", f"/requests/{request}/submit", {"run": clinic.run()})
    assert (answer.status_code, "released 1 times" in answer.json()["detail"]) == (409, True)


def test_two_releases_that_differ_by_one_person_do_not_both_leave_unless_the_project_says_so(clinic):
    first = clinic.released()
    request = clinic.preparing()
    less = clinic.run(without=1)  # one person has left the table
    answer = clinic.post("stella", f"/requests/{request}/submit", {"run": less})
    assert (answer.status_code, "may be one person" in answer.json()["detail"]) == (409, True)
    assert clinic.state(request) == "preparing"
    assert uses(clinic, Act.REQUEST_SUBMIT)[-1]["outcome"]["verdict"] == "Conflict"
    clinic.set(releases_per_source=2)
    assert clinic.post("stella", f"/requests/{request}/submit", {"run": less}).status_code == 200
    (beside,) = clinic.get("rita", f"/requests/{request}/review").json()["earlier"]
    assert (beside["request"], beside["other_data"], beside["other_columns"]) == (first, True, [])
    assert "the difference may be one person" in beside["warning"]


def preparers(clinic: Clinic, request: str) -> set[str]:
    names = {account.handle: name for name, account in clinic.world.accounts.items()}
    return {names[one] for one in clinic.row(request).preparers}


def test_preparers_are_who_wrote_the_files_as_they_are_or_changed_them_since_the_last_release(clinic):
    member(clinic, "early", "steward")
    member(clinic, "late", "steward")
    clinic.version("early", PROJECT + "# early\n")
    assert preparers(clinic, clinic.released()) == {"early", "stella"}
    # Nobody has changed anything since: for another recipient it is still the work of who wrote it.
    assert preparers(clinic, clinic.released()) == {"early", "stella"}
    clinic.version("late", PROJECT + "# late\n")
    clinic.version("rita", PROJECT + "# in between\n")
    clinic.version("late", PROJECT + "# late\n")
    assert preparers(clinic, clinic.submitted()) == {"late", "rita", "stella"}


def test_who_took_a_request_up_or_registered_its_source_does_not_review_it(clinic):
    for role in ("steward", "reviewer"):
        for name in ("taker", "keeper"):
            member(clinic, name, role)
    request = clinic.asked()
    assert clinic.post("taker", f"/requests/{request}/take-up").status_code == 200
    run = clinic.run()
    with clinic.session as session:
        source = session.get_one(RegisteredSource, session.get_one(Run, run).source)
        source.author = clinic.world.accounts["keeper"].handle
    assert clinic.post("stella", f"/requests/{request}/submit", {"run": run}).status_code == 200
    for name in ("taker", "keeper"):
        assert clinic.vote(name, request).status_code == 403, name
        assert "vote-needed" not in clinic.notices(name)
    for name in ("rita", "ruth"):
        assert clinic.vote(name, request, "return").status_code == 201
    assert clinic.post("stella", f"/requests/{request}/submit", {"run": clinic.run()}).status_code == 200
    assert clinic.vote("taker", request).status_code == 403


def test_no_cell_and_no_finer_reading_reaches_whoever_asked(clinic):
    """Before the release nothing of the package, afterwards its own report and verdict; rows only in the package."""
    clinic.vote("rita", clinic.submitted())
    request = clinic.approved()
    report = real_release()["package/report.html"]
    for name in ("quentin", "rex"):
        paths = ["/own-requests", f"/own-requests/{request}", f"/own-requests/{request}/report"]
        texts = [clinic.get(name, path).text for path in paths] + [clinic.door(name).get("/api/v1/me/notices").text]
        for text in texts:
            for mark in (CANARY, "k_anonymity", clinic.row(request).package_hash, "met, but", '"24"'):
                assert mark not in text
        assert clinic.get(name, f"/own-requests/{request}/report").status_code == 404
    clinic.release(request)
    own = clinic.get("quentin", f"/own-requests/{request}")
    assert own.json()["verdict"] == json.loads(real_release()["package/manifest.json"])["claims"]["verdict"]
    assert CANARY not in own.text
    assert clinic.get("quentin", f"/own-requests/{request}/report").content == report
    assert CANARY.encode() not in clinic.world.service.events.log.path.read_bytes()
