"""The log of use as a sheet: who did what, with what, and what came of it."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted

Document = dict[str, Any]


def audit_sheet(document: Document) -> Sheet:
    """The uses of a project, and whether the log is whole."""
    uses = document["uses"]
    rows = tuple(_row(use) for use in uses)
    columns = ("", "when", "who", "command", "input", "exit", "outcome")
    head = f"Head: {document['head']['hash']} ({counted(document['head']['lines'], 'line')})."
    sections = (
        Section("What is wrong", remarks=tuple(document["problems"] or ())),
        Section("Uses", columns, rows, (head,), numbers=(0, 5)),
    )
    return Sheet(
        title=f"Log of use: {document['log']}",
        verdict=f"{counted(len(uses), 'use')}. {_verdict(document['problems'])}",
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _verdict(problems: list[str] | None) -> str:
    if problems is None:
        return "The chain was not checked: add --verify."
    return (
        "The log was tampered with or damaged." if problems else "The chain is whole: no line was changed or removed."
    )


def _row(use: Document) -> tuple[str, ...]:
    command, outcome = use.get("command", {}), use.get("outcome", {})
    inputs = ", ".join(f"{found['name']} ({(found['sha256'] or 'no hash')[:8]})" for found in use.get("inputs", ()))
    words = " ".join((str(command.get("name", "-")), *command.get("options", ())))
    return (
        str(use["number"]), str(use.get("time", "-")), str(use.get("who", "-")), words, inputs or "-",
        str(outcome.get("exit", "-")), str(outcome.get("verdict", "-")),
    )  # fmt: skip
