"""The second factor: who needs it, what goes without it, each code once, and how it is lost and replaced."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from tests.service.browsers import (
    API,
    NEW_PASSWORD,
    PASSWORD,
    browser,
    code,
    database_bytes,
    last_use,
    log_text,
    quick_hashes,  # noqa: F401
    signed_in,
    timed,
    with_second_factor,
)

from sfumato.service.entities import Account, Membership, Notice, ServiceProject
from sfumato.service.notices import NoticeKind
from sfumato.service.settings import Settings


def next_of(client):
    return client.get(f"{API}/me").json()["second_factor"]["next"]


def show(client, shown):
    return client.post(f"{API}/sign-in/code", json={"code": shown})


@pytest.mark.parametrize(("name", "needed"), [("stella", True), ("rita", True), ("ada", True), ("quentin", False),
                                              ("rex", False), ("otto", False)])  # fmt: skip
def test_stewards_reviewers_and_administrators_need_one(world, name, needed):
    client = signed_in(world, name)
    known = client.get(f"{API}/me").json()["second_factor"]
    assert known == {"set_up": False, "needed": needed, "next": "set-up" if needed else "nothing"}


def test_nobody_needs_one_where_it_is_switched_off(world):
    timed(world, Settings(second_factor=False))
    client = signed_in(world, "stella")
    assert next_of(client) == "nothing"
    assert client.get(f"{API}/projects/clinic/settings").status_code == 200


def test_who_has_set_one_up_shows_it_also_where_nobody_needs_one(world):
    clock = timed(world)
    _, secret = with_second_factor(world, "quentin", clock)
    timed(world, Settings(second_factor=False)).time = clock.time
    client = signed_in(world, "quentin")
    assert next_of(client) == "code"
    assert client.get(f"{API}/projects/clinic/settings").status_code == 403
    assert show(client, code(secret, clock)).status_code == 200
    assert client.get(f"{API}/projects/clinic/settings").status_code == 200


def test_without_it_nothing_goes_but_to_set_one_up(world):
    clock = timed(world)
    client = signed_in(world, "stella")
    token = {"label": "a", "scopes": ["run.read"]}
    assert client.get(f"{API}/projects/clinic/settings").status_code == 403
    assert client.post(f"{API}/me/tokens", json=token).status_code == 403
    assert client.post(f"{API}/me/password", json={"current": PASSWORD, "new": NEW_PASSWORD}).status_code == 403
    assert client.delete(f"{API}/me/sessions").status_code == 403
    begun = client.post(f"{API}/me/second-factor").json()
    assert begun["uri"].startswith("otpauth://totp/Sfumato:stella?secret=")
    before = client.cookies["sfumato"]
    answer = client.post(f"{API}/me/second-factor/confirm", json={"code": code(begun["secret"], clock)})
    assert answer.json() == {"name": "stella", "next": "nothing"}
    assert client.cookies["sfumato"] != before
    assert client.get(f"{API}/projects/clinic/settings").status_code == 200
    assert browser(world).get(f"{API}/me", headers={"Cookie": f"sfumato={before}"}).status_code == 401


def test_a_password_alone_says_nothing_of_projects_and_of_what_waits_in_them(world):
    clock = timed(world)
    own, _ = with_second_factor(world, "stella", clock)
    with world.service.database.writing() as session:
        account = session.scalars(select(Account).where(Account.name == "stella")).one()
        project = session.scalars(select(ServiceProject)).first()
        session.add(Notice(
            account=account.handle, project=project.handle, kind=NoticeKind.APPROVED, words="It waits.", created=clock()
        ))  # fmt: skip
    notice = own.get(f"{API}/me/notices").json()["items"][0]
    assert own.get(f"{API}/me").json()["projects"] != []
    thief = signed_in(world, "stella")
    assert thief.get(f"{API}/projects").status_code == 403
    assert thief.get(f"{API}/me").json()["projects"] == []
    assert thief.get(f"{API}/me/notices").json()["items"] == []
    assert thief.post(f"{API}/me/notices/{notice['notice']}/read").status_code == 404


def test_a_password_alone_can_neither_replace_nor_remove_nor_read_it(world):
    clock = timed(world)
    _, secret = with_second_factor(world, "stella", clock)
    thief = signed_in(world, "stella")
    assert next_of(thief) == "code"
    assert thief.post(f"{API}/me/second-factor").status_code == 409
    assert thief.post(f"{API}/me/second-factor/confirm", json={"code": "123456"}).status_code == 409
    assert thief.post(f"{API}/me/second-factor/remove", json={"code": code(secret, clock)}).status_code == 403
    assert thief.post(f"{API}/me/tokens", json={"label": "a", "scopes": ["self.read"]}).status_code == 403
    assert secret not in thief.get(f"{API}/me").text


def test_a_code_is_taken_once_and_so_are_those_before_it(world):
    clock = timed(world)
    _, secret = with_second_factor(world, "stella", clock)
    shown = code(secret, clock)
    first, second = signed_in(world, "stella"), signed_in(world, "stella")
    assert show(first, shown).status_code == 200
    again = show(second, shown)
    assert (again.status_code, last_use(world)["outcome"]["reason"]) == (401, "wrong code")
    clock.on(seconds=30)
    later = code(secret, clock)
    clock.on(seconds=30)
    assert show(second, code(secret, clock)).status_code == 200
    assert show(signed_in(world, "stella"), later).status_code == 401, "one that is older than the last is gone too"


@pytest.mark.parametrize(("seconds", "status"), [(-61, 401), (-30, 200), (30, 200), (61, 401)])
def test_a_code_of_one_step_before_or_after_is_taken(world, seconds, status):
    clock = timed(world)
    clock.time = clock.time.replace(second=30, microsecond=0)
    _, secret = with_second_factor(world, "stella", clock)
    clock.on(minutes=10)
    client = signed_in(world, "stella")
    clock.on(seconds=seconds)
    shown = code(secret, clock)
    clock.on(seconds=-seconds)
    assert show(client, shown).status_code == status


def test_showing_it_gives_a_new_cookie_and_the_half_session_ends(world):
    clock = timed(world)
    _, secret = with_second_factor(world, "stella", clock)
    client = signed_in(world, "stella")
    half = client.cookies["sfumato"]
    assert show(client, code(secret, clock)).json()["next"] == "nothing"
    assert browser(world).get(f"{API}/me", headers={"Cookie": f"sfumato={half}"}).status_code == 401


def test_guessing_codes_is_slowed_down(world):
    clock = timed(world)
    _, secret = with_second_factor(world, "stella", clock)
    client = signed_in(world, "stella")
    wrong = "000000" if code(secret, clock) != "000000" else "111111"
    answers = [show(client, wrong) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [401, 401, 401, 401, 429]
    assert answers[-1].headers["retry-after"] == "2"
    assert show(client, code(secret, clock)).status_code == 429
    clock.on(seconds=2)
    assert show(client, code(secret, clock)).status_code == 200


def test_the_secret_is_kept_under_the_key_of_the_server_and_is_in_no_log(world):
    clock = timed(world)
    _, secret = with_second_factor(world, "stella", clock)
    assert secret.encode() not in database_bytes(world)
    assert secret not in log_text(world)
    with world.service.database.reading() as session:
        sealed = session.get_one(Account, world.accounts["stella"].handle).second_factor
    assert world.service.keys.unseal(sealed, f"second-factor:{world.accounts['stella'].handle}").decode() == secret


def test_a_role_that_needs_one_counts_at_once_for_who_is_signed_in(world):
    client = signed_in(world, "rex")
    assert client.get(f"{API}/projects/clinic/settings").status_code == 200
    with world.service.database.writing() as session:
        project = session.query(Membership.project).filter_by(account=world.accounts["rex"].handle).first()[0]
        session.add(Membership(project=project, account=world.accounts["rex"].handle, role="steward"))
    assert client.get(f"{API}/projects/clinic/settings").status_code == 403
    assert next_of(client) == "set-up"


def test_who_takes_theirs_away_with_a_code_has_to_set_up_another(world):
    clock = timed(world)
    client, secret = with_second_factor(world, "stella", clock)
    assert client.post(f"{API}/me/second-factor/remove", json={"code": code(secret, clock)}).status_code == 204
    assert next_of(client) == "set-up"
    assert client.get(f"{API}/projects/clinic/settings").status_code == 403


def test_a_token_cannot_touch_it(world):
    door = world.door("stella")
    for path in ("second-factor", "second-factor/confirm", "second-factor/remove"):
        assert door.post(f"{API}/me/{path}", json={"code": "123456"}).status_code == 403
    assert door.post(f"{API}/sign-in/code", json={"code": "123456"}).status_code == 401


def test_an_administrator_resets_that_of_another_but_not_their_own(world):
    clock = timed(world)
    client, _ = with_second_factor(world, "stella", clock)
    admin, _ = with_second_factor(world, "ada", clock)
    answer = admin.post(f"{API}/accounts/stella/reset-second-factor")
    assert (answer.status_code, answer.json()["has_second_factor"]) == (200, False)
    assert client.get(f"{API}/me").status_code == 401
    assert next_of(signed_in(world, "stella")) == "set-up"
    assert admin.post(f"{API}/accounts/ada/reset-second-factor").status_code == 403
