"""Two at once, on SQLite and on PostgreSQL: of what is good for one, one gets it, and the other is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import func, select
from tests.service.browsers import NEW_PASSWORD, code, quick_hashes, timed, with_second_factor  # noqa: F401
from tests.service.conftest import World, a_world
from tests.service.postgresql import a_database, server  # noqa: F401
from tests.service.released_package import PROJECT, Clinic

from sfumato.errors import Conflict, NotKnown, NotSignedIn, ServiceRefusal, TooOften
from sfumato.service.accounts import change_account, close_account, reset_password
from sfumato.service.caller import Caller, Way
from sfumato.service.entities import Account, ServiceProject, SignInSession
from sfumato.service.kept_answers import UnderWay, answer_once
from sfumato.service.one_time_links import set_password
from sfumato.service.projects import create_project
from sfumato.service.references import let_go
from sfumato.service.releases import ReleaseGiven, preview_release, release
from sfumato.service.second_factor import pass_second_factor
from sfumato.service.settings import Settings
from sfumato.service.storage import Storage
from sfumato.service.versions import put_file

ROUNDS = 5  # of each race: a fault that shows in one of two is missed once in 32 times


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[World]:
    """A world on each of the databases."""
    database = request.getfixturevalue("a_database") if request.param == "postgresql" else None
    made = a_world(tmp_path / "root", Settings(database=database))
    yield made
    made.service.database.close()


def at_once(first: Callable[[], Any], second: Callable[[], Any]) -> list[Any]:
    """What comes of two calls that begin in the same moment: a value, or the refusal that was raised."""
    line = Barrier(2)

    def outcome(call: Callable[[], Any]) -> Any:
        line.wait(60)
        try:
            return call()
        except ServiceRefusal as refusal:
            return refusal

    with ThreadPoolExecutor(2) as threads:
        return list(threads.map(outcome, (first, second)))


def refusals(outcomes: list[Any]) -> list[type[ServiceRefusal]]:
    return [type(one) for one in outcomes if isinstance(one, ServiceRefusal)]


def test_a_one_time_link_sets_one_password(either):
    stranger = Caller(address="127.0.0.1")
    for _ in range(ROUNDS):
        secret = reset_password(either.service, either.caller("ada"), "stella").rpartition("#")[2]

        def use(words: str, secret: str = secret) -> str:
            return set_password(either.service, stranger, secret, words)

        outcomes = at_once(lambda use=use: use(NEW_PASSWORD), lambda use=use: use(NEW_PASSWORD[::-1]))
        (refusal,) = refusals(outcomes)
        assert refusal in (NotKnown, TooOften)  # it was used, or two first tries came in one moment


def test_a_code_of_the_second_factor_opens_one_session(either):
    clock = timed(either)
    _, secret = with_second_factor(either, "stella", clock)
    stella = either.accounts["stella"]
    caller = Caller(Way.SESSION, stella.handle, stella.name, stella.identity, address="127.0.0.1")
    for _ in range(ROUNDS):
        before = sessions(either)
        shown = code(secret, clock)
        outcomes = at_once(*[lambda shown=shown: pass_second_factor(either.service, caller, shown)] * 2)
        (refusal,) = refusals(outcomes)
        assert refusal in (NotSignedIn, TooOften)  # the same code again, or two first tries in one moment
        assert sessions(either) == before + 1
        clock.on(minutes=20)  # the count of failures is forgotten, and the next code is another


def sessions(world: World) -> int:
    with world.service.database.reading() as session:
        return session.scalar(select(func.count(SignInSession.handle))) or 0


def test_what_is_asked_twice_under_one_key_is_done_once(either):
    ada = either.caller("ada")
    for number in range(ROUNDS):

        def ask(number: int = number) -> Any:
            def create() -> tuple[int, dict[str, Any]]:
                made = create_project(either.service, ada, f"twice{number}", "")
                return 201, {"name": made.name}

            return answer_once(either.service, ada, f"key{number}", "the same question", create)

        outcomes = at_once(ask, ask)
        # The second is told that it is under way, or has the answer of the first where that was quicker.
        assert set(refusals(outcomes)) <= {UnderWay}
        assert [one for one in outcomes if one == (201, {"name": f"twice{number}"})]
    with either.service.database.reading() as session:
        made = session.scalars(select(ServiceProject.name).where(ServiceProject.name.like("twice%"))).all()
    assert len(made) == ROUNDS


def test_two_administrators_who_close_or_demote_each_other_leave_one(either):
    either.person("bea", administrator=True)
    ada, bea = either.caller("ada"), either.caller("bea")

    def demote(caller: Caller, name: str) -> Any:
        return change_account(either.service, caller, name, {"administrator": False}, lambda _tag: None)

    for number in range(ROUNDS):
        with either.service.database.writing() as session:
            for name in ("ada", "bea"):
                known = session.get_one(Account, either.accounts[name].handle)
                known.closed, known.administrator = False, True
        end = close_account if number % 2 else (lambda service, caller, name: demote(caller, name))
        outcomes = at_once(
            lambda end=end: end(either.service, ada, "bea"), lambda end=end: end(either.service, bea, "ada")
        )
        assert refusals(outcomes) == [Conflict]
        with either.service.database.reading() as session:
            left = select(func.count(Account.handle)).where(Account.administrator, Account.closed.is_(False))
            assert session.scalar(left) == 1


def test_of_two_releases_at_once_no_more_leave_than_the_project_allows(either):
    clinic, stella = Clinic.of(either), either.caller("stella")
    for number in range(ROUNDS):
        clinic.set(releases_per_source=ROUNDS + 1)
        requests = [clinic.approved() for _ in range(2)]
        clinic.set(releases_per_source=number + 1)

        def leave(request: str) -> Any:
            seen = preview_release(either.service, stella, "clinic", request)
            given = ReleaseGiven(package_hash=seen.package_hash, confirmation=seen.confirmation)
            return release(either.service, stella, "clinic", request, given)

        outcomes = at_once(*[lambda one=one: leave(one) for one in requests])
        assert refusals(outcomes) == [Conflict]
        assert sorted(clinic.state(one) for one in requests) == ["approved", "released"]


def test_a_content_that_is_let_go_while_a_version_takes_it_up_stays(either, monkeypatch):
    content, letting_go = b"a note", ThreadPoolExecutor(1)
    gone = []

    def kept_and_let_go(storage: Storage, written: bytes) -> str:
        kept = keep(storage, written)
        gone.append(letting_go.submit(let_go, either.service, kept))  # an older version of it, say, whose time is over
        wait(gone, timeout=1)
        return kept

    keep = Storage.keep
    put_file(either.service, either.caller("stella"), "clinic", "sfumato.yaml", PROJECT.encode(), require=any_state)
    monkeypatch.setattr(Storage, "keep", kept_and_let_go)
    made = put_file(either.service, either.caller("stella"), "clinic", "note.txt", content, require=any_state)
    letting_go.shutdown()
    assert gone[0].exception() is None
    assert either.service.storage.read(made.files["note.txt"]) == content


def any_state(_hash: str) -> None:
    """An edit of whatever is there."""
