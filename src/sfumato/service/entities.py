"""What the database of the service keeps, one class for each table.

Rows of tables of people are never in it: sources, packages and results are files (`service/storage`). What is secret is
kept as a hash (passwords, tokens, sessions, one-time links) or under the key of the server (second factors,
connections). Times are in UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from sfumato.service.handles import LENGTH, new_handle

Plain = dict[str, Any]
HASH = 64  # letters of a SHA-256 in hexadecimal digits
NAME = 200  # letters of names that people give


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC that is so after it was read as well: SQLite keeps no zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value if value is None or value.tzinfo is not None else value.replace(tzinfo=UTC)


class Entity(DeclarativeBase):
    """Something that the database keeps."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {datetime: UtcTime(), Plain: JSON()}


def _handle() -> Mapped[str]:
    return mapped_column(String(LENGTH), primary_key=True, default=new_handle)


def _of(target: str, *, index: bool = True) -> Mapped[str]:
    return mapped_column(String(LENGTH), ForeignKey(f"{target}.handle"), index=index)


def _maybe_of(target: str) -> Mapped[str | None]:
    return mapped_column(String(LENGTH), ForeignKey(f"{target}.handle"), index=True)


class Account(Entity):
    """Somebody who signs in. `identity` is who that is outside of here: two accounts of one identity are one person."""

    __tablename__ = "account"
    handle: Mapped[str] = _handle()
    name: Mapped[str] = mapped_column(String(NAME), unique=True)  # what is typed to sign in
    shown_name: Mapped[str] = mapped_column(String(NAME))
    mail: Mapped[str | None] = mapped_column(String(NAME), index=True)
    identity: Mapped[str] = mapped_column(String(NAME), index=True)
    password_hash: Mapped[str | None] = mapped_column(String(NAME))
    second_factor: Mapped[bytes | None] = mapped_column(LargeBinary)  # of TOTP, under the key of the server
    second_factor_confirmed: Mapped[bool] = mapped_column(default=False)
    last_code_step: Mapped[int] = mapped_column(BigInteger, default=0)  # of TOTP: a code is taken once
    issuer: Mapped[str | None] = mapped_column(String(NAME))  # of OpenID Connect, with the subject there
    subject: Mapped[str | None] = mapped_column(String(NAME))
    administrator: Mapped[bool] = mapped_column(default=False)
    auditor: Mapped[bool] = mapped_column(default=False)
    closed: Mapped[bool] = mapped_column(default=False)
    created: Mapped[datetime]
    __table_args__ = (UniqueConstraint("issuer", "subject"),)


class SignInSession(Entity):
    """Somebody who is signed in with a browser; the cookie's value is kept as a hash."""

    __tablename__ = "sign_in_session"
    handle: Mapped[str] = _handle()
    hash: Mapped[str] = mapped_column(String(HASH), unique=True)
    account: Mapped[str] = _of("account")
    created: Mapped[datetime]
    last_used: Mapped[datetime]
    expires: Mapped[datetime]
    address: Mapped[str] = mapped_column(String(NAME), default="")
    second_factor_passed: Mapped[bool] = mapped_column(default=False)
    revoked: Mapped[bool] = mapped_column(default=False)


class Token(Entity):
    """A personal token for scripts, kept as a hash, with what it may be used for and until when."""

    __tablename__ = "token"
    handle: Mapped[str] = _handle()
    hash: Mapped[str] = mapped_column(String(HASH), unique=True)
    account: Mapped[str] = _of("account")
    label: Mapped[str] = mapped_column(String(NAME))
    scopes: Mapped[list[Any]] = mapped_column(JSON)  # acts by name
    project: Mapped[str | None] = _maybe_of("project")  # the only project it is for, where it is for one
    created: Mapped[datetime]
    expires: Mapped[datetime]
    last_used: Mapped[datetime | None]
    revoked: Mapped[bool] = mapped_column(default=False)


