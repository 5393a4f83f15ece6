"""The project file `sfumato.yaml`: one readable file that says what a table is and what is required of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sfumato.errors import OutsidePlace, ProjectError, UnknownColumn
from sfumato.project.file.faults import checked, first_of
from sfumato.project.file.keys import ColumnKeys, DataKeys, MeasureKeys, ProjectKeys
from sfumato.project.file.preset import with_preset
from sfumato.project.file.selection import GradeSelection
from sfumato.project.file.yaml_file import Fault, YamlFile, file_text, read_yaml
from sfumato.project.places import located
from sfumato.schema import Attribute, Missing, Role, Scale, Schema
from sfumato.tables.engine import Kind
from sfumato.tables.source import ReadOptions


@dataclass(frozen=True)
class MeasureEntry:
    """One requirement as it is written: a measure by name, one bound, and the parameters of the measure."""

    measure: str
    at_least: float | None = None
    at_most: float | None = None
    parameters: dict[str, Any] = field(default_factory=dict)  # lists in the file are tuples here
    line: int | None = None


@dataclass(frozen=True)
class RoleDecision:
    """The role that somebody decided for a column: who it was, when, and why, as far as that is known."""

    role: Role
    by: str | None = None
    on: str | None = None  # a day or a moment as ISO 8601 writes it, kept as it was written
    reason: str | None = None
    given: bool = False  # as an option of this run, and not in the project file

    @property
    def words(self) -> str:
        """Who confirmed it and when, in words. For the steward: it names a person."""
        who = f" by {self.by}" if self.by else " in the project file"
        return f"confirmed{who}{f' on {self.on}' if self.on else ''}"


@dataclass(frozen=True)
class Project:
    """What a project file says, checked. Column names are checked by `schema`, measures by who knows them."""

    path: str
    source: str | None = field(default=None, repr=False)  # the URL of a database may hold a password
    engine: str = "duckdb"
    subject: str | None = None
    missing_values: Missing = Missing.OWN_VALUE
    attributes: tuple[Attribute, ...] = ()
    scaled: frozenset[str] = frozenset()  # columns whose scale the file decides, by a scale or by bins
    proposed: frozenset[str] = frozenset()  # columns whose role is a proposal that nobody confirmed
    undecided: frozenset[str] = frozenset()  # those of them for which not even a proposal is known
    decisions: Mapping[str, RoleDecision] = field(default_factory=dict)  # the roles that a person decided, by column
    selection: GradeSelection | None = None  # which quasi-identifiers the grade of the recipient selects
    measures: tuple[MeasureEntry, ...] = ()
    options: ReadOptions = field(default_factory=ReadOptions)
    anonymise: Mapping[str, Any] = field(default_factory=dict)  # how a release is searched
    scenarios: tuple[Mapping[str, Any], ...] = ()  # name, columns
    subsets: tuple[Mapping[str, Any], ...] = ()  # name, columns, where, mode
    population: Mapping[str, Any] = field(default_factory=dict)  # fraction, size, region or table
    context: Mapping[str, Any] = field(default_factory=dict)  # why and to whom the data are released, as answered
    preset: str | None = None  # whose requirements and settings stand behind those of the file
    file: YamlFile = field(default=YamlFile(None, {}), repr=False, compare=False)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Project:
        """The project of a file; `ProjectError` names the line, the key and what was expected."""
        return cls.parse(file_text(Path(path), hint="`sfumato init DATA` writes a first version."), path)

    @classmethod
    def parse(cls, text: str, path: str | os.PathLike[str] = "sfumato.yaml") -> Project:
        """The project of a text. Paths in it are relative to the folder of `path`, and must stay in it (`allowing`)."""
        file = read_yaml(text, path)
        if file.value is None and not file.problems:
            raise ProjectError(path, "the file is empty. `sfumato init DATA` writes a first version.")
        keys = checked(file, path)
        if keys.preset:
            file = with_preset(file, keys.preset, path)
            keys = checked(file, path)
        return _project(keys, file, Places(Path(path), file))

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """The JSON Schema (2020-12) of the project file."""
        schema = ProjectKeys.model_json_schema()
        return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema

    def line_of(self, *path: str | int) -> int:
        """The line of a key or an entry: `line_of("columns", "age", "bins")`, `line_of("measures", 0)`."""
        return self.file.line_of(path)

    @property
    def known_to(self) -> dict[str, Any]:
        """The columns that each attacker may know, by the name of the scenario."""
        return {scenario["name"]: scenario["columns"] for scenario in self.scenarios}

    @property
    def has_plan(self) -> bool:
        """Whether the file says what is done to the table."""
        return isinstance(self.file.value, Mapping) and bool(self.file.value.get("plan"))

    @property
    def named_columns(self) -> tuple[str, ...]:
        """The columns that the file speaks of: by a role, a requirement, or as what an attacker knows."""
        known = (name for each in (*self.scenarios, *self.subsets) for name in each["columns"])
        return tuple(dict.fromkeys((*(name for _, name in self._named()), *known)))

    def read_options(self) -> ReadOptions:
        """How the source is to be read."""
        return self.options

    def decided(self) -> dict[str, Role]:
        """The roles that a person decided."""
        return {name: decision.role for name, decision in self.decisions.items()}

    def with_given(self, roles: Mapping[str, Role], by: str | None = None) -> Project:
        """The project for a run that is given these roles as options: they count as decisions, and are not written.

        What the file decides the same way stays the decision of whoever made it.
        """
        new = {name: role for name, role in roles.items() if self.decided().get(name) is not role}
        given = {name: RoleDecision(role, by, given=True) for name, role in new.items()}
        return replace(
            self, proposed=self.proposed - {*new}, undecided=self.undecided - {*new},
            decisions={**self.decisions, **given},
        )  # fmt: skip

    def schema(self, columns: Iterable[str]) -> Schema:
        """The meaning of these columns; `ProjectError` when the file names another column."""
        columns = tuple(columns)
        problems = [
            Fault(self.line_of(*place), str(UnknownColumn(name, columns)))
            for place, name in self._named()
            if name not in columns
        ]
        if problems:
            raise first_of(self.path, problems)
        decided = {attribute.name: attribute for attribute in self.attributes}
        return Schema(tuple(decided.get(name, Attribute(name)) for name in columns))

    def _named(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Every column that the file names, and where."""
        if self.subject is not None:
            yield ("subject",), self.subject
        for attribute in self.attributes:
            yield ("columns", attribute.name), attribute.name
        for position, entry in enumerate(self.measures):
            sensitive = entry.parameters.get("sensitive")
            for name in sensitive if isinstance(sensitive, tuple) else (sensitive,):
                if isinstance(name, str):
                    yield ("measures", position, "sensitive"), name


