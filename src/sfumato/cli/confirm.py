"""`sfumato confirm`: decide on the roles that are proposed, one by one at the terminal, or by options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
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
    listed,
    pairs,
    shared,
)
from sfumato.cli.output import progress, require_apart, show
from sfumato.errors import PolicyError, UnusableInput

if TYPE_CHECKING:
    from sfumato.columns.confirm import Confirmed
    from sfumato.columns.open_roles import Decider, OpenRoles
    from sfumato.project.file import RoleDecision
    from sfumato.tables.engine import Engine
    from sfumato.tables.source import ReadOptions

NO_TERMINAL = (
    "There is no terminal to ask in. Say what is decided: --all keeps every proposal, --sure high those that are sure, "
    "and --role COLUMN=ROLE gives a column its role."
)


@app.command(epilog="Example: sfumato confirm; or, without questions: sfumato confirm --sure high --by 'J. Doe'")
@shared
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
) -> None:
    """Decide on the roles that are proposed, and write down who decided, when and why.

    At the terminal, each column is shown with its evidence: keep the proposal, change it, skip it, go back, or quit.
    Options decide without questions. A project file that lacks is made of DATA.
    """
    from sfumato.columns.confirm import Confirmed, decide, read_open_roles
    from sfumato.columns.open_roles import Decider, today
    from sfumato.user import who

    given = _given(role, {"direct": direct, "quasi": quasi, "sensitive": sensitive, "non-sensitive": non_sensitive})
    asks = not (every or sure or given)
    if asks and not watched():
        raise UnusableInput(NO_TERMINAL)
    require_apart(json_file, data, project, "sfumato.yaml", what="the data itself, or its project file")
    decider = Decider(by or who(), on or today(), reason)
    with progress() as tell:
        roles = read_open_roles(data, project, options=options, engine=engine, tell=tell)
    if asks:
        raise typer.Exit(_asked(roles, decider, again=again, json_file=json_file))
    decisions = decide(roles, decider, given, sure=sure, every_proposal=every, again=again)
    roles.with_written(decisions, roles.text, again=again)
    _warn(roles, decisions)
    _tell(Confirmed(roles, decider, decisions), json_file)


def watched() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty()


def _given(role: list[str] | None, by_role: Mapping[str, list[str] | None]) -> dict[str, str]:
    """The roles that options give, by column."""
    given = pairs(role, "--role COLUMN=ROLE")
    for name, option in by_role.items():
        for column in listed(option):
            if given.setdefault(column, name) != name:
                raise PolicyError(f"Column {column!r} has two roles: {given[column]} and {name}. Give it one.")
    return given


def _asked(roles: OpenRoles, decider: Decider, *, again: bool, json_file: str | None) -> int:
    """Ask about each column, write each decision when it is made, and tell what was decided; the exit code."""
    from sfumato.cli.role_questions import RoleQuestions
    from sfumato.columns.confirm import Confirmed

    err = json_file == "-"
    settled: Mapping[str, RoleDecision] = {}
    written, stopped = roles.text, False
    columns = roles.columns if again else roles.open
    questions = RoleQuestions(columns, decider, say=lambda words: typer.echo(words, err=err), ask=_asking(err=err))
    try:
        for decisions in questions.decisions():
            written, settled = roles.with_written(decisions, written, again=again), decisions
    except (KeyboardInterrupt, EOFError) as ended:
        stopped = isinstance(ended, KeyboardInterrupt)
        typer.echo("", err=err)
    _tell(Confirmed(roles, decider, settled), json_file)
    if stopped:
        typer.echo(f"\nsfumato: stopped. What was decided before is in {roles.path}.", err=True)
    return 2 if stopped else 0


def _asking(*, err: bool) -> Callable[[str], str]:
    def ask(question: str) -> str:
        typer.echo(question, nl=False, err=err)
        try:
            return input()
        except UnicodeDecodeError:  # not a letter of this terminal: asked again
            return ""

    return ask


def _warn(roles: OpenRoles, decisions: Mapping[str, RoleDecision]) -> None:
    """Say which decisions are against the evidence."""
    for name, decision in decisions.items():
        column = roles[name]
        if column.says is not None and column.against(decision.role):
            typer.echo(
                f"Note: {name} is decided as {decision.role.value}, though the evidence says {column.says.value} "
                f"({column.says_sure:.0%} sure).",
                err=True,
            )


def _tell(confirmed: Confirmed, json_file: str | None) -> None:
    show(confirmed.sheet(), confirmed.to_json(), json_file)
