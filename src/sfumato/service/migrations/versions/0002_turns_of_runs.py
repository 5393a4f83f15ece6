"""Turns of runs: whose run was taken up last, so that nobody waits for all that somebody else has queued."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Every run so far counts as never taken up: then who waits longest is next, as before."""
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.add_column(sa.Column("turn", sa.BigInteger(), nullable=False, server_default="0"))
        batch_op.create_index("run_turns", ["turn"], unique=False)
        batch_op.create_index("run_turns_of_people", ["author", "turn"], unique=False)
