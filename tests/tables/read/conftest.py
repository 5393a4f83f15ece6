"""A PostgreSQL server that the tests start themselves, in a folder of their own, and stop at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ACCOUNTS = ("postgres", "nobody")  # a server refuses to run as root
PASSWORD = "p@ss/wörd"


@dataclass(frozen=True)
class Server:
    """A running PostgreSQL server; every test gets a database of its own from it."""

    binaries: Path
    folder: Path
    port: int
    as_account: tuple[str, ...] = ()  # how to run a command as the account that the server belongs to

    def start(self) -> None:
        settings = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        checked([*self.control, "-l", self.folder / "log", "-o", settings, "start"])

    def stop(self) -> None:
        """End it at once, with every connection."""
        checked([*self.control, "-m", "immediate", "stop"])

    @property
    def control(self) -> list[object]:
        return [*self.as_account, self.binaries / "pg_ctl", "-D", self.folder / "data", "-w"]

    def url(self, database: str, *, password: str = "p%40ss%2Fw%C3%B6rd") -> str:
        return f"postgresql://alice:{password}@127.0.0.1:{self.port}/{database}"

    def run(self, database: str, sql: str) -> None:
        command = [str(self.binaries / "psql"), "-q", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder)]
        command += ["-p", str(self.port), "-U", "alice", "-d", database, "-c", sql]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | {"PGPASSWORD": PASSWORD})


def server_binaries() -> Path | None:
    """The folder with initdb and pg_ctl: on the path, or where Debian hides it, newest first."""
    on_path = shutil.which("initdb")
    candidates = [Path(on_path).resolve().parent] if on_path else []
    found = Path("/usr/lib/postgresql").glob("*/bin")
    candidates += sorted(found, key=lambda folder: float(folder.parent.name), reverse=True)
    wanted = ("initdb", "pg_ctl", "psql")
    return next((c for c in candidates if all((c / name).exists() for name in wanted)), None)


def unprivileged() -> tuple[str | None, list[str]]:
    """The account that runs the server, and how to run a command as it."""
    if os.geteuid() != 0:
        return None, []
    known = {entry.pw_name for entry in pwd.getpwall()}
    account = next((name for name in ACCOUNTS if name in known), None)
    if account is None or shutil.which("runuser") is None:
        pytest.skip("PostgreSQL refuses to run as root, and there is no other account to run it as")
    return account, ["runuser", "-u", account, "--"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def checked(command: Sequence[object]) -> None:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd="/", timeout=60, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    binaries = server_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server binaries are installed: run tools/system-packages")
    account, as_account = unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="sfumato-postgresql-", dir="/tmp"))  # a socket path must be short
    running = Server(binaries, folder, free_port(), tuple(as_account))
    (folder / "password").write_text(PASSWORD)
    if account:
        for path in (folder, folder / "password"):
            shutil.chown(path, account)
    try:
        checked(
            [*as_account, binaries / "initdb", "-D", folder / "data", "-U", "alice", "-A", "scram-sha-256",
             "--pwfile", folder / "password", "-E", "UTF8", "--locale", "C", "--no-sync"]
        )  # fmt: skip
        running.start()
        yield running
        running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(server: Server, request: pytest.FixtureRequest) -> Iterator[str]:
    """A fresh database, named after nothing that a test could rely on."""
    name = f"db_{abs(hash(request.node.nodeid)) % 10**9}"
    server.run("postgres", f"CREATE DATABASE {name}")
    yield name
    server.run("postgres", f"DROP DATABASE {name} WITH (FORCE)")