class OneTimeLink(Entity):
    """A link that works once: the first start, an invitation, a forgotten password."""

    __tablename__ = "one_time_link"
    handle: Mapped[str] = _handle()
    hash: Mapped[str] = mapped_column(String(HASH), unique=True)
    purpose: Mapped[str] = mapped_column(String(NAME))
    account: Mapped[str | None] = _maybe_of("account")
    created: Mapped[datetime]
    expires: Mapped[datetime]
    used: Mapped[datetime | None]


class SignInFailure(Entity):
    """How often in a row somebody failed to sign in under a name or from an address: the next try has to wait."""

    __tablename__ = "sign_in_failure"
    key: Mapped[str] = mapped_column(String(NAME), primary_key=True)  # a hash of the name, or an address
    count: Mapped[int] = mapped_column(default=0)
    last: Mapped[datetime]


class PendingSignIn(Entity):
    """A sign-in with OpenID Connect that is under way: state, nonce and verifier, kept until the provider answers."""

    __tablename__ = "pending_sign_in"
    state: Mapped[str] = mapped_column(String(HASH), primary_key=True)  # as a hash
    nonce: Mapped[str] = mapped_column(String(NAME))
    verifier: Mapped[bytes] = mapped_column(LargeBinary)  # of PKCE, under the key of the server
    browser: Mapped[str] = mapped_column(String(HASH))  # the hash of a cookie: it ends where it began
    expires: Mapped[datetime]


class Connection(Entity):
    """A database by name; its address and secret are kept under the key of the server, and never shown."""

    __tablename__ = "connection"
    handle: Mapped[str] = _handle()
    name: Mapped[str] = mapped_column(String(NAME), unique=True)
    kind: Mapped[str] = mapped_column(String(NAME))
    url: Mapped[bytes] = mapped_column(LargeBinary)
    projects: Mapped[list[Any]] = mapped_column(JSON)  # the handles of the projects that may use it
    created: Mapped[datetime]


class ServiceProject(Entity):
    """A project: its settings; what it says stands in its versions."""

    __tablename__ = "project"
    handle: Mapped[str] = _handle()
    name: Mapped[str] = mapped_column(String(NAME), unique=True)
    title: Mapped[str] = mapped_column(String(NAME), default="")
    reviewers: Mapped[int] = mapped_column(default=2)  # votes that a release needs, one at the least
    rows_for_reviewers: Mapped[bool] = mapped_column(default=False)
    days_of_download: Mapped[int] = mapped_column(default=30)
    keep_sources_days: Mapped[int | None]
    keep_results_days: Mapped[int | None]
    releases_per_source: Mapped[int | None]  # of the same people; None: as often as wanted of one and the same content
    current: Mapped[int] = mapped_column(default=0)  # the number of the version that counts
    closed: Mapped[bool] = mapped_column(default=False)
    created: Mapped[datetime]


class Membership(Entity):
    """The role of somebody in a project; one person may have several."""

    __tablename__ = "membership"
    project: Mapped[str] = mapped_column(String(LENGTH), ForeignKey("project.handle"), primary_key=True)
    account: Mapped[str] = mapped_column(String(LENGTH), ForeignKey("account.handle"), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(NAME), primary_key=True)


class ProjectVersion(Entity):
    """A state of the files of a project: each change is a new one, and none is ever written over."""

    __tablename__ = "version"
    handle: Mapped[str] = _handle()
    project: Mapped[str] = _of("project", index=False)
    number: Mapped[int]
    hash: Mapped[str] = mapped_column(String(HASH))  # of all files together: the ETag of the project
    files: Mapped[Plain]  # name -> hash of the content, which is in the storage
    author: Mapped[str] = _of("account", index=False)
    message: Mapped[str] = mapped_column(Text, default="")
    run: Mapped[str | None] = mapped_column(String(LENGTH))  # where a run wrote what it chose into the project file
    created: Mapped[datetime]
    __table_args__ = (UniqueConstraint("project", "number"),)