@dataclass(frozen=True)
class Places:
    """Where the places are that a project file names: URLs as they are, paths from the folder of the file."""

    path: Path
    file: YamlFile

    def __call__(self, place: str, *key: str | int) -> str:
        try:
            return located(place, self.path.parent)
        except OutsidePlace as error:
            named = ": ".join(map(str, key))
            raise ProjectError(self.path, f"`{named}` {error}", line=self.file.line_of(key)) from None


def _project(keys: ProjectKeys, file: YamlFile, places: Places) -> Project:
    columns = keys.columns or {}
    return Project(
        path=str(places.path),
        source=places(keys.data.source, "data", "source") if keys.data else None,
        engine=keys.engine or "duckdb",
        subject=keys.subject,
        missing_values=keys.missing_values or Missing.OWN_VALUE,
        attributes=tuple(_attribute(name, column, places) for name, column in columns.items()),
        scaled=frozenset(name for name, column in columns.items() if column.scale or column.bins),
        proposed=frozenset(name for name, column in columns.items() if column.proposed or column.role is None),
        undecided=frozenset(name for name, column in columns.items() if column.role is None),
        decisions=_decisions(columns),
        selection=GradeSelection.of_keys(keys.selection),
        measures=tuple(_entry(m, file.line_of(("measures", i))) for i, m in enumerate(keys.measures or ())),
        options=_options(keys.data, columns),
        anonymise=_searched(keys, places),
        scenarios=tuple(scenario.model_dump() for scenario in keys.scenarios or ()),
        subsets=tuple(subset.model_dump(exclude_none=True) for subset in keys.subsets or ()),
        population=_population(keys, places),
        context=_context(keys, places),
        preset=keys.preset,
        file=file,
    )


