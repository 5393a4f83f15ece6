"""Requests and reviews on pages: what each role sees and may do, and every refusal where it belongs."""

from __future__ import annotations

import re
import threading
import zipfile
from io import BytesIO

import pytest
from tests.service.browsers import timed
from tests.service.released_package import ANSWERS, CANARY, Clinic
from tests.workbench.visitors import visitor

from sfumato.service.entities import Membership
from sfumato.service.permissions import ServiceRole
from sfumato.service.review_comments import CommentGiven, comment

HOME = "/projects/clinic/requests"


def field(page: str, name: str) -> str:
    """The value of a hidden field of a page."""
    return re.search(rf'name="{name}" value="([^"]*)"', page)[1]


@pytest.fixture
def clinic(world) -> Clinic:
    return Clinic.of(world)


def page(clinic: Clinic, name: str, request: str = "", **parameters: str):
    return visitor(clinic.world, name).get(f"{HOME}{f'/{request}' if request else ''}", params=parameters)


def sent(clinic: Clinic, name: str, request: str, step: str, **fields: str):
    return visitor(clinic.world, name).post(f"{HOME}/{request}/{step}", data=fields)


def asked(clinic: Clinic, **other: str):
    answers = {f"answer.{key}": str(value) for key, value in ANSWERS.items()}
    fields = {
        "purpose": "Falls on wards",
        "columns": "age\r\ndiagnosis\r\n",
        "recipient": "rex",
        "once": "1",
        **answers,
    }
    return visitor(clinic.world, "quentin").post(HOME, data={**fields, **other})


def voted(clinic: Clinic, name: str, request: str, verdict: str = "approve", **other: str):
    fields = {"package_hash": clinic.row(request).package_hash or "0" * 64, "verdict": verdict, "reason": "As read."}
    return sent(clinic, name, request, "vote", **{"once": name, **fields, **other})


def test_somebody_asks_for_data_and_follows_it(clinic):
    answer = asked(clinic)
    assert answer.status_code == 200
    assert str(answer.url).startswith(f"http://testserver{HOME}/")
    assert "Falls on wards" in answer.text
    assert "Falls on wards" in page(clinic, "quentin").text
    assert "Falls on wards" in page(clinic, "rex").text
    assert "Falls on wards" in page(clinic, "stella").text


def test_a_double_click_asks_once(clinic):
    first, second = asked(clinic), asked(clinic)
    assert first.url == second.url
    assert asked(clinic, once="2").url != first.url
    assert asked(clinic, purpose="Other words under the key of an old page").url != first.url


def test_what_is_missing_is_said_above_the_form_as_it_was_typed(clinic):
    answer = asked(clinic, **{"answer.training": "", "purpose": "Kept as typed"})
    assert answer.status_code == 422
    assert "training: this question is not answered" in answer.text
    assert "Kept as typed" in answer.text
    assert asked(clinic, columns=" ").status_code == 422


def test_who_may_not_ask_is_told_who_may(clinic):
    answer = visitor(clinic.world, "stella").get(f"{HOME}/ask")
    assert "requester" in answer.text
    assert '<form method="post" action="/projects/clinic/requests"' not in answer.text
    assert visitor(clinic.world, "stella").post(HOME, data={"purpose": "x"}).status_code in (403, 422)


def test_a_steward_takes_a_request_up_and_submits_a_release_of_it(clinic):
    request = clinic.asked()
    assert "preparation" in sent(clinic, "stella", request, "take-up", once="1").text
    assert "No release was built yet" in page(clinic, "stella", request).text
    run = clinic.run()
    assert run in page(clinic, "stella", request).text
    answer = sent(clinic, "stella", request, "submit", once="2", run=run)
    assert clinic.state(request) == "submitted"
    assert "You have prepared this release" not in page(clinic, "rita", request).text
    assert "k-anonymity" in answer.text
    assert "Information lost" in answer.text


def test_a_request_is_rejected_with_a_reason_that_whoever_asked_reads(clinic):
    request = clinic.asked()
    assert sent(clinic, "stella", request, "reject", once="1", reason=" ").status_code == 422
    sent(clinic, "stella", request, "reject", once="2", reason="The purpose is too wide.")
    assert clinic.state(request) == "rejected"
    assert "The purpose is too wide." in page(clinic, "quentin", request).text


def test_whoever_asked_withdraws_and_nobody_else_can(clinic):
    request = clinic.asked()
    assert "Withdraw the request" not in page(clinic, "rex", request).text
    assert sent(clinic, "rex", request, "withdraw", once="1").status_code in (403, 404)
    sent(clinic, "quentin", request, "withdraw", once="1")
    assert clinic.state(request) == "withdrawn"