class RegisteredSource(Entity):
    """A table of a project: a file under an allowed root, an upload, or a table of a named connection."""

    __tablename__ = "source"
    handle: Mapped[str] = _handle()
    project: Mapped[str] = _of("project")
    name: Mapped[str] = mapped_column(String(NAME))  # a plain name: the project file says `data: source: NAME`
    kind: Mapped[str] = mapped_column(String(NAME))  # file, upload or connection
    root: Mapped[str | None] = mapped_column(String(NAME))  # the name of the allowed root, and the path within
    path: Mapped[str | None] = mapped_column(Text)
    connection: Mapped[str | None] = _maybe_of("connection")
    table: Mapped[str | None] = mapped_column(String(NAME))
    hash: Mapped[str | None] = mapped_column(String(HASH))
    bytes: Mapped[int | None] = mapped_column(BigInteger)
    author: Mapped[str] = _of("account", index=False)
    created: Mapped[datetime]
    deleted: Mapped[datetime | None]
    __table_args__ = (Index("source_name", "project", "name"),)


class Upload(Entity):
    """A file that comes in parts; what has arrived so far is in the storage."""

    __tablename__ = "upload"
    handle: Mapped[str] = _handle()
    project: Mapped[str] = _of("project")
    name: Mapped[str] = mapped_column(String(NAME))
    bytes: Mapped[int] = mapped_column(BigInteger)
    received: Mapped[int] = mapped_column(BigInteger, default=0)
    author: Mapped[str] = _of("account", index=False)
    created: Mapped[datetime]
    expires: Mapped[datetime]


class Run(Entity):
    """A verb at work on a version of a project: one process, once done and never again."""

    __tablename__ = "run"
    handle: Mapped[str] = _handle()
    project: Mapped[str] = _of("project")
    version: Mapped[int]
    source: Mapped[str | None] = _maybe_of("source")
    verb: Mapped[str] = mapped_column(String(NAME))
    options: Mapped[Plain]
    command: Mapped[str] = mapped_column(Text)  # what does the same on the command line
    state: Mapped[str] = mapped_column(String(NAME))
    author: Mapped[str] = _of("account")
    created: Mapped[datetime]
    started: Mapped[datetime | None]
    ended: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)  # how often it was taken up: the number of the lease
    turn: Mapped[int] = mapped_column(BigInteger, default=0)  # as how many-th of all it was taken up last; 0: not yet
    lost: Mapped[int] = mapped_column(default=0)  # how many of those workers died over it
    worker: Mapped[str | None] = mapped_column(String(NAME))  # who holds the lease
    lease: Mapped[datetime | None]  # when its holder was last heard of, for people to read
    beat: Mapped[int] = mapped_column(BigInteger, default=0)  # goes up while the holder lives: no clock is compared
    cancel: Mapped[bool] = mapped_column(default=False)
    words: Mapped[str] = mapped_column(Text, default="")  # what is being done
    done: Mapped[int] = mapped_column(BigInteger, default=0)
    total: Mapped[int] = mapped_column(BigInteger, default=0)
    exit_code: Mapped[int | None]
    problem: Mapped[str | None] = mapped_column(Text)  # why it failed, in the words of the command line
    result: Mapped[Plain | None]  # the document, where it is small; and names, hashes and sizes of files
    notes: Mapped[list[Any]] = mapped_column(JSON, default=list)  # that it was taken up again, and why
    expires: Mapped[datetime | None]  # when its files are deleted
    __table_args__ = (
        Index("run_queue", "state", "author", "created", "handle"),
        Index("run_turns", "turn"),
        Index("run_turns_of_people", "author", "turn"),
    )


