"""Domains of one study, combined into one table with one row a subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sfumato.errors import SchemaError
from sfumato.outputs import whole
from sfumato.studies.sdtm.domain import SUBJECT, Domain, IdRule, Pivot
from sfumato.studies.sdtm.pivot import SubjectRows, subject_rows
from sfumato.tables.engine import Engine, Table, quoted

DEFAULT = "default"  # the setting of the domains that have none of their own
UNINFORMATIVE = ("STUDYID", "DOMAIN", "--SEQ")  # the same for everybody, or a counter


@dataclass(frozen=True)
class CombinationRules:
    """How domains become one table: a rule for each, and the columns that nobody needs."""

    pivots: Mapping[str, Pivot] = field(default_factory=dict)
    id_rules: Mapping[str, IdRule] = field(default_factory=dict)
    drop_columns: tuple[str, ...] = UNINFORMATIVE

    def pivot(self, domain: str) -> Pivot:
        """How a domain becomes one row a subject."""
        return self.pivots.get(domain) or self.pivots.get(DEFAULT) or Pivot()

    def id_rule(self, domain: str) -> IdRule | None:
        """How the identifiers of a domain are made; None: as they stand."""
        return self.id_rules.get(domain) or self.id_rules.get(DEFAULT)

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """What is set for a domain of its own, by key and domain."""
        rules = {"pivot": self.pivots, "id_rule": self.id_rules}
        return tuple((key, domain) for key, by_domain in rules.items() for domain in by_domain if domain != DEFAULT)

    def dropped(self, domain: str, column: str) -> bool:
        """Whether a column goes, by its own name (AGE), its full name (DM__AGE) or its variable (--SEQ)."""
        own = column.removeprefix(f"{domain}__").upper()
        codes = (domain, domain[:2])
        names = {name.replace("--", code, 1).upper() for name in self.drop_columns for code in codes}
        return own in names or column.upper() in names


@dataclass(frozen=True)
class CombinedTable:
    """The table, what a person should know about how it was made, and the file that holds a copy."""

    table: Table
    notes: tuple[str, ...] = ()
    path: Path | None = None


def combine(domains: Sequence[Domain], how: CombinationRules) -> CombinedTable:
    """Join the domains on the subject. Nobody vanishes: a subject of any domain is in the table."""
    engine = domains[0].table.engine
    parts = [subject_rows(domain, how.pivot(domain.name)) for domain in domains]
    kept = [(part, column) for part in parts for column in part.columns if not how.dropped(part.name, column)]
    _require_distinct([column for _, column in kept])
    table = engine.query(_joined(parts, [f"{part.table}.{quoted(column)}" for part, column in kept]))
    notes = [_merging(domain) for domain in domains if domain.merged]
    notes += [note for part in parts for note in (*part.notes, *_lacking(part, table))]
    engine.drop(*(part.table for part in parts))
    return CombinedTable(table, tuple(notes))


def write_whole(engine: Engine, table: Table, path: Path) -> Path:
    """Write the table by subject, whole or not at all."""
    with whole(path.parent, private=True) as draft:
        engine.write(f"SELECT * FROM {table} ORDER BY {quoted(SUBJECT)}", draft / path.name)
    return path


def _joined(parts: Sequence[SubjectRows], columns: Sequence[str]) -> str:
    """Every subject of every domain with all that is known of them: a full outer join of many tables."""
    everybody = " UNION ".join(f"SELECT subject FROM {part.table}" for part in parts)
    joins = "\n".join(f"LEFT JOIN {part.table} USING (subject)" for part in parts)
    selected = ", ".join([f"subject AS {quoted(SUBJECT)}", *columns])
    return f"""
        WITH everybody AS ({everybody})
        SELECT {selected}
        FROM everybody
        {joins}
        ORDER BY subject
    """


def _require_distinct(columns: Sequence[str]) -> None:
    names: dict[str, str] = {}
    for column in columns:
        name = column.casefold()
        if name in names:
            raise SchemaError(
                f"The columns {names[name]!r} and {column!r} of two domains would be one. Rename a file or column."
            )
        names[name] = column


def _merging(domain: Domain) -> str:
    return f"{domain.name}: the rule for identifiers left {domain.merged} subjects fewer than the file has."


def _lacking(part: SubjectRows, table: Table) -> tuple[str, ...]:
    subjects, present = table.count(), part.table.count()
    if subjects == present:
        return ()
    return (f"{part.name}: {subjects - present} of {subjects} subjects have no row in this domain.",)
