"""Generalisation: what the values of one column become at a level of its hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato.errors import HierarchyError, PlanError
from sfumato.hierarchies.builder_interface import Builder, plain_value
from sfumato.hierarchies.catalogue import builder, kind_of_builder
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts
from sfumato.hierarchies.lookup import Lookup
from sfumato.hierarchies.ranges import Ranges, Style
from sfumato.plans.blocks.record_numbers import in_rows
from sfumato.plans.blocks.values_in_sql import text_of
from sfumato.plans.draft import Draft
from sfumato.plans.kept_files import FilesByName, Steward, is_kept
from sfumato.tables.engine import Kind, Table, literal, one_value, quoted

LONG = 200  # values of a list: a longer one is joined rather than written out. Chosen, not measured
FEW = 100_000  # different values whose labels are found in Python. Chosen, not measured
FILES = ("path", "mapping")  # parameters of builders that may be files


@dataclass(frozen=True)
class ColumnAtLevel:
    """A column at a level, as SQL over `record`: the label, what to join for it, and which values have no place."""

    sql: str
    join: str = ""
    lacking: str = "FALSE"
    values: Table | None = None  # where its different values stand, each with `lacking`


@dataclass(frozen=True)
class Generalisation:
    """One column of a draft with its hierarchy, settled on the data."""

    draft: Draft
    column: str
    formula: Formula

    @classmethod
    def of(cls, draft: Draft, column: str, hierarchy: Any, folder: Path) -> Generalisation:
        """The hierarchy that a plan names for a column: a file, or the settings of a builder."""
        builder = builder_of(hierarchy, folder)
        return cls(draft.require(column), column, _settled(builder, draft, column))

    def level(self, level: int | str) -> int:
        """The number of a level; `top` is the last."""
        number = self.formula.height if level == "top" else level
        if not isinstance(number, int) or not 0 <= number <= self.formula.height:
            raise PlanError(
                f"The hierarchy of {self.column!r} has levels 0 to {self.formula.height}, and no level {level}."
            )
        return number

    def at(self, level: int) -> ColumnAtLevel:
        """What the values become at a level, as text."""
        value = one_value(f"record.{quoted(self.column)}", self.draft.kind(self.column))
        formula = self.formula
        if level in (0, formula.height):
            return ColumnAtLevel(formula.sql(value, level))
        if isinstance(formula, Lookup) and len(formula.stored.lines) > LONG:
            return self._joined(formula, level)
        if not formula.listed or isinstance(formula, Lookup):
            lacking = f"CASE WHEN {value} IS NULL THEN FALSE ELSE {formula.unplaced(value)} END"
            return ColumnAtLevel(formula.sql(value, level), lacking=lacking)
        return self._of_different_values(value, level)

    def require_places(self, placed: ColumnAtLevel, records: str = "TRUE") -> None:
        """`PlanError` with counts and row numbers where values among some records have no place."""
        text, draft = text_of(self.draft, self.column), self.draft
        if placed.lacking == "FALSE" or not self._lacking_values(placed, records):
            return
        source = f"{draft.table} AS record {placed.join} WHERE {placed.lacking} AND {records}"
        values, lacking = draft.engine.fetch(f"SELECT count(DISTINCT {text}), count(*) FROM {source}")[0]
        rows = draft.engine.fetch(f"SELECT {draft.number} FROM {source} ORDER BY 1 LIMIT 5")
        raise PlanError(
            f"Column {self.column!r}: {values} different value{'s' * (values != 1)} of {lacking} "
            f"record{'s' * (lacking != 1)} {self.formula.expects} ({in_rows([int(n) for (n,) in rows], lacking)}). "
            f"Correct them, or send them to the top of the hierarchy: unknown: top."
        )

    def order(self, level: int) -> tuple[str, ...]:
        """The labels at a level, lowest first, where there is an order among them."""
        if isinstance(self.formula, Ranges) and 0 < level < self.formula.height:
            return self.formula.labels(level)
        if self.formula.missing(level) is not None:
            return ()
        known = self.draft[self.column].order
        return in_order(known, lambda value: self.formula.label(value, level))

    def _lacking_values(self, placed: ColumnAtLevel, records: str) -> int:
        """How many different values have no place: they are far fewer than records, and a formula takes its time."""
        if placed.values is not None and records == "TRUE":
            return int(self.draft.engine.fetch(f"SELECT count(*) FROM {placed.values} WHERE lacking")[0][0])
        x, short = quoted(self.column), self.draft.short
        different = f"SELECT DISTINCT record.{x} FROM {self.draft.table} AS record WHERE {records}"
        if short is not None and self.column in short.texts and records == "TRUE":  # told apart while they are short
            different = f"SELECT CAST({x} AS VARCHAR) AS {x} FROM (SELECT DISTINCT {x} FROM {short.table}) AS held"
        # Not WHERE, which an engine would ask of each record before it looks for the different values among them.
        asked = f"SELECT count(CASE WHEN {placed.lacking} THEN 1 END) FROM ({different}) AS record {placed.join}"
        return int(self.draft.engine.fetch(asked)[0][0])

    def _of_different_values(self, value: str, level: int) -> ColumnAtLevel:
        """The formula of each different value once, joined to the records: the long list of a formula is costly."""
        engine = self.draft.engine
        different = engine.query(f"SELECT DISTINCT {value} AS value FROM {self.draft.table} AS record")
        table = self._labelled(different, level) or engine.query(f"""
            SELECT value, {self.formula.sql("value", level)} AS label, {self.formula.unplaced("value")} AS lacking
            FROM {different}""")
        engine.drop(different)
        join = f"LEFT JOIN {table} AS {table} ON {table}.value IS NOT DISTINCT FROM {value}"
        return ColumnAtLevel(f"{table}.label", join, f"{table}.lacking", table)

    def _labelled(self, different: Table, level: int) -> Table | None:
        """Different values with their labels, found here: an engine takes longer to read a long list than to use it.

        None where there are too many of them, or where the letters of an engine may not be those of Python (its capital
        of ß is SS).
        """
        if self.draft.kind(self.column) is not Kind.TEXT or different.count() > FEW:
            return None
        texts = different.engine.arrow(f"SELECT value FROM {different}")["value"].to_pylist()
        if not all(text is None or text.isascii() for text in texts):
            return None
        import pyarrow as pa

        labels = [self.formula.label(text, level) for text in texts]
        lacking = [text is not None and not self.formula.places(text) for text in texts]
        columns = {"value": pa.array(texts, pa.string()), "label": pa.array(labels, pa.string()), "lacking": lacking}
        return different.engine.load(pa.table(columns))

    def _joined(self, formula: Lookup, level: int) -> ColumnAtLevel:
        table, text = self.draft.engine.load(formula.stored.at_level(level)), text_of(self.draft, self.column)
        lacking = formula.missing(level)
        missing = "NULL" if lacking is None else literal(lacking)
        label = f"CASE WHEN {text} IS NULL THEN {missing} ELSE coalesce({table}.label, {literal(formula.top)}) END"
        join = f"LEFT JOIN {table} AS {table} ON {table}.value = {text}"
        return ColumnAtLevel(label, join, f"({text} IS NOT NULL AND {table}.value IS NULL)")


def builder_of(hierarchy: Any, folder: Path) -> Builder:
    """The builder that a plan names: the path of a file, or `kind` and its parameters. Files are beside the plan."""
    if isinstance(hierarchy, str) and hierarchy:
        hierarchy = {"kind": "from_file", "path": hierarchy}
    if not isinstance(hierarchy, Mapping) or not isinstance(hierarchy.get("kind"), str):
        raise HierarchyError("A hierarchy is a file, or a kind with its parameters: {kind: intervals, width: 5}.")
    given = {name: value for name, value in hierarchy.items() if name != "kind"}
    given |= {name: str(folder / given[name]) for name in FILES if isinstance(given.get(name), str)}
    return builder(hierarchy["kind"], given)


def hierarchy_files(hierarchy: Any) -> tuple[str, ...]:
    """The files that a hierarchy of a plan names, as it names them.

    >>> hierarchy_files("age.csv"), hierarchy_files({"kind": "tree", "mapping": "icd.csv"})
    (('age.csv',), ('icd.csv',))
    """
    if isinstance(hierarchy, str):
        return (hierarchy,)
    given = hierarchy if isinstance(hierarchy, Mapping) else {}
    return tuple(given[name] for name in FILES if isinstance(given.get(name), str))


def check_hierarchy(hierarchy: Any) -> None:
    """`HierarchyError` where a plan names no hierarchy. What is kept from those who read the plan is not looked for."""
    if isinstance(hierarchy, Mapping) and any(map(is_kept, hierarchy.values())):
        kind_of_builder(str(hierarchy.get("kind")))
        return
    builder_of(hierarchy, Path())


def kept_hierarchy(column: str, hierarchy: Any, steward: Steward) -> tuple[Any, FilesByName]:
    """A hierarchy as others may read it, and what is kept from them: its file, or the lists of values in it."""
    if isinstance(hierarchy, str):
        hierarchy = {"kind": "from_file", "path": hierarchy}
    if not isinstance(hierarchy, Mapping):
        return hierarchy, {}
    rules, stated = kind_of_builder(str(hierarchy.get("kind"))).rules, dict(hierarchy)
    contents: FilesByName = {}
    for name, value in hierarchy.items():
        if name in FILES and isinstance(value, str):
            kept, files = steward.keep(f"hierarchy_{column}", ".csv", steward.read(value))
        elif value and name not in rules and isinstance(value, list | tuple | Mapping) and not is_kept(value):
            kept, files = steward.keep_list(f"hierarchy_{column}", plain_value(value))
        else:
            continue
        stated[name], contents = kept.document(), {**contents, **files}
    return stated, contents


def in_order(known: Sequence[str], become: Callable[[str], str | None]) -> tuple[str, ...]:
    """What ordered values become, in order; nothing where values between two of one label have another.

    >>> in_order(["mild", "severe", "fatal"], {"mild": "a", "severe": "b", "fatal": "b"}.get)
    ('a', 'b')
    """
    labels = [label for label in map(become, known) if label is not None]
    steps = [label for i, label in enumerate(labels) if i == 0 or label != labels[i - 1]]
    return tuple(steps) if len(set(steps)) == len(steps) else ()


def restated(draft: Draft, column: str, order: tuple[str, ...] = (), labels: Mapping[str, str] | None = None) -> Draft:
    """The draft with another order among the categories of a column, and other labels of its values.

    A value that the order lacks could not be written, so an order holds all values or none.
    """
    stated = (replace(c, order=order, value_labels=labels or None) if c.name == column else c for c in draft.columns)
    return replace(draft, columns=tuple(stated))


def looks_at_no_data(draft: Draft, column: str, hierarchy: Any, folder: Path) -> bool:
    """Whether a hierarchy that a plan names is the same whatever the values of the column are."""
    return _blind(builder_of(hierarchy, folder), draft, column) is not None


def _settled(builder: Builder, draft: Draft, column: str) -> Formula:
    """The formula of a builder, with a look at the data only where it needs one: they may be many."""
    return _blind(builder, draft, column) or builder.formula(counts(draft, column))


def _blind(builder: Builder, draft: Draft, column: str) -> Formula | None:
    """The formula of a builder that needs no look at the data; None where it does."""
    try:
        blind = builder.formula({})
    except HierarchyError:  # nothing can be decided on no data; on the data at hand perhaps it can
        return None
    same = blind.settled() == builder.settings()
    return blind if same and not _must_be_whole(builder, draft.kind(column)) else None


def _must_be_whole(builder: Builder, kind: Kind) -> bool:
    return getattr(builder, "style", None) == Style.INTEGERS and kind is not Kind.INTEGER


def counts(draft: Draft, column: str) -> Counts:
    """The values of a column as texts, and how many records hold each."""
    text = text_of(draft.require(column), column)
    rows = draft.engine.fetch(f"SELECT {text} AS value, count(*) FROM {draft.table} AS record GROUP BY 1")
    return {None if value is None else str(value): int(n) for value, n in rows}
