"""A process that looks into a source: what its columns are, or some of its rows. A source that is a bomb ends it alone.

It gets one request as JSON, and writes one document as JSON: what was asked for, or the problem in words.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from math import isfinite
from pathlib import Path
from typing import Any

from sfumato.errors import BeyondLimit, SfumatoError
from sfumato.project.file import Project
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.glance import RowPage
from sfumato.tables.load import load, reader_of
from sfumato.tables.source import Extract, ReadOptions

LONGEST_CELL = 1_000  # letters of a cell that are shown
MOST_BYTES = 20_000_000  # of an answer
ROWS, COLUMNS = "rows", "columns"


def answer(request: Mapping[str, Any]) -> bytes:
    """The document that answers a request."""
    try:
        document = _looked_at(request)
    except SfumatoError as error:
        document = {"problem": str(error), "limit": isinstance(error, BeyondLimit)}
    except MemoryError:
        document = {"problem": "More memory is needed to read it than one look may have.", "limit": True}
    except Exception:  # what a library says may quote a cell
        document = {"problem": "It cannot be read; it may be damaged.", "limit": False}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace")
    if len(text) > MOST_BYTES:
        return json.dumps({"problem": "These rows are too long to be shown. Ask for fewer.", "limit": True}).encode()
    return text


def _looked_at(request: Mapping[str, Any]) -> dict[str, Any]:
    options = Project.read(request["project"]).read_options() if request["project"] else ReadOptions()
    options = ReadOptions(table=request["table"]).completed_by(options) if request["table"] else options
    engine = DuckDB(memory=request["engine_memory"], threads=request["threads"])
    if request["what"] == ROWS and request["quick"] and (page := _quick_page(request, options, engine)):
        return {"columns": page.columns, "rows": _cells(page.rows), "records": page.records}
    extract = load(request["source"], options, engine)
    if request["what"] == COLUMNS:
        return {"records": extract.table.count(), "columns": _columns(extract)}
    select = f"SELECT * FROM {extract.table} LIMIT {int(request['limit'])} OFFSET {int(request['after'])}"
    names = [column.name for column in extract.columns]
    return {"columns": names, "rows": _cells(engine.fetch(select)), "records": extract.table.count()}


def _quick_page(request: Mapping[str, Any], options: ReadOptions, engine: DuckDB) -> RowPage | None:
    """A page of rows without reading what follows them, where the format can do that: as they stand in the file."""
    reader = reader_of(request["source"])
    glance = reader.glance(request["source"], options) if reader and "://" not in request["source"] else None
    return glance.rows(request["after"], request["limit"], engine) if glance else None


def _cells(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [[_shown(cell) for cell in row] for row in rows]


def _columns(extract: Extract) -> list[dict[str, Any]]:
    """How each column was read. Labels of values are values, and are left out."""
    return [{"name": column.name, "type": column.kind.value, "missing": column.missing} for column in extract.columns]


def _shown(cell: Any) -> Any:
    """A cell as JSON has it; a long one is cut."""
    if cell is None or isinstance(cell, bool | int):
        return cell
    if isinstance(cell, float):
        return cell if isfinite(cell) else str(cell)
    text = cell.isoformat() if isinstance(cell, date | datetime | time) else str(cell)
    return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}..."


def bound(memory: int, seconds: int) -> None:
    """Let this process have no more memory and time than that, where the system can say so, and leave no core file."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        for limit, most in (
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_CORE, 0),
        ):
            _, hardest = resource.getrlimit(limit)
            resource.setrlimit(limit, (most, most) if hardest == resource.RLIM_INFINITY else (min(most, hardest),) * 2)


def main() -> None:
    """Answer the request on the standard input with a file whose name it says."""
    request = json.loads(sys.stdin.buffer.read())
    bound(request["memory"], request["seconds"])
    Path(request["answer"]).write_bytes(answer(request))


if __name__ == "__main__":
    main()
