"""A table that an engine holds in little room: its texts are places in a list, which compare and sort as they do."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import Table, listed, quoted, unused


@dataclass(frozen=True)
class ShortTable:
    """Rows that are held with short texts: they compare and sort as the texts do, and are counted in less time."""

    table: Table
    texts: tuple[str, ...]  # the columns whose texts are short
    held: bool = True  # whether they are worked out, but for records that were left out since

    def spelt(self) -> Table:
        """The same rows with their texts, for whoever hands them on."""
        return self.table.engine.view(f"SELECT {listed(self._texts())} FROM {self.table}")

    def beside_texts(self) -> tuple[Table, dict[str, str]]:
        """The rows with their texts, and the short ones beside them under other names."""
        taken = {name.casefold() for name in self.table.columns}
        short = {name: unused(name, lambda free: free.casefold() in taken, "{} (short {})") for name in self.texts}
        items = [*self._texts(), *(f"{quoted(name)} AS {quoted(other)}" for name, other in short.items())]
        return self.table.engine.view(f"SELECT {listed(items)} FROM {self.table}"), short

    def _texts(self) -> list[str]:
        return [
            f"CAST({quoted(name)} AS VARCHAR) AS {quoted(name)}" if name in self.texts else quoted(name)
            for name in self.table.columns
        ]
