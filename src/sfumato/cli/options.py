"""Options that several commands share, and how what is typed becomes values."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from sfumato.errors import PolicyError

if TYPE_CHECKING:
    from sfumato.tables.engine import Engine
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
Key = Annotated[str | None, typer.Option(metavar="COLUMN", help="The column that pairs the records; else by position.")]
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
Kept = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Files that the steward keeps; kept/ beside the data if not said.")
]
Secret = Annotated[
    list[str] | None, typer.Option(metavar="NAME=FILE", help="A file with a secret; else SFUMATO_SECRET_NAME.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")]
Table = Annotated[str | None, typer.Option(metavar="NAME", help="The table of a database, or the sheet of a workbook.")]
Query = Annotated[str | None, typer.Option(metavar="SELECT", help="A SELECT to run in a database, instead of a table.")]
Delimiter = Annotated[str | None, typer.Option(metavar="X", help="Between the fields of a CSV file. Detected.")]
Encoding = Annotated[str | None, typer.Option(metavar="NAME", help="Of a CSV file. Detected.")]

# What commands share, by the parameter that they take for it: the engine, and how the source is read.
ENGINE: dict[str, Any] = {
    "engine": Annotated[str | None, typer.Option(metavar="NAME", help="duckdb (usual) or spark.")],
    "memory": Annotated[
        str | None, typer.Option(metavar="SIZE", help="What DuckDB may use before it spills to disk, e.g. 4GB.")
    ],
    "master": Annotated[str | None, typer.Option(metavar="URL", help="The Spark master, for --engine spark.")],
}
READING: dict[str, Any] = {
    "table": Table,
    "query": Query,
    "delimiter": Delimiter,
    "encoding": Encoding,
    "decimal": Annotated[str | None, typer.Option(metavar="X", help="The decimal sign of a CSV file. Detected.")],
    "missing_token": Annotated[
        list[str] | None,
        typer.Option("--missing-token", metavar="TEXT", help="A text that means: no value. Repeatable."),
    ],
    "type_": Annotated[
        list[str] | None,
        typer.Option("--type", metavar="COLUMN=TYPE", help="text, integer, real, date, timestamp or boolean."),
    ],
}


def shared(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that it shares with others.

    A command with a parameter `engine` gets the options of the engine, and the engine that they ask for; one with a
    parameter `options` gets those of the reader, and how the source is to be read. They come after its own options.
    """
    taken = signature(command).parameters
    groups = {name: group for name, group in (("engine", ENGINE), ("options", READING)) if name in taken}
    hints = _hints(command, groups)

    @wraps(command)
    def run(**given: Any) -> None:
        values = {name: MADE[name](**{key: given.pop(key) for key in group}) for name, group in groups.items()}
        command(**given, **values)

    own = [p.replace(annotation=hints[p.name]) for p in taken.values() if p.name not in groups]
    own = [p.replace(kind=Parameter.KEYWORD_ONLY) for p in own]
    added = {key: hint for group in groups.values() for key, hint in group.items()}
    more = [Parameter(key, Parameter.KEYWORD_ONLY, default=None, annotation=hint) for key, hint in added.items()]
    run.__signature__ = Signature([*own, *more])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *more)}
    return run


def _hints(command: Callable[..., None], without: Collection[str]) -> dict[str, Any]:
    """The types of a command's own parameters; those of the others are only imported for the type checker."""
    written = {name: hint for name, hint in command.__annotations__.items() if name not in without}
    names = vars(sys.modules[command.__module__])
    return get_type_hints(SimpleNamespace(__annotations__=written), globalns=names, include_extras=True)


QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?:,|$)|([^,]*)(?:,|$)', re.DOTALL)
PAIR = re.compile(r'(?:"((?:[^"]|"")*)"|([^="]*))=(.*)', re.DOTALL)


def listed(options: Sequence[str] | None) -> tuple[str, ...]:
    """Comma-separated names; a name with a comma, or with blanks at its ends, stands in double quotes."""
    found = (
        match[1].replace('""', '"') if match[1] is not None else match[2].strip()
        for option in options or ()
        for match in QUOTED.finditer(option)
    )
    return tuple(name for name in found if name)


def pairs(options: Sequence[str] | None, written: str, *, bare: bool = False) -> dict[str, str]:
    """COLUMN=VALUE settings, each once; with `bare`, a value alone holds for every column.

    `written` says how: "--bins COLUMN=EDGES". What was typed is not repeated, since it may be a secret.
    """
    found: dict[str, str] = {}
    for option in options or ():
        match = PAIR.fullmatch(option)
        if match is None and not bare:
            raise PolicyError(f"{written.split()[0]} cannot be read: write {written}.")
        column = "" if match is None else match[1].replace('""', '"') if match[1] is not None else match[2]
        if column in found:
            raise PolicyError(f"{written.split()[0]} is given twice for {column or 'all columns'!r}. Give it once.")
        found[column] = option if match is None else match[3]
    return found


def scenarios_of(options: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """What attackers may know, by name."""
    return {name: listed([columns]) for name, columns in pairs(options, "--scenario NAME=A,B").items()}


def secrets_of(options: Sequence[str] | None) -> dict[str, str]:
    """The files of secrets, by name."""
    return pairs(options, "--secret NAME=FILE")


def engine_of(engine: str | None, memory: str | None, master: str | None) -> Engine | None:
    """The engine that was asked for; None for the usual one."""
    from sfumato.tables.load import engine_named

    return engine_named(engine, master=master, memory=memory) if engine or master or memory else None


def read_options_of(
    table: str | None = None,
    query: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing_token: Sequence[str] | None = None,
    type_: Sequence[str] | None = None,
) -> ReadOptions:
    """How the source is to be read."""
    from sfumato.privacy.question import read_options

    return read_options(
        table=table, query=query, delimiter=delimiter, encoding=encoding, decimal=decimal,
        missing=tuple(missing_token) if missing_token else None, kinds=pairs(type_, "--type COLUMN=TYPE"),
    )  # fmt: skip


MADE: dict[str, Callable[..., Any]] = {"engine": engine_of, "options": read_options_of}