def _decisions(columns: Mapping[str, ColumnKeys]) -> dict[str, RoleDecision]:
    return {
        name: RoleDecision(column.role, column.decided_by, column.decided_on, column.reason)
        for name, column in columns.items()
        if column.role is not None and not column.proposed
    }


def _searched(keys: ProjectKeys, places: Places) -> dict[str, Any]:
    settings = keys.anonymise.model_dump(exclude_none=True) if keys.anonymise else {}
    ends = {name: tuple(at) if isinstance(at, list) else at for name, at in settings.get("levels", {}).items()}
    changed: dict[str, Any] = {"levels": ends} if ends else {}
    if "hierarchies" in settings:
        changed["hierarchies"] = places(settings["hierarchies"], "anonymise", "hierarchies")
    return settings | changed


def _population(keys: ProjectKeys, places: Places) -> dict[str, Any]:
    population = keys.population.model_dump(exclude_none=True) if keys.population else {}
    if "table" in population:
        population["table"] = places(population["table"], "population", "table")
    return population


def _context(keys: ProjectKeys, places: Places) -> dict[str, Any]:
    answers: dict[str, Any] = keys.context.model_dump(exclude_none=True) if keys.context else {}
    graded = str(answers.get("recipient", "")).lower() in ("", "high", "middle", "low")
    return answers if graded else answers | {"recipient": places(answers["recipient"], "context", "recipient")}


def _attribute(name: str, keys: ColumnKeys, places: Places) -> Attribute:
    return Attribute(
        name,
        role=keys.role or Role.NON_SENSITIVE,  # as any column until somebody says otherwise; see `undecided`
        scale=keys.scale or (Scale.NUMERIC if keys.bins else Scale.NOMINAL),
        bins=tuple(keys.bins or ()),
        order=tuple(keys.order or ()),
        hierarchy=places(keys.hierarchy, "columns", name, "hierarchy") if keys.hierarchy else None,
        level=keys.level or 0,
    )


def _entry(keys: MeasureKeys, line: int) -> MeasureEntry:
    given = keys.model_extra or {}
    parameters = {key: _fixed(value) for key, value in given.items() if value is not None}
    return MeasureEntry(keys.measure, keys.at_least, keys.at_most, parameters, line)


def _fixed(value: Any) -> Any:
    return tuple(_fixed(item) for item in value) if isinstance(value, list) else value


def _options(data: DataKeys | None, columns: Mapping[str, ColumnKeys]) -> ReadOptions:
    kinds = {name: Kind(column.type) for name, column in columns.items() if column.type}
    formats = {name: column.date_format for name, column in columns.items() if column.date_format}
    also = {name: tuple(column.also_missing) for name, column in columns.items() if column.also_missing}
    if data is None:
        return ReadOptions(kinds=kinds, date_formats=formats, also_missing=also)
    also |= {"": tuple(data.also_missing)} if data.also_missing else {}
    missing = None if data.missing_tokens is None else tuple(data.missing_tokens)
    given = data.model_dump(include={"delimiter", "encoding", "decimal", "header", "table", "query"})
    return ReadOptions(missing=missing, kinds=kinds, date_formats=formats, also_missing=also, **given)
