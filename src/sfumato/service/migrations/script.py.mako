"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sfumato.service.entities import UtcTime

${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One step forward."""
    ${upgrades if upgrades else "pass"}
