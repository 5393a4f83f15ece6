"""OpenID Connect: with the certified `oidc-provider` on loopback, and with tokens that were forged."""

from __future__ import annotations

import hmac
import json
import re
import shutil
import socket
import subprocess
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from sqlalchemy import func, select
from tests.service.browsers import API, browser, last_use, log_text, timed

from sfumato.service import open_id_provider
from sfumato.service.entities import Account, PendingSignIn
from sfumato.service.open_id_provider import OpenIdProvider, OpenIdRefused
from sfumato.service.settings import OpenIdSettings, Settings

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache" / "oidc-provider"
ADDRESS = "http://127.0.0.1:8140"
ANSWER = f"{ADDRESS}{API}/sign-in/openid/answer"
ISSUER, NONCE = "https://login.example.org", "the nonce of this sign-in"


@pytest.fixture(scope="session")
def issuer() -> Iterator[str]:
    """The address of a provider that runs while the tests do."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("there is no Node and npm on this machine")
    installed = subprocess.run([ROOT / "tools" / "oidc-provider"], capture_output=True, timeout=240, check=False)
    if installed.returncode:
        pytest.skip("npm could not install oidc-provider: is there a registry?")
    script = CACHE / "provider.mjs"
    shutil.copy(Path(__file__).with_name("oidc_provider.mjs"), script)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(["node", script, str(port), ANSWER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if b"ready" in line:
                break
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.touch(0o600)
    path.write_text("a-secret-of-the-tests\n", encoding="utf-8")
    return path


def settings(issuer: str, secret_file: Path | None, **more: bool) -> Settings:
    return Settings(
        address=ADDRESS, open_id=OpenIdSettings(issuer=issuer, client="sfumato", secret_file=secret_file, **more)
    )


def begun(client) -> str:
    answer = client.get(f"{API}/sign-in/openid", follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def at_provider(location: str, name: str) -> str:
    """Go through the pages of the provider as somebody; where it sends the browser in the end."""
    with httpx.Client() as person:
        for _ in range(12):
            answer = person.get(location)
            if answer.status_code == 200:
                action = re.search(r'action="([^"]+)"', answer.text)
                prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)
                assert action, answer.text
                assert prompt, answer.text
                fields = {"prompt": prompt[1], "login": name, "password": "anything"}
                answer = person.post(str(answer.url.join(action[1])), data=fields)
            assert answer.status_code in (302, 303), answer.text
            location = str(answer.url.join(answer.headers["location"]))
            if location.startswith(ANSWER):
                return location
    raise AssertionError("the provider did not come to an end")


def back(client, location: str):
    """Come back from the provider, in a browser."""
    return client.get(f"{API}/sign-in/openid/answer?{urlsplit(location).query}")


def test_somebody_who_was_invited_comes_in_and_is_known_by_their_subject_from_then_on(world, issuer, secret_file):
    timed(world, settings(issuer, secret_file)).time = datetime.now(UTC)
    client = browser(world)
    location = begun(client)
    asked = parse_qs(urlsplit(location).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert {"state", "nonce", "code_challenge"} <= set(asked)
    there = at_provider(location, "quentin")
    answer = back(client, there)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert client.get(f"{API}/me").json()["name"] == "quentin"
    with world.service.database.reading() as session:
        account = session.get_one(Account, world.accounts["quentin"].handle)
        assert (account.issuer, account.subject, account.identity) == (issuer, "quentin", "quentin@example.org")
        assert session.scalar(select(func.count()).select_from(PendingSignIn)) == 0
    # What came back is used up, and no secret of it is in the log.
    assert back(client, there).status_code == 403
    code = parse_qs(urlsplit(there).query)["code"][0]
    assert code not in log_text(world)
    assert "a-secret-of-the-tests" not in log_text(world)
    # A second time it is the subject that counts: the mail address may have become another.
    with world.service.database.writing() as session:
        session.get_one(Account, world.accounts["quentin"].handle).mail = "other@example.org"
    again = browser(world)
    assert back(again, at_provider(begun(again), "quentin")).status_code == 200
    assert again.get(f"{API}/me").json()["name"] == "quentin"


def test_who_was_not_invited_or_has_no_verified_mail_is_not_let_in(world, issuer, secret_file):
    timed(world, settings(issuer, secret_file)).time = datetime.now(UTC)
    for name in ("unverified-rex", "stranger"):
        client = browser(world)
        answer = back(client, at_provider(begun(client), name))
        assert (answer.status_code, answer.json()["type"]) == (403, "urn:sfumato:problem:openid-refused")
        assert last_use(world)["outcome"]["verdict"] == "OpenIdRefused"
        assert client.get(f"{API}/me").status_code == 401


def test_where_the_settings_say_so_a_stranger_gets_an_account_without_any_role(world, issuer, secret_file):
    timed(world, settings(issuer, secret_file, create_accounts=True)).time = datetime.now(UTC)
    client = browser(world)
    assert back(client, at_provider(begun(client), "stranger")).status_code == 200
    me = client.get(f"{API}/me").json()
    assert (me["name"], me["shown_name"], me["projects"], me["administrator"]) == (
        "stranger", "Shown stranger", [], False,
    )  # fmt: skip
    other = browser(world)
    assert back(other, at_provider(begun(other), "unverified-stella")).status_code == 200
    me = other.get(f"{API}/me").json()
    assert (me["name"], me["mail"], me["projects"]) == ("unverified-stella", None, [])


def test_it_ends_in_the_browser_in_which_it_began(world, issuer, secret_file):
    timed(world, settings(issuer, secret_file)).time = datetime.now(UTC)
    victim, thief = browser(world), browser(world)
    there = at_provider(begun(thief), "quentin")
    assert back(victim, there).status_code == 403
    begun(victim)
    assert back(victim, there).status_code == 403
    assert victim.get(f"{API}/me").status_code == 401
    assert back(thief, there).status_code == 200


def test_who_begins_without_end_fills_neither_log_nor_database_and_keeps_nobody_out(
    world, issuer, secret_file, monkeypatch
):
    monkeypatch.setattr("sfumato.service.open_id.MOST", 2)
    clock = timed(world, settings(issuer, secret_file, create_accounts=True))
    browsers = [browser(world) for _ in range(4)]
    places = []
    for client in browsers:
        clock.time = datetime.now(UTC)
        places.append(begun(client))
    assert not world.service.events.log.path.exists()
    with world.service.database.reading() as session:
        assert len(session.scalars(select(PendingSignIn)).all()) == 2
    answers = [back(client, at_provider(place, "stranger")) for client, place in zip(browsers, places, strict=True)]
    assert [answer.status_code for answer in answers] == [403, 403, 200, 200]


def test_it_waits_ten_minutes_and_a_closed_account_stays_closed(world, issuer, secret_file):
    clock = timed(world, settings(issuer, secret_file))
    client = browser(world)
    there = at_provider(begun(client), "quentin")
    clock.on(minutes=11)
    assert back(client, there).status_code == 403
    clock.time = datetime.now(UTC)
    with world.service.database.writing() as session:
        account = session.get_one(Account, world.accounts["quentin"].handle)
        account.issuer, account.subject, account.closed = issuer, "quentin", True
    answer = back(client, at_provider(begun(client), "quentin"))
    assert (answer.status_code, "closed" in answer.json()["detail"]) == (403, True)


def test_a_wrong_secret_of_the_client_and_a_refusal_of_the_provider_are_told(world, issuer, secret_file):
    timed(world, settings(issuer, secret_file)).time = datetime.now(UTC)
    client = browser(world)
    secret_file.write_text("not the secret", encoding="utf-8")
    answer = back(client, at_provider(begun(client), "quentin"))
    assert (answer.status_code, "did not accept" in answer.json()["detail"]) == (403, True)
    secret_file.chmod(0o644)
    answer = back(client, at_provider(begun(client), "quentin"))
    assert answer.status_code == 403
    assert str(secret_file) not in answer.text
    state = parse_qs(urlsplit(begun(client)).query)["state"][0]
    answer = client.get(f"{API}/sign-in/openid/answer", params={"state": state, "error": "access_denied"})
    assert (answer.status_code, "access_denied" in answer.json()["detail"]) == (403, True)


def test_without_a_provider_there_is_no_such_sign_in_and_one_that_is_away_is_told(world):
    assert browser(world).get(f"{API}/sign-in/openid").status_code == 404
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    timed(world, settings(f"http://127.0.0.1:{port}", None))
    assert browser(world).get(f"{API}/sign-in/openid").status_code == 503
    assert last_use(world)["outcome"]["verdict"] == "ServiceUnavailable"


# Tokens that were forged, and providers that lead elsewhere


KEY = RSAKey.generate_key(2048, {"kid": "one"}, private=True)
OTHER = RSAKey.generate_key(2048, {"kid": "one"}, private=True)
KEYS = {"keys": [KEY.as_dict(private=False)]}
PROVIDER = OpenIdProvider(OpenIdSettings(issuer=ISSUER, client="sfumato"), lambda: datetime.now(UTC))


def claims(**other):
    now = int(time.time())
    said = {"iss": ISSUER, "aud": "sfumato", "sub": "s", "exp": now + 300, "iat": now, "nonce": NONCE, **other}
    return {name: value for name, value in said.items() if value is not None}


def signed(said, key=KEY, algorithm="RS256"):
    return jwt.encode({"alg": algorithm, "kid": "one"}, said, key, algorithms=[algorithm])


def test_a_token_of_the_provider_is_taken():
    assert PROVIDER.verified(signed(claims()), KEYS, NONCE)["sub"] == "s"
    many = claims(aud=["sfumato", "other"], azp="sfumato")
    assert PROVIDER.verified(signed(many), KEYS, NONCE)["sub"] == "s"


@pytest.mark.parametrize(
    "other",
    [{"nonce": "of another sign-in"}, {"nonce": None}, {"aud": "another"}, {"aud": ["another"]}, {"iss": "https://evil"},
     {"exp": int(time.time()) - 3600}, {"exp": None}, {"iat": int(time.time()) + 3600}, {"sub": None}, {"sub": 7},
     {"azp": "another"}, {"aud": ["sfumato", "another"]}],
)  # fmt: skip
def test_a_token_for_another_time_place_or_person_is_refused(other):
    with pytest.raises(OpenIdRefused):
        PROVIDER.verified(signed(claims(**other)), KEYS, NONCE)


def plain(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def part(said) -> str:
    return plain(json.dumps(said).encode())


def forged():
    confused = f"{part({'alg': 'HS256', 'kid': 'one'})}.{part(claims())}"
    mark = hmac.new(KEY.as_pem(private=False), confused.encode(), "sha256").digest()
    unsigned = "eyJhbGciOiJub25lIn0." + signed(claims()).split(".")[1] + "."
    yield pytest.param(unsigned, id="without a signature")
    yield pytest.param(f"{confused}.{plain(mark)}", id="with the public key as a secret")
    yield pytest.param(signed(claims(), OTHER), id="with a key of somebody else")
    yield pytest.param(signed(claims())[:-4] + "AAAA", id="with another signature")
    yield pytest.param("nothing", id="no token at all")
    yield pytest.param(None, id="nothing")


@pytest.mark.parametrize("token", list(forged()))
def test_a_token_that_the_provider_did_not_sign_is_refused(token):
    with pytest.raises(OpenIdRefused):
        PROVIDER.verified(token, KEYS, NONCE)


def metadata(**other):
    ends = {name: f"{ISSUER}/{name}" for name in (*open_id_provider.ENDPOINTS, "userinfo_endpoint")}
    return {"issuer": ISSUER, **ends, **other}


@pytest.mark.parametrize(
    "other",
    [{"token_endpoint": "https://evil.example/token"}, {"jwks_uri": "http://login.example.org/keys"},
     {"jwks_uri": "https://login.example.org.evil.example/"}, {"authorization_endpoint": "https://login.example.org@evil"},
     {"userinfo_endpoint": "http://169.254.169.254/latest"}, {"token_endpoint": "file:///etc/passwd"},
     {"issuer": "https://evil.example"}, {"token_endpoint": None}, {"code_challenge_methods_supported": ["plain"]}],
)  # fmt: skip
def test_a_provider_that_leads_elsewhere_is_not_followed(monkeypatch, other):
    monkeypatch.setattr(open_id_provider, "_document", lambda *_, **__: metadata(**other))
    with pytest.raises(OpenIdRefused):
        PROVIDER.metadata()


def test_the_client_itself_goes_to_no_other_host(monkeypatch):
    """Also where nothing has looked at the address before."""
    with PROVIDER._client() as client, pytest.raises(OpenIdRefused):
        open_id_provider._document(client, "GET", "http://127.0.0.1:9/")
    monkeypatch.setattr(open_id_provider, "_document", lambda *_, **__: metadata(jwks_uri="https://keys.example.org/k"))
    named = OpenIdProvider(OpenIdSettings(issuer=ISSUER, client="sfumato", hosts=("keys.example.org",)), PROVIDER.clock)
    assert named.metadata()["jwks_uri"] == "https://keys.example.org/k"


def test_an_answer_that_says_it_is_of_another_provider_is_refused(monkeypatch):
    monkeypatch.setattr(open_id_provider, "_document", lambda *_, **__: metadata())
    with pytest.raises(OpenIdRefused):
        PROVIDER.claims("code", verifier="v", nonce=NONCE, answer=ANSWER, issuer="https://evil.example")
