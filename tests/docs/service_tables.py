"""The tables of docs/service.md, made from the program."""

from __future__ import annotations

import ast
import inspect

from sfumato.service import settings as module
from sfumato.service.permissions import TABLE, Scope, ServiceRole
from sfumato.service.request_states import markdown as states
from sfumato.service.settings import Settings

SCOPES = {
    Scope.PUBLIC: "everybody", Scope.SELF: "oneself", Scope.SERVICE: "the service", Scope.PROJECT: "a project",
    Scope.OWN: "one's own request",
}  # fmt: skip
TRACES = {"nothing": "", "once": "a line", "twice": "before and after"}


def permissions() -> str:
    """Every act, and who may do it."""
    roles = list(ServiceRole)
    lines = ["| act | of | " + " | ".join(roles) + " | log |", "|---|---|" + "---|" * len(roles) + "---|"]
    for row in TABLE:
        held = " | ".join("yes" if role in row.roles else "" for role in roles)
        lines.append(f"| {row.words} (`{row.act}`) | {SCOPES[row.scope]} | {held} | {TRACES[row.trace]} |")
    return "\n".join(lines)


def settings() -> str:
    """Every setting with its default, and what its line in the program says of it."""
    source = inspect.getsource(module)
    lines = source.splitlines()
    told = {}
    node = next(one for one in ast.parse(source).body if isinstance(one, ast.ClassDef) and one.name == "Settings")
    for field in (one for one in node.body if isinstance(one, ast.AnnAssign)):
        told[field.target.id] = lines[field.lineno - 1].partition("  # ")[2].replace("|", "or")  # type: ignore[union-attr]
    rows = ["| setting | default | |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "none" if field.default is None else f"`{field.default}`"
        rows.append(f"| `{name}` | {default} | {told[name]} |")
    return "\n".join(rows)


MADE = {"permissions": permissions, "states": lambda: states().rstrip(), "settings": settings}
