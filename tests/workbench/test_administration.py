"""Accounts, projects, settings and the log on pages: what administrators and auditors do, and nobody else."""

from __future__ import annotations

import re

import pytest
from tests.service.browsers import quick_hashes
from tests.service.released_package import Clinic
from tests.workbench.visitors import visitor

from sfumato.service.log_search import LogQuestion, search_log

__all__ = ["quick_hashes"]  # a fixture
SETTINGS = {"title": "Clinic", "reviewers": "1", "days_of_download": "7", "keep_sources_days": "",
            "keep_results_days": "30", "releases_per_source": ""}  # fmt: skip


def test_an_invitation_is_shown_once_and_lets_its_owner_in(world):
    ada = visitor(world, "ada")
    made = ada.post("/accounts", data={"name": "nils", "mail": "nils@example.org"})
    secret = re.search(r'data-copy="[^"#]+#([^"]+)"', made.text)[1]
    assert secret not in ada.get("/accounts").text + ada.get("/accounts/nils").text
    chosen = {"secret": secret, "password": "a long sentence of words"}
    entered = visitor(world).post("/link/invitation", data=chosen, follow_redirects=False)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert visitor(world).post("/link/invitation", data=chosen).status_code == 404


def test_a_name_that_is_taken_is_said_above_the_form_as_it_was_typed(world):
    answer = visitor(world, "ada").post("/accounts", data={"name": "rita", "shown_name": "Rita the Second"})
    assert answer.status_code == 409
    assert "There is an account with this name." in answer.text
    assert "Rita the Second" in answer.text


def test_of_two_tabs_that_change_an_account_the_second_is_told(world):
    ada = visitor(world, "ada")
    tag = re.search(r'name="tag" value="([^"]+)"', ada.get("/accounts/rita").text)[1]
    fields = {"tag": tag, "shown_name": "Rita R.", "mail": "rita@example.org"}
    assert "Rita R." in ada.post("/accounts/rita", data=fields).text
    second = ada.post("/accounts/rita", data={**fields, "shown_name": "Other"})
    assert second.status_code == 412
    assert "Somebody has changed this" in second.text


def test_a_closed_account_is_out_at_once_and_the_last_administrator_stays(world):
    rita = visitor(world, "rita")
    assert rita.get("/").status_code == 200
    ada = visitor(world, "ada")
    ada.post("/accounts/rita/close")
    assert rita.get("/", follow_redirects=False).status_code == 303
    ada.post("/accounts/rita/reopen")
    last = ada.post("/accounts/ada/close")
    assert last.status_code == 409
    assert "last administrator" in last.text
    assert ada.post("/accounts/ada/reset-password").status_code == 403


def test_a_password_is_reset_by_a_link_that_is_shown_once(world):
    answer = visitor(world, "ada").post("/accounts/rita/reset-password")
    assert re.search(r'data-copy="[^"]+/link/password#[^"]+"', answer.text)


def test_a_project_is_created_with_its_people_and_nobody_gives_themselves_a_role(world):
    ada = visitor(world, "ada")
    made = ada.post("/administration/projects", data={"name": "ward", "title": "Ward 7", "steward": "stella",
                                                      "reviewer": "rita, ruth"})  # fmt: skip
    assert str(made.url).endswith("/administration/projects/ward")
    assert made.text.count('name="role" value="reviewer"') == 2
    taken = ada.post("/administration/projects/ward/take", data={"account": "ruth", "role": "reviewer"})
    assert taken.text.count('name="role" value="reviewer"') == 1
    own = ada.post("/administration/projects/ward/give", data={"account": "ada", "role": "steward"})
    assert own.status_code == 403
    assert "Nobody gives themselves a role" in own.text


def test_a_connection_never_shows_its_secret(world):
    ada = visitor(world, "ada")
    url = "postgresql://reader:quitesecret@db.example.org/registry"
    page = ada.post("/administration/connections", data={"name": "registry", "url": url, "projects": "clinic"})
    assert "registry" in page.text
    assert "quitesecret" not in page.text
    assert "registry" not in ada.post("/administration/connections/registry/delete").text.split("<form")[0]


