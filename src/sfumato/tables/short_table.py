"""A table that an engine holds in little room: its texts are places in a list, which compare and sort as they do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.tables.engine import Table, listed, quoted, unused

STILL_THERE = "gone.number IS NULL"  # of a record beside its row: whether it was not left out


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


@dataclass(frozen=True)
class WholeRows:
    """Held rows, one for each record of the source, and the numbers of those whose records were left out since.

    Where they stand in the order of the source, what became of a record is found by its place, without a join.
    """

    table: Table
    row: str  # the column with the number of the record
    left_out: tuple[Table, ...] = ()  # each has `number`

    @classmethod
    def of(cls, table: Table, row: str, records: int) -> WholeRows | None:
        """The rows of a table; None where it has not one for each of so many records."""
        return cls(table, row) if table.count() == records else None

    def without(self, numbers: Table) -> WholeRows:
        """The same rows after some more records were left out."""
        return replace(self, left_out=(*self.left_out, numbers))

    def beside(self, source: Table) -> str | None:
        """Each record of a source (a) beside its row (b), a FROM clause; None where they are not in the same order.

        `STILL_THERE` says whether the record is; the row of one that was left out has cells all the same.
        """
        engine, row = self.table.engine, quoted(self.row)
        both = engine.side_by_side(source, self.table)
        elsewhere = engine.fetch(f"SELECT count(*) FROM {both} WHERE a.{row} IS DISTINCT FROM b.{row}")[0][0]
        if elsewhere:
            return None
        # Each once, whoever listed them: a record beside two of them would be counted twice.
        numbers = " UNION ".join(f"SELECT DISTINCT number FROM {table}" for table in self.left_out)
        gone = numbers or "SELECT CAST(NULL AS BIGINT) AS number WHERE FALSE"
        return f"{both} LEFT JOIN ({gone}) AS gone ON gone.number = b.{row}"
