"""Generalisation of a whole column to a level of its hierarchy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from sfumato.errors import HierarchyError
from sfumato.plans.blocks.level_labels import (
    Generalisation,
    builder_of,
    check_hierarchy,
    hierarchy_files,
    kept_hierarchy,
    looks_at_no_data,
    restated,
)
from sfumato.plans.blocks.parameters import choice, one_column, whole
from sfumato.plans.draft import Draft
from sfumato.plans.kept_files import FilesByName, Steward, is_kept
from sfumato.plans.step_interface import Resources, Transformation

MADE_UP = ("7", "25", "41", "62", "93", "2024-03-17", "A10BA02", "E11.9", "L69 3BX")


@dataclass(frozen=True)
class Generalise(Transformation):
    r"""Replace every value of a column by its ancestor at one level of a hierarchy (full-domain generalisation).

    .. math:: v \mapsto \gamma^{level}(v)

    `hierarchy` is a file beside the plan (value;level 1;level 2;...) or a kind with its parameters, such as
    `{kind: intervals, width: 5}`; without one it is the file of the column in the folder of `--hierarchies`. Level 0
    is the value itself and `top` one label for all. A value that has no place is an error, or goes to the top
    (`unknown: top`). A missing value becomes what the hierarchy says: it stays missing below the top, unless there is
    a label for it. A kind that looks at the data (quantiles, density, priority) does so at this step; `settled` says
    what it found, so that the plan does the same to other data.

    References
    ----------
    Samarati (2001). Protecting respondents' identities in microdata release.
    IEEE Transactions on Knowledge and Data Engineering 13(6), 1010-1027 (section 3).

    Examples
    --------
    >>> Generalise("age", 2, {"kind": "ages"}).examples()[:3]
    (('7', '0-9'), ('25', '20-29'), ('41', '40-49'))
    """

    column: str
    level: int | str
    hierarchy: Any = None
    unknown: str = "error"

    aliases: ClassVar[tuple[str, ...]] = ("generalize",)

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        choice(self, "unknown", self.unknown, ("error", "top"))
        if self.level != "top":
            whole(self, "level", self.level, 0)
        if self.hierarchy is None:
            return
        try:
            check_hierarchy(self.hierarchy)
        except HierarchyError as error:
            raise self.wrong(str(error)) from None

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        generalisation = Generalisation.of(draft, self.column, self._hierarchy(resources), resources.folder)
        level = generalisation.level(self.level)
        if level == 0:
            return draft
        placed = generalisation.at(level)
        if self.unknown == "error":
            generalisation.require_places(placed)
        order = generalisation.order(level) if self.unknown == "error" else ()
        return restated(draft.labelled(self.column, placed.sql, join=placed.join), self.column, order)

    def settled(self, draft: Draft, resources: Resources) -> Generalise:
        """The same step with a hierarchy that does not look at the data, decided on those at hand."""
        if not isinstance(self.hierarchy, Mapping) or self.hierarchy["kind"] in ("from_file", "tree"):
            return self
        generalisation = Generalisation.of(draft, self.column, self._hierarchy(resources), resources.folder)
        return replace(self, level=generalisation.level(self.level), hierarchy=generalisation.formula.settled())

    def by_values(self, draft: Draft, resources: Resources) -> bool:
        return looks_at_no_data(draft, self.column, self._hierarchy(resources), resources.folder)

    def handed_on(self, steward: Steward) -> tuple[Generalise, FilesByName]:
        stated, contents = kept_hierarchy(self.column, self.hierarchy, steward)
        return (replace(self, hierarchy=stated), contents) if contents else (self, {})

    def places(self) -> tuple[str, ...]:
        return hierarchy_files(self.hierarchy)

    def _hierarchy(self, resources: Resources) -> Any:
        """What the step names, or else the file that was given for the column."""
        if self.hierarchy is None and self.column not in resources.hierarchies:
            raise self.wrong(
                f"there is no hierarchy of {self.column!r}. Name one in the step, or give a folder: --hierarchies."
            )
        return resources.located(self.hierarchy) or str(resources.hierarchies[self.column].resolve())

    def explained(self) -> str:
        where = "its own file" if self.hierarchy is None else f"the file {self.hierarchy}"
        if isinstance(self.hierarchy, Mapping):
            kept = [given["file"] for given in self.hierarchy.values() if is_kept(given)]
            where = ", ".join([self.hierarchy["kind"], *kept])
        to = "the top" if self.level == "top" else f"level {self.level}"
        return f"Generalise {self.column} to {to} of its hierarchy ({where})."

    def examples(self) -> tuple[tuple[str, str], ...]:
        if not isinstance(self.hierarchy, Mapping) or self.hierarchy["kind"] in ("from_file", "tree"):
            return ()
        if any(map(is_kept, self.hierarchy.values())):
            return ()
        try:
            formula = builder_of(self.hierarchy, Path()).formula(Counter(MADE_UP))
        except HierarchyError:
            return ()
        level = formula.height if self.level == "top" else int(self.level)
        placed = [text for text in MADE_UP if level <= formula.height and formula.places(text)]
        return tuple((text, str(formula.label(text, level))) for text in placed)
