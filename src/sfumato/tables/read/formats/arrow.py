"""Arrow files: the IPC file and stream formats, and Feather, which is the first of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import EngineError, TruncatedFile, UnreadableFile
from sfumato.tables.engine import Engine
from sfumato.tables.read.arrow_data import load
from sfumato.tables.source import Extract, Format, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

KIND = "Arrow or Feather"


@dataclass(frozen=True)
class ArrowFile(Format):
    """An Arrow or Feather file, read batch by batch, so that it may be larger than memory."""

    suffixes: ClassVar[tuple[str, ...]] = (".arrow", ".feather", ".ipc", ".arrows")

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        path = Path(source)
        if not path.is_file():
            raise UnreadableFile(path, "there is no such file.")
        try:
            return load(_batches(path), path.name, options, engine)
        except EngineError:
            if _whole(path):
                raise
            raise TruncatedFile(path, KIND) from None


def _batches(path: Path) -> pa.RecordBatchReader:
    import pyarrow as pa

    try:
        mapped = pa.memory_map(str(path))
        if mapped.read(6) == b"ARROW1":
            file = pa.ipc.open_file(mapped)
            batches = (file.get_batch(i) for i in range(file.num_record_batches))
            return pa.RecordBatchReader.from_batches(file.schema, batches)
        mapped.seek(0)
        return pa.ipc.open_stream(mapped)
    except (pa.ArrowException, OSError):
        raise TruncatedFile(path, KIND) from None


def _whole(path: Path) -> bool:
    """Whether every batch of the file can be read."""
    import pyarrow as pa

    try:
        for batch in _batches(path):
            batch.validate()
    except (pa.ArrowException, OSError):
        return False
    return True
