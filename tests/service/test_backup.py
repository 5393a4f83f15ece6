"""Backup and restore: one moment of a service that goes on working, and back."""

from __future__ import annotations

import io
import stat
import tarfile
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.doors.conftest import PROGRAM
from tests.service.conftest import a_world
from tests.service.postgresql import a_database, server  # noqa: F401

from sfumato.errors import OutputError, SecretError, UnreadableFile
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import LOG, AuditLog
from sfumato.service.backup import back_up, one_moment, plain, tables_of
from sfumato.service.caller import Caller
from sfumato.service.database import ServiceDatabase
from sfumato.service.doors import caller_of, open_session
from sfumato.service.entities import Account, Connection, OneTimeLink, ProjectVersion, ServiceProject, SignInSession
from sfumato.service.permissions import Act
from sfumato.service.restoration import restore_service
from sfumato.service.service import Service
from sfumato.service.settings import Settings

PASSPHRASE = b"of the hospital's safe"
LEFT_OUT = {"sign_in_session", "pending_sign_in", "one_time_link", "token", "upload"}  # what a restore takes back


@pytest.fixture
def full_world(world):
    """A world with a version, a file, a sealed connection and somebody who is signed in."""
    fill(world)
    return world


def fill(world) -> None:
    service, stella = world.service, world.caller("stella")
    with service.act(stella, Act.PROJECT_CHANGE, project="clinic") as deed:
        content = service.storage.keep(b"data: {source: table}\n")
        deed.session.add(
            ProjectVersion(project=deed.project.handle, number=1, hash="a" * 64, files={"sfumato.yaml": content},
                           author=deed.account, created=deed.now)
        )  # fmt: skip
        deed.note(version=1)
    with service.database.writing() as session:
        sealed = service.keys.seal(b"postgresql://secret", "connection")
        session.add(Connection(name="hospital", kind="postgresql", url=sealed, projects=[], created=service.clock()))
        session.add(
            OneTimeLink(hash="b" * 64, purpose="invitation", created=service.clock(),
                        expires=service.clock() + timedelta(days=1))
        )  # fmt: skip


def state_of(database: ServiceDatabase) -> dict[str, list]:
    with one_moment(database) as connection:
        return {
            table.name: sorted(str([plain(value) for value in row]) for row in connection.execute(select(table)))
            for table in tables_of(connection)
            if table.name not in LEFT_OUT
        }


def test_a_restored_service_is_as_it_was_and_its_log_verifies(full_world, tmp_path):
    service = full_world.service
    (service.root / "service.yaml").write_text("session_hours: 3\n")
    made = back_up(service.root, tmp_path / "a.backup", passphrase=PASSPHRASE)
    assert (made.files, made.with_keys) == (1, True)
    assert made.rows == 20
    done = restore_service(made.path, tmp_path / "again", passphrase=PASSPHRASE)
    again = Service.at(tmp_path / "again")
    assert state_of(again.database) == state_of(service.database)
    assert done.rows == made.rows
    assert again.settings.session_hours == 3
    assert again.storage.read(next(iter(the_version(again).files.values()))) == b"data: {source: table}\n"
    with again.database.reading() as session:
        sealed = session.scalars(select(Connection)).one().url
    assert again.keys.unseal(sealed, "connection") == b"postgresql://secret"
    chain = Chain.of(again.events.log, verify=True)
    assert chain.problems == ()
    assert [use["command"]["name"] for use in chain.uses] == ["project.change", "backup", "restore"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "again").rglob("*") if path.is_file()} <= {
        0o600, 0o644}  # fmt: skip
    again.database.close()


def the_version(service: Service) -> ProjectVersion:
    with service.database.reading() as session:
        return session.scalars(select(ProjectVersion)).one()


def test_after_a_restore_nobody_is_signed_in_and_no_link_or_token_works(full_world, tmp_path):
    service = full_world.service
    with service.database.writing() as session:
        account = session.get(Account, full_world.accounts["stella"].handle)
        cookie = open_session(session, service, account, address="", second_factor_passed=True)
    token = full_world.token("stella")
    assert caller_of(service, cookie=cookie, bearer=None, address="").signed_in
    back_up(service.root, tmp_path / "a.backup")
    for keep_tokens in (False, True):
        root = tmp_path / f"again-{keep_tokens}"
        restore_service(tmp_path / "a.backup", root, keep_tokens=keep_tokens)
        again = Service.at(root)
        assert caller_of(again, cookie=cookie, bearer=None, address="") == Caller()
        assert caller_of(again, cookie=None, bearer=token, address="").signed_in is keep_tokens
        with again.database.reading() as session:
            assert session.scalars(select(OneTimeLink)).all() == []
            assert [door.revoked for door in session.scalars(select(SignInSession))] == [True]
        again.database.close()


