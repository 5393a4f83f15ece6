"""One's own account and notices on pages: passwords, sessions, tokens, and what waits for somebody."""

from __future__ import annotations

import re

import pytest
from tests.service.browsers import PASSWORD, quick_hashes, with_password
from tests.service.released_package import Clinic
from tests.workbench.visitors import visitor

__all__ = ["quick_hashes"]  # a fixture
NEW = "another long sentence of words"


def test_a_password_is_changed_by_who_knows_the_present_one(world):
    with_password(world, "rex")
    rex = visitor(world, "rex")
    wrong = rex.post("/me/password", data={"current": "not it at all", "new": NEW})
    assert wrong.status_code == 403
    assert "The present password is not right." in wrong.text
    assert rex.post("/me/password", data={"current": PASSWORD, "new": "short"}).status_code == 422
    assert rex.post("/me/password", data={"current": PASSWORD, "new": NEW}).status_code == 200
    entered = visitor(world).post("/sign-in", data={"name": "rex", "password": NEW}, follow_redirects=False)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")


def test_who_has_shown_a_password_alone_is_led_on_to_the_second_factor_and_sees_no_project(world):
    with_password(world, "stella")
    half = visitor(world)
    half.post("/sign-in", data={"name": "stella", "password": PASSWORD}, follow_redirects=False)
    first = half.get("/", follow_redirects=False)
    assert (first.status_code, first.headers["location"]) == (303, "/sign-in/set-up")
    for path in ("/tour", "/notices", "/me"):
        assert "clinic" not in half.get(path).text


def test_other_sessions_are_seen_and_ended(world):
    here, there = visitor(world, "rex"), visitor(world, "rex")
    assert there.get("/me").status_code == 200
    page = here.post("/me/sessions/end-others").text
    assert page.count("this one") == 1
    assert there.get("/me", follow_redirects=False).headers["location"] == "/sign-in?next=/me"


def test_a_token_is_shown_once_and_can_be_ended(world):
    rex = visitor(world, "rex")
    made = rex.post("/me/tokens", data={"label": 'a "notebook" é', "days": "7", "scope": ["self.read"]})
    secret = re.search(r'data-copy="([^"]+)"', made.text)[1]
    assert world.door().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    again = rex.get("/me").text
    assert secret not in again
    handle = re.search(r"/me/tokens/([0-9a-z]+)/revoke", again)[1]
    rex.post(f"/me/tokens/{handle}/revoke")
    assert world.door().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"}).status_code == 401


def test_a_token_for_what_one_could_not_do_oneself_is_refused(world):
    answer = visitor(world, "rex").post("/me/tokens", data={"label": "x", "days": "7", "scope": ["account.change"]})
    assert answer.status_code == 403
    assert "You could not do this yourself" in answer.text
    assert visitor(world, "rex").post("/me/tokens", data={"label": "x", "days": "9999"}).status_code == 422


def test_whoever_signs_out_is_out(world):
    rex = visitor(world, "rex")
    assert rex.post("/sign-out", follow_redirects=False).headers["location"] == "/sign-in"
    assert rex.get("/me", follow_redirects=False).status_code == 303


@pytest.mark.parametrize("path", ["/me/sessions/end-others", "/me/tokens", "/sign-out"])
def test_another_site_changes_nothing(world, path):
    answer = visitor(world, "rex").post(path, headers={"origin": "https://elsewhere.example"})
    assert answer.status_code == 403


def test_a_notice_leads_to_what_it_is_about_and_is_read_then(world):
    clinic = Clinic.of(world)
    request = clinic.asked()
    stella = visitor(world, "stella")
    handle = re.search(r"/notices/([0-9a-z]+)", stella.get("/").text)[1]
    answer = stella.get(f"/notices/{handle}", follow_redirects=False)
    assert answer.headers["location"] == f"/projects/clinic/requests/{request}"
    assert f"/notices/{handle}" not in stella.get("/").text
    assert f"/notices/{handle}" in stella.get("/notices").text
    assert visitor(world, "rita").get(f"/notices/{handle}").status_code == 404
