"""`sfumato dimension`: how many quasi-identifiers have to be de-identified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    ByPosition,
    HierarchyFolder,
    Json,
    Key,
    KeyFile,
    Quasi,
    Secret,
    Sensitive,
    Subject,
    listed,
    secrets_of,
    shared,
)
from sfumato.cli.output import progress, require_apart, show
from sfumato.errors import UnusableInput

if TYPE_CHECKING:
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions

Released = Annotated[
    list[str] | None, typer.Option(metavar="FILE ...", help="The tables, each with one more column de-identified.")
]
Order = Annotated[
    list[str] | None, typer.Option(metavar="A,B", help="Of the quasi-identifiers, instead of by descending risk rate.")
]


@app.command(
    epilog="Example: sfumato dimension --original original.csv --quasi age,sex --sensitive diagnosis "
    "--released age.csv age_sex.csv"
)
@shared
def dimension(
    original: Annotated[
        str | None,
        typer.Option(
            metavar="DATA", help="The table before its quasi-identifiers are changed. Asked for at a terminal."
        ),
    ] = None,
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Further released tables.")] = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    released: Released = None,
    plan: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A plan that makes the tables instead; or recipe:NAME.")
    ] = None,
    rule: Annotated[
        str, typer.Option(metavar="NAME", help="Which answer goes first: pareto, figure5, last-feasible.")
    ] = "pareto",
    order: Order = None,
    key: Key = None,
    by_position: ByPosition = False,
    subject: Subject = None,
    count_missing: Annotated[bool, typer.Option(help="Whether a missing sensitive value counts as a value.")] = True,
    hierarchies: HierarchyFolder = None,
    secret: Secret = None,
    key_file: KeyFile = None,
    json_file: Json = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
) -> None:
    """What each more de-identified quasi-identifier gains and costs, and how many of them have to be.

    The tables hold the same records; each has one more of the quasi-identifiers de-identified, in the order of --quasi.
    Tables that de-identify the same columns differently are compared as alternatives.
    """
    from sfumato.search.dimension.choose import dimension as measured

    tables = [*(released or []), *(files or [])]
    if original is None:
        original, quasi, sensitive, tables = _asked(quasi, sensitive, tables, plan)
    require_apart(json_file, original, *tables, plan, what="one of the tables, or the plan")
    with progress() as tell:
        dimensions = measured(
            original, tables, quasi=listed(quasi), sensitive=listed(sensitive), plan=plan, order=listed(order),
            key=key, by_position=by_position, subject=subject, rule=rule, count_missing=count_missing,
            hierarchies=hierarchies, secrets=secrets_of(secret, key_file),
            options=options, engine=engine, tell=tell,
        )  # fmt: skip
    show(dimensions.sheet(), dimensions.to_json, json_file)
    raise typer.Exit(1 if dimensions.optimal() is None else 0)


def _asked(
    quasi: list[str] | None, sensitive: list[str] | None, tables: list[str], plan: Path | None
) -> tuple[str, list[str], list[str], list[str]]:
    """What was not said, asked for at a terminal; where there is none, the error of an option that lacks."""
    from sfumato.cli.prompts import ask, ask_columns, ask_files, watched

    if not watched():
        raise UnusableInput("There is no table to compare with: name it with --original DATA.")
    original = ask("Which table, before its quasi-identifiers are changed?")
    quasi = quasi or ask_columns("Its quasi-identifiers, in descending order of their risk rates")
    sensitive = sensitive or ask_columns("Its sensitive columns")
    more = tables or ([] if plan else ask_files("The table with one more of them de-identified, number"))
    return original, quasi, sensitive, more
