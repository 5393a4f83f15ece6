"""Accounts and links: the first start, invitations, resets, the last administrator, and the console."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select
from tests.service.browsers import (
    API,
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
from tests.service.conftest import World, a_world
from typer.testing import CliRunner

from sfumato.cli import app
from sfumato.errors import UnusableInput
from sfumato.service.caller import at_console
from sfumato.service.entities import Account, OneTimeLink, ServiceProject
from sfumato.service.first_start import first_start_link
from sfumato.service.service import Service
from sfumato.service.settings import Settings


@pytest.fixture
def empty(tmp_path):
    """A service that nobody has an account of."""
    world = World(Service.at(tmp_path / "empty", Settings()))
    yield world
    world.service.database.close()


def secret_of(link: str) -> str:
    address, _, secret = link.partition("#")
    assert "?" not in address
    assert len(secret) > 40
    return secret


def use(world, link, password=PASSWORD, **more):
    path = "sign-in/first-start" if more else "sign-in/link"
    return browser(world).post(f"{API}/{path}", json={"secret": secret_of(link), "password": password, **more})


def enter(world, name, password=PASSWORD):
    return browser(world).post(f"{API}/sign-in", json={"name": name, "password": password}).status_code


def test_the_first_start_makes_one_administrator_by_a_link_that_works_once(empty):
    old, link = first_start_link(empty.service), first_start_link(empty.service)
    assert link.startswith("http://127.0.0.1:8140/link/first-start#")
    assert use(empty, old, name="ada").status_code == 404, "a new start makes the link before it useless"
    assert use(empty, link, password="short", name="ada").status_code == 422
    made = use(empty, link, name="ada", mail="Ada@Example.org")
    assert (made.status_code, made.json()) == (201, {"name": "ada"})
    assert use(empty, link, name="eve").status_code == 404
    assert first_start_link(empty.service) is None
    client = browser(empty)
    assert client.post(f"{API}/sign-in", json={"name": "ada", "password": PASSWORD}).json()["next"] == "set-up"
    assert client.get(f"{API}/me").json()["administrator"] is True
    assert secret_of(link) not in log_text(empty)
    assert secret_of(link).encode() not in database_bytes(empty)


def test_the_link_of_the_first_start_expires_and_an_invitation_is_none(empty, world):
    clock = timed(empty)
    link = first_start_link(empty.service)
    clock.on(hours=24)
    assert use(empty, link, name="ada").status_code == 404
    invitation = world.door("ada").post(f"{API}/accounts", json={"name": "nina"}).json()["link"]
    assert use(world, invitation, name="eve").status_code == 404


def test_who_is_invited_sets_a_password_once(world):
    admin = world.door("ada")
    made = admin.post(f"{API}/accounts", json={"name": "nina", "mail": "Nina@Example.org", "auditor": True})
    assert made.status_code == 201
    account, link = made.json()["account"], made.json()["link"]
    assert (account["mail"], account["identity"], account["has_password"]) == ("nina@example.org",) * 2 + (False,)
    assert enter(world, "nina") == 401
    assert use(world, link).json() == {"name": "nina"}
    assert use(world, link, NEW_PASSWORD).status_code == 404
    assert last_use(world)["outcome"]["verdict"] == "NotKnown"
    assert enter(world, "nina") == 200
    for secret in (secret_of(link), PASSWORD):
        assert secret not in log_text(world)
        assert secret.encode() not in database_bytes(world)


def test_an_invitation_ends_after_seven_days_and_with_the_account(world):
    clock = timed(world)
    admin = world.door("ada")
    first, second = (admin.post(f"{API}/accounts", json={"name": name}).json()["link"] for name in ("nina", "nils"))
    admin.post(f"{API}/accounts/nils/close")
    assert use(world, second).status_code == 404
    clock.on(days=7)
    assert use(world, first).status_code == 404


def test_a_reset_ends_the_old_password_sessions_and_tokens_at_once(world):
    client, script = signed_in(world, "quentin"), world.door("quentin")
    old = world.door("ada").post(f"{API}/accounts/quentin/reset-password").json()["link"]
    link = world.door("ada").post(f"{API}/accounts/quentin/reset-password").json()["link"]
    assert client.get(f"{API}/me").status_code == 401
    assert script.get(f"{API}/me").status_code == 401
    assert enter(world, "quentin") == 401
    assert use(world, old, NEW_PASSWORD).status_code == 404
    assert use(world, link, NEW_PASSWORD).status_code == 200
    assert enter(world, "quentin", NEW_PASSWORD) == 200


def test_guessed_links_are_refused_logged_and_slowed_down(world):
    timed(world)
    client, guess = browser(world), {"secret": "guess" * 10, "password": PASSWORD}
    answers = [client.post(f"{API}/sign-in/link", json=guess) for _ in range(22)]
    assert [answer.status_code for answer in answers] == [404] * 21 + [429]
    assert uses(world)[0]["outcome"]["verdict"] == "NotKnown"
    assert "guess" not in log_text(world)


def test_the_last_administrator_can_neither_be_closed_nor_made_another(world):
    admin = world.door("ada")
    tag = {"If-Match": admin.get(f"{API}/accounts/ada").headers["etag"]}
    assert admin.post(f"{API}/accounts/ada/close").status_code == 409
    assert admin.patch(f"{API}/accounts/ada", json={"administrator": False}, headers=tag).status_code == 409
    world.person("alan", administrator=True)
    assert admin.post(f"{API}/accounts/alan/close").status_code == 200
    assert admin.post(f"{API}/accounts/ada/close").status_code == 409, "one who is closed does not count"
    assert admin.post(f"{API}/accounts/alan/reopen").status_code == 200
    assert admin.patch(f"{API}/accounts/ada", json={"administrator": False}, headers=tag).status_code == 200
    assert admin.get(f"{API}/accounts").status_code == 403, "a role that is taken is gone at once"


def test_a_closed_account_is_let_in_again_without_its_old_sessions(world):
    client, script = signed_in(world, "quentin"), world.door("quentin")
    admin = world.door("ada")
    assert admin.post(f"{API}/accounts/quentin/close").json()["closed"] is True
    assert enter(world, "quentin") == 401
    assert admin.post(f"{API}/accounts/quentin/reopen").json()["closed"] is False
    assert [one.get(f"{API}/me").status_code for one in (client, script)] == [401, 401]
    assert enter(world, "quentin") == 200


def test_an_account_is_changed_in_the_state_in_which_it_was_read(world):
    admin = world.door("ada")
    first = admin.get(f"{API}/accounts/rex")
    change = {"mail": "Rex.New@Example.org", "shown_name": "Rex N."}
    assert admin.patch(f"{API}/accounts/rex", json=change).status_code == 428
    tag = {"If-Match": first.headers["etag"]}
    changed = admin.patch(f"{API}/accounts/rex", json=change, headers=tag)
    assert (changed.json()["identity"], changed.json()["shown_name"]) == ("rex.new@example.org", "Rex N.")
    assert admin.patch(f"{API}/accounts/rex", json={"auditor": True}, headers=tag).status_code == 412
    tag = {"If-Match": changed.headers["etag"]}
    assert admin.patch(f"{API}/accounts/rex", json={"mail": None}, headers=tag).json()["identity"] == "account|rex"


@pytest.mark.parametrize(
    "wrong",
    [{"name": "Nina"}, {"name": "a/b"}, {"name": "nina\n"}, {"name": ""}, {"name": "nina", "mail": "no address"},
     {"name": "nina", "mail": "a@b.org\nBcc: c@d.org"}, {"name": "nina", "more": 1}, {"name": "n" * 65}],
)  # fmt: skip
def test_a_name_or_mail_address_that_is_none_is_refused(world, wrong):
    assert world.door("ada").post(f"{API}/accounts", json=wrong).status_code == 422


def test_a_name_is_given_once_and_lists_come_in_pages(world):
    admin = world.door("ada")
    assert admin.post(f"{API}/accounts", json={"name": "rex"}).status_code == 409
    names, after = [], None
    while True:
        page = admin.get(f"{API}/accounts", params={"limit": 3, **({"after": after} if after else {})}).json()
        names += [one["name"] for one in page["items"]]
        after = page["next"]
        if after is None:
            break
    assert sorted(names) == sorted(world.accounts)
    assert "password_hash" not in json.dumps(page)


@pytest.mark.parametrize("who", ["stella", "rita", "quentin", "otto", None])
def test_only_an_administrator_sees_and_changes_accounts(world, who):
    door, status = world.door(who), 401 if who is None else 403
    assert door.get(f"{API}/accounts").status_code == status
    assert door.post(f"{API}/accounts", json={"name": "nina"}).status_code == status
    assert door.post(f"{API}/accounts/rex/reset-password").status_code == status
    assert last_use(world)["outcome"]["refused"] is True


def test_the_console_does_the_same_and_is_logged_under_the_name_of_the_system(tmp_path):
    root = str(tmp_path / "service")

    def run(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, ["account", *words, "--root", root])
        assert done.exit_code == code or (code and done.exception), done.output
        return done.output

    Service.at(root).database.close()
    assert "Nobody has an account" in run("list")
    link = run("create", "ada", "--administrator", "--mail", "ada@example.org").split()[-1]
    assert "#" in link
    run("close", "ada", code=2)
    run("create", "nils", "--no-link")
    run("close", "nils")
    assert run("list").splitlines() == ["ada  ada@example.org  administrator", "nils  -  closed"]
    run("close", "nils", "--reopen")
    assert "#" in run("reset", "ada", "--password", "--second-factor")
    run("reset", "ada", code=2)
    run("role", "ada", "nowhere", "steward", code=2)
    assert [one["name"] for one in json.loads(run("list", "--json", "-"))["accounts"]] == ["ada", "nils"]
    world = World(Service.at(root))
    who = {(one["who"]["name"], one["who"]["way"]) for one in uses(world)}
    assert who == {(at_console().name, "console")}
    assert secret_of(link) not in log_text(world)
    world.service.database.close()


@pytest.mark.parametrize("words", [("account", "list"), ("account", "create", "ada"), ("worker",)])
def test_a_folder_that_was_mistyped_does_not_become_a_service(tmp_path, words):
    done = CliRunner().invoke(app, [*words, "--root", str(tmp_path / "servise")])
    assert done.exit_code == 2 or isinstance(done.exception, UnusableInput)
    assert "sfumato serve" in done.output + str(done.exception)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("account", "list"), ("account", "create", "eve"), ("worker",), ("serve",), ("backup", "b")])  # fmt: skip # noqa: E501
def test_a_service_whose_database_is_elsewhere_does_not_begin_anew_on_an_empty_one(world, tmp_path, words):
    """As where somebody forgets the setting: nobody would be known, and every file be one that nothing speaks of."""
    kept = world.service.storage.keep(b"a table")
    world.service.database.close()
    for file in world.service.root.glob("service.sqlite*"):
        file.rename(tmp_path / file.name)
    before = sorted(world.service.root.rglob("*"))
    done = CliRunner().invoke(app, [*words, "--root", str(world.service.root)])
    assert done.exit_code == 2 or isinstance(done.exception, UnusableInput)
    assert "SFUMATO_SERVICE_DATABASE" in done.output + str(done.exception)
    assert sorted(world.service.root.rglob("*")) == before
    elsewhere = Service.at(world.service.root, database=f"sqlite:///{tmp_path / 'service.sqlite'}")
    assert elsewhere.storage.has(kept)
    with elsewhere.database.reading() as session:
        assert session.scalar(select(Account.name).where(Account.name == "ada")) == "ada"
    elsewhere.database.close()


def test_a_folder_and_the_database_of_another_service_do_not_become_one(world, tmp_path):
    with world.service.database.reading() as session:
        handle = session.scalars(select(ServiceProject.handle)).first()
    world.service.keys.of_project(handle)
    world.service.database.close()
    Service.at(world.service.root).database.close()
    other = a_world(tmp_path / "other")
    other.service.database.close()
    with pytest.raises(UnusableInput, match="whose database is another one"):
        Service.at(world.service.root, database=other.service.database.url)


def test_a_first_start_that_was_cut_short_is_begun_again(tmp_path, monkeypatch):
    def killed(*_any: object) -> None:
        raise KeyboardInterrupt

    for place in ("sfumato.service.server_keys.ServerKeys.prepare", "sfumato.service.database.ServiceDatabase.prepare"):
        with monkeypatch.context() as cut:
            cut.setattr(place, killed)
            with pytest.raises(KeyboardInterrupt):
                Service.at(tmp_path / "root")
    Service.at(tmp_path / "root").database.close()


def test_a_link_is_kept_as_a_hash_and_until_when(world):
    with_password(world, "ada")
    link = world.door("ada").post(f"{API}/accounts", json={"name": "nina"}).json()["link"]
    with world.service.database.reading() as session:
        (kept,) = session.scalars(select(OneTimeLink))
        assert (len(kept.hash), kept.purpose, kept.used) == (64, "invitation", None)
        assert kept.hash not in link
        assert session.scalar(select(Account.password_hash).where(Account.name == "nina")) is None
