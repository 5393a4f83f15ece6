"""The plan for a recipient: what each step does, without anything that names a rare value, a secret or a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
LEFT_OUT = " Records that it lacks are left out."
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


@dataclass(frozen=True)
class RecipientPlan:
    """The steps of a plan that a recipient may know of, and the released values that these may name.

    Of the steps that a search found, from number `searched` on, those that leave people out are there only where
    somebody was left out: they are not told, since that few were left out may mean nobody.
    """

    plan: Plan
    common: Common
    searched: int

    @classmethod
    def of(cls, plan: Plan, table: Table, searched: int | None) -> RecipientPlan:
        """The plan of a release whose rows are given; None where nothing was searched."""
        return cls(plan, common_in(table), len(plan.steps) if searched is None else searched)

    def document(self) -> list[dict[str, Any]]:
        """The steps as plain values; what names values is masked, and what is the steward's own is left out."""
        return [{name: _masked(settings) for name, settings in step.items()} for _, step, _ in self._told()]

    def text(self) -> str:
        """The same as the text of a file."""
        head = "# What was done, for those who get the release. What names values stays with the steward.\n"
        return head + yaml.safe_dump({"steps": self.document()}, sort_keys=False, allow_unicode=True)

    def words(self) -> list[str]:
        """Each step in a sentence that names no file, no secret and no value that few released records have."""
        return [_words(step, words) for step, _, words in self._told()]

    def _told(self) -> Iterator[tuple[Step, dict[str, Any], str]]:
        told = for_recipient(self.plan, self.common)
        generalised = set[str]()
        for number, (step, (document, words)) in enumerate(zip(self.plan.steps, told, strict=True)):
            by_search = number >= self.searched
            settings = step.transformation.settings()
            if by_search and step.name == "suppress_records":
                continue
            if by_search and step.name == "recode_tuples":
                if generalised & set(settings["columns"]):
                    continue  # it leaves people out of what was generalised before
                document = {step.name: {key: value for key, value in document[step.name].items() if key != "unknown"}}
                words = words.replace(LEFT_OUT, "")
            generalised |= {settings["column"]} if by_search and step.name == "generalise" else set()
            yield step, document, words


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
