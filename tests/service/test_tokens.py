"""Personal tokens: what they may be for, how long, and what they can never do."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from tests.service.browsers import (
    API,
    NEW_PASSWORD,
    PASSWORD,
    browser,
    database_bytes,
    log_text,
    quick_hashes,  # noqa: F401
    signed_in,
    timed,
    uses,
    with_second_factor,
)

from sfumato.service.entities import Account, Token


def bearer(world, secret):
    client = browser(world)
    client.headers["Authorization"] = f"Bearer {secret}"
    return client


def asked(**more):
    return {"label": "nightly", "scopes": ["self.read", "project.list"], "days": 30, **more}


def test_a_token_does_what_it_is_for_until_it_expires_and_is_kept_as_a_hash(world):
    clock = timed(world)
    client = signed_in(world, "quentin")
    made = client.post(f"{API}/me/tokens", json=asked()).json()
    secret = made["secret"]
    assert secret.startswith("sfumato_")
    assert secret not in log_text(world)
    assert secret.encode() not in database_bytes(world)
    assert secret not in client.get(f"{API}/me/tokens").text
    assert client.get(f"{API}/me/tokens").json()[0]["last_used"] is None
    script = bearer(world, secret)
    assert script.get(f"{API}/me").json()["way"] == "token"
    clock.on(days=1)
    assert signed_in(world, "quentin").get(f"{API}/me/tokens").json()[0]["last_used"] is not None
    assert script.get(f"{API}/projects/clinic/settings").status_code == 403, "it is not for that"
    clock.on(days=29)
    assert script.get(f"{API}/me").status_code == 401
    with world.service.database.reading() as session:
        assert [len(one) for one in session.scalars(select(Token.hash))] == [64]


@pytest.mark.parametrize(
    ("more", "status"),
    [({"scopes": ["run.start"]}, 403), ({"scopes": ["account.change"]}, 403), ({"scopes": ["sign-in"]}, 403),
     ({"scopes": []}, 422), ({"scopes": ["everything"]}, 422), ({"days": 91}, 422), ({"days": 0}, 422),
     ({"project": "elsewhere", "scopes": ["project.read"]}, 404), ({"project": "nothing"}, 404),
     ({"project": "clinic", "scopes": ["self.change"]}, 403), ({"project": "clinic", "scopes": ["project.read"]}, 201)],
)  # fmt: skip
def test_a_token_is_for_nothing_that_its_owner_could_never_do(world, more, status):
    client = signed_in(world, "quentin")
    assert client.post(f"{API}/me/tokens", json=asked(**more)).status_code == status


def test_a_token_of_one_project_sees_no_other(world):
    world.project("second", requester="quentin")
    client = signed_in(world, "quentin")
    scopes = ["project.read", "project.list", "self.read"]
    made = client.post(f"{API}/me/tokens", json=asked(project="clinic", scopes=scopes)).json()
    script = bearer(world, made["secret"])
    assert script.get(f"{API}/projects/clinic/settings").status_code == 200
    assert script.get(f"{API}/projects/second/settings").status_code == 404
    assert [one["name"] for one in script.get(f"{API}/projects").json()["items"]] == ["clinic"]
    assert [one["project"] for one in script.get(f"{API}/me").json()["projects"]] == ["clinic"]


def test_a_token_makes_no_tokens_and_changes_neither_password_nor_sessions(world):
    script = world.door("quentin")
    signed_in(world, "quentin")
    calls = [
        script.post(f"{API}/me/tokens", json=asked()),
        script.post(f"{API}/me/password", json={"current": PASSWORD, "new": NEW_PASSWORD}),
        script.delete(f"{API}/me/sessions"),
    ]
    assert [answer.status_code for answer in calls] == [403, 403, 403]
    assert [use["outcome"]["verdict"] for use in uses(world)[-3:]] == ["NotAllowed"] * 3


def test_a_token_is_revoked_by_its_owner_or_by_itself_and_by_nobody_else(world):
    client, other = signed_in(world, "quentin"), signed_in(world, "rex")
    first, second = (
        client.post(f"{API}/me/tokens", json=asked(scopes=["self.read", "self.change"])).json() for _ in range(2)
    )
    assert other.delete(f"{API}/me/tokens/{first['handle']}").status_code == 404
    assert bearer(world, second["secret"]).delete(f"{API}/me/tokens/{first['handle']}").status_code == 403
    assert client.delete(f"{API}/me/tokens/{first['handle']}").status_code == 204
    assert bearer(world, first["secret"]).get(f"{API}/me").status_code == 401
    assert bearer(world, second["secret"]).delete(f"{API}/me/tokens/{second['handle']}").status_code == 204
    assert bearer(world, second["secret"]).get(f"{API}/me").status_code == 401


def test_a_token_of_an_administrator_makes_no_new_password_for_its_owner(world):
    clock = timed(world)
    client, _ = with_second_factor(world, "ada", clock)
    made = client.post(f"{API}/me/tokens", json=asked(scopes=["account.change", "account.read"])).json()
    script = bearer(world, made["secret"])
    assert script.get(f"{API}/accounts").status_code == 200
    assert script.post(f"{API}/accounts/ada/reset-password").status_code == 403
    assert script.post(f"{API}/accounts/ada/reset-second-factor").status_code == 403


def test_a_token_of_a_closed_account_opens_nothing(world):
    script = world.door("quentin")
    assert script.get(f"{API}/me").status_code == 200
    with world.service.database.writing() as session:
        session.get_one(Account, world.accounts["quentin"].handle).closed = True
    assert script.get(f"{API}/me").status_code == 401
