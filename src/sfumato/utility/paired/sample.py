"""Samples: records of an original and what became of them, as whole numbers, few enough to be held here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.tables.engine import listed, literal
from sfumato.utility.paired.column_codes import ColumnCodes
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.privacy.coded.arrays import Flags, Whole


@dataclass(frozen=True)
class Sample:
    """Records as codes (see `ColumnCodes`), a row per record or per different pair, n of which are alike.

    A table of more records than asked for is sampled: its records are put into an order that only the seed and their
    original values decide, and every so many-th is taken. So the originals in the sample are the same for every release
    of a table, and on every engine.
    """

    names: tuple[str, ...]
    columns: tuple[ColumnCodes, ...]
    before: Whole  # rows by columns
    after: Whole
    kept: Flags  # whether the record is in the release
    n: Whole
    target: tuple[str | None, ...] = ()  # of each row, where there is one

    @classmethod
    def of(cls, compared: Comparison, records: int) -> Sample:
        """At most so many records, counted."""
        pairing = compared.pairing
        drawn = _drawn(pairing, min(records, pairing.records), compared.seed).to_pydict()
        columns = tuple(ColumnCodes.of(compared.cells[column.name]) for column in pairing.columns)
        codes = np.empty((2, len(drawn["n"]), len(columns)), dtype=np.int64)
        for place, (paired, column) in enumerate(zip(pairing.columns, columns, strict=True)):
            triples = zip(*(drawn[f"{part}{paired.number}"] for part in "olg"), strict=True)
            codes[:, :, place] = np.array([column.codes[triple] for triple in triples], dtype=np.int64).T
        return cls(
            names=tuple(column.name for column in pairing.columns),
            columns=columns,
            before=codes[0],
            after=codes[1],
            kept=np.array(drawn["kept"], dtype=bool),
            n=np.array(drawn["n"], dtype=np.int64),
            target=tuple(drawn.get("target", ())),
        )

    @property
    def records(self) -> int:
        """How many records there are."""
        return int(self.n.sum())

    @property
    def removed(self) -> Whole:
        """What `after` would be if everything had been suppressed."""
        return np.tile(np.array([column.gone for column in self.columns], dtype=np.int64), (len(self.n), 1))

    def one_by_one(self) -> Sample:
        """The same with a row per record."""
        rows = np.repeat(np.arange(len(self.n)), self.n)
        target = tuple(self.target[row] for row in rows) if self.target else ()
        return replace(
            self,
            before=self.before[rows],
            after=self.after[rows],
            kept=self.kept[rows],
            n=np.ones(len(rows), dtype=np.int64),
            target=target,
        )

    def without(self, name: str | None) -> Sample:
        """The same without a column."""
        places = [place for place, known in enumerate(self.names) if known != name]
        return replace(
            self,
            names=tuple(self.names[place] for place in places),
            columns=tuple(self.columns[place] for place in places),
            before=self.before[:, places],
            after=self.after[:, places],
        )


def _drawn(pairing: Pairing, records: int, seed: int) -> pa.Table:
    """The different pairs in the order that the seed decides, and how many records of each are taken."""
    engine, everybody = pairing.engine, pairing.records
    original = [f"o{column.number}" for column in pairing.columns] + ["target"] * (pairing.target is not None)
    keys = original + [f"{part}{column.number}" for part in "lg" for column in pairing.columns]
    first, then = (
        engine.uniform(f"concat({listed([literal(f'{seed}|'), *map(_text, known)])})") for known in (original, keys)
    )
    ordered = engine.view(f"SELECT *, {first} AS drawn, {then} AS drawn_again FROM {pairing.table}")
    counted = engine.view(f"""
        SELECT {listed(keys)}, kept, n, CAST(sum(n) OVER (ORDER BY drawn, drawn_again
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS DOUBLE) AS upto
        FROM {ordered}""")
    taken = f"floor(upto * {records} / {everybody}) - floor((upto - n) * {records} / {everybody})"
    several = engine.view(f"SELECT {listed(keys)}, kept, upto, CAST({taken} AS BIGINT) AS n FROM {counted}")
    return engine.arrow(f"SELECT {listed(keys)}, kept, n FROM {several} WHERE n > 0 ORDER BY upto")


def _text(key: str) -> str:
    """A value as a text that differs from that of any other, and from nothing."""
    if key[0] == "g":
        return f"CASE WHEN {key} THEN '+' ELSE '-' END"
    return f"coalesce(concat(CAST(length({key}) AS VARCHAR), ':', {key}), '-')"
