"""Migrations: the tables of the database, brought from any older form to the newest, step by step (Alembic)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine

from sfumato.errors import SfumatoError

if TYPE_CHECKING:
    from alembic.config import Config


class NewerTables(SfumatoError):
    """The database has a form that this version does not know: a newer one has been at work on it."""


def configuration() -> Config:
    """Where Alembic finds the steps."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return config


def upgrade(engine: Engine, to: str = "head") -> None:
    """Bring the tables to a form, the newest if none is named. Two that start at once do it one after the other."""
    from alembic import command

    config = configuration()
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7355)")  # any number, the same for all of us
        _refuse_newer(connection, config)
        config.attributes["connection"] = connection
        command.upgrade(config, to)


def has_form(connection: Connection) -> bool:
    """Whether a database has tables of a service, in whatever form."""
    from alembic.migration import MigrationContext

    return bool(MigrationContext.configure(connection).get_current_heads())


def revisions() -> list[str]:
    """All forms that tables have had, the oldest first."""
    from alembic.script import ScriptDirectory

    return [step.revision for step in ScriptDirectory.from_config(configuration()).walk_revisions()][::-1]


def _refuse_newer(connection: Connection, config: Config) -> None:
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    here = set(MigrationContext.configure(connection).get_current_heads())
    if here - known:
        raise NewerTables(
            "The database was written by a newer version of Sfumato, whose tables this one does not know. Install that "
            "version, or restore a backup that was made before."
        )
