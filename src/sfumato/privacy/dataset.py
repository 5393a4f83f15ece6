"""A dataset: a table that knows what its columns mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sfumato.errors import SchemaError, UnknownColumn, WrongScale
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.bins import Bins
from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.partition import members
from sfumato.schema import Missing, Role, Scale, Schema
from sfumato.tables.engine import Kind, Table, listed, one_value, quoted, unused


@dataclass(frozen=True)
class Dataset:
    """A table, the meaning of its columns, and who the records are about.

    With a `subject` column the members of a class are persons, and not rows. `missing` says how
    a missing quasi-identifier compares; `separator` stands between the ends of an interval label.
    """

    table: Table
    schema: Schema
    subject: str | None = None
    missing: Missing = Missing.OWN_VALUE
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    separator: str = "--"
    population: Table | None = None  # everybody of whom the records are a sample, with the same quasi-identifiers

    @classmethod
    def of(cls, table: Table, roles: Mapping[str, str] | None = None, *, subject: str | None = None) -> Dataset:
        """A dataset in which a column without a role is non-sensitive, and numbers are numeric."""
        schema = Schema.of(table.columns).with_roles(roles or {})
        scales = {column: {"scale": _scale(kind)} for column, kind in table.kinds.items()}
        return cls(table, schema.with_attributes(scales), subject)

    def with_roles(self, roles: Mapping[str, str]) -> Dataset:
        """The same rows, understood differently."""
        return replace(self, schema=self.schema.with_roles(roles))

    def with_population(self, population: Table) -> Dataset:
        """The same rows, as a sample of a population whose table has the same quasi-identifiers."""
        return replace(self, population=population)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The columns that identify together; at least one is needed."""
        return self.schema.require(Role.QUASI, needed_for="An equivalence class")

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The columns that an attacker would like to learn."""
        return self.schema.columns_with(Role.SENSITIVE)

    def classes(self) -> EquivalenceClasses:
        """The equivalence classes of the records on the quasi-identifiers."""
        self.table.engine.expect(self.table)
        classes = EquivalenceClasses.of(
            self.records(),
            quasi_identifiers=self.quasi_identifiers,
            sensitive={name: self.table.kinds[name] for name in self.sensitive},
            orders={a.name: a.order for a in self.schema if a.order},
            persons=self.subject is not None,
            missing=self.missing,
            separator=self.separator,
        )
        return replace(classes, population=self.everybody().combinations) if self.population else classes

    def combinations(self) -> str:
        """How many members have each combination of quasi-identifiers: a SELECT of k1, k2, ... and size."""
        keys = listed(f"k{i}" for i in range(1, len(self.quasi_identifiers) + 1))
        counted = members(persons=self.subject is not None)
        return f"SELECT {keys}, {counted} AS size FROM {self.records()} GROUP BY {keys}"

    def records(self) -> Table:
        """The records under neutral names: k1, k2, ... as used, v1, v2, ... and the person.

        Here the names that came with the data stop: a column may be called `size` or `class_id`.
        """
        self._check()
        engine, source, joins = self.table.engine, self.table, ""
        columns = [f"{self.used(name)} AS k{i}" for i, name in enumerate(self.quasi_identifiers, 1)]
        columns += [f"{self._value(name)} AS v{i}" for i, name in enumerate(self.sensitive, 1)]
        if self.subject is not None:
            columns.append(f"record.{quoted(self.subject)} AS person")
        if self._recoded():
            # A join may change the order of the records, so they are numbered before it.
            number = unused("number", self.table.columns.__contains__)
            source = engine.numbered(f"SELECT * FROM {self.table}", number, held=False)
            columns.append(f"record.{quoted(number)} AS record")
        for name in self._recoded():
            levels = engine.load(self.hierarchies[name].at_level(self.schema[name].level))
            joins += f" LEFT JOIN {levels} AS {_recoding(self, name)} ON {_recoding(self, name)}.value = "
            joins += f"CAST(record.{quoted(name)} AS VARCHAR)"
        return engine.view(f"SELECT {listed(columns)} FROM {source} AS record{joins}")

    def used(self, column: str) -> str:
        """A quasi-identifier as it is compared, as SQL over `record`: raw, in bins, or at a level."""
        attribute, raw = self.schema[column], self._value(column)
        if attribute.bins:
            return Bins(attribute.bins, self.separator).of(raw)
        return f"{_recoding(self, column)}.label" if column in self._recoded() else raw

    def everybody(self) -> Dataset:
        """The population, read as the records are; its rows are persons unless it has the subject column too."""
        table = self.population
        assert table is not None
        for column in self.quasi_identifiers:
            _check_alike(column, self.table, table)
        schema = Schema(tuple(self.schema[column] for column in self.quasi_identifiers))
        subject = self.subject if self.subject in table.columns else None
        return replace(self, table=table, schema=schema, subject=subject, population=None)

    def _value(self, column: str) -> str:
        return one_value(f"record.{quoted(column)}", self.table.kinds[column])

    def _recoded(self) -> tuple[str, ...]:
        return tuple(name for name in self.quasi_identifiers if name in self.hierarchies and self.schema[name].level)

    def _check(self) -> None:
        kinds = self.table.kinds
        for column in (*self.quasi_identifiers, *self.sensitive, *([self.subject] if self.subject else [])):
            if column not in kinds:
                raise UnknownColumn(column, kinds)
        for attribute in self.schema:
            if attribute.bins and not kinds[attribute.name].numeric:
                raise WrongScale(
                    f"Column {attribute.name!r} has bins but holds {kinds[attribute.name]}. Bins need numbers: "
                    f"clean the column, read it with type: number, or leave the bins out."
                )
        for column in self._recoded():
            self._check_hierarchy(column)

    def _check_hierarchy(self, column: str) -> None:
        engine, text = self.table.engine, f"CAST(record.{quoted(column)} AS VARCHAR)"
        # A table, not a list in the query: a dictionary of codes has a hundred thousand.
        known = f"SELECT value FROM {engine.load(self.hierarchies[column].at_level(0))} WHERE value IS NOT NULL"
        lacking = engine.fetch(
            f"SELECT count(DISTINCT {text}) FROM {self.table} AS record WHERE {text} NOT IN ({known})"
        )[0][0]
        if lacking:
            raise WrongScale(
                f"Column {column!r} has {lacking} value{'s' if lacking > 1 else ''} that its hierarchy lacks. "
                f"Add a line for each to the hierarchy file."
            )


def _recoding(dataset: Dataset, column: str) -> str:
    return f"h{dataset.quasi_identifiers.index(column) + 1}"


def _scale(kind: Kind) -> Scale:
    if kind.numeric:
        return Scale.NUMERIC
    return Scale.DATE if kind in (Kind.DATE, Kind.TIMESTAMP) else Scale.NOMINAL


def _check_alike(column: str, sample: Table, population: Table) -> None:
    """Refuse a population whose values could not be compared with those of the sample."""
    if population.engine is not sample.engine:
        raise SchemaError("The population and the sample are in different engines. Load both into the same one.")
    if column not in population.kinds:
        raise SchemaError(f"The population has no column {column!r}, which is a quasi-identifier of the sample.")
    here, there = sample.kinds[column], population.kinds[column]
    if here is not there and not (here.numeric and there.numeric):
        raise WrongScale(
            f"Column {column!r} holds {here} in the sample and {there} in the population. Read it as the same in both."
        )
