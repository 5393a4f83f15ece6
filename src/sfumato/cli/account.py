"""`sfumato account ...`: accounts of the service, at the console of the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.app import InOrder, app
from sfumato.cli.options import Json
from sfumato.cli.output import as_json, say, write
from sfumato.errors import MissingExtra, UnusableInput

if TYPE_CHECKING:
    from sfumato.service.entities import Account
    from sfumato.service.service import Service

account_app = typer.Typer(
    cls=InOrder,
    help="Accounts of the service: who can sign in, and with which role.",
    epilog="Example: sfumato account create stella --mail stella@example.org --root service",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(account_app, name="account")

ServiceRoot = Annotated[Path, typer.Option("--root", metavar="FOLDER", help="The root folder of the service.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name that is typed to sign in.")]
HERE = Path("service")
PAGE = 200  # accounts that are read at once


@account_app.command("list", epilog="Example: sfumato account list --root service --json -")
def list_all(root: ServiceRoot = HERE, json_file: Json = None) -> None:
    """Everybody who has an account, and what they are."""
    with _service(root) as service:
        from sfumato.service.accounts import list_accounts
        from sfumato.service.caller import at_console

        accounts: list[Account] = []
        after: str | None = None
        while page := list_accounts(service, at_console(), after=after, limit=PAGE):
            accounts += page
            after = page[-1].handle
    shown = [
        {
            "name": one.name, "shown_name": one.shown_name, "mail": one.mail, "administrator": one.administrator,
            "auditor": one.auditor, "closed": one.closed, "second_factor": one.second_factor_confirmed,
        }
        for one in accounts
    ]  # fmt: skip
    if json_file:
        write(json_file, as_json({"accounts": shown}))
    if json_file != "-":
        for one in shown:
            marks = [mark for mark in ("administrator", "auditor", "closed") if one[mark]]
            typer.echo(f"{one['name']}  {one['mail'] or '-'}  {', '.join(marks) or '-'}")
        if not shown:
            typer.echo("Nobody has an account yet.")


@account_app.command(epilog="Example: sfumato account create stella --mail stella@example.org --root service")
def create(
    name: Name,
    shown_name: Annotated[str, typer.Option(metavar="NAME", help="The name that others see.")] = "",
    mail: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Their mail address.")] = None,
    administrator: Annotated[bool, typer.Option("--administrator", help="Who looks after the service.")] = False,
    auditor: Annotated[bool, typer.Option("--auditor", help="Who reads the log.")] = False,
    no_link: Annotated[
        bool, typer.Option("--no-link", help="Make no link: they sign in with their organisation.")
    ] = False,
    root: ServiceRoot = HERE,
) -> None:
    """Create an account, and a link by which its owner sets a password. The link works once, for seven days."""
    with _service(root) as service:
        from sfumato.service.accounts import NewAccount, create_account
        from sfumato.service.caller import at_console

        new = NewAccount(name=name, shown_name=shown_name, mail=mail, administrator=administrator, auditor=auditor)
        _, link = create_account(service, at_console(), new, invite=not no_link)
    say(f"Created {name}." if link is None else f"Created {name}. Give them this link, which works once:\n{link}")


@account_app.command(epilog="Example: sfumato account close stella --root service")
def close(
    name: Name,
    reopen: Annotated[bool, typer.Option("--reopen", help="Open an account again that was closed.")] = False,
    root: ServiceRoot = HERE,
) -> None:
    """Close an account: its sessions and tokens end at once. What its owner did stays theirs."""
    with _service(root) as service:
        from sfumato.service.accounts import close_account, reopen_account
        from sfumato.service.caller import at_console

        (reopen_account if reopen else close_account)(service, at_console(), name)
    say(f"{'Opened' if reopen else 'Closed'} the account {name}.")


@account_app.command(epilog="Example: sfumato account role stella clinic steward --root service")
def role(
    name: Name,
    project: Annotated[str, typer.Argument(metavar="PROJECT", help="The name of the project.")],
    given: Annotated[str, typer.Argument(metavar="ROLE", help="One of: requester, steward, reviewer, recipient.")],
    take: Annotated[bool, typer.Option("--take", help="Take the role away instead.")] = False,
    root: ServiceRoot = HERE,
) -> None:
    """Give somebody a role in a project, or take it away."""
    with _service(root) as service:
        from sfumato.service.caller import at_console
        from sfumato.service.members import give_role, take_role
        from sfumato.service.permissions import OF_PROJECTS, ServiceRole

        if given not in {one.value for one in OF_PROJECTS}:
            raise UnusableInput(f"There is no such role in a project. Choose from {', '.join(OF_PROJECTS)}.")
        (take_role if take else give_role)(service, at_console(), project, name, ServiceRole(given))
    say(f"{name} is {'no longer ' if take else ''}{given} of {project}.")


@account_app.command(epilog="Example: sfumato account reset stella --second-factor --root service")
def reset(
    name: Name,
    password: Annotated[
        bool, typer.Option("--password", help="Make a link for a new password; the old one opens nothing any more.")
    ] = False,
    second_factor: Annotated[
        bool, typer.Option("--second-factor", help="Forget the second factor; another is set up at the next sign-in.")
    ] = False,
    root: ServiceRoot = HERE,
) -> None:
    """Help somebody who forgot their password or lost their second factor."""
    if not (password or second_factor):
        raise UnusableInput("Say what to reset: --password, --second-factor, or both.")
    with _service(root) as service:
        from sfumato.service.accounts import reset_password, reset_second_factor
        from sfumato.service.caller import at_console

        if second_factor:
            reset_second_factor(service, at_console(), name)
            say(f"{name} has no second factor now.")
        if password:
            say(f"Give {name} this link, which works once:\n{reset_password(service, at_console(), name)}")


@contextmanager
def _service(root: Path) -> Iterator[Service]:
    """The service of a root folder, which `sfumato serve` has made."""
    try:
        from sfumato.service.service import Service
    except ImportError:
        raise MissingExtra("The service", "service") from None
    service = Service.there(root)
    try:
        yield service
    finally:
        service.database.close()
