"""The plan for a recipient: what each step does, without anything that names a rare value, a secret or a file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml

from sfumato.plans.kept_files import is_kept, kept_in
from sfumato.plans.plan import Plan, Step
from sfumato.plans.provenance import Common, for_recipient
from sfumato.proof.report.small_numbers import LEAST
from sfumato.tables.engine import Table, quoted

LIST = "a list that the steward keeps"
# Parameters that say where something of the steward's is, or what chance is drawn by.
OWN = ("id", "secret", "vault", "seed", "file", "sha256")


def common_in(table: Table) -> Common:
    """The values of the released rows that enough of them have, so that a plan may name them."""

    @cache
    def of(column: str) -> frozenset[str]:
        if column not in table.columns:
            return frozenset()
        x = f"CAST({quoted(column)} AS VARCHAR)"
        rows = table.engine.fetch(
            f"SELECT {x} FROM {table} WHERE {quoted(column)} IS NOT NULL GROUP BY 1 HAVING count(*) >= {LEAST}"
        )
        return frozenset(str(value) for (value,) in rows)

    return lambda column, value: str(value) in of(column)


def recipient_plan(plan: Plan, common: Common) -> list[dict[str, Any]]:
    """The steps as plain values; what names values is masked, and what is the steward's own is left out."""
    return [{name: _masked(settings) for name, settings in step.items()} for step, _ in for_recipient(plan, common)]


def recipient_text(plan: Plan, common: Common) -> str:
    """The same as the text of a file."""
    head = "# What was done, for those who get the release. What names values stays with the steward.\n"
    return head + yaml.safe_dump({"steps": recipient_plan(plan, common)}, sort_keys=False, allow_unicode=True)


def recipient_words(plan: Plan, common: Common) -> list[str]:
    """Each step in a sentence that names no file, no secret and no value that few released records have."""
    said = for_recipient(plan, common)
    return [_words(step, words) for step, (_, words) in zip(plan.steps, said, strict=True)]


def _words(step: Step, words: str) -> str:
    if step.transformation.secrets():
        settings = step.transformation.settings()
        named = settings.get("columns") or settings.get("column") or ()
        columns = named if isinstance(named, str) else ", ".join(named)
        return f"{step.name.replace('_', ' ').capitalize()} {columns}, by a secret that the steward keeps."
    for name in sorted(kept_in(step.document()), key=len, reverse=True):
        words = words.replace(f", {name}", "").replace(name, LIST)
    return words


def _masked(value: Any, key: str = "") -> Any:
    if key == "hierarchy":  # how it is built may come from the data: where it starts, how far it goes
        return value.get("kind", LIST) if isinstance(value, Mapping) else LIST
    if key == "hierarchies" and isinstance(value, Mapping):
        return {column: _masked(part, "hierarchy") for column, part in value.items()}
    if is_kept(value) and set(value) == {"file", "sha256"}:
        return LIST
    if isinstance(value, Mapping):
        return {name: _masked(part, name) for name, part in value.items() if name not in OWN}
    return [_masked(part) for part in value] if isinstance(value, list) else value
