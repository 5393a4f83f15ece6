"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from sfumato.service.entities import UtcTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One step forward."""
    op.create_table(
        "account",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("shown_name", sa.String(length=200), nullable=False),
        sa.Column("mail", sa.String(length=200), nullable=True),
        sa.Column("identity", sa.String(length=200), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("second_factor", sa.LargeBinary(), nullable=True),
        sa.Column("second_factor_confirmed", sa.Boolean(), nullable=False),
        sa.Column("last_code_step", sa.BigInteger(), nullable=False),
        sa.Column("issuer", sa.String(length=200), nullable=True),
        sa.Column("subject", sa.String(length=200), nullable=True),
        sa.Column("administrator", sa.Boolean(), nullable=False),
        sa.Column("auditor", sa.Boolean(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("handle"),
        sa.UniqueConstraint("issuer", "subject"),
        sa.UniqueConstraint("name"),
    )
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_account_identity"), ["identity"], unique=False)
        batch_op.create_index(batch_op.f("ix_account_mail"), ["mail"], unique=False)

    op.create_table(
        "connection",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=200), nullable=False),
        sa.Column("url", sa.LargeBinary(), nullable=False),
        sa.Column("projects", sa.JSON(), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("handle"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "pending_sign_in",
        sa.Column("state", sa.String(length=64), nullable=False),
        sa.Column("nonce", sa.String(length=200), nullable=False),
        sa.Column("verifier", sa.LargeBinary(), nullable=False),
        sa.Column("browser", sa.String(length=64), nullable=False),
        sa.Column("expires", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("state"),
    )
    op.create_table(
        "project",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("reviewers", sa.Integer(), nullable=False),
        sa.Column("rows_for_reviewers", sa.Boolean(), nullable=False),
        sa.Column("days_of_download", sa.Integer(), nullable=False),
        sa.Column("keep_sources_days", sa.Integer(), nullable=True),
        sa.Column("keep_results_days", sa.Integer(), nullable=True),
        sa.Column("releases_per_source", sa.Integer(), nullable=True),
        sa.Column("current", sa.Integer(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("handle"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "sign_in_failure",
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "answered",
        sa.Column("account", sa.String(length=26), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("question", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("body", sa.JSON(), nullable=True),
        sa.Column("created", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"],
            ["account.handle"],
        ),
        sa.PrimaryKeyConstraint("account", "key"),
    )
    op.create_table(
        "membership",
        sa.Column("project", sa.String(length=26), nullable=False),
        sa.Column("account", sa.String(length=26), nullable=False),
        sa.Column("role", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["project"],
            ["project.handle"],
        ),
        sa.PrimaryKeyConstraint("project", "account", "role"),
    )
    with op.batch_alter_table("membership", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_membership_account"), ["account"], unique=False)

    op.create_table(
        "notice",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("account", sa.String(length=26), nullable=False),
        sa.Column("kind", sa.String(length=200), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("project", sa.String(length=26), nullable=True),
        sa.Column("request", sa.String(length=26), nullable=True),
        sa.Column("run", sa.String(length=26), nullable=True),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("read", UtcTime(), nullable=True),
        sa.Column("sent", UtcTime(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt", UtcTime(), nullable=True),
        sa.Column("sent_by", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["project"],
            ["project.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
    )
    with op.batch_alter_table("notice", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_notice_account"), ["account"], unique=False)
        batch_op.create_index(batch_op.f("ix_notice_project"), ["project"], unique=False)

    op.create_table(
        "one_time_link",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=200), nullable=False),
        sa.Column("account", sa.String(length=26), nullable=True),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("expires", UtcTime(), nullable=False),
        sa.Column("used", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account"],
            ["account.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
        sa.UniqueConstraint("hash"),
    )
    with op.batch_alter_table("one_time_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_one_time_link_account"), ["account"], unique=False)

    op.create_table(
        "sign_in_session",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=26), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("last_used", UtcTime(), nullable=False),
        sa.Column("expires", UtcTime(), nullable=False),
        sa.Column("address", sa.String(length=200), nullable=False),
        sa.Column("second_factor_passed", sa.Boolean(), nullable=False),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"],
            ["account.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
        sa.UniqueConstraint("hash"),
    )
    with op.batch_alter_table("sign_in_session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_in_session_account"), ["account"], unique=False)

    op.create_table(
        "source",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("project", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=200), nullable=False),
        sa.Column("root", sa.String(length=200), nullable=True),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("connection", sa.String(length=26), nullable=True),
        sa.Column("table", sa.String(length=200), nullable=True),
        sa.Column("hash", sa.String(length=64), nullable=True),
        sa.Column("bytes", sa.BigInteger(), nullable=True),
        sa.Column("author", sa.String(length=26), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("deleted", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["author"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["connection"],
            ["connection.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["project"],
            ["project.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
    )
    with op.batch_alter_table("source", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_source_connection"), ["connection"], unique=False)
        batch_op.create_index(batch_op.f("ix_source_project"), ["project"], unique=False)
        batch_op.create_index("source_name", ["project", "name"], unique=False)

    op.create_table(
        "token",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=26), nullable=False),
        sa.Column("label", sa.String(length=200), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("project", sa.String(length=26), nullable=True),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("expires", UtcTime(), nullable=False),
        sa.Column("last_used", UtcTime(), nullable=True),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["project"],
            ["project.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
        sa.UniqueConstraint("hash"),
    )
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_account"), ["account"], unique=False)
        batch_op.create_index(batch_op.f("ix_token_project"), ["project"], unique=False)

    op.create_table(
        "upload",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("project", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(length=26), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("expires", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["project"],
            ["project.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
    )
    with op.batch_alter_table("upload", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_upload_project"), ["project"], unique=False)

    op.create_table(
        "version",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("project", sa.String(length=26), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("author", sa.String(length=26), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("run", sa.String(length=26), nullable=True),
        sa.Column("created", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["project"],
            ["project.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
        sa.UniqueConstraint("project", "number"),
    )
    op.create_table(
        "run",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("project", sa.String(length=26), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=26), nullable=True),
        sa.Column("verb", sa.String(length=200), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=200), nullable=False),
        sa.Column("author", sa.String(length=26), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("started", UtcTime(), nullable=True),
        sa.Column("ended", UtcTime(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=200), nullable=True),
        sa.Column("lease", UtcTime(), nullable=True),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("cancel", sa.Boolean(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("exit_code", sa.Integer(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("expires", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["author"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["project"],
            ["project.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["source"],
            ["source.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
    )
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_run_author"), ["author"], unique=False)
        batch_op.create_index(batch_op.f("ix_run_project"), ["project"], unique=False)
        batch_op.create_index(batch_op.f("ix_run_source"), ["source"], unique=False)
        batch_op.create_index("run_queue", ["state", "author", "created", "handle"], unique=False)

    op.create_table(
        "request",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("project", sa.String(length=26), nullable=False),
        sa.Column("requester", sa.String(length=26), nullable=False),
        sa.Column("recipient", sa.String(length=26), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("columns", sa.JSON(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("grade", sa.String(length=200), nullable=True),
        sa.Column("state", sa.String(length=200), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(length=26), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("package_hash", sa.String(length=64), nullable=True),
        sa.Column("summary", sa.JSON(), nullable=True),
        sa.Column("votes_needed", sa.Integer(), nullable=False),
        sa.Column("preparers", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.Column("changed", UtcTime(), nullable=False),
        sa.Column("released", UtcTime(), nullable=True),
        sa.Column("expires", UtcTime(), nullable=True),
        sa.Column("downloads", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project"],
            ["project.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["recipient"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["requester"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["run"],
            ["run.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
    )
    with op.batch_alter_table("request", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_request_project"), ["project"], unique=False)
        batch_op.create_index(batch_op.f("ix_request_recipient"), ["recipient"], unique=False)
        batch_op.create_index(batch_op.f("ix_request_requester"), ["requester"], unique=False)
        batch_op.create_index(batch_op.f("ix_request_run"), ["run"], unique=False)
        batch_op.create_index(batch_op.f("ix_request_state"), ["state"], unique=False)

    op.create_table(
        "comment",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("request", sa.String(length=26), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("author", sa.String(length=26), nullable=False),
        sa.Column("about", sa.String(length=200), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revealed", sa.Boolean(), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author"],
            ["account.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["request"],
            ["request.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
    )
    with op.batch_alter_table("comment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_comment_request"), ["request"], unique=False)

    op.create_table(
        "vote",
        sa.Column("handle", sa.String(length=26), nullable=False),
        sa.Column("request", sa.String(length=26), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.String(length=26), nullable=False),
        sa.Column("package_hash", sa.String(length=64), nullable=False),
        sa.Column("verdict", sa.String(length=200), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("revealed", sa.Boolean(), nullable=False),
        sa.Column("created", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["request"],
            ["request.handle"],
        ),
        sa.ForeignKeyConstraint(
            ["reviewer"],
            ["account.handle"],
        ),
        sa.PrimaryKeyConstraint("handle"),
        sa.UniqueConstraint("request", "round", "reviewer"),
    )
    with op.batch_alter_table("vote", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_vote_request"), ["request"], unique=False)
