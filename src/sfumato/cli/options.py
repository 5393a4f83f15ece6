"""Options that several commands share, and how what is typed becomes values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.errors import PolicyError

if TYPE_CHECKING:
    from sfumato.engine import Engine
    from sfumato.source import ReadOptions

Source = Annotated[str, typer.Argument(metavar="DATA", help="A file, a folder of Parquet files, or a database.")]
MaybeSource = Annotated[
    str | None,
    typer.Argument(metavar="DATA", help="A file, a folder of Parquet files, a database, or sfumato.yaml."),
]
Columns = Annotated[list[str] | None, typer.Option(metavar="A,B", help="Columns, comma separated; may be repeated.")]
Json = Annotated[str | None, typer.Option("--json", metavar="FILE", help="Write JSON here; - is the terminal.")]
Table = Annotated[str | None, typer.Option(help="The table of a database, or the sheet of a workbook.")]
Query = Annotated[str | None, typer.Option(help="A SELECT to run in a database, instead of a table.")]
Delimiter = Annotated[str | None, typer.Option(help="Between the fields of a CSV file. Detected.")]
Encoding = Annotated[str | None, typer.Option(help="Of a CSV file. Detected.")]
Decimal = Annotated[str | None, typer.Option(help="The decimal sign of a CSV file. Detected.")]
Tokens = Annotated[list[str] | None, typer.Option("--missing-token", help="A text that means: no value. Repeatable.")]
Types = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="COLUMN=TYPE", help="text, integer, real, date, timestamp."),
]

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


def pairs(options: Sequence[str] | None, *, bare: bool = False) -> dict[str, str]:
    """COLUMN=VALUE settings; with `bare`, a value alone holds for every column."""
    found = {}
    for option in options or ():
        match = PAIR.fullmatch(option)
        if match is None and not bare:
            raise PolicyError(f"{option!r} cannot be read: write COLUMN=VALUE.")
        column = "" if match is None else match[1].replace('""', '"') if match[1] is not None else match[2]
        found[column] = option if match is None else match[3]
    return found


def engine_of(name: str | None, master: str | None, memory: str | None) -> Engine | None:
    """The engine that was asked for; None for the usual one."""
    from sfumato.loading import engine_named

    return engine_named(name, master=master, memory=memory) if name or master or memory else None


def read_options_of(
    table: str | None = None,
    query: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    tokens: Sequence[str] | None = None,
    types: Sequence[str] | None = None,
) -> ReadOptions:
    """How the source is to be read."""
    from sfumato.question import read_options

    return read_options(
        table=table, query=query, delimiter=delimiter, encoding=encoding, decimal=decimal,
        missing=tuple(tokens) if tokens else None, kinds=pairs(types),
    )  # fmt: skip
