"""A small valid file of each format, and ways to damage it."""

from __future__ import annotations

import gzip
import json
import random
import sqlite3
from collections.abc import Callable
from datetime import date
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pyreadstat

FRAME = pd.DataFrame(
    {
        "id": range(60),
        "name": [f"Ermintrude {i % 7}" for i in range(60)],
        "x": [i * 1.5 for i in range(60)],
        "born": [date(1990 + i % 9, 1 + i % 12, 1 + i % 28).isoformat() for i in range(60)],
    }
)
TABLE = pa.Table.from_pandas(FRAME, preserve_index=False)
NUMBERS = (bytes(4), b"\xff" * 4, b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\xff" * 8, b"\0\0\0\x10")  # where sizes may be


def _ipc(path: Path, opened: Callable[..., pa.RecordBatchWriter]) -> None:
    with pa.OSFile(str(path), "wb") as file, opened(file, TABLE.schema) as out:
        out.write_table(TABLE)


def _json(path: Path) -> None:
    kinds = {"id": "integer", "name": "string", "x": "double", "born": "date"}
    columns = [{"name": name, "dataType": kind, "label": name} for name, kind in kinds.items()]
    path.write_text(json.dumps({"columns": columns, "records": 60, "rows": FRAME.values.tolist()}), "utf-8")


def _rds(path: Path) -> None:
    import rdata

    rdata.write_rds(path, FRAME.astype({"name": object, "born": object}))


def _sqlite(path: Path) -> None:
    connection = sqlite3.connect(path)
    FRAME.to_sql("t", connection, index=False)
    connection.close()


def _duckdb(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.register("frame", TABLE)
        connection.execute("CREATE TABLE t AS SELECT * FROM frame")


WRITERS: dict[str, Callable[[Path], object]] = {
    "csv": lambda path: FRAME.to_csv(path, index=False),
    "csv.gz": lambda path: path.write_bytes(gzip.compress(FRAME.to_csv(index=False).encode())),
    "parquet": lambda path: pq.write_table(TABLE, path),
    "pq": lambda path: pq.write_table(TABLE, path, compression="zstd", use_dictionary=False),
    "arrow": lambda path: _ipc(path, pa.ipc.new_file),
    "arrows": lambda path: _ipc(path, pa.ipc.new_stream),
    "feather": lambda path: feather.write_feather(TABLE, str(path), compression="lz4"),
    "json": _json,
    "xlsx": lambda path: FRAME.to_excel(path, index=False),
    "xpt": lambda path: pyreadstat.write_xport(FRAME, str(path)),
    "sav": lambda path: pyreadstat.write_sav(FRAME, str(path)),
    "zsav": lambda path: pyreadstat.write_sav(FRAME, str(path), compress=True),
    "por": lambda path: pyreadstat.write_por(FRAME, str(path)),
    "dta": lambda path: pyreadstat.write_dta(FRAME, str(path)),
    "rds": _rds,
    "sqlite": _sqlite,
    "duckdb": _duckdb,
}
CHILDREN = ("xlsx", "xpt", "sav", "zsav", "por", "dta", "rds")  # half a second each: a process of its own reads them


def damaged(content: bytes, seed: int) -> bytes:
    """The content cut, or with bytes taken out, put in or changed; sizes are mostly at the beginning and at the end."""
    draw, changed = random.Random(seed), bytearray(content)
    place = draw.choice([draw.randrange(len(content)), draw.randrange(min(400, len(content)))])
    place = draw.choice([place, len(content) - 1 - draw.randrange(min(1500, len(content)))])
    how = draw.random()
    if how < 0.2:
        return content[:place]
    if how < 0.3:
        return content[:place] + content[place + draw.randrange(1, 64) :]
    if how < 0.4:
        return content[:place] + draw.randbytes(draw.randrange(1, 16)) + content[place:]
    if how < 0.7:
        number = draw.choice(NUMBERS)
        return content[:place] + number + content[place + len(number) :]
    for _ in range(draw.choice([1, 1, 4, 16])):
        changed[draw.randrange(len(changed)) if how < 0.85 else place] ^= 1 << draw.randrange(8)
    return bytes(changed)
