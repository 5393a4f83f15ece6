"""Sign-in: passwords, the words and the time of a refusal, the slow-down, cookies and sessions."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from tests.service.browsers import (
    API,
    CAREFUL,
    NEW_PASSWORD,
    PASSWORD,
    browser,
    database_bytes,
    last_use,
    log_text,
    quick_hashes,  # noqa: F401
    signed_in,
    timed,
    uses,
    with_password,
)

from sfumato.service import passwords
from sfumato.service.entities import Account, SignInSession
from sfumato.service.passwords import WeakPassword, password_hash, password_is
from sfumato.service.settings import Settings

PROBLEM = "application/problem+json"


def enter(client, name, password=PASSWORD):
    return client.post(f"{API}/sign-in", json={"name": name, "password": password})


def test_a_name_and_its_password_open_a_session(world):
    client = signed_in(world, "quentin")
    me = client.get(f"{API}/me").json()
    assert (me["name"], me["way"], me["second_factor"]["next"]) == ("quentin", "session", "nothing")
    assert me["projects"] == [{"project": "clinic", "title": "Clinic", "roles": ["recipient", "requester"]}]
    use = last_use(world)
    assert use["command"]["name"] == "sign-in"
    assert use["about"] == {"way": "password", "account": "quentin"}
    assert use["outcome"]["verdict"] == "done"


def test_an_unknown_name_a_wrong_password_and_a_closed_account_get_the_same_answer(world):
    for name in ("quentin", "rex"):
        with_password(world, name)
    with world.service.database.writing() as session:
        session.get_one(Account, world.accounts["rex"].handle).closed = True
    client = browser(world)
    tries = [("quentin", "some other words here"), ("nobody", PASSWORD), ("rex", PASSWORD), ("stella", PASSWORD),
             ("\x00 '; --", PASSWORD)]  # fmt: skip
    answers = [enter(client, *one) for one in tries]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.text for answer in answers}) == 1
    assert len({tuple(sorted(answer.headers)) for answer in answers}) == 1
    reasons = [use["outcome"]["reason"] for use in uses(world)]
    unknown, wrong = "no such account", "wrong password"
    assert reasons == [wrong, unknown, "the account is closed", wrong, unknown]


def test_as_much_is_computed_for_a_name_that_nobody_has(world, monkeypatch):
    """Time is not measured: what takes the time is counted."""
    hashes = []

    class Counted:
        def verify(self, kept, given):
            hashes.append(kept)
            return CAREFUL.verify(kept, given)

        def __getattr__(self, name):
            return getattr(CAREFUL, name)

    monkeypatch.setattr(passwords, "HASHER", Counted())
    with world.service.database.writing() as session:
        session.get_one(Account, world.accounts["quentin"].handle).password_hash = CAREFUL.hash(PASSWORD)
    for name in ("quentin", "nobody", "rex"):
        assert enter(browser(world), name, "not the right words").status_code == 401
    parameters = {kept.rsplit("$", 2)[0] for kept in hashes}
    assert (len(hashes), parameters) == (3, {"$argon2id$v=19$m=47104,t=2,p=1"})


def test_neither_password_nor_cookie_nor_an_unknown_name_is_in_log_or_database(world):
    client = signed_in(world, "quentin")
    enter(client, "this was my password typed in the wrong place", "secret words of somebody")
    cookie = client.cookies["sfumato"]
    for secret in (PASSWORD, cookie, "typed in the wrong place", "secret words of somebody"):
        assert secret not in log_text(world)
        assert secret.encode() not in database_bytes(world)


def test_a_hash_with_other_parameters_is_made_anew_at_the_next_sign_in(world, monkeypatch):
    monkeypatch.setattr(passwords, "HASHER", CAREFUL)
    signed_in(world, "quentin")
    with world.service.database.reading() as session:
        kept = session.get_one(Account, world.accounts["quentin"].handle).password_hash
    assert kept.startswith("$argon2id$v=19$m=47104,t=2,p=1$")
    assert password_is(kept, PASSWORD)


@pytest.mark.parametrize(
    "weak", ["short words", "a" * 40, "ababababababab", "x" * 257, "quentin-1234", "quentin@example.org1"]
)
def test_a_weak_password_is_refused_and_not_repeated(weak):
    with pytest.raises(WeakPassword) as refused:
        password_hash(weak, "quentin", "quentin@example.org")
    assert weak not in str(refused.value)


def test_failures_under_a_name_make_the_next_try_wait_longer_each_time(world):
    clock = timed(world)
    with_password(world, "quentin")
    client = browser(world)
    for _ in range(4):
        assert enter(client, "quentin", "wrong words again").status_code == 401
    waits = []
    for _ in range(9):
        answer = enter(client, "quentin")  # also the right password waits
        assert (answer.status_code, answer.headers["content-type"]) == (429, PROBLEM)
        assert last_use(world)["outcome"]["verdict"] == "TooOften"
        waits.append(int(answer.headers["retry-after"]))
        clock.on(seconds=waits[-1])
        assert enter(client, "quentin", "wrong words again").status_code == 401
    assert waits == [2, 4, 8, 16, 32, 64, 128, 256, 300]
    clock.on(seconds=299)
    assert enter(client, "quentin").status_code == 429
    clock.on(seconds=1)
    assert enter(client, "quentin").status_code == 200
    assert enter(client, "quentin", "wrong words again").status_code == 401  # and begins anew
    assert enter(client, "quentin").status_code == 200


def test_failures_under_many_names_from_one_address_wait_too(world):
    clock = timed(world)
    with_password(world, "quentin")
    client = browser(world)
    for number in range(21):
        assert enter(client, f"name{number}").status_code == 401
    assert enter(client, "quentin").status_code == 429
    clock.on(seconds=2)
    assert enter(client, "quentin").status_code == 200
    assert enter(client, "one-more").status_code == 429, "a right try of one's own does not clear the address"


def test_a_clock_that_is_moved_back_shuts_nobody_out(world):
    clock = timed(world)
    with_password(world, "quentin")
    client = browser(world)
    for _ in range(4):
        enter(client, "quentin", "wrong words again")
    clock.on(days=-3)
    answer = enter(client, "quentin")
    assert (answer.status_code, int(answer.headers["retry-after"])) == (429, 2)
    clock.on(days=3, seconds=2)
    assert enter(client, "quentin").status_code == 200


def test_the_cookie_is_for_no_script_and_no_other_site(world):
    with_password(world, "quentin")
    answer = enter(browser(world), "quentin")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("sfumato=")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert "Domain" not in cookie


@pytest.mark.parametrize("address", ["https://sfumato.example.org", "http://sfumato.example.org"])
def test_away_from_this_machine_the_cookie_goes_by_tls_only(world, address):
    timed(world, Settings(address=address))
    with_password(world, "quentin")
    client = browser(world, "https://sfumato.example.org")
    answer = enter(client, "quentin")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-sfumato=")
    assert {"Secure", "HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert client.get(f"{API}/me").status_code == 200
    plain = {"Cookie": cookie.split(";")[0].replace("__Host-sfumato", "sfumato")}
    assert browser(world, "https://sfumato.example.org").get(f"{API}/me", headers=plain).status_code == 401


def test_a_cookie_that_was_there_before_opens_nothing_afterwards(world):
    """Neither one that somebody else planted, nor the one of the session before."""
    with_password(world, "quentin")
    client = browser(world)
    client.cookies.set("sfumato", "planted-by-somebody-else")
    assert enter(client, "quentin").status_code == 200
    cookies = [cookie.value for cookie in client.cookies.jar if cookie.value != "planted-by-somebody-else"]
    assert len(cookies) == 1
    first = signed_in(world, "quentin")
    before = first.cookies["sfumato"]
    assert enter(first, "quentin").status_code == 200
    assert first.cookies["sfumato"] != before
    for opened in ("planted-by-somebody-else", before):
        assert browser(world).get(f"{API}/me", headers={"Cookie": f"sfumato={opened}"}).status_code == 401


def test_a_session_ends_after_a_time_without_use_and_at_the_latest_after_its_hours(world):
    clock = timed(world)
    idle, busy = signed_in(world, "quentin"), signed_in(world, "quentin")
    for _ in range(13):
        clock.on(minutes=55)
        assert busy.get(f"{API}/me").status_code == 200
    assert idle.get(f"{API}/me").status_code == 401
    clock.on(minutes=6)
    assert busy.get(f"{API}/me").status_code == 401


def test_signing_out_ends_the_session_on_the_server(world):
    client = signed_in(world, "quentin")
    kept = {"Cookie": f"sfumato={client.cookies['sfumato']}"}
    answer = client.post(f"{API}/sign-out")
    assert answer.status_code == 204
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert last_use(world)["about"] == {"change": "sign out"}
    assert browser(world).get(f"{API}/me", headers=kept).status_code == 401


def test_one_session_or_all_others_are_ended_and_nobody_elses(world):
    one, other, third = (signed_in(world, "quentin") for _ in range(3))
    stranger = signed_in(world, "rex")
    listed = one.get(f"{API}/me/sessions").json()
    assert [session["current"] for session in listed].count(True) == 1
    assert len(listed) == 3
    theirs = stranger.get(f"{API}/me/sessions").json()[0]["handle"]
    assert one.delete(f"{API}/me/sessions/{theirs}").status_code == 404
    here = other.get(f"{API}/me/sessions").json()
    assert one.delete(f"{API}/me/sessions/{next(s['handle'] for s in here if s['current'])}").status_code == 204
    assert other.get(f"{API}/me").status_code == 401
    assert third.get(f"{API}/me").status_code == 200
    assert one.delete(f"{API}/me/sessions").json() == {"ended": 1}
    assert [client.get(f"{API}/me").status_code for client in (one, third, stranger)] == [200, 401, 200]


def test_the_database_has_hashes_of_sessions_only(world):
    client = signed_in(world, "quentin")
    with world.service.database.reading() as session:
        kept = session.scalars(select(SignInSession.hash)).all()
    assert [len(one) for one in kept] == [64]
    assert client.cookies["sfumato"] not in kept


def test_another_password_needs_the_present_one_and_ends_other_sessions(world):
    here, there = signed_in(world, "quentin"), signed_in(world, "quentin")
    wrong = here.post(f"{API}/me/password", json={"current": "wrong words again", "new": NEW_PASSWORD})
    assert wrong.status_code == 403
    assert last_use(world)["outcome"]["refused"] is True
    weak = here.post(f"{API}/me/password", json={"current": PASSWORD, "new": "quentin12345"})
    assert (weak.status_code, weak.json()["type"]) == (422, "urn:sfumato:problem:weak-password")
    assert here.post(f"{API}/me/password", json={"current": PASSWORD, "new": NEW_PASSWORD}).status_code == 204
    assert [client.get(f"{API}/me").status_code for client in (here, there)] == [200, 401]
    assert enter(browser(world), "quentin").status_code == 401
    assert enter(browser(world), "quentin", NEW_PASSWORD).status_code == 200


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_another_site_makes_a_browser_do_nothing(world, headers):
    client = signed_in(world, "quentin")
    assert client.post(f"{API}/sign-out", headers=headers).status_code == 403
    assert client.delete(f"{API}/me/sessions", headers=headers).status_code == 403
    assert client.get(f"{API}/me").status_code == 200
    given = {"name": "quentin", "password": PASSWORD}
    assert browser(world).post(f"{API}/sign-in", json=given, headers=headers).status_code == 403
    refused = [use for use in uses(world) if use["command"]["name"] == "other-site"]
    assert [(use["who"]["name"], use["about"]["path"], use["outcome"]["refused"]) for use in refused] == [
        (None, "/sign-out", True), ("quentin", "/me/sessions", True), (None, "/sign-in", True)
    ]  # fmt: skip


def test_a_form_of_another_site_is_not_read_as_json(world):
    with_password(world, "quentin")
    body = f'{{"name": "quentin", "password": "{PASSWORD}"}}'
    answer = browser(world).post(f"{API}/sign-in", content=body, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422


def test_a_session_of_a_closed_account_opens_nothing(world):
    client = signed_in(world, "quentin")
    with world.service.database.writing() as session:
        session.get_one(Account, world.accounts["quentin"].handle).closed = True
    assert client.get(f"{API}/me").status_code == 401


def test_what_was_sent_is_not_repeated_where_it_is_not_right(world):
    answer = browser(world).post(f"{API}/sign-in", json={"name": "quentin", "password": "p" * 300, "more": PASSWORD})
    assert answer.status_code == 422
    assert "ppp" not in answer.text
    assert PASSWORD not in answer.text
