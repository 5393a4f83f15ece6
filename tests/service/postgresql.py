"""A PostgreSQL server of the tests' own, for the tests of the service."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.tables.read.conftest import Server, server

__all__ = ["a_database", "server"]


@pytest.fixture
def a_database(server: Server, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a fresh database."""
    name = f"service_{abs(hash(request.node.nodeid)) % 10**9}"
    server.run("postgres", f"CREATE DATABASE {name}")
    yield server.url(name)
    server.run("postgres", f"DROP DATABASE {name} WITH (FORCE)")
