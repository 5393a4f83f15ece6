"""Migrations: the tables of any older form become the newest, with what is in them; a newer form is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import JSON, Boolean, DateTime, Integer, LargeBinary, MetaData, Table, inspect, select, text
from tests.service.postgresql import a_database, server  # noqa: F401

from sfumato.service.database import ServiceDatabase
from sfumato.service.entities import Entity, Run
from sfumato.service.migrations import NewerTables, revisions, upgrade
from sfumato.service.run_queue import people_waiting

TIME = datetime(2026, 11, 17, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database(request, tmp_path):
    """An empty database of either kind."""
    url = request.getfixturevalue("a_database") if request.param == "postgresql" else f"sqlite:///{tmp_path}/a.sqlite"
    opened = ServiceDatabase(url)
    yield opened
    opened.close()


def differences(database: ServiceDatabase) -> list:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, Entity.metadata)


def test_a_fresh_database_is_what_the_entities_say(database):
    database.prepare()
    assert differences(database) == []


def test_a_second_start_changes_nothing(database):
    database.prepare()
    before = inspect(database.engine).get_table_names()
    database.prepare()
    assert inspect(database.engine).get_table_names() == before


def a_row(table: Table) -> dict:
    """A row in which every column has something."""
    kinds = {Boolean: True, Integer: 1, DateTime: TIME, LargeBinary: b"a", JSON: {"a": [1]}}
    row = {}
    for column in table.columns:
        if column.foreign_keys:
            target = next(iter(column.foreign_keys)).column
            row[column.name] = f"{target.table.name}"[: getattr(column.type, "length", None) or 200]
        elif column.primary_key and not isinstance(column.type, Integer):
            row[column.name] = table.name
        else:
            row[column.name] = next((value for kind, value in kinds.items() if isinstance(column.type, kind)), "a")
    return row


@pytest.mark.parametrize("revision", revisions())
def test_tables_of_every_older_form_become_the_newest_with_the_rows_that_are_in_them(database, revision):
    upgrade(database.writer, revision)
    metadata = MetaData()
    metadata.reflect(database.engine)
    tables = [table for table in metadata.sorted_tables if table.name != "alembic_version"]
    assert len(tables) > 10
    with database.writer.begin() as connection:
        for table in tables:
            connection.execute(table.insert(), a_row(table))
    before = rows_of(database, tables)
    assert {name: len(rows) for name, rows in before.items()} == {table.name: 1 for table in tables}
    upgrade(database.writer)
    assert differences(database) == []
    assert rows_of(database, tables) == before


def rows_of(database: ServiceDatabase, tables: list[Table]) -> dict[str, list[tuple]]:
    """What is in tables, in the columns that they have had."""
    with database.engine.connect() as connection:
        return {table.name: [tuple(row) for row in connection.execute(select(table))] for table in tables}


def test_runs_of_the_first_form_wait_for_their_turn_as_they_did(database):
    """Before turns were counted: none has had one, and the next claim begins to count."""
    upgrade(database.writer, "0001")
    metadata = MetaData()
    metadata.reflect(database.engine)
    with database.writer.begin() as connection:
        for name in ("account", "project", "connection", "source"):
            connection.execute(metadata.tables[name].insert(), a_row(metadata.tables[name]))
        for number in (1, 2):
            row = {**a_row(metadata.tables["run"]), "handle": f"run{number}", "state": "queued"}
            connection.execute(metadata.tables["run"].insert(), row)
    upgrade(database.writer)
    with database.writing() as session:
        assert sorted(session.execute(select(Run.handle, Run.turn)).all()) == [("run1", 0), ("run2", 0)]
        assert session.scalars(people_waiting(2)).all() == ["account"]


def test_two_starts_at_once_do_not_collide(database):
    others = [ServiceDatabase(database.url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(other.prepare) for other in others]:
            done.result()
    for other in others:
        other.close()
    assert differences(database) == []


def test_a_database_of_a_newer_version_is_refused_in_a_sentence_and_left_as_it_is(database):
    database.prepare()
    with database.writer.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerTables, match="written by a newer version of Sfumato"):
        database.prepare()
    with database.engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
