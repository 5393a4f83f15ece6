"""A folder of Parquet files, its records in the order of their names.

Spark reads the largest file first, and cuts large ones into pieces that it orders by size again. A record is named by
its number, so that its number must not hang on how large the files are, nor on the engine: both read the files
of a folder by their names, and then its folders, each like this one.
"""

from __future__ import annotations

import re
import uuid
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Up to so many files are read one by one, each a scan of its own in the plan of every query. More are sorted once.
SCANS = 64
PATTERN = frozenset("*?[]{}\\")  # what Spark takes for a pattern in the path of a file

ROOT = ("^file:/+", "file:/")  # Spark writes one file with one stroke here and with three there


def folder(session: SparkSession, path: str) -> tuple[DataFrame, bool]:
    """The records of a file or a folder, and whether they were sorted: then they are better held than read again."""
    options = _options(path)
    frame = session.read.options(**options).parquet(path)
    addresses = sorted(frame.inputFiles(), key=_place)
    if len(addresses) < 2:  # read from its beginning to its end
        return frame, False
    if len(addresses) > SCANS or any(PATTERN & set(unquote(address)) for address in addresses):
        return _sorted(session, frame, addresses), True
    # What the names of folders say is a column only where it is known at which folder they begin.
    reader = session.read.options(**options, basePath=path).schema(frame.schema)
    first, *others = (reader.parquet(unquote(address)) for address in addresses)
    for other in others:
        first = first.union(other)
    return first, False


def _place(address: str) -> tuple[tuple[int, bytes], ...]:
    """Where a file stands: before the folders beside it, and each by the bytes of its name."""
    *folders, name = unquote(address).split("/")
    return tuple(chain(((1, part.encode()) for part in folders), [(0, name.encode())]))


def _sorted(session: SparkSession, frame: DataFrame, addresses: list[str]) -> DataFrame:
    from pyspark.sql import functions as f

    columns = frame.columns
    address, row, place, listed = (uuid.uuid4().hex for _ in range(4))  # no column of the table has such a name
    alike = [re.sub(*ROOT, known) for known in addresses]
    places = session.createDataFrame(list(enumerate(alike)), f"`{place}` INT, `{listed}` STRING")
    where = frame.metadataColumn("_metadata")
    path = f.regexp_replace(where["file_path"], *ROOT)
    records = frame.select("*", path.alias(address), where["row_index"].alias(row))
    joined = records.join(f.broadcast(places), f.col(address) == f.col(listed), "left")
    known = f.coalesce(f.col(place), f.raise_error(f.lit("a file appeared while the folder was read")).cast("int"))
    return joined.orderBy(known, row).select(*(f"`{column.replace('`', '``')}`" for column in columns))


def _options(path: str) -> dict[str, Any]:
    """How to find the files of a folder. Folders named like `site=A` are a column, others are folders."""
    if not Path(path).is_dir():
        return {}
    by_value = any("=" in child.name for child in Path(path).iterdir() if child.is_dir())
    return {"recursiveFileLookup": not by_value, "pathGlobFilter": "*.parquet"}
