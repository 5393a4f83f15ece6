"""Migrations: the tables of the database, brought from any older form to the newest, step by step (Alembic)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Engine

if TYPE_CHECKING:
    from alembic.config import Config


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
    with engine.execution_options(writes=True).begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7355)")  # any number, the same for all of us
        config.attributes["connection"] = connection
        command.upgrade(config, to)
