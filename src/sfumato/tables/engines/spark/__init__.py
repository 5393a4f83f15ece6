"""Spark: the same SQL, for tables that outgrow one machine."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import EngineError, SfumatoError, TruncatedFile
from sfumato.tables.engine import Engine, Kind, Row, Table, full_disk, hmac_pads
from sfumato.tables.engines.spark.session import own, started
from sfumato.tables.sizes import size_in_bytes
from sfumato.temporary import scratch_of, scratch_of_run

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

KINDS = {
    "string": Kind.TEXT, "varchar": Kind.TEXT, "char": Kind.TEXT, "boolean": Kind.BOOLEAN, "date": Kind.DATE,
    "float": Kind.REAL, "double": Kind.REAL, "decimal": Kind.REAL,
    "tinyint": Kind.INTEGER, "smallint": Kind.INTEGER, "int": Kind.INTEGER, "bigint": Kind.INTEGER,
    "timestamp": Kind.TIMESTAMP, "timestamp_ntz": Kind.TIMESTAMP,
}  # fmt: skip

# Cells that are asked about on the driver instead of on the cluster: half a gigabyte of short texts.
NEAR = 20_000_000
OFFSET_BITS = 33  # of monotonically_increasing_id(): the partition above, the place of the row in it below


class Spark(Engine):
    """Tables as views of a Spark session, on this machine or on a cluster.

    The engine opens a session of its own beside the one it is given, so that settings and names of the
    caller stay as they are. Spark's log quotes cells in stack traces; it is switched off.
    """

    name = "spark"
    waits = True

    def __init__(
        self, session: SparkSession | None = None, *, master: str | None = None, memory: str | None = None
    ) -> None:
        self.memory = size_in_bytes(memory) if memory else None  # of what is brought to the driver to be searched
        self._folder = str(scratch_of(self))
        with self._withheld():
            self._session = own(session or started(master or "local[*]", str(scratch_of_run())))
            self._local = self._session.sparkContext.master.startswith("local")
        self._names = (f"sfumato_{i}" for i in count())
        self._embedded: Engine | None = None  # for counts, which are small
        self._held: dict[str, Any] = {}  # by table: the file or the RDD that holds its rows
        # Tables do not change, and each look at one is a job over all its files: what was counted is not counted again.
        self._counts: dict[str, int] = {}  # rows, by table
        self._kinds: dict[str, dict[str, Kind]] = {}  # columns, by table
        self._scans: dict[str, list[int]] = {}  # rows before each partition and in all, by the SELECT of a plain scan

    def load(self, data: Any) -> Table:
        from sfumato.tables.engines.spark.stream import batches, spool

        with self._withheld():
            reader = batches(data)
            if not self._local:
                return self._hold(self._session.createDataFrame(reader.read_all()))
            # By way of a file, so that neither process ever holds the whole table.
            file = Path(self._folder, f"{uuid.uuid4().hex}.parquet")
            spool(reader, file)
            return self._named(self._session.read.parquet(str(file)), file)

    def read_parquet(self, path: str | Path) -> Table:
        from sfumato.tables.engines.spark.folder import folder

        # The driver may have been started in another folder.
        whole = str(path) if "://" in str(path) else str(Path(path).absolute())
        try:
            with self._withheld():
                frame, moved = folder(self._session, whole)
                return self._hold(frame) if moved else self._named(frame)
        except EngineError:
            raise TruncatedFile(path, "Parquet") from None

    def query(self, sql: str) -> Table:
        with self._withheld():
            return self._hold(self._frame(sql))

    def view(self, sql: str) -> Table:
        with self._withheld():
            return self._named(self._frame(sql))

    def numbered(self, sql: str, number: str, *, held: bool = True) -> Table:
        from sfumato.tables.engines.spark.dialect import spark_name, spark_sql

        column = spark_name(number)
        with self._withheld():
            listed = f"SELECT monotonically_increasing_id() AS {column}, * FROM ({spark_sql(sql)}) AS listed"
            frame = self._session.sql(listed)
            # A cluster may grow, and then cuts the same files into other partitions: there the rows are held.
            plain = self._local and not held
            rows = self._named(frame) if plain else self._hold(frame)
            starts = (self._scans.get(sql) if plain else None) or self._starts(rows, column)
            if plain:
                self._scans[sql] = starts
            *before, rows_in_all = starts
            numbers = self._numbers(before or [0], column)
            result = self._session.sql(f"SELECT {numbers} AS {column}, * EXCEPT ({column}) FROM {rows}")
            self._session.catalog.dropTempView(rows.name)
            table = self._named(result, self._held.pop(rows.name, None))
            self._counts[table.name] = rows_in_all
            return table

    def fetch(self, sql: str) -> list[Row]:
        columns = [column.to_pylist() for column in self.arrow(sql).columns]
        return list(zip(*columns, strict=True))

    def arrow(self, sql: str) -> pa.Table:
        with self._withheld():
            return self._frame(sql).toArrow()

    def near(self, sql: str, rows: int | None = None) -> Table:
        counted = self.query(sql) if rows is None else self.view(sql)  # known rows come as they are read
        if rows is not None:
            self.known_rows(counted, rows)
        near = self.brought(counted)
        if near is counted and rows is not None:
            near = self.query(sql)
        if near is not counted:
            self.drop(counted)
        return near

    def brought(self, table: Table) -> Table:
        if table.name not in self._counts:
            with self._withheld():
                self._counts[table.name] = self._held[table.name].count()  # of its RDD: one job, where SQL takes two
        if self._counts[table.name] * len(self.kinds(table)) > NEAR:
            return table
        from sfumato.tables.engines.duckdb import DuckDB

        self._embedded = self._embedded or DuckDB()
        return self._embedded.load(self.arrow(f"SELECT * FROM {table}"))

    def kinds(self, table: Table) -> dict[str, Kind]:
        if table.name not in self._kinds:
            with self._withheld():
                fields = self._session.table(table.name).schema.fields
            kinds = {f.name: KINDS.get(f.dataType.simpleString().split("(")[0], Kind.OTHER) for f in fields}
            self._kinds[table.name] = kinds
        return dict(self._kinds[table.name])

    def write(self, sql: str, path: str | Path) -> int:
        from sfumato.tables.engines.spark.output import Output

        with self._withheld():
            return Output(self._session, str(path)).write(self._frame(sql))

    def cannot_hold(self, size: int) -> bool:
        return False  # the memory is that of the driver: the cluster has its own, and disks

    def row_count(self, table: Table) -> int:
        if table.name not in self._counts:
            self._counts[table.name] = super().row_count(table)
        return self._counts[table.name]

    def known_rows(self, table: Table, rows: int) -> None:
        self._counts[table.name] = rows

    def share(self, hashed: str) -> str:
        return f"(CAST(conv(substr({hashed}, 1, 13), 16, 10) AS DOUBLE) / {2**52})"

    def keyed_hash(self, key: bytes, text: str) -> str:
        inner, outer = (f"unhex('{pad.hex()}')" for pad in hmac_pads(key))
        hashed = f"sha2(concat({outer}, unhex(sha2(concat({inner}, encode({text}, 'utf-8')), 256))), 256)"
        return f"CASE WHEN {text} IS NOT NULL THEN {hashed} END"

    def plain_hash(self, text: str) -> str:
        return f"sha2(encode({text}, 'utf-8'), 256)"

    def drop(self, *tables: Table) -> None:
        with self._withheld():
            for table in tables:
                self._session.catalog.dropTempView(table.name)
                self._counts.pop(table.name, None)
                self._kinds.pop(table.name, None)
                held = self._held.pop(table.name, None)
                if isinstance(held, Path):
                    held.unlink(missing_ok=True)
                elif held is not None:
                    held.unpersist(False)  # noqa: FBT003  (Java has no keywords)

    def _frame(self, sql: str) -> DataFrame:
        from sfumato.tables.engines.spark.dialect import spark_sql  # here, since sqlglot is slow to import

        return self._session.sql(spark_sql(sql))

    def _hold(self, frame: DataFrame) -> Table:
        """Compute now and once. A cached frame may be computed again, and need not give the same rows.

        On a cluster the rows lie on two workers: what only one holds is gone with it, and nothing computes it again.
        """
        from pyspark import StorageLevel

        level = StorageLevel.MEMORY_AND_DISK_DESER if self._local else StorageLevel.MEMORY_AND_DISK_2
        held = frame.localCheckpoint(eager=True, storageLevel=level)
        return self._named(held, held._jdf.queryExecution().analyzed().rdd())

    def _named(self, frame: DataFrame, held: Any = None) -> Table:
        table = Table(self, next(self._names))
        frame.createOrReplaceTempView(table.name)
        if held is not None:
            self._held[table.name] = held
        return table

    def _starts(self, table: Table, column: str) -> list[int]:
        """How many rows lie before each partition, and how many there are."""
        partition = f"shiftrightunsigned({column}, {OFFSET_BITS})"
        rows = self._session.sql(
            f"SELECT {partition} AS partition, count(*) AS n FROM {table} GROUP BY {partition}"
        ).collect()
        sizes = {row.partition: row.n for row in rows}
        return list(accumulate((sizes.get(i, 0) for i in range(max(sizes, default=-1) + 1)), initial=0))

    def _numbers(self, starts: list[int], column: str) -> str:
        """The number of a row: the rows before its partition, and its place in it."""
        before = ", ".join(f"{start}L" for start in starts)
        partition = f"CAST(shiftrightunsigned({column}, {OFFSET_BITS}) AS INT)"
        return f"get(array({before}), {partition}) + ({column} & {(1 << OFFSET_BITS) - 1}L) + 1"

    @contextmanager
    def _withheld(self) -> Iterator[None]:
        """Spark, its driver, Arrow and the translator raise their own errors, and quote cells in them."""
        try:
            yield
        except SfumatoError:
            raise
        except Exception as error:
            raise (full_disk(error) or EngineError(self.name, error)) from None
