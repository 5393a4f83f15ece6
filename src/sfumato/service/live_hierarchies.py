"""Live questions about a hierarchy: how it is, what an edit makes of it, what has no place, what a release loses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sfumato.errors import HierarchyError, SfumatoError
from sfumato.hierarchies.builders.from_file import hierarchy_in, hierarchy_text
from sfumato.hierarchies.catalogue import builder, builders
from sfumato.hierarchies.column_hierarchy import ColumnHierarchy
from sfumato.hierarchies.hierarchy import Counts, Hierarchy
from sfumato.hierarchies.hierarchy_edits import grouped, relabelled, unplaced, with_level, with_values, without_level
from sfumato.search.evaluator import Evaluator
from sfumato.service.live_searches import LiveSearch

EDITABLE = 3_000  # values up to which a hierarchy is edited by hand: nobody reads more, and a form holds no more
LISTED = 100  # values without a place that are named
BRANCHES = 400  # of the tree that are drawn: of a larger one its upper levels
Plain = dict[str, Any]


@dataclass(frozen=True, eq=False)
class LiveHierarchies:
    """The hierarchies of an evaluator, and drafts of others."""

    evaluator: Evaluator

    def counts(self, column: str) -> Counts:
        """How many records hold each value."""
        return {leaf.value: leaf.before for leaf in self.evaluator.counts(column).leaves}

    def draft(self, question: Mapping[str, Any]) -> Hierarchy:
        """The hierarchy of a column as it is, as a text says, or as a builder makes it; after the edits asked for."""
        column = str(question.get("column"))
        counts = self.counts(column)
        if question.get("text") is not None:
            hierarchy = hierarchy_in(str(question["text"]))
        elif question.get("kind"):
            made = builder(str(question["kind"]), question.get("parameters") or {})
            hierarchy = made.formula(counts).hierarchy(counts, unknown="top")
        else:
            hierarchy = self.evaluator.ready.hierarchies[column].hierarchy
        for edit in question.get("edits") or ():
            hierarchy = _edited(hierarchy, edit, counts)
        return hierarchy

    def hierarchy(self, question: Mapping[str, Any]) -> Plain:
        """A hierarchy as plain values: its levels, its tree, its text, and the values that have no place in it."""
        column, hierarchy = str(question.get("column")), self.draft(question)
        counts = self.counts(column)
        lacking = unplaced(hierarchy, counts)
        small = len(hierarchy.lines) <= EDITABLE
        return {
            "column": column,
            "height": hierarchy.height,
            "values": len(hierarchy.lines),
            "levels": [len(hierarchy.labels(level)) for level in range(hierarchy.height + 1)],
            "text": hierarchy_text(hierarchy) if small or question.get("whole") else None,
            "lines": [list(line) for line in hierarchy.lines] if small else None,
            "tree": tree_of(hierarchy, counts),
            "drawn_from": lowest_drawn(hierarchy),
            "lacking": {"values": len(lacking), "records": sum(lacking.values()), "listed": sorted(lacking)[:LISTED]},
            "unused": sum(not counts.get(value) for value in hierarchy.values),
            "why": self.evaluator.ready.hierarchies[column].why,
            "kinds": {name: kind.plainly for name, kind in builders().items()},
        }

    def with_draft(self, question: Mapping[str, Any]) -> Evaluator:
        """An evaluator of the same table with the draft in the place of the hierarchy; the records are grouped anew."""
        column, hierarchy = str(question.get("column")), self.draft(question)
        if unplaced(hierarchy, self.counts(column)):
            raise HierarchyError("Some values have no place yet, so that no effect can be told.")
        ready = self.evaluator.ready
        known = {**ready.hierarchies, column: ColumnHierarchy(column, hierarchy, "", file="draft.csv")}
        placed = {name: one.hierarchy for name, one in known.items()}
        made = replace(ready, hierarchies=known, dataset=replace(ready.dataset, hierarchies=placed))
        limits = {name: ends for name, ends in self.evaluator.request.limits.items() if name != column}
        return Evaluator.of(made, replace(self.evaluator.request, limits=limits))


@dataclass
class DraftEffect(LiveSearch):
    """What a release would lose with another hierarchy, beside what it loses with the one that there is."""

    hierarchies: LiveHierarchies
    question: Mapping[str, Any]
    told: Callable[..., Plain]  # an evaluation as plain values
    before: Plain | None = None
    after: Plain | None = None

    def step(self, urged: Callable[[], bool]) -> bool:
        if self.before is None:
            self.before = self._best(self.hierarchies.evaluator)
            return False
        self.after = self._best(self.hierarchies.with_draft(self.question))
        return True

    def _best(self, evaluator: Evaluator) -> Plain:
        try:
            return self.told(evaluator.best())
        except SfumatoError as error:
            return {"problem": str(error)}

    def content(self) -> Plain:
        return {"before": self.before, "after": self.after}


def lowest_drawn(hierarchy: Hierarchy) -> int | None:
    """The lowest level down to which the tree can be drawn; None where not even its highest labels can be."""
    drawn, lowest = 0, None
    for level in range(hierarchy.height, -1, -1):
        drawn += len(hierarchy.labels(level))
        if drawn > BRANCHES:
            break
        lowest = level
    return None if lowest == hierarchy.height > 0 else lowest


def tree_of(hierarchy: Hierarchy, counts: Counts) -> list[Plain] | None:
    """The labels from the top down to the lowest level that can be drawn, each with its records and values."""
    lowest = lowest_drawn(hierarchy)
    if lowest is None:
        return None
    known: dict[tuple[str, ...], Plain] = {}
    roots: list[Plain] = []
    for line in hierarchy.lines:
        records = counts.get(line[0]) or 0
        for depth in range(hierarchy.height - lowest + 1):
            way = tuple(reversed(line[hierarchy.height - depth :]))
            if way not in known:
                level = hierarchy.height - depth
                known[way] = {"label": way[-1], "records": 0, "values": 0, "level": level, "parts": []}
                (known[way[:-1]]["parts"] if depth else roots).append(known[way])
            known[way]["records"] += records
            known[way]["values"] += 1
    return roots


def _edited(hierarchy: Hierarchy, edit: Mapping[str, Any], counts: Counts) -> Hierarchy:
    what, level = edit.get("what"), int(edit.get("level") or 0)
    if what == "group":
        return grouped(hierarchy, {str(value) for value in edit["values"]}, level, str(edit["label"]))
    if what == "add":
        return with_level(hierarchy, level)
    if what == "take":
        return without_level(hierarchy, level)
    if what == "relabel":
        return relabelled(hierarchy, level, str(edit["before"]), str(edit["after"]))
    if what == "place":
        return with_values(hierarchy, sorted(unplaced(hierarchy, counts)))
    raise HierarchyError("There is no such edit of a hierarchy.")
