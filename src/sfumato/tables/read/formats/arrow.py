"""Arrow files: the IPC file and stream formats, and Feather, which is the first of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import EngineError, TruncatedFile, UnreadableFile
from sfumato.tables.engine import Engine
from sfumato.tables.read.arrow_data import load
from sfumato.tables.read.limits import Limits
from sfumato.tables.source import Extract, Format, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

KIND = "Arrow or Feather"
# How a stream ends since Arrow 0.15, where it also begins with the first half. A writer may leave it out; none that is
# known does. Older streams end with four zeros, as any batch may.
END = b"\xff\xff\xff\xff\0\0\0\0"


@dataclass(frozen=True)
class ArrowFile(Format):
    """An Arrow or Feather file, read batch by batch, so that it may be larger than memory."""

    suffixes: ClassVar[tuple[str, ...]] = (".arrow", ".feather", ".ipc", ".arrows")

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        import pyarrow as pa

        path = Path(source)
        if not path.is_file():
            raise UnreadableFile(path, "there is no such file.")
        reader = _batches(path)
        options.bounds.require_names(path, reader.schema.names)
        checked = pa.RecordBatchReader.from_batches(
            reader.schema, options.bounds.checked(path, _sound(path, reader, options.bounds))
        )
        try:
            return load(checked, path.name, options, engine)
        except EngineError:
            _require_whole(path, options.bounds)
            raise


def _batches(path: Path) -> pa.RecordBatchReader:
    import pyarrow as pa

    try:
        mapped = pa.memory_map(str(path))
        if mapped.read(6) == b"ARROW1":
            file = pa.ipc.open_file(mapped)
            batches = (file.get_batch(i) for i in range(file.num_record_batches))
            return pa.RecordBatchReader.from_batches(file.schema, batches)
        if _cut_between_batches(mapped):
            raise TruncatedFile(path, KIND)
        mapped.seek(0)
        return pa.ipc.open_stream(mapped)
    except (pa.ArrowException, OSError):
        raise TruncatedFile(path, KIND) from None


def _cut_between_batches(stream: pa.MemoryMappedFile) -> bool:
    """Whether a stream lacks its end: the library takes what is left for all there is."""
    stream.seek(0)
    begins = stream.read(4)
    stream.seek(max(0, stream.size() - len(END)))
    return bool(begins == END[:4] and stream.read() != END)


def _sound(path: Path, batches: Iterable[pa.RecordBatch], limits: Limits) -> Iterator[pa.RecordBatch]:
    """The batches, each looked at before an engine is: it would follow places that lie outside of the file."""
    cells, size = 0, path.stat().st_size
    for batch in batches:
        batch.validate(full=True)
        cells += batch.num_rows * batch.num_columns
        limits.require_cells(path, cells, size)
        yield batch


def _require_whole(path: Path, limits: Limits) -> None:
    """Refuse a file of which some batch cannot be read, or is beyond a limit: the engine cannot say which it was."""
    import pyarrow as pa

    try:
        for _ in limits.checked(path, _sound(path, _batches(path), limits)):
            pass
    except (pa.ArrowException, OSError, ValueError):
        raise TruncatedFile(path, KIND) from None
