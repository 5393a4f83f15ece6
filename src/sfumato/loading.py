"""Loading: find the reader of a source, and the engine that holds its rows."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.catalogue import formats
from sfumato.engine import Engine
from sfumato.engines.duckdb import DuckDB
from sfumato.errors import PolicyError, UnreadableFile, did_you_mean
from sfumato.source import Extract, ReadOptions


def load(source: Any, options: ReadOptions | None = None, engine: Engine | None = None) -> Extract:
    """Read a file, a database table or a frame into a table of an engine (DuckDB unless another is given)."""
    options, engine = options or ReadOptions(), engine or DuckDB()
    source = str(source) if isinstance(source, Path) else source
    if isinstance(source, str) and "://" not in source and not Path(source).exists():
        raise UnreadableFile(source, "there is no such file.", hint="Check the path.")
    reader = next((known for known in formats() if known.claims(source)), None)
    if reader is None:
        raise UnreadableFile(*_unclaimed(source))
    engine.expect(None)
    if isinstance(engine, DuckDB) or reader.everywhere:
        return reader.read(source, options, engine)
    return _handed_over(reader.read(source, options, DuckDB()), engine)


def engine_named(name: str | None, *, master: str | None = None, memory: str | None = None) -> Engine:
    """The engine by its name: duckdb (also None) or spark."""
    if name == "duckdb" and master is not None:
        raise PolicyError("A master is for Spark: leave out --master, or use --engine spark.")
    if name in (None, "duckdb") and master is None:
        return DuckDB(memory=memory)
    if name in (None, "spark"):
        from sfumato.engines.spark import Spark

        return Spark(master=master)
    raise PolicyError(f"There is no engine {name!r}.{did_you_mean(str(name), ['duckdb', 'spark'])}")


def _handed_over(extract: Extract, engine: Engine) -> Extract:
    """Move a table to another engine by way of a Parquet file, so that the rows never pass through Python."""
    folder = tempfile.mkdtemp(prefix="sfumato-")
    weakref.finalize(engine, shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "extract.parquet"
    extract.table.engine.write(f"SELECT * FROM {extract.table}", path)
    return replace(extract, table=engine.read_parquet(path))


def _unclaimed(source: Any) -> tuple[str, str]:
    if not isinstance(source, str):
        return (
            f"A {type(source).__name__}",
            "this is no frame that Sfumato can read. Give a table, or a file's path.",
        )
    endings = sorted({ending for known in formats() for ending in known.suffixes})
    return source, f"no reader knows this kind of file. Known endings: {', '.join(endings)}."
