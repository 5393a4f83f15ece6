"""What a writer is, and the settings that a person may choose."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from sfumato.tables.write.release import ReleasedTable

# Formats that keep the moment of writing are given this one, so that the same table gives the same bytes.
MOMENT = dt.datetime(1980, 1, 1)


class Writer(ABC):
    """One kind of output. To add one, write a subclass in one new file of `formats/`.

    Subclasses are frozen dataclasses without fields; `suffixes` are the endings of the files that they write.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()

    def claims(self, name: str) -> bool:
        """Whether this writer writes a file of that name."""
        return name.lower().endswith(self.suffixes)

    def check(self, release: ReleasedTable) -> None:
        """`OutputError` when the format cannot hold the table. Called before any file exists."""
        return

    @abstractmethod
    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        """Write the file; the number of rows. `scratch` is an empty folder beside it that is removed afterwards."""
