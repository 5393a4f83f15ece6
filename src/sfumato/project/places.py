"""Places that a file names: within its own folder, unless the person who runs the program allows another.

A project file or a plan may come from somebody else. What a person types is theirs, and is not looked at here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path, PureWindowsPath
from urllib.parse import parse_qsl, unquote

from sfumato.errors import OutsidePlace

VARIABLE = "SFUMATO_ALLOW"  # folders and servers, with what separates the entries of PATH between them
SERVERS = ("postgresql", "postgres")
HERE = "localhost"  # the server of a URL that names none
# What the URL of a server may say besides; other parameters name files, services and settings of this machine.
PARAMETERS = frozenset({
    "host", "hostaddr", "port", "dbname", "user", "password", "sslmode", "connect_timeout", "application_name",
    "target_session_attrs",
})  # fmt: skip

_given: ContextVar[tuple[str, ...]] = ContextVar("places that were allowed", default=())


@contextmanager
def allowing(*places: str | os.PathLike[str]) -> Iterator[None]:
    """Let project files and plans name these folders, or servers of databases by their name, while it is entered.

    >>> with allowing("/data/study", "db.example.org"):
    ...     located("/data/study/visits.csv", Path("project"))
    '/data/study/visits.csv'
    """
    before = _given.set((*_given.get(), *(os.fspath(place) for place in places)))
    try:
        yield
    finally:
        _given.reset(before)


def located(place: str, folder: Path) -> str:
    """A place that a file in `folder` names, seen from here; `OutsidePlace` where it leads out of the folder."""
    if "://" in place:
        _check_server(place)
        return place
    if place.startswith("~"):
        raise OutsidePlace("begins with ~, which is not followed. Write the path in full")
    if place.startswith(("//", "\\\\")):  # a share: to ask for it would tell its server who is asking
        if not any(_on_share(place, entry) for entry in _allowed()):
            raise OutsidePlace("is a share of another computer", str(PureWindowsPath(place).parent))
        return place
    _check_path(folder / place, folder)
    return str(folder / place)


def said_of_outside(place: str, folder: Path) -> str:
    """What to say when a place that a person typed is written into a file that may not name it by itself."""
    before = _given.set(())  # what is allowed now is asked for again by the next command
    try:
        located(place, folder)
    except OutsidePlace as error:
        needed = f"--allow {error.allow} (or {VARIABLE})" if error.allow else "the data, typed"
        return f" The data lie outside of the folder of this file: commands that read it need {needed}."
    finally:
        _given.reset(before)
    return ""


def _allowed() -> tuple[str, ...]:
    written = os.environ.get(VARIABLE, "").split(os.pathsep)
    return (*_given.get(), *(entry for entry in written if entry))


def _check_path(path: Path, folder: Path) -> None:
    """Follow all links: those on the way, and in a folder also those in it."""
    homes = [_followed(folder), *(_followed(Path(entry)) for entry in _allowed() if "://" not in entry)]
    target = _followed(path)
    _require_within(target, homes)
    if target.is_dir():
        for link in (inner for inner in target.rglob("*") if inner.is_symlink()):
            _require_within(_followed(link), homes)


def _followed(path: Path) -> Path:
    try:
        followed = path.resolve()
        endless = followed.is_symlink()  # links in a circle: from Python 3.13 on they are no error by themselves
    except (OSError, RuntimeError, ValueError):  # and before; and characters that no path has
        endless = True
    if endless:
        raise OutsidePlace("is no path that can be followed")
    return followed


def _require_within(target: Path, homes: list[Path]) -> None:
    if not any(target.is_relative_to(home) for home in homes):
        raise OutsidePlace("leads out of the folder of this file", str(target.parent))


def _on_share(place: str, entry: str) -> bool:
    wanted, known = PureWindowsPath(place), PureWindowsPath(entry)
    return bool(known.drive) and ".." not in wanted.parts and wanted.is_relative_to(known)


def _check_server(url: str) -> None:
    """A server must be allowed by its name: a project of somebody else could have a password sent to it."""
    if url.partition("://")[0].lower() not in SERVERS:
        raise OutsidePlace("is a URL. Of URLs only those of PostgreSQL are read: copy the file here first")
    hosts, parameters = _server(url)
    for name, _ in parameters:
        if name not in PARAMETERS:
            raise OutsidePlace(f"has the parameter {name!r}. Give it in the environment, as libpq reads it")
    named = (_server(entry)[0] if "://" in entry else [entry] for entry in _allowed())
    allowed = {host.lower() for entry in named for host in entry}
    for host in hosts:
        if host.lower() not in allowed:
            raise OutsidePlace("names a server", host)


def _server(url: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The names of all servers in a URL, and its parameters, cut up as libpq does it and not as a browser would."""
    rest = url.partition("://")[2]
    login, _, behind = rest.partition("@")
    hosts, _, tail = (rest if "/" in login or login == rest else behind).replace("?", "/?", 1).partition("/")
    parameters = parse_qsl(tail.partition("?")[2], keep_blank_values=True)
    names = [
        host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0] for host in hosts.split(",")
    ]
    names += [host for name, value in parameters if name in ("host", "hostaddr") for host in value.split(",")]
    return [unquote(name) for name in names if name] or [HERE], parameters
