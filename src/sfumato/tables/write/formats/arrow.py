"""Arrow files: the IPC file and stream formats, and Feather, which is the first of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import ClassVar

from sfumato.tables.write.annotation import annotated
from sfumato.tables.write.limits import long_integers, outside_categories
from sfumato.tables.write.release import ReleasedTable
from sfumato.tables.write.stream import batches, native
from sfumato.tables.write.writer import Writer


@dataclass(frozen=True)
class ArrowFile(Writer):
    """Every type as it is, batch by batch; labels and ordered categories in the schema."""

    suffixes: ClassVar[tuple[str, ...]] = (".arrow", ".feather", ".ipc", ".arrows")

    def check(self, release: ReleasedTable) -> None:
        release.require([*long_integers(release.fields), *outside_categories(release.fields)])

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        import pyarrow as pa

        rows, described = 0, annotated(release.fields, batches(release, native, scratch))
        first = next(described)
        stream = path.name.lower().endswith(".arrows")
        packed = pa.ipc.IpcWriteOptions(compression="lz4" if path.name.lower().endswith(".feather") else None)
        with (pa.ipc.new_stream if stream else pa.ipc.new_file)(path, first.schema, options=packed) as writer:
            for batch in chain([first], described):
                writer.write_batch(batch)
                rows += batch.num_rows
        return rows
