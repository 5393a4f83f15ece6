"""Sign-in with an organisation from the sign-in page: out to the provider, back to a page, and every refusal on one."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.workbench.visitors import visitor

from sfumato.service import open_id
from sfumato.service.entities import Account
from sfumato.service.settings import OpenIdSettings, Settings

ISSUER = "https://login.example.org"


class StandIn:
    """A provider that knows whoever comes; what it says of them is set by the test."""

    said: dict[str, object] = {}

    def __init__(self, *_settings: object) -> None:
        pass

    def sign_in_address(self, *, state: str, nonce: str, verifier: str, answer: str) -> str:
        return f"{ISSUER}/authorize?state={state}&redirect_uri={answer}"

    def claims(self, code: str, **_more: object) -> dict[str, object]:
        return {"iss": ISSUER, "sub": code, **self.said}


@pytest.fixture
def provider(world, monkeypatch) -> type[StandIn]:
    settings = Settings(
        address="http://127.0.0.1:8140",
        open_id=OpenIdSettings(issuer=ISSUER, client="sfumato", label="Sign in with the hospital"),
    )
    world.service = replace(world.service, settings=settings)
    monkeypatch.setattr(open_id, "OpenIdProvider", StandIn)
    monkeypatch.setattr(StandIn, "said", {"email": "rex@example.org", "email_verified": True})
    return StandIn


def there_and_back(client, code: str = "rex", **other: str):
    """Go to the provider and come back to the address that it knows."""
    begun = client.get("/sign-in/open-id", follow_redirects=False)
    assert begun.status_code == 303
    asked = parse_qs(urlsplit(begun.headers["location"]).query)
    back = urlsplit(asked["redirect_uri"][0]).path
    return client.get(back, params={"state": asked["state"][0], "code": code, **other})


def test_whoever_the_organisation_knows_lands_on_a_page_and_is_signed_in(world, provider):
    client = visitor(world)
    assert "Sign in with the hospital" in client.get("/sign-in").text
    page = there_and_back(client)
    assert (page.status_code, page.url.path) == (200, "/sign-in/open-id/answer")
    assert 'http-equiv="refresh" content="0; url=/"' in page.text
    assert client.get("/me").status_code == 200
    assert "Rex" in client.get("/me").text


def test_who_needs_a_second_factor_goes_on_to_set_one_up(world, provider):
    provider.said = {"email": "stella@example.org", "email_verified": True}
    page = there_and_back(visitor(world), "stella")
    assert "url=/sign-in/set-up" in page.text


def test_who_was_not_invited_reads_why_on_the_sign_in_page(world, provider):
    provider.said = {"email": "stranger@example.org", "email_verified": True}
    page = there_and_back(visitor(world), "stranger")
    assert page.status_code == 403
    assert "nobody has invited you here" in page.text
    assert "<form" in page.text


def test_what_came_back_once_or_was_begun_elsewhere_is_refused_on_a_page(world, provider):
    client = visitor(world)
    first = there_and_back(client)
    assert client.get(str(first.url)).status_code == 403
    stray = visitor(world).get("/sign-in/open-id/answer", params={"state": "x", "code": "y"})
    assert stray.status_code == 403
    assert "Begin again." in stray.text
    assert there_and_back(visitor(world), error="access_denied").status_code == 403


def test_a_sign_in_that_began_at_the_api_is_still_answered_there(world, provider):
    client = visitor(world)
    begun = client.get("/api/v1/sign-in/openid", follow_redirects=False)
    state = parse_qs(urlsplit(begun.headers["location"]).query)["state"][0]
    answer = client.get("/api/v1/sign-in/openid/answer", params={"state": state, "code": "rex"})
    assert (answer.status_code, answer.url.path) == (200, "/api/v1/sign-in/openid/answer")
    with world.service.database.reading() as session:
        assert session.get_one(Account, world.accounts["rex"].handle).subject == "rex"