def test_a_backup_during_writes_is_of_one_moment_whose_log_knows_of_everything(world, tmp_path):
    """Each write makes a project and its first version together: a copy with one of them is of no moment."""
    service, ended, failures = world.service, threading.Event(), []

    def write() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            try:
                with service.act(world.caller("ada"), Act.PROJECT_CREATE, title=number) as deed:
                    project = ServiceProject(name=f"p{number}", created=deed.now)
                    deed.session.add(project)
                    deed.session.flush()
                    content = service.storage.keep(f"of {number}".encode())
                    deed.session.add(
                        ProjectVersion(project=project.handle, number=1, hash="a" * 64, files={"f": content},
                                       author=deed.account, created=deed.now)
                    )  # fmt: skip
                    deed.note(name=project.name)
            except Exception as error:
                failures.append(error)
                return

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(4):
            back_up(service.root, tmp_path / f"{number}.backup")
    finally:
        ended.set()
        writer.join()
    assert failures == []
    seen = []
    for number in range(4):
        restore_service(tmp_path / f"{number}.backup", tmp_path / f"again-{number}")
        again = Service.at(tmp_path / f"again-{number}")
        with again.database.reading() as session:
            projects = {one.handle: one.name for one in session.scalars(select(ServiceProject)) if one.name[0] == "p"}
            versions = list(session.scalars(select(ProjectVersion)))
        assert {version.project for version in versions} == set(projects)
        assert all(again.storage.has(version.files["f"]) for version in versions)
        chain = Chain.of(again.events.log, verify=True)
        assert chain.problems == ()
        begun = sum(use["command"]["name"] == "project.create" for use in chain.uses)
        assert begun >= len(projects)
        seen.append(len(projects))
        again.database.close()
    assert seen == sorted(seen)
    assert seen[-1] > 0


