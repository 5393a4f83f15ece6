"""Permissions: what each role may do, in one table. What is not in it is refused.

The refusals of the service, the documentation and the tests are made from this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ServiceRole(StrEnum):
    """What somebody is in a project; the administrator and the auditor are so in the whole service."""

    REQUESTER = "requester"
    STEWARD = "steward"
    REVIEWER = "reviewer"
    RECIPIENT = "recipient"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


class Scope(StrEnum):
    """Of what an act is: it says where the role is looked up."""

    PUBLIC = "public"  # anybody, signed in or not
    SELF = "self"  # whoever is signed in, about themselves
    SERVICE = "service"  # the whole service
    PROJECT = "project"  # one project
    OWN = "own"  # a request of a project that is the caller's: they asked for it, or receive it


class Trace(StrEnum):
    """What the log gets to know of an act that was allowed. A refusal is always written."""

    NOTHING = "nothing"  # reading what holds no rows
    ONCE = "once"  # rows were looked at, or something was handed out: one line, before it happens
    TWICE = "twice"  # something changes: a line before it begins, and one when it has ended


REQUESTER, STEWARD, REVIEWER, RECIPIENT, AUDITOR, ADMINISTRATOR = ServiceRole
OF_PROJECTS = (REQUESTER, STEWARD, REVIEWER, RECIPIENT)  # the roles that somebody has in one project
OF_SERVICE = (AUDITOR, ADMINISTRATOR)
EVERYBODY = tuple(ServiceRole)


class Act(StrEnum):
    """Everything that can be done, by name."""

    HEALTH = "health"
    SIGN_IN = "sign-in"
    METRICS = "metrics.read"
    SELF_READ = "self.read"
    SELF_CHANGE = "self.change"
    ACCOUNT_READ = "account.read"
    ACCOUNT_CHANGE = "account.change"
    CONNECTION_READ = "connection.read"
    CONNECTION_CHANGE = "connection.change"
    PROJECT_CREATE = "project.create"
    MEMBER_READ = "member.read"
    MEMBER_CHANGE = "member.change"
    PROJECT_LIST = "project.list"
    PROJECT_READ = "project.read"
    PROJECT_CHANGE = "project.change"
    VERSION_READ = "version.read"
    KEY_READ = "key.read"
    SOURCE_READ = "source.read"
    SOURCE_CHANGE = "source.change"
    ROWS_VIEW = "rows.view"
    RUN_READ = "run.read"
    RUN_START = "run.start"
    RUN_CANCEL = "run.cancel"
    RESULT_READ = "result.read"
    LIVE_OPEN = "live.open"
    LIVE_ASK = "live.ask"
    REQUEST_CREATE = "request.create"
    REQUEST_READ = "request.read"
    REQUEST_READ_OWN = "request.read-own"
    REQUEST_WITHDRAW = "request.withdraw"
    REQUEST_PREPARE = "request.prepare"
    REQUEST_REJECT = "request.reject"
    REQUEST_SUBMIT = "request.submit"
    REVIEW_READ = "review.read"
    REVIEW_ROWS = "review.rows"
    VOTE = "review.vote"
    COMMENT = "review.comment"
    RELEASE = "request.release"
    REVOKE = "request.revoke"
    DOWNLOAD = "package.download"
    USE_REPORT = "package.report-use"
    LOG_READ = "log.read"
    LOG_VERIFY = "log.verify"


@dataclass(frozen=True)
class Permission:
    """One row of the table: who may do it, of what it is, what the log gets to know, and the act in words."""

    act: Act
    roles: tuple[ServiceRole, ...]
    scope: Scope
    trace: Trace
    words: str


TABLE: tuple[Permission, ...] = (
    Permission(Act.HEALTH, EVERYBODY, Scope.PUBLIC, Trace.NOTHING, "see whether the service is up"),
    Permission(Act.SIGN_IN, EVERYBODY, Scope.PUBLIC, Trace.TWICE, "sign in"),
    Permission(Act.METRICS, OF_SERVICE, Scope.SERVICE, Trace.NOTHING, "read the metrics of the service"),
    Permission(Act.SELF_READ, EVERYBODY, Scope.SELF, Trace.NOTHING, "see their own account, sessions, tokens, notices"),
    Permission(Act.SELF_CHANGE, EVERYBODY, Scope.SELF, Trace.TWICE, "change their own password, second factor, tokens"),
    Permission(Act.ACCOUNT_READ, (ADMINISTRATOR,), Scope.SERVICE, Trace.NOTHING, "see accounts"),
    Permission(Act.ACCOUNT_CHANGE, (ADMINISTRATOR,), Scope.SERVICE, Trace.TWICE, "create, change and close accounts"),
    Permission(Act.CONNECTION_READ, (ADMINISTRATOR,), Scope.SERVICE, Trace.NOTHING, "see the names of connections"),
    Permission(Act.CONNECTION_CHANGE, (ADMINISTRATOR,), Scope.SERVICE, Trace.TWICE, "name databases and their secrets"),
    Permission(Act.PROJECT_CREATE, (ADMINISTRATOR,), Scope.SERVICE, Trace.TWICE, "create projects, name their people"),
    Permission(Act.MEMBER_READ, (STEWARD, ADMINISTRATOR), Scope.PROJECT, Trace.NOTHING, "see who has which role"),
    Permission(Act.MEMBER_CHANGE, (ADMINISTRATOR,), Scope.PROJECT, Trace.TWICE, "give and take roles"),
    Permission(Act.PROJECT_LIST, EVERYBODY, Scope.SELF, Trace.NOTHING, "list the projects in which they have a role"),
    Permission(Act.PROJECT_READ, OF_PROJECTS, Scope.PROJECT, Trace.NOTHING, "see the name and settings of a project"),
    Permission(Act.PROJECT_CHANGE, (STEWARD,), Scope.PROJECT, Trace.TWICE, "change a project, and undo changes"),
    Permission(Act.VERSION_READ, (STEWARD, REVIEWER), Scope.PROJECT, Trace.NOTHING, "read versions and differences"),
    Permission(Act.KEY_READ, (STEWARD,), Scope.PROJECT, Trace.ONCE, "take out the key by which a project draws"),
    Permission(Act.SOURCE_READ, (STEWARD, REVIEWER), Scope.PROJECT, Trace.NOTHING, "see names and sizes of sources"),
    Permission(Act.SOURCE_CHANGE, (STEWARD,), Scope.PROJECT, Trace.TWICE, "register, upload and delete sources"),
    Permission(Act.ROWS_VIEW, (STEWARD,), Scope.PROJECT, Trace.ONCE, "look at rows of sources, flagged records"),
    Permission(Act.RUN_READ, (STEWARD, REVIEWER), Scope.PROJECT, Trace.NOTHING, "follow runs"),
    Permission(Act.RUN_START, (STEWARD,), Scope.PROJECT, Trace.TWICE, "run a verb"),
    Permission(Act.RUN_CANCEL, (STEWARD,), Scope.PROJECT, Trace.TWICE, "cancel a run"),
    Permission(Act.RESULT_READ, (STEWARD,), Scope.PROJECT, Trace.ONCE, "open the results of a run"),
    Permission(Act.LIVE_OPEN, (STEWARD,), Scope.PROJECT, Trace.ONCE, "begin to ask what levels and bounds would do"),
    Permission(Act.LIVE_ASK, (STEWARD,), Scope.PROJECT, Trace.NOTHING, "ask on, once that has begun"),
    Permission(Act.REQUEST_CREATE, (REQUESTER,), Scope.PROJECT, Trace.TWICE, "ask for data"),
    Permission(Act.REQUEST_READ, (STEWARD, REVIEWER), Scope.PROJECT, Trace.NOTHING, "see the requests of a project"),
    Permission(Act.REQUEST_READ_OWN, (REQUESTER, RECIPIENT), Scope.OWN, Trace.NOTHING, "follow their own requests"),
    Permission(Act.REQUEST_WITHDRAW, (REQUESTER,), Scope.OWN, Trace.TWICE, "withdraw their own request"),
    Permission(Act.REQUEST_PREPARE, (STEWARD,), Scope.PROJECT, Trace.TWICE, "take up a request"),
    Permission(Act.REQUEST_REJECT, (STEWARD,), Scope.PROJECT, Trace.TWICE, "reject a request, with a reason"),
    Permission(Act.REQUEST_SUBMIT, (STEWARD,), Scope.PROJECT, Trace.TWICE, "submit a release for review"),
    Permission(Act.REVIEW_READ, (STEWARD, REVIEWER), Scope.PROJECT, Trace.ONCE, "read plan, evidence and report"),
    Permission(Act.REVIEW_ROWS, (STEWARD, REVIEWER), Scope.PROJECT, Trace.ONCE, "look at released rows, where allowed"),
    Permission(Act.VOTE, (REVIEWER,), Scope.PROJECT, Trace.TWICE, "vote on a release that is not their own"),
    Permission(Act.COMMENT, (STEWARD, REVIEWER), Scope.PROJECT, Trace.TWICE, "comment on a column or a figure"),
    Permission(Act.RELEASE, (STEWARD,), Scope.PROJECT, Trace.TWICE, "release what was approved"),
    Permission(Act.REVOKE, (STEWARD,), Scope.PROJECT, Trace.TWICE, "stop further downloads of a release"),
    Permission(Act.DOWNLOAD, (RECIPIENT,), Scope.OWN, Trace.TWICE, "download the package that was released to them"),
    Permission(Act.USE_REPORT, (RECIPIENT,), Scope.OWN, Trace.TWICE, "report what became of a package they received"),
    Permission(Act.LOG_READ, (AUDITOR,), Scope.SERVICE, Trace.NOTHING, "read and export the log"),
    Permission(Act.LOG_VERIFY, (AUDITOR,), Scope.SERVICE, Trace.NOTHING, "verify the log"),
)  # fmt: skip
ROWS = {row.act: row for row in TABLE}
