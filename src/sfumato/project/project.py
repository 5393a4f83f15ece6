"""The project file `sfumato.yaml`: one readable file that says what a table is and what is required of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.engine import Kind
from sfumato.errors import ProjectError, UnknownColumn
from sfumato.project.faults import checked, first_of
from sfumato.project.keys import ColumnKeys, DataKeys, MeasureKeys, ProjectKeys
from sfumato.project.lines import Problem, Written, written
from sfumato.schema import Attribute, Missing, Role, Scale, Schema
from sfumato.source import Column, Extract, ReadOptions


@dataclass(frozen=True)
class MeasureEntry:
    """One requirement as it is written: a measure by name, one bound, and the parameters of the measure."""

    measure: str
    at_least: float | None = None
    at_most: float | None = None
    parameters: dict[str, Any] = field(default_factory=dict)  # lists in the file are tuples here
    line: int | None = None


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
    measures: tuple[MeasureEntry, ...] = ()
    options: ReadOptions = field(default_factory=ReadOptions)
    file: Written = field(default=Written(None, {}), repr=False, compare=False)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Project:
        """The project of a file; `ProjectError` names the line, the key and what was expected."""
        return cls.parse(_text_of(Path(path)), path)

    @classmethod
    def parse(cls, text: str, path: str | os.PathLike[str] = "sfumato.yaml") -> Project:
        """The project of a text. Paths in it are relative to the folder of `path`."""
        file = written(text, path)
        if file.value is None and not file.problems:
            raise ProjectError(path, "the file is empty. `sfumato init DATA` writes a first version.")
        return _project(checked(file, path), file, Path(path))

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """The JSON Schema (2020-12) of the project file."""
        schema = ProjectKeys.model_json_schema()
        return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema

    def line_of(self, *path: str | int) -> int:
        """The line of a key or an entry: `line_of("columns", "age", "bins")`, `line_of("measures", 0)`."""
        return self.file.line_of(path)

    def read_options(self) -> ReadOptions:
        """How the source is to be read."""
        return self.options

    def schema(self, columns: Iterable[str]) -> Schema:
        """The meaning of these columns; `ProjectError` when the file names another column."""
        columns = tuple(columns)
        problems = [
            Problem(self.line_of(*place), str(UnknownColumn(name, columns)))
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


def first_version(extract: Extract, source: str) -> str:
    """A commented first project file for a source that was just read. Every role is left to a person."""
    columns = "".join(_column_line(column) for column in extract.columns)
    notes = "".join(f"  # note: {_comment(note)}\n" for note in extract.notes)
    return FIRST_VERSION.format(
        source=_source_line(source),
        notes=notes,
        columns="columns:\n" + columns if columns else "columns: {}\n",
    )


FIRST_VERSION = """\
# What Sfumato should know about this table. Nothing is decided yet: give each column its role.
#   direct         names one person by itself: a health number, an e-mail address
#   quasi          names one person together with other columns: age, postcode, sex
#   sensitive      what an attacker would like to learn: a diagnosis, a laboratory value
#   non-sensitive  none of these
data:
{source}{notes}  # to override what was detected: delimiter, encoding, decimal, missing_tokens, table, query
engine: duckdb  # or spark
# subject: COLUMN  # which person a record is about; classes then count persons, not records
missing_values: own_value  # how a missing quasi-identifier compares: own_value, wildcard or never_matches
{columns}measures:
  - {{measure: k_anonymity, at_least: 5}}
  # - {{measure: distinct_l_diversity, sensitive: COLUMN, at_least: 3}}
  # - {{measure: t_closeness, sensitive: COLUMN, at_most: 0.3}}
"""


def _column_line(column: Column) -> str:
    label = f"; {_comment(column.label)}" if column.label else ""
    comment = (
        "decide: direct, quasi, sensitive or non-sensitive; "
        f"read as {column.kind} ({_comment(column.why)}); {column.missing} missing{label}"
    )
    name = _yaml_text(column.name)
    # YAML gives up on a plain key after 1024 characters.
    key = f"{name}:" if len(name) < 500 else f"? {name}\n  :"
    return f"  {key} {{role: {Role.NON_SENSITIVE}}}  # {comment}\n"


def _source_line(source: str) -> str:
    """The source, without the password that the URL of a database may hold."""
    public = re.sub(r"(?<=://)([^/@:]*):.*@", r"\1@", source) if "://" in source else source
    public = re.sub(r"([?&])password=[^&]*&?", r"\1", public).rstrip("?&") if "://" in source else public
    left_out = "  # the password was left out: give it in PGPASSWORD" if public != source else ""
    return f"  source: {_yaml_text(public)}{left_out}\n"


def _comment(words: str) -> str:
    """Words on one line, without characters that YAML does not allow."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())


def _yaml_text(text: str) -> str:
    r"""A text as YAML: bare when no reader could take it for something else, else in double quotes.

    >>> print(_yaml_text("age"), _yaml_text("no"), _yaml_text('a "b"'), _yaml_text("größe"))
    age "no" "a \"b\"" größe
    """
    bare = re.fullmatch(r"[^\W\d][\w./-]*", text) and text.isprintable()
    if bare and text.lower() not in {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}:
        return text
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    if letter in '\\"':
        return "\\" + letter
    if letter.isprintable():
        return letter
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ProjectError(path, "this is not UTF-8 text. Save the file as UTF-8.", line=line) from None
    except FileNotFoundError:
        raise ProjectError(path, "there is no such file. `sfumato init DATA` writes a first version.") from None
    except OSError as error:
        raise ProjectError(path, f"this file cannot be read: {error.strerror}.") from None


def _project(keys: ProjectKeys, file: Written, path: Path) -> Project:
    columns = keys.columns or {}
    return Project(
        path=str(path),
        source=_from(path, keys.data.source) if keys.data else None,
        engine=keys.engine or "duckdb",
        subject=keys.subject,
        missing_values=keys.missing_values or Missing.OWN_VALUE,
        attributes=tuple(_attribute(name, column, path) for name, column in columns.items()),
        scaled=frozenset(name for name, column in columns.items() if column.scale or column.bins),
        measures=tuple(_entry(m, file.line_of(("measures", i))) for i, m in enumerate(keys.measures or ())),
        options=_options(keys.data, columns),
        file=file,
    )


def _attribute(name: str, keys: ColumnKeys, path: Path) -> Attribute:
    return Attribute(
        name,
        role=keys.role,
        scale=keys.scale or (Scale.NUMERIC if keys.bins else Scale.NOMINAL),
        bins=tuple(keys.bins or ()),
        order=tuple(keys.order or ()),
        hierarchy=_from(path, keys.hierarchy) if keys.hierarchy else None,
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
    if data is None:
        return ReadOptions(kinds=kinds)
    missing = None if data.missing_tokens is None else tuple(data.missing_tokens)
    given = data.model_dump(include={"delimiter", "encoding", "decimal", "table", "query"})
    return ReadOptions(missing=missing, kinds=kinds, **given)


def _from(path: Path, place: str) -> str:
    """A place named in the file, seen from here: URLs as they are, paths from the folder of the file."""
    return place if "://" in place else str(path.parent / place)
