"""Generalisation of some records more than of others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sfumato.errors import HierarchyError
from sfumato.plans.blocks.level_labels import (
    ColumnAtLevel,
    Generalisation,
    check_hierarchy,
    hierarchy_files,
    kept_hierarchy,
)
from sfumato.plans.blocks.parameters import choice, whole
from sfumato.plans.condition import Condition
from sfumato.plans.draft import Draft
from sfumato.plans.kept_files import FilesByName, Steward
from sfumato.plans.step_interface import Resources, Transformation


@dataclass(frozen=True)
class GeneraliseLocally(Transformation):
    """Replace values by their ancestors, at levels that depend on the record (local recoding).

    `rules` are a list of `{where: condition, levels: {column: level}}`; for each record the first rule whose
    condition holds decides, and a rule without a condition is for all others. A record that no rule means, and a
    column that its rule does not name, stay as they are. Suppressing a value is the level `top` of its column, and
    suppressing a record is the level `top` of all its columns. Conditions look at the values before this step.
    `hierarchies` names one for each column, as in `generalise`. The columns become text.

    Examples
    --------
    >>> GeneraliseLocally(
    ...     rules=[{"where": {"column": "age", "at_least": 80}, "levels": {"age": 2}}, {"levels": {"age": 1}}],
    ...     hierarchies={"age": {"kind": "ages"}},
    ... ).explained()
    'Generalise where age is at least 80: age to level 2; all others: age to level 1.'
    """

    rules: Any
    hierarchies: Any
    unknown: str = "error"

    def __post_init__(self) -> None:
        choice(self, "unknown", self.unknown, ("error", "top"))
        if not isinstance(self.rules, list | tuple) or not self.rules:
            raise self.wrong("rules must be a list of {where: condition, levels: {column: level}}.")
        if not isinstance(self.hierarchies, Mapping):
            raise self.wrong("hierarchies must name a hierarchy for each column.")
        for rule in self.rules:
            self._check(rule)
        for hierarchy in self.hierarchies.values():
            try:
                check_hierarchy(hierarchy)
            except HierarchyError as error:
                raise self.wrong(str(error)) from None

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        names = [name for name in draft.require(*self.hierarchies).names if name in self.hierarchies]
        rule = self._rule(draft)
        labels, joins = {}, []
        for name in names:
            column = Generalisation.of(draft, name, resources.located(self.hierarchies[name]), resources.folder)
            placed = self._placed(column, rule)
            if placed is not None:
                labels[name] = placed.sql
                joins.append(placed.join)
        return draft.changed(labels, join=" ".join(filter(None, joins))) if labels else draft

    def treated(self) -> frozenset[str]:
        return frozenset(self.hierarchies)

    def settled(self, draft: Draft, resources: Resources) -> GeneraliseLocally:
        """The same step with hierarchies that do not look at the data, decided on those at hand."""
        settled = {}
        for name, given in self.hierarchies.items():
            stored = isinstance(given, str) or given["kind"] in ("from_file", "tree")
            known = resources.located(given)
            settled[name] = (
                given if stored else Generalisation.of(draft, name, known, resources.folder).formula.settled()
            )
        return replace(self, hierarchies=settled)

    def handed_on(self, steward: Steward) -> tuple[GeneraliseLocally, FilesByName]:
        parts = {name: kept_hierarchy(name, given, steward) for name, given in self.hierarchies.items()}
        contents = {file: content for _, kept in parts.values() for file, content in kept.items()}
        stated = {name: hierarchy for name, (hierarchy, _) in parts.items()}
        return (replace(self, hierarchies=stated), contents) if contents else (self, {})

    def places(self) -> tuple[str, ...]:
        return tuple(file for hierarchy in self.hierarchies.values() for file in hierarchy_files(hierarchy))

    def explained(self) -> str:
        said = []
        for rule in self.rules:
            who = f"where {Condition.of(rule['where']).words()}" if rule.get("where") else "all others"
            what = (f"{name} to {'the top' if n == 'top' else f'level {n}'}" for name, n in rule["levels"].items())
            said.append(f"{who}: {', '.join(what)}")
        return f"Generalise {'; '.join(said)}."

    def _check(self, rule: Any) -> None:
        if (
            not isinstance(rule, Mapping)
            or not isinstance(rule.get("levels"), Mapping)
            or set(rule) - {"where", "levels"}
        ):
            raise self.wrong("a rule has a condition (where) and levels, such as {age: 2}, and nothing else.")
        if rule.get("where") is not None:
            Condition.of(rule["where"])
        for name, level in rule["levels"].items():
            if name not in self.hierarchies:
                raise self.wrong(f"hierarchies has none for the column {name!r}, which a rule names.")
            if level != "top":
                whole(self, f"the level of {name}", level, 0)

    def _rule(self, draft: Draft) -> str:
        """The number of the rule that decides about a record, as SQL; 0 where there is none."""
        conditions = [Condition.of(r["where"]).sql(draft) if r.get("where") else "TRUE" for r in self.rules]
        whens = " ".join(f"WHEN {condition} THEN {i}" for i, condition in enumerate(conditions, 1))
        return f"(CASE {whens} ELSE 0 END)"

    def _placed(self, column: Generalisation, rule: str) -> ColumnAtLevel | None:
        """What becomes of one column: by the level that each rule has for it."""
        levels: dict[int, list[int]] = {}
        for number, given in enumerate(self.rules, 1):
            level = column.level(given["levels"].get(column.column, 0))
            levels.setdefault(level, []).append(number)
        levels.pop(0, None)
        if not levels:
            return None
        whens, joins = [], []
        for level, numbers in levels.items():
            placed, meant = column.at(level), f"{rule} IN ({', '.join(map(str, numbers))})"
            if self.unknown == "error":
                column.require_places(placed, meant)
            whens.append(f"WHEN {meant} THEN {placed.sql}")
            joins += [placed.join] if placed.join else []
        return ColumnAtLevel(f"CASE {' '.join(whens)} ELSE {column.at(0).sql} END", " ".join(joins))
