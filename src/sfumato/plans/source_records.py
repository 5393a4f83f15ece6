"""The records of a source as they were before the first step, which is what chance is drawn for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sfumato.tables.engine import KEY_BYTES, Engine, Table, as_identifier, as_text, literal, quoted

PUBLIC = bytes(KEY_BYTES)  # a unit is no secret, only short: it is hashed again under a key for each draw


@dataclass(frozen=True)
class SourceRecords:
    """The rows of a source, numbered, and for each record its unit: the text that a draw for it depends on.

    A unit says what a record is and not where it stands. So a record draws the same, whatever other records and steps
    come, go or change places; and nothing that a step released, a pseudonym for one, is what a draw is by.
    """

    table: Table
    columns: tuple[str, ...]
    row: str
    subject: str | None = None

    @property
    def engine(self) -> Engine:
        """Where the rows live."""
        return self.table.engine

    @cached_property
    def records(self) -> Table:
        """The unit of each record, by `number`: a hash of all its cells, and how many records like it came before.

        Cells stand in the order of the names of the columns, each with its length, so that no two rows are one text,
        and what is missing is not what is empty. Records that are the same in every column are told apart by a counter:
        which of them is which, nobody can say.
        """
        cells = ", ".join(self._cell(name) for name in sorted(self.columns))
        content = self.engine.keyed_hash(PUBLIC, f"concat({cells or literal('')}, '')")
        return self.engine.query(f"""
            SELECT number, concat('record ', content, ' ', counter) AS unit
            FROM (
                SELECT number, content, row_number() OVER (PARTITION BY content ORDER BY number) AS counter
                FROM (SELECT record.{quoted(self.row)} AS number, {content} AS content FROM {self.table} AS record)
                    AS hashed
            ) AS counted""")

    @cached_property
    def people(self) -> Table:
        """The unit of the person that each record is about, by `number`; of a record without a subject, its own."""
        if self.subject is None:
            return self.records
        subject = self._value(self.subject)
        identifier = as_identifier(subject, self.table.kinds[self.subject])
        known = f"concat('subject ', {identifier})"
        number = f"record.{quoted(self.row)}"
        unknown = self.engine.fetch(f"SELECT count(*) FROM {self.table} AS record WHERE ({identifier}) IS NULL")[0][0]
        if not unknown:
            return self.engine.query(f"SELECT {number} AS number, {known} AS unit FROM {self.table} AS record")
        return self.engine.query(f"""
            SELECT {number} AS number, CASE WHEN ({identifier}) IS NULL THEN own.unit ELSE {known} END AS unit
            FROM {self.table} AS record JOIN {self.records} AS own ON own.number = {number}""")

    def _value(self, name: str) -> str:
        return f"record.{quoted(name)}"

    def _cell(self, name: str) -> str:
        text = as_text(self._value(name), self.table.kinds[name])
        written = f"CASE WHEN ({text}) IS NULL THEN '-' ELSE concat(length({text}), ':', {text}) END"
        return f"{literal(f'{len(name)}:{name}=')}, {written}"
