"""The verb of hierarchies: build one for a column, or find out which kind suits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.columns.profile import ColumnProfile, Profile, profile_of_counts
from sfumato.errors import EmptyTable, HierarchyError, OutputError, UnknownColumn, UnplacedValues
from sfumato.hierarchies.builder_interface import Offer
from sfumato.hierarchies.builders.from_file import hierarchies_in, read_hierarchy, write_hierarchy
from sfumato.hierarchies.catalogue import builder, builders
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts, Hierarchy, Origin
from sfumato.progress import Tell, quiet
from sfumato.tables.engine import Engine, Kind, Table, listed, literal, one_value, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions

Hierarchies = str | Path | Mapping[str, Hierarchy | str | Path]

__all__ = [
    "counts_of",
    "hierarchies_in",
    "hierarchy",
    "hierarchy_of",
    "inferred",
    "read_hierarchy",
    "store",
    "write_hierarchy",
]

SHOWN = 5  # numbers of rows in an error: enough to go and look
LOOKED_UP = 100  # different values whose rows are looked for, so that the statement stays short


def hierarchy(
    data: Any,
    column: str,
    kind: str | None = None,
    *,
    unknown: str | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
    **parameters: Any,
) -> Hierarchy:
    """The hierarchy of a column, complete for the values at hand.

    `data` is a frame, a file, or an `Extract` that was loaded before. Without a `kind` the one that suits the column is
    taken, and `origin.why` says why. `parameters` are those of the kind. A value that has no place in the hierarchy
    is an error, or goes to the top: `unknown` is error or top; top where the kind was inferred.

    >>> import pyarrow as pa
    >>> ages = hierarchy(pa.table({"age": [25, 32, 36, 45, 23, 43, None]}), "age")
    >>> ages.label("36", 2), ages.origin.why
    ('30-39', 'The name says age, and the values are numbers of years that people reach.')
    """
    return hierarchy_of(data, column, kind, parameters, unknown=unknown, options=options, engine=engine, tell=tell)


def hierarchy_of(
    data: Any,
    column: str,
    kind: str | None,
    parameters: Mapping[str, Any],
    *,
    unknown: str | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    counted: Table | None = None,
    tell: Tell = quiet,
) -> Hierarchy:
    """The same with the parameters of the kind as a mapping, which may be texts.

    `counted` are the values of the column, where they have been counted before (`counted_columns`).
    """
    tell("Reading the data")
    extract = data if isinstance(data, Extract) else load(data, options, engine)
    counts = counts_of(extract.table, column) if counted is None else _counts(counted)
    if not counts:
        raise EmptyTable(extract.name)
    tell("Building the hierarchy")
    offer = _asked(extract, column, kind, parameters, counted)
    formula = offer.builder.formula(counts)
    lacking = formula.lacking(counts)
    if lacking and (unknown or ("top" if kind is None else "error")) == "error":
        raise _unplaced(extract.table, column, formula, lacking)
    origin = Origin(
        column=column,
        kind=offer.builder.name(),
        parameters=formula.settled(),
        why=offer.why,
        counts=counts,
        notes=_notes(formula, lacking),
    )
    return formula.hierarchy(counts, unknown=unknown if unknown and not lacking else "top").of(origin)


def inferred(column: ColumnProfile | Table, name: str | None = None) -> Offer:
    """The kind of hierarchy that suits a column best, with its parameters, and why in a sentence."""
    if isinstance(column, Table):
        column = _profile(column, name or "")
    offers = [offer for cls in builders().values() if (offer := cls.offer(column)) is not None]
    return max(offers, key=lambda offer: offer.strength)


def counts_of(table: Table, column: str) -> Counts:
    """The different values of a column as texts, None for missing, and how many records hold each."""
    rows = table.engine.fetch(f"SELECT value, count(*) FROM ({_texts(table, column)}) AS v GROUP BY value")
    return {None if text is None else str(text): int(n) for text, n in rows}


def _counts(counted: Table) -> Counts:
    rows = counted.engine.fetch(f"""
        SELECT text, CAST(sum(n) AS BIGINT) FROM (SELECT CAST(value AS VARCHAR) AS text, n FROM {counted}) AS v
        GROUP BY text""")
    return {None if text is None else str(text): int(n) for text, n in rows}


def store(built: Hierarchy, path: str | Path, *, overwrite: bool = False) -> None:
    """Write a hierarchy to a file, whole or not at all; one that was refined by hand is not lost by mistake."""
    if Path(path).exists() and not overwrite:
        raise OutputError(f"{path} exists already. Use --force to overwrite it, or --out to write another file.")
    write_hierarchy(built, path, overwrite=overwrite)


def _asked(
    extract: Extract, column: str, kind: str | None, parameters: Mapping[str, Any], counted: Table | None
) -> Offer:
    if kind is not None:
        return Offer(builder(kind, parameters), f"The kind {kind} was asked for.", 1.0)
    if parameters:
        raise HierarchyError(
            f"Parameters belong to a kind of hierarchy: name it with --kind ({', '.join(builders())})."
        )
    label = next((known.label for known in extract.columns if known.name == column), None)
    return inferred(replace(_profile(extract.table, column, counted), label=label))


def _profile(table: Table, column: str, counted: Table | None = None) -> ColumnProfile:
    if column not in table.columns:
        raise UnknownColumn(column, table.columns)
    if counted is not None:
        return profile_of_counts(counted, column, table.kinds[column], table.count())
    alone = table.engine.view(f"SELECT {quoted(column)} FROM {table}")
    profile = Profile.of(alone, records=table.count())[column]  # of the table it was counted before, of the view not
    table.engine.drop(alone)
    return profile


def _texts(table: Table, column: str) -> str:
    """A SELECT of the values as texts."""
    if column not in table.kinds:
        raise UnknownColumn(column, table.columns)
    kind = table.kinds[column]
    value = quoted(column) if kind is Kind.OTHER else one_value(quoted(column), kind)
    return f"SELECT CAST({value} AS VARCHAR) AS value FROM {table}"


def _unplaced(table: Table, column: str, formula: Formula, lacking: dict[str, int]) -> UnplacedValues:
    """The error that says how many values have no place, and in which rows by number, but not which."""
    numbered = table.engine.numbered(_texts(table, column), "number", held=False)
    lacking_texts = listed(literal(text) for text in list(lacking)[:LOOKED_UP])
    rows = table.engine.fetch(
        f"SELECT number FROM {numbered} WHERE value IN ({lacking_texts}) ORDER BY number LIMIT {SHOWN}"
    )
    table.engine.drop(numbered)
    return UnplacedValues(
        formula.expects, values=len(lacking), records=sum(lacking.values()), column=column, rows=[n for (n,) in rows]
    )


def _notes(formula: Formula, lacking: dict[str, int]) -> tuple[str, ...]:
    if not lacking:
        return ()
    return (
        f"Different values that {formula.expects}: {len(lacking)}, in {sum(lacking.values())} records. "
        f"They go straight to the top.",
    )


def read_hierarchies(hierarchies: Hierarchies | None, names: Sequence[str]) -> dict[str, Hierarchy]:
    """The hierarchies of the named columns, as far as they are given: in a folder, as files, or in hand."""
    known = hierarchies_in(hierarchies) if isinstance(hierarchies, str | Path) else hierarchies or {}
    chosen = {name: known[name] for name in names if name in known}
    return {name: h if isinstance(h, Hierarchy) else read_hierarchy(h) for name, h in chosen.items()}