def test_settings_are_changed_by_a_steward_and_of_two_tabs_the_second_is_told(world):
    stella = visitor(world, "stella")
    tag = re.search(r'name="tag" value="([^"]+)"', stella.get("/projects/clinic/settings").text)[1]
    assert stella.post("/projects/clinic/settings", data={**SETTINGS, "tag": tag}).status_code == 200
    again = stella.post("/projects/clinic/settings", data={**SETTINGS, "tag": tag, "reviewers": "2"})
    assert again.status_code == 412
    fresh = re.search(r'name="tag" value="([^"]+)"', again.text)[1]
    none = stella.post("/projects/clinic/settings", data={**SETTINGS, "tag": fresh, "reviewers": "0"})
    assert none.status_code == 422
    assert "A release needs one reviewer at the least." in none.text
    assert "Settings are changed by: steward." in visitor(world, "rita").get("/projects/clinic/settings").text
    refused = visitor(world, "rita").post("/projects/clinic/settings", data={**SETTINGS, "tag": fresh})
    assert refused.status_code == 403


@pytest.mark.parametrize("path", ["/accounts", "/accounts/rita", "/administration", "/log", "/log/verification",
                                  "/log/export"])  # fmt: skip
@pytest.mark.parametrize("name", ["stella", "rita", "rex"])
def test_what_is_for_administrators_and_auditors_is_for_nobody_else_and_says_who_may(world, name, path):
    answer = visitor(world, name).get(path)
    assert answer.status_code == 403
    assert f"Who may: {'auditor' if path.startswith('/log') else 'administrator'}." in answer.text


def test_an_auditor_sees_who_did_what_and_what_was_refused(world):
    clinic = Clinic.of(world)
    request = clinic.asked()
    visitor(world, "rita").post(f"/projects/clinic/requests/{request}/take-up", data={"once": "1"})
    otto = visitor(world, "otto")
    page = otto.get("/log", params={"person": "quentin", "act": "request.create"}).text
    assert request in page
    assert "rita" not in page.split("<tbody>")[1].split("</tbody>")[0]
    refused = otto.get("/log", params={"refused": "1", "person": "rita"}).text
    assert "request.prepare" in refused
    assert "Your role does not let you take up a request." in refused


def test_a_log_is_read_from_its_end_page_by_page_without_a_gap(world):
    clinic = Clinic.of(world)
    for _ in range(7):
        clinic.asked()
    caller, numbers, before = world.caller("otto"), [], None
    while True:
        page = search_log(world.service, caller, LogQuestion(act="request.create"), before=before, limit=3)
        numbers += [one.number for one in page.acts]
        assert all((one.outcome or {}).get("verdict") == "done" for one in page.acts)
        before = page.before
        if before is None:
            break
    assert len(numbers) == 7
    assert numbers == sorted(numbers, reverse=True)


def test_a_log_that_is_larger_than_a_piece_is_read_whole(world, monkeypatch):
    from sfumato.service import log_search

    clinic = Clinic.of(world)
    clinic.released()
    caller = world.caller("otto")
    whole = search_log(world.service, caller, LogQuestion(), limit=1000).acts
    for size in (7, 100, 1000):
        monkeypatch.setattr(log_search, "PIECE", size)
        assert search_log(world.service, caller, LogQuestion(), limit=1000).acts == whole
    assert len(whole) > 5


def test_the_log_is_verified_in_a_sentence_and_a_changed_line_is_told(world):
    Clinic.of(world).asked()
    otto = visitor(world, "otto")
    assert "The log is whole" in otto.get("/log/verification").text
    exported = otto.get("/log/export")
    assert exported.headers["content-disposition"].startswith("attachment")
    path = world.service.events.log.path
    assert exported.content == path.read_bytes()
    path.write_bytes(path.read_bytes().replace(b"quentin", b"quintin", 1))
    assert "The log is not whole" in otto.get("/log/verification").text