def test_votes_are_blind_until_all_are_in(clinic):
    request = clinic.submitted()
    voted(clinic, "rita", request, reason="Rita has her reasons.")
    assert "Rita has her reasons." in page(clinic, "rita", request).text
    for name in ("ruth", "stella"):
        seen = page(clinic, name, request).text
        assert "has voted" in seen
        assert "Rita has her reasons." not in seen
        assert "approves" not in seen
    voted(clinic, "ruth", request)
    assert clinic.state(request) == "approved"
    assert "Rita has her reasons." in page(clinic, "ruth", request).text


def test_votes_that_differ_are_shown_and_cast_again(clinic):
    request = clinic.submitted()
    voted(clinic, "rita", request)
    voted(clinic, "ruth", request, "return", reason="Age is too fine.")
    seen = page(clinic, "rita", request).text
    assert "The votes differ" in seen
    assert "Age is too fine." in seen
    assert 'id="vote"' in seen


def test_a_vote_twice_by_a_double_click_is_one_and_a_second_vote_is_refused(clinic):
    request = clinic.submitted()
    assert voted(clinic, "rita", request).status_code == 200
    assert voted(clinic, "rita", request).status_code == 200
    assert len(clinic.get("rita", f"/requests/{request}/votes").json()["votes"]) == 1
    again = sent(clinic, "rita", request, "vote", once="new", verdict="reject", reason="Otherwise.",
                 package_hash=clinic.row(request).package_hash)  # fmt: skip
    assert again.status_code == 409
    assert "You have voted in this round already." in again.text


def test_a_vote_on_what_has_changed_meanwhile_is_refused_and_says_so(clinic):
    request = clinic.submitted()
    stale = voted(clinic, "rita", request, package_hash="0" * 64)
    assert stale.status_code == 412
    assert "another package" in stale.text
    assert "As read." in stale.text  # what was typed is still there
    clinic.version("stella", "data: {source: people.csv}\n")
    assert voted(clinic, "rita", request, once="later").status_code == 412


def test_nobody_votes_on_what_they_prepared_asked_for_or_receive(clinic):
    request = clinic.submitted()
    assert "Votes are for: reviewer." in page(clinic, "stella", request).text
    assert voted(clinic, "stella", request).status_code == 403
    with clinic.session as session:
        home = clinic.row(request).project
        session.add(Membership(project=home, account=clinic.world.accounts["stella"].handle, role=ServiceRole.REVIEWER))
    assert "You have prepared this release" in page(clinic, "stella", request).text
    refused = voted(clinic, "stella", request, once="again")
    assert refused.status_code == 403
    assert "somebody else reviews it" in refused.text


def test_a_comment_stands_beside_its_column_and_that_of_a_reviewer_is_blind(clinic):
    request = clinic.submitted()
    seen = page(clinic, "rita", request, about="age").text
    assert '<option value="age" selected>' in seen
    sent(clinic, "rita", request, "comment", once="1", about="age", text="Why so fine?")
    assert "Why so fine?" in page(clinic, "rita", request).text
    assert "Why so fine?" not in page(clinic, "ruth", request).text
    comment(clinic.world.service, clinic.world.caller("stella"), "clinic", request,
            CommentGiven(text="Bands of ten.", about="age"))  # fmt: skip
    assert "Bands of ten." in page(clinic, "rita", request).text


def test_a_release_is_confirmed_in_the_words_of_the_service(clinic):
    request = clinic.approved()
    seen = page(clinic, "stella", request).text
    words = re.search(r'id="confirm-this">([^<]+)<', seen)[1]
    digest = field(seen, "package_hash")
    refused = sent(clinic, "stella", request, "release", once="1", package_hash=digest, confirmation="Yes")
    assert refused.status_code == 422
    assert clinic.state(request) == "approved"
    assert (
        sent(clinic, "rita", request, "release", once="1", package_hash=digest, confirmation=words).status_code == 403
    )
    sent(clinic, "stella", request, "release", once="2", package_hash=digest, confirmation=words)
    assert clinic.state(request) == "released"
    assert (
        sent(clinic, "stella", request, "release", once="2", package_hash=digest, confirmation=words).status_code == 200
    )


def test_the_recipient_downloads_and_after_a_revocation_no_more(clinic):
    request = clinic.released()
    rex = visitor(clinic.world, "rex")
    assert "Download the package" in rex.get(f"{HOME}/{request}").text
    taken = rex.get(f"{HOME}/{request}/package")
    assert taken.headers["content-type"] == "application/zip"
    assert any(name.endswith("manifest.json") for name in zipfile.ZipFile(BytesIO(taken.content)).namelist())
    assert visitor(clinic.world, "rita").get(f"{HOME}/{request}/package").status_code == 403
    sent(clinic, "stella", request, "revoke", once="1", reason="A column too many.")
    seen = rex.get(f"{HOME}/{request}")
    assert "A column too many." in seen.text
    assert "can no longer be downloaded" in seen.text
    assert rex.get(f"{HOME}/{request}/package").status_code == 409