class DataRequest(Entity):
    """Somebody asks for data, and what became of it, as far as the release and its end."""

    __tablename__ = "request"
    handle: Mapped[str] = _handle()
    project: Mapped[str] = _of("project")
    requester: Mapped[str] = _of("account")
    recipient: Mapped[str] = _of("account")
    purpose: Mapped[str] = mapped_column(Text)
    columns: Mapped[list[Any]] = mapped_column(JSON)
    answers: Mapped[Plain]  # the fifteen answers about the recipient
    grade: Mapped[str | None] = mapped_column(String(NAME))
    state: Mapped[str] = mapped_column(String(NAME), index=True)
    round: Mapped[int] = mapped_column(default=0)  # of the review: votes of older rounds stay, and count no more
    run: Mapped[str | None] = _maybe_of("run")  # the release that was submitted
    version: Mapped[int | None]
    package_hash: Mapped[str | None] = mapped_column(String(HASH))
    summary: Mapped[Plain | None]  # of that package: columns, levels, records, sources, and its files by hash
    votes_needed: Mapped[int] = mapped_column(default=0)  # as the project asked when it was submitted
    preparers: Mapped[list[Any]] = mapped_column(JSON, default=list)  # whose work it is: none of them reviews it
    reason: Mapped[str] = mapped_column(Text, default="")  # why it was rejected, returned or revoked
    created: Mapped[datetime]
    changed: Mapped[datetime]
    released: Mapped[datetime | None]
    expires: Mapped[datetime | None]
    downloads: Mapped[int] = mapped_column(default=0)


class Vote(Entity):
    """What a reviewer says of one package, known by its hash."""

    __tablename__ = "vote"
    handle: Mapped[str] = _handle()
    request: Mapped[str] = _of("request")
    round: Mapped[int]
    reviewer: Mapped[str] = _of("account", index=False)
    package_hash: Mapped[str] = mapped_column(String(HASH))
    verdict: Mapped[str] = mapped_column(String(NAME))
    reason: Mapped[str] = mapped_column(Text, default="")
    revealed: Mapped[bool] = mapped_column(default=False)  # once all votes of its round are in
    created: Mapped[datetime]
    __table_args__ = (UniqueConstraint("request", "round", "reviewer"),)


class Comment(Entity):
    """A remark on a request, on a column or on a figure; those of reviewers are blind until all votes are in."""

    __tablename__ = "comment"
    handle: Mapped[str] = _handle()
    request: Mapped[str] = _of("request")
    round: Mapped[int]
    author: Mapped[str] = _of("account", index=False)
    about: Mapped[str] = mapped_column(String(NAME), default="")  # the column or the figure
    text: Mapped[str] = mapped_column(Text)
    revealed: Mapped[bool] = mapped_column(default=True)  # of a reviewer: once all votes of the round are in
    created: Mapped[datetime]


class Notice(Entity):
    """Something that waits for somebody, or happened to what is theirs. It holds no data."""

    __tablename__ = "notice"
    handle: Mapped[str] = _handle()
    account: Mapped[str] = _of("account")
    kind: Mapped[str] = mapped_column(String(NAME))
    words: Mapped[str] = mapped_column(Text)
    project: Mapped[str | None] = _maybe_of("project")
    request: Mapped[str | None] = mapped_column(String(LENGTH))
    run: Mapped[str | None] = mapped_column(String(LENGTH))
    created: Mapped[datetime]
    read: Mapped[datetime | None]
    sent: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)  # of sending it
    next_attempt: Mapped[datetime | None]
    sent_by: Mapped[list[Any]] = mapped_column(JSON, default=list)  # the ways by which it has gone out already


class Answered(Entity):
    """An answer that was given under an idempotency key: the same question gets the same answer, and nothing twice."""

    __tablename__ = "answered"
    account: Mapped[str] = mapped_column(String(LENGTH), ForeignKey("account.handle"), primary_key=True)
    key: Mapped[str] = mapped_column(String(NAME), primary_key=True)
    question: Mapped[str] = mapped_column(String(HASH))
    status: Mapped[int | None]  # None while it is being answered
    body: Mapped[Plain | None]
    created: Mapped[datetime]
