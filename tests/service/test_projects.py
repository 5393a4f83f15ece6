"""Projects and their people: who makes them, who sees them, roles that are given and taken, and settings."""

from __future__ import annotations

import pytest
from tests.service.browsers import API, last_use

from sfumato.service.caller import at_console
from sfumato.service.members import give_role
from sfumato.service.permissions import ServiceRole


def names(door):
    return [one["name"] for one in door.get(f"{API}/projects").json()["items"]]


def test_an_administrator_creates_a_project_with_its_first_people_and_sees_nothing_in_it(world):
    admin = world.door("ada")
    people = [{"account": "other", "role": "steward"}, {"account": "rita", "role": "reviewer"}]
    made = admin.post(f"{API}/projects", json={"name": "ward-7", "title": "Ward 7", "people": people})
    assert (made.status_code, made.json()["reviewers"]) == (201, 2)
    assert last_use(world)["outcome"]["people"] == ["other: steward", "rita: reviewer"]
    assert names(world.door("other")) == ["elsewhere", "ward-7"]
    assert names(world.door("stella")) == ["clinic"]
    assert names(admin) == ["clinic", "elsewhere", "ward-7"]
    assert names(world.door("otto")) == []
    assert admin.get(f"{API}/projects/ward-7/settings").status_code == 403
    assert admin.post(f"{API}/projects", json={"name": "ward-7"}).status_code == 409
    assert world.door("stella").post(f"{API}/projects", json={"name": "mine"}).status_code == 403


def test_a_project_whose_people_are_not_known_is_not_made(world):
    admin = world.door("ada")
    people = [{"account": "nobody", "role": "steward"}]
    assert admin.post(f"{API}/projects", json={"name": "ward-7", "people": people}).status_code == 404
    assert names(admin) == ["clinic", "elsewhere"]


def test_the_same_question_under_one_key_makes_one_project(world):
    admin, key = world.door("ada"), {"Idempotency-Key": "one"}
    answers = [admin.post(f"{API}/projects", json={"name": "ward-7"}, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert admin.post(f"{API}/projects", json={"name": "ward-8"}, headers=key).status_code == 422


@pytest.mark.parametrize("name", ["Ward", "a b", "../x", "-x", "", "x" * 65, "a.b"])
def test_a_name_that_is_no_plain_name_is_refused(world, name):
    assert world.door("ada").post(f"{API}/projects", json={"name": name}).status_code == 422


def test_roles_are_given_and_taken_and_count_at_once(world):
    admin, rex = world.door("ada"), world.door("rex")
    assert rex.get(f"{API}/projects/clinic/members").status_code == 403
    assert admin.put(f"{API}/projects/clinic/members/rex/steward").status_code == 204
    assert admin.put(f"{API}/projects/clinic/members/rex/steward").status_code == 204
    listed = rex.get(f"{API}/projects/clinic/members").json()
    assert [one["roles"] for one in listed if one["account"] == "rex"] == [["recipient", "steward"]]
    assert admin.delete(f"{API}/projects/clinic/members/rex/steward").status_code == 204
    assert rex.get(f"{API}/projects/clinic/members").status_code == 403
    assert admin.delete(f"{API}/projects/clinic/members/rex/steward").status_code == 404
    assert last_use(world)["about"] == {"project": "clinic", "account": "rex", "role": "steward", "change": "take"}


def test_only_an_administrator_gives_roles_and_only_those_of_a_project(world):
    for who, status in (("stella", 403), ("rita", 403), ("other", 404), ("otto", 404), (None, 401)):
        assert world.door(who).put(f"{API}/projects/clinic/members/rex/steward").status_code == status
    admin = world.door("ada")
    assert admin.put(f"{API}/projects/clinic/members/rex/administrator").status_code == 403
    assert admin.put(f"{API}/projects/clinic/members/nobody/steward").status_code == 404
    assert admin.put(f"{API}/projects/nothing/members/rex/steward").status_code == 404


def test_nobody_gives_themselves_a_role_but_at_the_console(world):
    admin = world.door("ada")
    assert admin.put(f"{API}/projects/clinic/members/ada/steward").status_code == 403
    second = admin.post(f"{API}/accounts", json={"name": "ada2", "mail": "ADA@example.org"}).json()
    assert second["account"]["identity"] == "ada@example.org"
    assert admin.put(f"{API}/projects/clinic/members/ada2/steward").status_code == 403, "it is the same person"
    people = [{"account": "ada", "role": "steward"}]
    assert admin.post(f"{API}/projects", json={"name": "own", "people": people}).status_code == 403
    give_role(world.service, at_console(), "clinic", "ada", ServiceRole.STEWARD)
    assert last_use(world)["who"]["way"] == "console"
    assert admin.get(f"{API}/projects/clinic/settings").status_code == 200


def test_settings_are_changed_by_a_steward_in_the_state_in_which_they_were_read(world):
    steward = world.door("stella")
    first = steward.get(f"{API}/projects/clinic/settings")
    assert steward.patch(f"{API}/projects/clinic/settings", json={"reviewers": 1}).status_code == 428
    tag = {"If-Match": first.headers["etag"]}
    change = {"reviewers": 1, "rows_for_reviewers": True, "keep_sources_days": 90, "title": "The clinic"}
    changed = steward.patch(f"{API}/projects/clinic/settings", json=change, headers=tag)
    assert changed.status_code == 200
    assert {name: changed.json()[name] for name in change} == change
    assert steward.patch(f"{API}/projects/clinic/settings", json={"reviewers": 3}, headers=tag).status_code == 412
    assert world.door("rita").patch(f"{API}/projects/clinic/settings", json={}, headers=tag).status_code == 403
    assert world.door("other").get(f"{API}/projects/clinic/settings").status_code == 404
    tag = {"If-Match": changed.headers["etag"]}
    reset = steward.patch(f"{API}/projects/clinic/settings", json={"keep_sources_days": None}, headers=tag)
    assert reset.json()["keep_sources_days"] is None


@pytest.mark.parametrize(
    "wrong", [{"reviewers": 0}, {"reviewers": None}, {"rows_for_reviewers": None}, {"days_of_download": 0},
              {"title": None}, {"title": "a\nb"}, {"current": 7}, {"releases_per_source": 0}],
)  # fmt: skip
def test_a_release_needs_one_reviewer_at_the_least_and_other_settings_have_bounds(world, wrong):
    steward = world.door("stella")
    tag = {"If-Match": "*"}
    assert steward.patch(f"{API}/projects/clinic/settings", json=wrong, headers=tag).status_code == 422
