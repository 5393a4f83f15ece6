"""The table of a project as it was read last: its columns without a value, for whoever may know of its sources."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.service.caller import Caller
from sfumato.service.entities import Run
from sfumato.service.newest_runs import newest_in
from sfumato.service.permissions import Act
from sfumato.service.run_commands import DOCUMENT
from sfumato.service.run_results import file_named
from sfumato.service.service import Service

VERB = "identify"  # the run that reads a table and counts its columns


@dataclass(frozen=True)
class ReadColumn:
    """A column as it was read: as what and why, how much is missing, and how often values occur, without a value."""

    name: str
    type: str
    why: str
    label: str
    missing: int
    different: int
    shape: tuple[float, ...]


@dataclass(frozen=True)
class ReadTable:
    """A table as a run has read it; `tables` are the names of several where the source is not one table."""

    run: Run
    records: int
    columns: tuple[ReadColumn, ...]
    notes: tuple[str, ...]
    tables: tuple[str, ...] = ()


def read_table(service: Service, caller: Caller, project: str) -> ReadTable | None:
    """The table as it was read last; None where no run has read it yet.

    What a run has found out of the columns is opened as a result. This much of it (types, counts, shapes) is what
    whoever may know of a source could have counted anew at any time.
    """
    with service.act(caller, Act.SOURCE_READ, project=project) as deed:
        run = newest_in(deed, VERB).done
        if run is None:
            return None
        document: Mapping[str, Any] = json.loads(service.storage.read(file_named(run, DOCUMENT).sha256))
    if "tables" in document:
        return ReadTable(run, 0, (), tuple(document["notes"]), tuple(one["name"] for one in document["tables"]))
    columns = tuple(_column(told) for told in document["columns"])
    return ReadTable(run, document["records"], columns, tuple(document["notes"]))


def _column(told: Mapping[str, Any]) -> ReadColumn:
    return ReadColumn(
        told["name"], told.get("type", ""), told.get("why") or "", told.get("label") or "",
        told.get("missing_records", 0), told.get("different_values", 0), tuple(told.get("shape", ())),
    )  # fmt: skip
