"""Relations: the tables and views of a database, and which of them is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.errors import UnreadableFile, did_you_mean
from sfumato.tables.engine import quoted

SHOWN = 20


@dataclass(frozen=True)
class Relation:
    """A table or a view, by name. Names are what the catalogue says, never what a person typed."""

    schema: str
    name: str
    usual: bool = True  # in the schema that needs no mention

    def __str__(self) -> str:
        return self.name if self.usual else f"{self.schema}.{self.name}"

    @property
    def sql(self) -> str:
        """The name in SQL, each part in quotes."""
        return f"{quoted(self.schema)}.{quoted(self.name)}"

    @property
    def spellings(self) -> set[str]:
        """Every way in which a person may write the name."""
        names, schemas = (self.name, quoted(self.name)), (self.schema, quoted(self.schema))
        return {*names, *(f"{schema}.{name}" for schema in schemas for name in names)}


def chosen(source: str, relations: Sequence[Relation], table: str | None) -> Relation:
    """The relation with the name, or the only one there is; `UnreadableFile` lists them when unclear."""
    if not relations:
        raise UnreadableFile(source, "the database has no tables.")
    if table is None:
        if len(relations) == 1:
            return relations[0]
        hint = "Name one of them with --table, or give a SELECT with --query."
        raise UnreadableFile(source, f"the database has several tables: {_named(relations)}.", hint=hint)
    found = [relation for relation in relations if table in relation.spellings]
    found = [relation for relation in found if relation.usual] or found
    if len(found) == 1:
        return found[0]
    if found:
        raise UnreadableFile(source, f"several schemas have a table {table!r}: {_named(found)}.")
    raise UnreadableFile(source, f"there is no table {table!r}.{did_you_mean(table, map(str, relations))}")


def _named(relations: Sequence[Relation]) -> str:
    names = sorted(map(str, relations))
    return ", ".join(map(repr, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")


def masked(url: str) -> str:
    """A database URL without its password.

    >>> masked("postgresql://alice:s3/cr@t@host:5432/study?password=x&sslmode=require")
    'postgresql://alice:***@host:5432/study?password=***&sslmode=require'
    """
    url = re.sub(r"(?i)([?&][a-z]*password=)[^&]*", r"\1***", url)
    scheme, _, rest = url.partition("://")
    login, at, place = rest.rpartition("@")
    user, colon, _ = login.partition(":")
    return f"{scheme}://{user}{':***' if colon else ''}{at}{place}"
