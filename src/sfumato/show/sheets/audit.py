"""The log of use as a sheet: who did what, with what, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.show.documents.use_log import LogDocument
from sfumato.show.sheet import Section, Sheet, counted

MOST = 200  # problems on a terminal: whoever reads as many knows that the file is no log


def audit_sheet(log: LogDocument) -> Sheet:
    """The uses of a project, and whether the log is whole."""
    columns = ("", "when", "who", "command", "input", "exit", "outcome")
    head = f"Head: {log.head.hash} ({counted(log.head.lines, 'line')})."
    sections = (
        Section("What is wrong", remarks=_first(log.problems or ())),
        Section("What is open", remarks=_first(log.remarks)),
        deliveries_section(log.deliveries),
        reported_section(log.reported),
        Section("Uses", columns, tuple(map(_row, log.uses)), (head,), numbers=(0, 5)),
    )
    return Sheet(
        title=f"Log of use: {log.log}",
        verdict=f"{counted(len(log.uses), 'use')}. {_verdict(log.problems)}",
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def deliveries_section(deliveries: Sequence[Mapping[str, Any]]) -> Section:
    """What was handed to whom, when and what for."""
    rows = tuple(
        (*(str(one.get(key, "-")) for key in ("on", "package")), str(one.get("manifest", "-"))[:8],
         *(str(one.get(key, "-")) for key in ("to", "purpose")), str(one.get("anyway") or ""))
        for one in deliveries
    )  # fmt: skip
    return Section("Deliveries", ("on", "package", "manifest", "to", "purpose", "against the checks, since"), rows)


def reported_section(reported: Sequence[Mapping[str, Any]]) -> Section:
    """What recipients say of the use. Nobody checked it."""
    rows = tuple(
        (*(str(one.get(key, "-")) for key in ("on", "package")), str(one.get("manifest", "-"))[:8],
         *(str(one.get(key, "-")) for key in ("by", "use")))
        for one in reported
    )  # fmt: skip
    return Section("Reported by recipients", ("on", "package", "manifest", "by", "use"), rows)


def _first(problems: Sequence[str]) -> tuple[str, ...]:
    more = len(problems) - MOST
    return (*problems[:MOST], *([f"... and {counted(more, 'problem')} more, with --json."] if more > 0 else []))


def _verdict(problems: Sequence[str] | None) -> str:
    if problems is None:
        return "The chain was not checked: add --verify."
    return (
        "The log was tampered with or damaged." if problems else "The chain is whole: no line was changed or removed."
    )


def _row(use: Mapping[str, Any]) -> tuple[str, ...]:
    """One line of the log, which may have been changed, and lack what others have."""
    command, outcome = (_mapping(use.get(key)) for key in ("command", "outcome"))
    files = map(_mapping, _listed(use.get("inputs")))
    inputs = ", ".join(f"{file.get('name', '-')} ({str(file.get('sha256') or 'no hash')[:8]})" for file in files)
    words = " ".join((str(command.get("name", "-")), *map(str, _listed(command.get("options")))))
    return (
        str(use["number"]), str(use.get("time", "-")), _who(use.get("who", "-")), words, inputs or "-",
        str(outcome.get("exit", "-")), str(outcome.get("verdict", "-" if outcome else "not completed")),
    )  # fmt: skip


def _who(given: Any) -> str:
    """The name, and beside one that was only claimed the account of the system."""
    if not isinstance(given, Mapping):
        return str(given)
    claimed = f" (claimed by {given.get('account', '-')})" if given.get("claimed") else ""
    return f"{given.get('name', '-')}{claimed}"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()
