"""Settings of the service: `service.yaml` in its root folder, with the environment before it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sfumato.bounded_file import file_bytes
from sfumato.errors import ProjectError

FILE = "service.yaml"
PREFIX = "SFUMATO_SERVICE_"  # SFUMATO_SERVICE_DATABASE is the setting `database`
GB = 10**9
HOUR = 3600
LOOPBACK = ("127.0.0.1", "::1", "localhost")

Positive = Annotated[int, Field(gt=0)]


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OpenIdSettings(_Group):
    """A provider of OpenID Connect."""

    issuer: str
    client: str
    secret_file: Path | None = None  # the secret of the client, in a file that only the server can read
    label: str = "Sign in with your organisation"
    hosts: tuple[str, ...] = ()  # other hosts of the provider that the service may ask, such as the one of its keys
    create_accounts: bool = False  # whether whoever the provider knows gets an account, without any role


class MailSettings(_Group):
    """A server that takes mail."""

    host: str
    port: Positive = 25
    sender: str = "sfumato@localhost"
    start_tls: bool = False
    user: str | None = None
    password_file: Path | None = None


class Settings(_Group):
    """What an administrator decides. Every field has a default with which the service starts."""

    database: str | None = None  # an address of PostgreSQL; a file of the root folder where there is none
    address: str = "http://127.0.0.1:8140"  # where people reach it: in links and cookies; else where it listens here
    roots: dict[str, Path] = {}  # folders by name from which files may be registered as sources
    second_factor: bool = True  # whether stewards, reviewers and administrators need one
    session_hours: Positive = 12
    idle_minutes: Positive = 60
    token_days: Positive = 90  # the longest life of a token
    upload_bytes: Positive = 20 * GB
    upload_hours: Positive = 48  # after which what did not arrive whole is deleted
    project_files_bytes: Positive = 50_000_000
    run_memory: Positive = 4 * GB
    run_seconds: Positive = 4 * HOUR
    run_disk: Positive = 50 * GB  # of the folder that a run works in
    run_user: str | None = None  # a user of the system, with fewer rights, where the service runs as root
    run_attempts: Positive = 3
    runs_per_person: Positive = 2  # that are at work at once
    queued_per_person: Positive = 10_000
    workers: int = Field(default=1, ge=0)  # that `serve` starts by itself
    live_processes: Positive = 4  # that answer live questions at once, each of one project; each has run_memory
    live_minutes: Positive = 10  # without a question, after which such a process ends
    lease_seconds: Positive = 30
    answers_hours: Positive = 24  # how long an idempotency key is remembered
    keep_sources_days: Positive | None = None
    keep_results_days: Positive | None = None
    second_head: Path | None = None  # a file elsewhere that keeps the head of the log as well
    proxy: bool = False  # whether a proxy stands before it whose X-Forwarded-For and -Proto are true
    proxy_addresses: str = "127.0.0.1,::1"  # of that proxy, with commas: from anywhere else they are not believed
    public_metrics: bool = False
    certificate: Path | None = None
    private_key: Path | None = None
    open_id: OpenIdSettings | None = None
    mail: MailSettings | None = None
    webhook: str | None = None  # an address that gets a line of JSON for each notice
    webhook_key_file: Path | None = None  # a secret with which each line is authenticated

    @classmethod
    def read(cls, root: Path) -> Settings:
        """The settings of a root folder; `ProjectError` names the setting that is wrong, never what it is."""
        import yaml

        path = root / FILE
        try:
            written = yaml.safe_load(file_bytes(path).decode()) if path.exists() else {}
        except (OSError, UnicodeDecodeError, yaml.YAMLError):
            raise ProjectError(path, "this cannot be read as YAML.") from None
        if not isinstance(written, dict | None):
            raise ProjectError(path, "this is no list of settings: write `name: value`, one a line.")
        try:
            return cls(**{**(written or {}), **_environment()})
        except (ValidationError, TypeError) as error:
            raise ProjectError(path, f"{_named(error)}. docs/service.md lists every setting.") from None

    @property
    def secure(self) -> bool:
        """Whether people come by TLS, here or at a proxy; only a browser on the same machine may do without."""
        place = urlsplit(self.address)
        return place.scheme != "http" or place.hostname not in LOOPBACK


def _environment() -> dict[str, Any]:
    """The settings that are texts, numbers or paths, from the environment."""
    names = {f"{PREFIX}{name.upper()}": name for name in Settings.model_fields}
    return {name: os.environ[variable] for variable, name in names.items() if os.environ.get(variable)}


def _named(error: ValidationError | TypeError) -> str:
    if isinstance(error, TypeError):
        return "the names of settings are words"
    places = (".".join(map(str, one["loc"])) + f" ({one['type'].replace('_', ' ')})" for one in error.errors())
    return f"these settings are not right: {', '.join(places)}"
