"""The questions about roles at a terminal: one column after the other, and what each answer means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import typer

from sfumato.cli.output import show
from sfumato.columns.confirm import Confirmed
from sfumato.columns.open_roles import Decider, OpenRole, OpenRoles
from sfumato.project.file import RoleDecision
from sfumato.schema import Role, role_name
from sfumato.show.sheet import counted, plain


class RoleAnswer(StrEnum):
    """What can be done about a column. Its first letter is enough."""

    KEEP = "keep"
    CHANGE = "change"
    SKIP = "skip"
    BACK = "back"
    QUIT = "quit"


HELP = (
    "Answer with a word or its first letter; Enter skips, and back takes the last answer back.\n"
    "A reason may follow: `keep as the codebook says`, `quasi colleagues know it`."
)


@dataclass(frozen=True)
class RoleQuestions:
    """A walk through columns. Each answer that decides gives all decisions so far; nothing is written here."""

    columns: Sequence[OpenRole]
    decider: Decider
    say: Callable[[str], None]
    ask: Callable[[str], str]

    def decisions(self) -> Iterator[dict[str, RoleDecision]]:
        """All decisions so far, each time that one is made or taken back."""
        if not self.columns:
            return
        self.say(f"{counted(len(self.columns), 'column')} to decide about. {HELP}")
        made: dict[str, RoleDecision] = {}
        place = 0
        while place < len(self.columns):
            column = self.columns[place]
            self._show(column, place)
            answer, role, reason = self._answer(column)
            if answer is RoleAnswer.QUIT:
                return
            if answer is RoleAnswer.BACK:
                place = max(place - 1, 0)
                if made.pop(self.columns[place].name, None):
                    yield dict(made)
                continue
            if role is not None:
                made[column.name] = self.decider.on_column(column, role, self._reason(column, role, answer, reason))
                yield dict(made)
            place += 1

    def _show(self, column: OpenRole, place: int) -> None:
        proposed = f"{column.proposed.value} ({column.level})" if column.proposed else "undecided"
        self.say(f"\n{place + 1} of {len(self.columns)}: {plain(column.name)}")
        self.say(f"  proposed: {proposed}")
        self.say(f"  because:  {plain(column.evidence)}")
        if column.would_decide:
            self.say(f"  what would decide: {plain(column.would_decide)}")

    def _answer(self, column: OpenRole) -> tuple[RoleAnswer, Role | None, str]:
        """What to do, the role that is decided where one is, and the reason that was added."""
        options = [answer for answer in RoleAnswer if column.proposed or answer is not RoleAnswer.KEEP]
        question = f"{', '.join(f'[{word[0]}]{word[1:]}' for word in options)}? "
        while True:
            word, _, reason = self.ask(question).strip().partition(" ")
            role = _role(word) if len(word) > 2 else None  # `s` skips, and `qu` could be quit
            if role is not None:
                return RoleAnswer.CHANGE, role, reason.strip()
            answer = next((answer for answer in options if word and answer.startswith(word.lower())), None)
            if not word:
                return RoleAnswer.SKIP, None, ""
            if answer is RoleAnswer.KEEP:
                return answer, column.proposed, reason.strip()
            if answer is RoleAnswer.CHANGE:
                return answer, self._role(), reason.strip()
            if answer is not None:
                return answer, None, ""
            self.say(HELP)

    def _role(self) -> Role | None:
        """The role that is asked for; None where none is given."""
        while True:
            word = self.ask("  which role: [d]irect, [q]uasi, [s]ensitive, [n]on-sensitive? ").strip()
            role = _role(word)
            if role is not None or not word:
                return role

    def _reason(self, column: OpenRole, role: Role, answer: RoleAnswer, reason: str) -> str | None:
        """The reason for a role: asked for where it is changed, and again where the evidence is against it."""
        if reason or self.decider.reason:
            return reason or None
        if column.against(role):
            sure = f"{column.says_sure:.0%}"
            self.say(f"  The evidence says {role_name(column.says)} ({sure} sure). The reason goes into the report.")
            return self.ask("  why? ").strip() or self.ask("  a reason, in a few words (Enter: none)? ").strip() or None
        return self.ask("  why (Enter: no reason)? ").strip() or None if answer is RoleAnswer.CHANGE else None


def _role(word: str) -> Role | None:
    """The role that a word or its beginning means, in any letters."""
    near = [role for role in Role if word and role.value.startswith(word.lower())]
    return near[0] if len(near) == 1 else None


def ask_about(roles: OpenRoles, decider: Decider, *, again: bool, json_file: str | None) -> int:
    """Ask about each column, write each decision when it is made, and tell what was decided; the exit code."""
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
    confirmed = Confirmed(roles, decider, settled)
    show(confirmed.sheet(), confirmed.to_json, json_file)
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


def warn_of(roles: OpenRoles, decisions: Mapping[str, RoleDecision]) -> None:
    """Say which decisions are against the evidence."""
    for name, decision in decisions.items():
        column = roles[name]
        if column.says is not None and column.against(decision.role):
            typer.echo(
                f"Note: {name} is decided as {decision.role.value}, though the evidence says {column.says.value} "
                f"({column.says_sure:.0%} sure).",
                err=True,
            )
