"""The address of a database server, cut up so that its secret comes to a run by a file and never by a command line."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from sfumato.errors import ServiceRefusal

SERVERS = ("postgresql://", "postgres://")
BEGINS = "An address of a database begins with postgresql:// and is on one line."
UNREADABLE = "This cannot be read as an address: postgresql://USER:PASSWORD@HOST:PORT/DATABASE."
PASSWORDS = ".pgpass"  # in the folder of a run, as libpq reads it
LOCAL = "localhost"  # what a URL without a server counts as, where places are allowed
# What an address may say, and the variable by which libpq takes it from the environment.
VARIABLES = {
    "host": "PGHOST", "hostaddr": "PGHOSTADDR", "port": "PGPORT", "dbname": "PGDATABASE", "user": "PGUSER",
    "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY",
    "channel_binding": "PGCHANNELBINDING", "connect_timeout": "PGCONNECT_TIMEOUT",
    "target_session_attrs": "PGTARGETSESSIONATTRS", "gssencmode": "PGGSSENCMODE", "krbsrvname": "PGKRBSRVNAME",
}  # fmt: skip


class WrongAddress(ServiceRefusal):
    """What was given is no address of a database that the service can use. It is not repeated: it holds a secret."""

    status, kind = 422, "wrong-address"


def cut_up(url: str) -> dict[str, str]:
    """What an address says, by the names of libpq; `WrongAddress` where it is none, or says more than is passed on."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    if not url.startswith(SERVERS) or not url.isprintable():
        raise WrongAddress(BEGINS)
    try:
        said = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except (ProgrammingError, ValueError):
        raise WrongAddress(UNREADABLE) from None
    unknown = sorted(set(said) - {*VARIABLES, "password"})
    if unknown:
        raise WrongAddress(f"An address may not say {', '.join(unknown)}. It may say {', '.join(sorted(VARIABLES))}.")
    if "host" not in said or "dbname" not in said:
        raise WrongAddress("An address names a host and a database: postgresql://USER:PASSWORD@HOST:PORT/DATABASE.")
    return said


def settings_of(url: str, folder: Path) -> dict[str, str]:
    """The environment in which libpq finds the database. The password is in a file of the folder, for its owner."""
    said = cut_up(url)
    settings = {VARIABLES[name]: value for name, value in said.items() if name != "password"}
    if "password" not in said:
        return settings
    file, secret = folder / PASSWORDS, said["password"].replace("\\", "\\\\").replace(":", "\\:")
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        stream.write(f"*:*:*:*:{secret}\n")  # of any server: the run knows of no other
    return {**settings, "PGPASSFILE": str(file)}


def bare_address(name: str) -> str:
    """The address that stands in a project file while it runs: it says under which name the source is known, no more.

    >>> bare_address("visits")
    'postgresql:///?application_name=visits'
    """
    return f"postgresql:///?application_name={quote(name, safe='')}"
