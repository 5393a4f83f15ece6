"""One file, written by the workers: whole, or not at all."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from sfumato.errors import OutputError
from sfumato.tables.engines.spark.dialect import real_text, spark_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Quoted as Python's csv module and DuckDB quote; nothing trimmed; an empty text is not a missing one.
CSV = {
    "header": True, "quote": '"', "escape": '"', "nullValue": "", "emptyValue": '""', "lineSep": "\n",
    "ignoreLeadingWhiteSpace": False, "ignoreTrailingWhiteSpace": False, "encoding": "UTF-8",
}  # fmt: skip


@dataclass(frozen=True)
class Output:
    """A file to be written. Rows go from the workers to a folder beside it; the one part is then moved."""

    session: SparkSession
    path: str

    def write(self, frame: DataFrame) -> int:
        """Write a frame in its order; the number of rows."""
        from pyspark.sql import Observation
        from pyspark.sql import functions as f

        files, target = self._files(), self._at(self.path)
        self._require_folder(files, target)
        beside = self._at(f"{target.getParent()}/.{uuid.uuid4().hex}.partial")
        seen = Observation()
        try:
            self._parts(in_one_part(frame).observe(seen, f.count(f.lit(1)).alias("rows")), str(beside))
            self._move(files, beside, target)
        finally:
            files.delete(beside, True)  # noqa: FBT003  (Java has no keywords)
        return int(seen.get["rows"])

    def _parts(self, frame: DataFrame, folder: str) -> None:
        if PurePosixPath(self.path).suffix == ".parquet":
            frame.write.parquet(folder)
        else:
            as_text(frame).write.options(**CSV).csv(folder)

    def _move(self, files: Any, folder: Any, target: Any) -> None:
        part = next(s.getPath() for s in files.listStatus(folder) if s.getPath().getName().startswith("part-"))
        # The local file system of Hadoop keeps a checksum beside each file; the bare one leaves it behind.
        bare = files.getRawFileSystem() if hasattr(files, "getRawFileSystem") else files
        if not bare.rename(part, target):
            files.delete(target, False)  # noqa: FBT003
            if not bare.rename(part, target):
                raise OutputError(f"{self.path}: the file could not be put in its place. Nothing was written.")

    def _require_folder(self, files: Any, target: Any) -> None:
        if not files.exists(target.getParent()):
            raise OutputError(f"{self.path}: its folder does not exist. Make the folder first.")

    def _files(self) -> Any:
        return self._at(self.path).getFileSystem(self.session._jsc.hadoopConfiguration())

    def _at(self, path: str) -> Any:
        return self.session._jvm.org.apache.hadoop.fs.Path(path)


def in_one_part(frame: DataFrame) -> DataFrame:
    """The rows in one partition and in the order of the frame, which a bare coalesce does not promise."""
    from pyspark.sql import functions as f

    place = "sfumato_place"
    placed = frame.withColumn(place, f.monotonically_increasing_id())
    return placed.repartition(1).sortWithinPartitions(place).drop(place)


def as_text(frame: DataFrame) -> DataFrame:
    """The cells as DuckDB prints them."""
    columns = []
    for field in frame.schema.fields:
        name = spark_name(field.name)
        text = f"CAST({name} AS STRING)"
        real = field.dataType.simpleString() in ("float", "double")
        columns.append(f"{real_text(text) if real else text} AS {name}")
    return frame.selectExpr(*columns)
