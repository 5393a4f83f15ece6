"""Options that several commands have, each defined once, and how what is typed becomes values.

An option is an `Annotated` type; options that go together are a group. A command takes either as a parameter, and its
help lists them where that parameter stands.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from sfumato.errors import PolicyError

if TYPE_CHECKING:
    from sfumato.secrets import Secrets
    from sfumato.tables.engine import Engine
    from sfumato.tables.read.limits import Limits
    from sfumato.tables.source import ReadOptions

Source = Annotated[str, typer.Argument(metavar="DATA", help="A file, a folder of Parquet files, or a database.")]
MaybeSource = Annotated[
    str | None,
    typer.Argument(metavar="DATA", help="A file, a folder of Parquet files, a database, or sfumato.yaml."),
]


def columns(what: str) -> Any:
    """An option that names columns, and says which."""
    return typer.Option(metavar="A,B", help=f"{what} Columns, comma separated.")


Quasi = Annotated[list[str] | None, columns("Quasi-identifiers: what outsiders may know.")]
Sensitive = Annotated[list[str] | None, columns("What an attacker would like to learn.")]
Direct = Annotated[list[str] | None, columns("Direct identifiers: each names one person.")]
NonSensitive = Annotated[list[str] | None, columns("Released as they are: none of these.")]
ReleaseRest = Annotated[
    bool, typer.Option("--release-rest", help="Release columns that nobody decided about as well, as they are.")
]
Json = Annotated[str | None, typer.Option("--json", metavar="FILE", help="Write JSON here; - is the terminal.")]
Subject = Annotated[str | None, typer.Option(metavar="COLUMN", help="The column that says whom a record is about.")]
ProjectFile = Annotated[
    Path | None, typer.Option("-p", "--project", metavar="FILE", help="A project file (sfumato.yaml).")
]
K = Annotated[int | None, typer.Option("--k", metavar="N", min=1, help="At least N people alike.")]
L = Annotated[float | None, typer.Option("--l", metavar="N", min=1, help="At least N different sensitive values.")]
T = Annotated[
    float | None,
    typer.Option(
        "--t", metavar="X", min=0, help="At most this far from everybody's values: 0 to 1; wasserstein: in their unit."
    ),
]
Distance = Annotated[
    list[str] | None, typer.Option(metavar="[COLUMN=]NAME", help="For t: total-variation, ordered or wasserstein.")
]
Require = Annotated[
    list[str] | None, typer.Option(metavar="TEXT", help="Any measure: 'entropy_l_diversity(diagnosis) >= 2'.")
]
Release = Annotated[
    Path,
    typer.Option("-o", "--out", metavar="FILE", help="The release: csv, parquet, xpt, sav, dta or xlsx by its ending."),
]
Key = Annotated[str | None, typer.Option(metavar="COLUMN", help="The column that pairs the records.")]
ByPosition = Annotated[
    bool, typer.Option("--by-position", help="Both tables have their records in the same order: pair them so.")
]
Mark = Annotated[
    list[str] | None,
    typer.Option(metavar="TEXT", help="What stands for a suppressed value; * if not said. Repeatable."),
]
Population = Annotated[
    str | None, typer.Option(metavar="DATA", help="A table of the population, same quasi-identifiers.")
]
HierarchyFolder = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Hierarchy files: COLUMN.csv or ...hierarchy_COLUMN.csv.")
]
Evidence = Annotated[Path | None, typer.Option(metavar="DIR", help="The evidence of a release, which its steward has.")]
Secret = Annotated[
    list[str] | None, typer.Option(metavar="NAME=FILE", help="A file with a secret; else SFUMATO_SECRET_NAME.")
]
KeyFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The key that steps draw by; else SFUMATO_KEY, or sfumato.key beside the plan."),
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="PLACE", help="A folder, or server, that a project or plan may name. Repeatable."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")]
Bins = Annotated[
    list[str] | None, typer.Option(metavar="COLUMN=EDGES", help="Read a number in intervals: age=0,6,12,18.")
]
UsualProject = Annotated[Path, typer.Option("-p", "--project", metavar="FILE", help="A project file.")]
Format = Annotated[
    str, typer.Option("--format", metavar="NAME", help="Of the release: csv, parquet, xpt, sav, dta or xlsx.")
]
NoAttacks = Annotated[bool, typer.Option("--no-attacks", help="Do not try attacks on the release.")]
Table = Annotated[str | None, typer.Option(metavar="NAME", help="The table of a database, or the sheet of a workbook.")]
Query = Annotated[str | None, typer.Option(metavar="SELECT", help="A SELECT to run in a database, instead of a table.")]
Delimiter = Annotated[str | None, typer.Option(metavar="X", help="Between the fields of a CSV file. Detected.")]
Encoding = Annotated[str | None, typer.Option(metavar="NAME", help="Of a CSV file. Detected.")]


class OptionGroup:
    """Options that go together: a dataclass whose fields are the options, in the order of the help."""

    def value(self) -> Any:
        """What a command gets for them."""
        return self


@dataclass(frozen=True)
class ColumnOptions(OptionGroup):
    """What the columns are."""

    quasi: Quasi = None
    sensitive: Sensitive = None
    direct: Direct = None
    non_sensitive: NonSensitive = None
    release_rest: ReleaseRest = False
    subject: Subject = None

    def named(self) -> dict[str, Any]:
        """The columns by role, whether the rest is released, and the subject."""
        roles = ("quasi", "sensitive", "direct", "non_sensitive")
        by_role = {role: listed(getattr(self, role)) for role in roles}
        return {**by_role, "release_rest": bool(self.release_rest), "subject": self.subject}


@dataclass(frozen=True)
class BoundOptions(OptionGroup):
    """What is required most often."""

    k: K = None
    l: L = None
    t: T = None


@dataclass(frozen=True)
class EngineOptions(OptionGroup):
    """Where the rows are held and counted."""

    engine: Annotated[
        str | None, typer.Option(metavar="NAME", envvar="SFUMATO_ENGINE", help="duckdb (usual) or spark.")
    ] = None
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            envvar="SFUMATO_MEMORY",
            help="What DuckDB may use before it spills to disk, e.g. 4GB; what a search on Spark may bring here.",
        ),
    ] = None
    master: Annotated[
        str | None,
        typer.Option(metavar="URL", envvar="SFUMATO_SPARK_MASTER", help="The Spark master, for --engine spark."),
    ] = None

    def value(self) -> Engine | None:
        """The engine that was asked for; None for the usual one."""
        if not (self.engine or self.master or self.memory):
            return None
        from sfumato.tables.load import engine_named

        return engine_named(self.engine, master=self.master, memory=self.memory)


@dataclass(frozen=True)
class ReadingOptions(OptionGroup):
    """How the source is read."""

    table: Table = None
    query: Query = None
    delimiter: Delimiter = None
    encoding: Encoding = None
    decimal: Annotated[str | None, typer.Option(metavar="X", help="The decimal sign of a CSV file. Detected.")] = None
    header: Annotated[
        str | None, typer.Option(metavar="yes|no", help="Whether the first line of a CSV file names the columns.")
    ] = None
    missing_token: Annotated[
        list[str] | None,
        typer.Option("--missing-token", metavar="TEXT", help="A text that means: no value. Repeatable."),
    ] = None
    also_missing: Annotated[
        list[str] | None,
        typer.Option(metavar="[COLUMN=]TEXT", help="Another such text, beside the usual ones. Repeatable."),
    ] = None
    type_: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="COLUMN=TYPE", help="text, integer, real, date, timestamp or boolean."),
    ] = None
    date_format: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=FORM", help="How dates are written: %d/%m/%Y, '%d-%b-%y from 1927'."),
    ] = None
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=NUMBER", help="Read what is larger than usual: columns=50000. Repeatable."),
    ] = None

    def value(self) -> ReadOptions:
        """How the source is to be read."""
        from sfumato.privacy.question import read_options

        return read_options(
            table=self.table, query=self.query, delimiter=self.delimiter, encoding=self.encoding, decimal=self.decimal,
            missing=tuple(self.missing_token) if self.missing_token else None,
            kinds=pairs(self.type_, "--type COLUMN=TYPE"), also_missing=_by_column(self.also_missing),
            date_formats=pairs(self.date_format, "--date-format COLUMN=FORM"), header=_is_yes(self.header),
            limits=_limits(self.limit),
        )  # fmt: skip


def _is_yes(option: str | None) -> bool | None:
    if option not in (None, "yes", "no"):
        raise PolicyError("--header cannot be read: write --header yes or --header no.")
    return None if option is None else option == "yes"


def _limits(options: Sequence[str] | None) -> Limits | None:
    """The usual limits with those that are given; None where none is."""
    if not options:
        return None
    from sfumato.tables.read.limits import Limits

    return Limits.usual().changed(pairs(options, "--limit NAME=NUMBER"), "--limit")


def _by_column(options: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """Texts by column; those without a column are for all of them. A text with an equals sign is written `=TEXT`."""
    texts: dict[str, tuple[str, ...]] = {}
    for option in options or ():
        ((column, text),) = pairs([option], "--also-missing COLUMN=TEXT", bare=True).items()
        texts[column] = (*texts.get(column, ()), text)
    return texts


# The parameter that a command takes for each group.
GROUPS: dict[str, type[OptionGroup]] = {
    "columns": ColumnOptions, "bounds": BoundOptions, "engine": EngineOptions, "options": ReadingOptions,
}  # fmt: skip


READ = frozenset({"project", "plan"})  # parameters that are files which name other files


def shared(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of its groups: where a parameter is named after a group, its options stand instead.

    A command that reads a project file or a plan also has `--allow`, which holds for all that it does.
    """
    taken = signature(command).parameters
    groups = {name: GROUPS[name] for name in taken if name in GROUPS}
    hints = _hints(command, groups)
    names_places = bool(READ & set(taken))

    @wraps(command)
    def run(**given: Any) -> None:
        from sfumato.project.places import allowing

        typed = [given["data"]] if isinstance(given.get("data"), str) else []
        with allowing(*typed, *(given.pop("allow", None) or ())):
            values = {name: group(**{key: given.pop(key) for key in _names(group)}) for name, group in groups.items()}
            command(**given, **{name: options.value() for name, options in values.items()})

    options = list(_parameters(taken.values(), groups, hints))
    options += [Parameter("allow", Parameter.KEYWORD_ONLY, default=None, annotation=Allow)] * names_places
    run.__signature__ = Signature(options)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run


