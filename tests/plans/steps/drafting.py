"""Drafts of made-up columns, what a plan gives a step, and what a step made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pyarrow as pa

from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources
from sfumato.secrets import Secrets
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Column, Extract


@dataclass(frozen=True)
class GivenSecrets(Secrets):
    """Secrets that a test gives."""

    words: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, name):
        return self.words[name].encode()


def key_of(project):
    """The key of a project that a test makes up."""
    return sha256(project.encode()).digest()


def resources(step="step", project="one", **secrets):
    """What a plan gives a step."""
    return Resources(step, Path(), GivenSecrets(words=secrets), lambda: key_of(project))


RESOURCES = resources()


def drafted(engine, columns, **given):
    """A draft of made-up columns, with a subject or roles."""
    table = engine.load(pa.table(columns))
    found = tuple(Column(name, kind, "") for name, kind in table.kinds.items())
    return Draft.of(Extract("made up", table, found), **given)


def made_up(columns, engine=None, subject=None):
    """The same, on an engine of its own where none is given."""
    return drafted(engine or DuckDB(), columns, subject=subject)


def column(draft, name):
    """The values of one column, as the engine gives them."""
    place = draft.names.index(name)
    return [row[place] for row in draft.engine.fetch(draft.select())]


def values(draft, *columns):
    """The released values of one column, or of several as rows."""
    found = draft.engine.arrow(draft.select())
    lists = [found.column(name).to_pylist() for name in columns]
    return lists[0] if len(columns) == 1 else list(zip(*lists, strict=True))