def test_the_recipient_reports_what_became_of_a_package(clinic):
    request = clinic.released()
    answer = sent(clinic, "rex", request, "use", once="1", use="Counted falls by ward.")
    assert "Noted." in answer.text
    assert sent(clinic, "rita", request, "use", once="1", use="Not mine.").status_code in (403, 404)


def test_a_report_is_answered_under_a_policy_of_its_own_in_which_nothing_runs(clinic):
    request = clinic.released()
    for name, path in (("rita", "documents/evidence/report.html"), ("rex", "report"), ("quentin", "report")):
        answer = visitor(clinic.world, name).get(f"{HOME}/{request}/{path}")
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert visitor(clinic.world, "rex").get(f"{HOME}/{request}/documents/evidence/report.html").status_code == 403


def test_rows_are_shown_to_reviewers_only_where_the_project_allows_it(clinic):
    request = clinic.submitted()
    assert "does not show released rows" in page(clinic, "rita", request).text
    assert visitor(clinic.world, "rita").get(f"{HOME}/{request}/rows").status_code == 403
    clinic.set(rows_for_reviewers=True)
    assert f"{HOME}/{request}/rows" in page(clinic, "rita", request).text
    assert CANARY in visitor(clinic.world, "rita").get(f"{HOME}/{request}/rows").text


def test_no_cell_stands_on_any_page_of_a_request(clinic):
    request = clinic.released()
    for name in ("stella", "rita", "quentin", "rex"):
        assert CANARY not in page(clinic, name, request).text


def test_who_asked_sees_neither_evidence_nor_votes(clinic):
    request = clinic.submitted()
    for name in ("quentin", "rex"):
        seen = page(clinic, name, request).text
        assert "k-anonymity" not in seen
        assert 'id="votes"' not in seen
        assert "To vote is for: reviewer." in seen


def test_earlier_releases_of_the_same_people_stand_beside_the_new_one(clinic):
    first, second = clinic.released(), clinic.submitted()
    seen = page(clinic, "rita", second).text
    assert f"{HOME}/{first}" in seen
    assert "None of the same people" not in seen


def test_a_project_of_others_has_no_requests_for_anybody(clinic):
    request = clinic.submitted()
    assert page(clinic, "other", request).status_code == 404
    assert page(clinic, "other").status_code == 404


def test_names_that_were_made_to_hurt_are_shown_as_they_are_and_do_nothing(clinic):
    hostile = '"><script>alert(1)</script> é & {{ 7*7 }}'
    page_of = asked(clinic, columns=f"age\n{hostile}", purpose=hostile)
    assert "<script>alert" not in page_of.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; é &amp; {{ 7*7 }}" in page_of.text
    request = clinic.submitted(purpose=hostile)
    sent(clinic, "rita", request, "comment", once="1", about="age", text=hostile)
    for name in ("stella", "rita", "quentin"):
        seen = page(clinic, name, request).text
        assert "<script>alert" not in seen
        assert "49 " not in seen


def test_two_clicks_in_the_same_moment_are_one_vote_and_both_are_shown_it(clinic):
    request = clinic.submitted()
    clients = [visitor(clinic.world, "rita") for _ in range(2)]
    fields = {"once": "the same", "package_hash": clinic.row(request).package_hash, "verdict": "approve", "reason": "x"}
    statuses: list[int] = []
    clicks = [
        threading.Thread(
            target=lambda one=one: statuses.append(one.post(f"{HOME}/{request}/vote", data=fields).status_code)
        )
        for one in clients
    ]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert statuses == [200, 200]
    assert len(clinic.get("rita", f"/requests/{request}/votes").json()["votes"]) == 1


def test_after_the_last_day_a_package_is_expired_and_the_page_says_what_to_do(world):
    clock = timed(world)
    clinic = Clinic.of(world)
    request = clinic.released()
    clock.on(days=31)
    seen = page(clinic, "rex", request).text
    assert "The last day to download this package has passed." in seen
    assert "Download the package" not in seen
    assert visitor(world, "rex").get(f"{HOME}/{request}/package").status_code == 409


def test_home_says_how_far_a_project_is_and_whether_a_request_waits(clinic):
    """The state beside the verdict; nobody who does not follow its runs learns of them."""
    world = clinic.world
    assert "a table, not looked at yet" in visitor(world, "stella").get("/").text
    clinic.submitted()
    home = visitor(world, "stella").get("/").text
    assert "a package was built · a request is submitted" in home
    assert "no table yet" in visitor(world, "other").get("/").text
    assert "a package was built" not in visitor(world, "quentin").get("/").text