def _parameters(
    taken: Iterable[Parameter], groups: Mapping[str, type[OptionGroup]], hints: Mapping[str, Any]
) -> Iterator[Parameter]:
    """Every option as a parameter of its own. By keyword, so that one without a default may follow one with."""
    for parameter in taken:
        if parameter.name not in groups:
            yield parameter.replace(annotation=hints[parameter.name], kind=Parameter.KEYWORD_ONLY)
            continue
        for name, hint in get_type_hints(groups[parameter.name], include_extras=True).items():
            yield Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=hint)


def _names(group: type[OptionGroup]) -> list[str]:
    return [option.name for option in fields(group)]  # type: ignore[arg-type]


def _hints(command: Callable[..., None], without: Collection[str]) -> dict[str, Any]:
    """The types of a command's own parameters; those of the others are only imported for the type checker."""
    written = {name: hint for name, hint in command.__annotations__.items() if name not in without}
    names = vars(sys.modules[command.__module__])
    return get_type_hints(SimpleNamespace(__annotations__=written), globalns=names, include_extras=True)


QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?:,|$)|([^,]*)(?:,|$)', re.DOTALL)
PAIR = re.compile(r'(?:"((?:[^"]|"")*)"|([^="]*))=(.*)', re.DOTALL)


def listed(options: Sequence[str] | None) -> tuple[str, ...]:
    """Comma-separated names; a name with a comma, or with blanks at its ends, stands in double quotes."""
    names = (
        match[1].replace('""', '"') if match[1] is not None else match[2].strip()
        for option in options or ()
        for match in QUOTED.finditer(option)
    )
    return tuple(name for name in names if name)


