"""Column hierarchies: what the values of a column may become, given or inferred, and how a plan says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.columns.profile import counted_columns
from sfumato.errors import HierarchyError
from sfumato.hierarchies.build import hierarchy_of
from sfumato.hierarchies.builders.from_file import hierarchy_text
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.outputs import file_name
from sfumato.tables.engine import Table
from sfumato.tables.source import Extract


@dataclass(frozen=True)
class ColumnHierarchy:
    """The hierarchy of a column, where it comes from, and how a plan names it."""

    column: str
    hierarchy: Hierarchy
    why: str
    settings: Mapping[str, Any] | None = None  # of the builder that makes it; None where it is stored in a file
    file: str = ""  # beside the plan

    @property
    def stated(self) -> Any:
        """What a step of a plan writes."""
        return dict(self.settings) if self.settings else self.file

    @property
    def unknown(self) -> str:
        """What becomes of a value without a place: an inferred kind sends it to the top, a file must know it."""
        return "top" if self.settings else "error"

    @property
    def text(self) -> str | None:
        """What is written to the file; None where there is none."""
        return None if self.settings else hierarchy_text(self.hierarchy)

    def document(self) -> dict[str, Any]:
        """Where it comes from, as plain values."""
        kind = self.settings["kind"] if self.settings else "file"
        return {
            "kind": kind,
            "height": self.hierarchy.height,
            "labels": [len(self.hierarchy.labels(level)) for level in range(self.hierarchy.height + 1)],
            "why": self.why,
        }


def column_hierarchies(
    extract: Extract,
    columns: Sequence[str],
    given: Mapping[str, Hierarchy],
    bins: Mapping[str, Sequence[float]],
) -> dict[str, ColumnHierarchy]:
    """The hierarchy of each column: the one given, else its bins, else the kind that suits its values."""
    files = _files(columns)
    lacking = [name for name in columns if name not in given and name in extract.table.kinds]
    counted = counted_columns(extract.table, lacking) if extract.table.engine.waits else {}
    return {
        name: _of(extract, name, given.get(name), bins.get(name), files[name], counted=counted.get(name))
        for name in columns
    }


def _of(
    extract: Extract,
    name: str,
    given: Hierarchy | None,
    bins: Sequence[float] | None,
    file: str,
    *,
    counted: Table | None = None,
) -> ColumnHierarchy:
    if given is not None:
        return ColumnHierarchy(name, given, "It was given.", file=file)
    kind, parameters = ("intervals", {"edges": tuple(bins)}) if bins else (None, {})
    try:
        inferred = hierarchy_of(extract, name, kind, parameters, counted=counted)
    except HierarchyError as error:
        raise HierarchyError(
            f"Column {name!r} has no hierarchy, and none can be inferred: {error} Build one with `sfumato hierarchy`, "
            f"and give it with --hierarchies."
        ) from None
    assert inferred.origin is not None
    why = "Its bins were given." if bins else inferred.origin.why
    return ColumnHierarchy(name, inferred, why, settings=inferred.origin.parameters)


def _files(columns: Sequence[str]) -> dict[str, str]:
    """A file for each column, none twice whatever the names are."""
    taken: set[str] = set()
    files = {}
    for place, name in enumerate(columns, 1):
        file = f"hierarchy_{file_name(name)}.csv"
        files[name] = file if file.lower() not in taken else f"hierarchy_{file_name(name)}_{place}.csv"
        taken.add(files[name].lower())
    return files
