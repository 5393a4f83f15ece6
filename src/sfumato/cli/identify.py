"""`sfumato identify`: what each column seems to be; `sfumato confirm`: what somebody decides that it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import app
from sfumato.cli.options import (
    Direct,
    Json,
    MaybeSource,
    NonSensitive,
    ProjectFile,
    Quasi,
    Sensitive,
    columns,
    listed,
    pairs,
    shared,
)
from sfumato.cli.output import echo, progress, require_apart, show, spare_sources
from sfumato.cli.use_log import recorded
from sfumato.errors import PolicyError, UnusableInput

if TYPE_CHECKING:
    from sfumato.columns.identification import Identification, Identifications
    from sfumato.proof.use_log.entry import Use
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions


@app.command(epilog="Example: sfumato identify patients.csv --write")
@shared
def identify(
    data: MaybeSource = None,
    project: ProjectFile = None,
    direct: Direct = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    non_sensitive: Annotated[list[str] | None, columns("None of these.")] = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="evidence (all together), or risk-rate (how rare values are, alone).")
    ] = "evidence",
    alpha: Annotated[float, typer.Option(metavar="X", help="Risk rate in per cent: above it, sensitive.")] = 10.0,
    beta: Annotated[
        float, typer.Option(metavar="X", help="Risk rate in per cent: from it on, quasi-identifier.")
    ] = 1.0,
    scope: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Influence among the primary quasi-identifiers, or among all columns: primary, all."
        ),
    ] = "primary",
    missing_values: Annotated[
        str, typer.Option(metavar="READING", help="Missing matches missing (own_value), or nothing (never_matches).")
    ] = "own_value",
    combinations: Annotated[
        int, typer.Option(metavar="N", min=0, help="Combine up to this many quasi-identifiers.")
    ] = 3,
    dictionary: Annotated[Path | None, typer.Option(metavar="FILE", help="A REDCap data dictionary (CSV).")] = None,
    recipient: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Answers about the recipient (YAML); see: recipient.")
    ] = None,
    write_roles: Annotated[
        bool, typer.Option("--write", help="Write the roles into sfumato.yaml; a decision of yours stays.")
    ] = False,
    confirm_sure: Annotated[
        bool, typer.Option("--confirm-sure", help="With --write: what is sure (0.8 and above) is written as decided.")
    ] = False,
    triage: Annotated[
        bool,
        typer.Option(
            "--triage", help="Only say which of many tables hold personal data: by names, then samples, then all."
        ),
    ] = False,
    every_column: Annotated[
        bool, typer.Option("--every-column", help="A line for each column of a wide table, too.")
    ] = False,
    json_file: Json = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
) -> None:
    """Which columns identify, which combine to identify, which are sensitive: evidence, and a proposed role for each.

    DATA may be several tables: a folder of files, a database, a workbook.
    """
    from sfumato.cli.prompts import ask, ask_columns, ask_number, watched
    from sfumato.columns.identify import identify_source, inquiry

    if data is None and project is None and not Path("sfumato.yaml").exists() and watched():
        data = ask("Which table? A file, a folder or a database")
        direct = direct or ask_columns("Which columns name a person by themselves?")
        if method == "risk-rate":
            alpha, beta = ask_number("alpha, in per cent", alpha), ask_number("beta, in per cent", beta)
    spare_sources(json_file, data, project)
    if triage:
        _triage(data, options, engine, json_file, write=write_roles)
        return
    asked = inquiry(
        direct=listed(direct), quasi=listed(quasi), sensitive=listed(sensitive), non_sensitive=listed(non_sensitive),
        method=method, alpha=alpha, beta=beta, scope=scope, missing_values=missing_values, dictionary=dictionary,
        recipient=recipient, combinations=combinations,
    )  # fmt: skip
    with progress() as tell:
        identification = identify_source(data, project, asked, options=options, engine=engine, tell=tell)
    show(identification.sheet(every_column=every_column), identification.to_json, json_file)
    if write_roles:
        for words in _written(identification, data, project, options, engine, confirm_sure=confirm_sure):
            echo(words, err=json_file == "-")
    raise typer.Exit(2 if getattr(identification, "failures", ()) else 0)


def _triage(
    data: str | None, options: ReadOptions, engine: Engine | None, json_file: str | None, *, write: bool
) -> None:
    """Show which tables hold personal data."""
    from sfumato.columns.triage import triage as sorted_out

    if data is None or write:
        raise UnusableInput("--triage sorts the tables of a folder or a database that is named, and writes no roles.")
    with progress() as tell:
        result = sorted_out(data, options=options, engine=engine, tell=tell)
    show(result.sheet(), result.to_json, json_file)


def _written(
    identification: Identification | Identifications, data: str | None, project: Path | None, options: ReadOptions,
    engine: Engine | None, *, confirm_sure: bool,
) -> Iterator[str]:  # fmt: skip
    """Write the roles, of several tables into a project file each, and say what was written."""
    from sfumato.columns.identification import Identifications
    from sfumato.columns.write_roles import write_roles, write_roles_of_tables

    folder = project if project is not None and project.suffix not in (".yaml", ".yml") else None
    if isinstance(identification, Identifications) and data is not None and folder is not None:
        many = write_roles_of_tables(
            identification, data, folder, options=options, engine=engine, confirm_sure=confirm_sure
        )
        yield from (written.words for written in many)
    else:
        yield write_roles(identification, data, project, confirm_sure=confirm_sure).words


NO_TERMINAL = (
    "There is no terminal to ask in. Say what is decided: --all keeps every proposal, --sure high those that are sure, "
    "and --role COLUMN=ROLE gives a column its role."
)


@app.command(epilog="Example: sfumato confirm --sure high --by 'J. Doe'")
@shared
@recorded
def confirm(
    data: MaybeSource = None,
    project: ProjectFile = None,
    every: Annotated[
        bool, typer.Option("--all", help="Keep every proposal. What is undecided stays so, and is named.")
    ] = False,
    sure: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="Keep proposals that are at least so sure: high, middle or low.")
    ] = None,
    role: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=ROLE", help="direct, quasi, sensitive or non-sensitive. Repeatable."),
    ] = None,
    direct: Direct = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    non_sensitive: NonSensitive = None,
    by: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who decides; else SFUMATO_USER, or the user of the system.")
    ] = None,
    on: Annotated[str | None, typer.Option(metavar="DAY", help="When it was decided: 2026-05-31; today.")] = None,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="Why, where no other reason is given.")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Columns that are decided already may be decided anew.")
    ] = False,
    json_file: Json = None,
    *,
    engine: Engine | None,
    options: ReadOptions,
    use: Use,
) -> None:
    """Decide on the roles that are proposed, and write down who decided, when and why.

    At the terminal, each column is shown with its evidence: keep the proposal, change it, skip it, go back, or quit.
    Options decide without questions. A project file that lacks is made of DATA.
    """
    from sfumato.cli.prompts import watched
    from sfumato.cli.role_questions import ask_about, warn_of
    from sfumato.columns.confirm import Confirmed, decide, read_open_roles
    from sfumato.columns.open_roles import Decider, today
    from sfumato.project.user import who

    given = _given(role, {"direct": direct, "quasi": quasi, "sensitive": sensitive, "non-sensitive": non_sensitive})
    asks = not (every or sure or given)
    if asks and not watched():
        raise UnusableInput(NO_TERMINAL)
    require_apart(json_file, data, project, "sfumato.yaml", what="the data itself, or its project file")
    decider = Decider(by or who(), on or today(), reason)
    with progress() as tell:
        roles = read_open_roles(data, project, options=options, engine=engine, tell=tell)
    if asks:
        use.note("Roles were asked about.")
        raise typer.Exit(ask_about(roles, decider, again=again, json_file=json_file))
    use.note("Roles were decided by options.")
    decisions = decide(roles, decider, given, sure=sure, every_proposal=every, again=again)
    roles.with_written(decisions, roles.text, again=again)
    warn_of(roles, decisions)
    confirmed = Confirmed(roles, decider, decisions)
    show(confirmed.sheet(), confirmed.to_json, json_file)


def _given(role: list[str] | None, by_role: Mapping[str, list[str] | None]) -> dict[str, str]:
    """The roles that options give, by column."""
    given = pairs(role, "--role COLUMN=ROLE")
    for name, option in by_role.items():
        for column in listed(option):
            if given.setdefault(column, name) != name:
                raise PolicyError(f"Column {column!r} has two roles: {given[column]} and {name}. Give it one.")
    return given