def pairs(options: Sequence[str] | None, written: str, *, bare: bool = False) -> dict[str, str]:
    """COLUMN=VALUE settings, each once; with `bare`, a value alone holds for every column.

    `written` says how: "--bins COLUMN=EDGES". What was typed is not repeated, since it may be a secret.
    """
    settings: dict[str, str] = {}
    for option in options or ():
        match = PAIR.fullmatch(option)
        if match is None and not bare:
            raise PolicyError(f"{written.split()[0]} cannot be read: write {written}.")
        column = "" if match is None else match[1].replace('""', '"') if match[1] is not None else match[2]
        if column in settings:
            raise PolicyError(f"{written.split()[0]} is given twice for {column or 'all columns'!r}. Give it once.")
        settings[column] = option if match is None else match[3]
    return settings


def distances_of(options: Sequence[str] | None) -> dict[str, str]:
    """The distance for t, by sensitive column; one without a column is for all of them."""
    return pairs(options, "--distance COLUMN=NAME", bare=True)


def scenarios_of(options: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """What attackers may know, by name."""
    return {name: listed([columns]) for name, columns in pairs(options, "--scenario NAME=A,B").items()}


def secrets_of(options: Sequence[str] | None, key_file: Path | None = None) -> Secrets:
    """The files of secrets, by name, and that of the key."""
    from sfumato.secrets import Secrets

    return Secrets(pairs(options, "--secret NAME=FILE"), key_file)