def test_an_archive_that_was_changed_or_cut_off_anywhere_is_refused_and_nothing_is_left(full_world, tmp_path):
    back_up(full_world.service.root, tmp_path / "a.backup")
    content = (tmp_path / "a.backup").read_bytes()
    with tarfile.open(tmp_path / "a.backup") as tar:
        members = [member for member in tar if member.size]
    assert len(members) > 8
    broken = [content[: len(content) // 2], content[: members[-1].offset], b"", b"no archive"]
    for member in members:
        place = member.offset_data + member.size // 2
        broken.append(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    for number, damaged in enumerate(broken):
        (tmp_path / "damaged").write_bytes(damaged)
        with pytest.raises(UnreadableFile, match="damaged"):
            restore_service(tmp_path / "damaged", tmp_path / f"never-{number}")
        assert not (tmp_path / f"never-{number}").exists()


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/outside", "files/../../outside", "database/a.b", "service.sqlite"]
)
def test_a_member_that_no_backup_has_is_refused(tmp_path, name):
    with tarfile.open(tmp_path / "a.backup", "w") as tar:
        member = tarfile.TarInfo(name)
        member.size = 1
        tar.addfile(member, io.BytesIO(b"a"))
    with pytest.raises(UnreadableFile, match="something that no backup has"):
        restore_service(tmp_path / "a.backup", tmp_path / "never")
    assert [path.name for path in tmp_path.iterdir()] == ["a.backup"]


def test_a_link_in_an_archive_is_refused(tmp_path):
    with tarfile.open(tmp_path / "a.backup", "w") as tar:
        member = tarfile.TarInfo("log.jsonl")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(member)
    with pytest.raises(UnreadableFile, match="damaged"):
        restore_service(tmp_path / "a.backup", tmp_path / "never")


def test_a_log_with_a_line_removed_is_refused_though_every_hash_of_the_archive_is_right(full_world, tmp_path):
    log: AuditLog = full_world.service.events.log
    lines = log.path.read_bytes().splitlines(keepends=True)
    log.path.write_bytes(b"".join(lines[1:]))
    back_up(full_world.service.root, tmp_path / "a.backup")
    with pytest.raises(UnreadableFile, match="its log is not whole"):
        restore_service(tmp_path / "a.backup", tmp_path / "never")


def test_a_folder_or_database_that_is_not_empty_is_left_alone(full_world, tmp_path):
    back_up(full_world.service.root, tmp_path / "a.backup")
    before = sorted(full_world.service.root.rglob("*"))
    with pytest.raises(OutputError, match="not empty"):
        restore_service(tmp_path / "a.backup", full_world.service.root)
    assert sorted(full_world.service.root.rglob("*")) == before
    (tmp_path / "empty").mkdir()
    restore_service(tmp_path / "a.backup", tmp_path / "empty")
    assert (tmp_path / "empty" / "log" / LOG).is_file()


def test_keys_are_in_no_backup_unless_asked_for_and_only_their_passphrase_opens_them(full_world, tmp_path):
    root = full_world.service.root
    secret = (root / "keys" / "server-0001.key").read_bytes().strip()
    back_up(root, tmp_path / "without.backup")
    back_up(root, tmp_path / "with.backup", passphrase=PASSPHRASE)
    for name in ("without", "with"):
        content = (tmp_path / f"{name}.backup").read_bytes()
        assert secret not in content
        assert b"PRIVATE KEY" not in content
        assert stat.S_IMODE((tmp_path / f"{name}.backup").stat().st_mode) == 0o600
    for wrong in (None, b"another passphrase"):
        with pytest.raises(SecretError):
            restore_service(tmp_path / "with.backup", tmp_path / "never", passphrase=wrong)
        assert not (tmp_path / "never").exists()
    restore_service(tmp_path / "without.backup", tmp_path / "again")
    assert not (tmp_path / "again" / "keys").exists()


def test_a_backup_that_is_there_is_not_replaced_and_one_that_fails_leaves_nothing(full_world, tmp_path, monkeypatch):
    (tmp_path / "a.backup").write_bytes(b"mine")
    with pytest.raises(OutputError, match="exists already"):
        back_up(full_world.service.root, tmp_path / "a.backup")
    assert (tmp_path / "a.backup").read_bytes() == b"mine"

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sfumato.service.backup._add_files", full)
    with pytest.raises(OutputError, match="No space left"):
        back_up(full_world.service.root, tmp_path / "b.backup")
    assert not (tmp_path / "b.backup").exists()
    ends = [use["outcome"]["verdict"] for use in Chain.of(full_world.service.events.log).uses]
    assert ends == ["done", "OutputError", "OutputError"]


@pytest.mark.postgresql
def test_a_service_on_postgresql_comes_back_on_postgresql_or_in_a_file(tmp_path, a_database, server):  # noqa: F811
    world = a_world(tmp_path / "root", Settings(database=a_database))
    (tmp_path / "root" / "service.yaml").write_text(f"database: {a_database}\n")
    fill(world)
    back_up(tmp_path / "root", tmp_path / "a.backup")
    with pytest.raises(OutputError, match="database is not empty"):
        restore_service(tmp_path / "a.backup", tmp_path / "never", database=a_database)
    server.run("postgres", "CREATE DATABASE again")
    restore_service(tmp_path / "a.backup", tmp_path / "again", database=server.url("again"))
    restore_service(tmp_path / "a.backup", tmp_path / "file")
    assert Settings.read(tmp_path / "again").database == server.url("again")
    assert Settings.read(tmp_path / "file").database is None
    services = [world.service, Service.at(tmp_path / "again"), Service.at(tmp_path / "file")]
    states = [state_of(service.database) for service in services]
    for service in services:
        service.database.close()
    server.run("postgres", "DROP DATABASE again WITH (FORCE)")
    assert states[0] == states[1] == states[2]


def test_the_commands_say_what_they_did(full_world, tmp_path):
    import os
    import subprocess

    environment = {**os.environ, "SFUMATO_SECRET_BACKUP": PASSPHRASE.decode()}

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        command = [str(PROGRAM), *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    file, root = tmp_path / "a.backup", full_world.service.root
    done = run("backup", file, "--root", root, "--with-keys")
    assert done.returncode == 0, done.stderr
    assert "the keys under their passphrase" in done.stdout
    done = run("restore", file, "--root", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    assert "Nobody is signed in." in done.stdout
    assert (tmp_path / "again" / "keys" / "server-0001.key").is_file()
    done = run("backup", file, "--root", tmp_path / "nothing")
    assert done.returncode == 2
    assert "there is no service in this folder" in done.stderr


def test_a_restored_service_refuses_to_go_on_where_a_head_elsewhere_knows_of_later_lines(full_world, tmp_path):
    second = tmp_path / "elsewhere.head"
    service = replace(full_world.service, settings=Settings(second_head=second))
    (service.root / "service.yaml").write_text(f"second_head: {second}\n")
    back_up(service.root, tmp_path / "a.backup")
    restore_service(tmp_path / "a.backup", tmp_path / "again")
    again = Service.at(tmp_path / "again")
    caller = full_world.caller("stella")
    with (
        pytest.raises(OutputError, match="is no head of the log"),
        again.act(caller, Act.PROJECT_CHANGE, project="clinic"),
    ):
        pytest.fail("It was done.")
    second.rename(Path(f"{second}.before-restore"))
    with again.act(caller, Act.PROJECT_CHANGE, project="clinic"):
        pass
    again.database.close()
