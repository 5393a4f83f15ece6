"""Pair codes: the pairs of records as arrays, for models that read many columns of each pair together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.coded.arrow_columns import listed_values, numbers_from_arrow
from sfumato.privacy.coded.distinct_rows import first_places, value_numbers
from sfumato.tables.engine import listed

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.privacy.coded.arrays import Whole
    from sfumato.utility.paired.pairing import Pairing

HELD = 2_000_000  # different pairs of records that are brought here: eight bytes for each of their columns
CELL = 8  # those bytes
Cell = tuple[str | None, str | None, bool]  # value, label, and whether the value is gone


@dataclass(frozen=True)
class CodedCells:
    """One column: its different cells, and the place of that of each pair among them."""

    cells: Sequence[Cell]
    places: Whole


@dataclass(frozen=True)
class PairCodes:
    """The pairs of a pairing, in one order for all columns, which are known by their numbers."""

    columns: Mapping[int, CodedCells]
    records: Whole  # of each pair

    @classmethod
    def of(cls, pairing: Pairing) -> PairCodes:
        """Bring the pairs here, texts as codes."""
        numbers = [column.number for column in pairing.columns]
        names = [f"{part}{i}" for i in numbers for part in "olg"]
        pairs = pairing.engine.arrow(f"SELECT {listed(names)}, CAST(n AS BIGINT) AS n FROM {pairing.counted}")
        columns = {i: _cells(pairs[f"o{i}"], pairs[f"l{i}"], pairs[f"g{i}"]) for i in numbers}
        return cls(columns, numbers_from_arrow(pairs["n"]))


def _cells(values: pa.ChunkedArray, labels: pa.ChunkedArray, gone: pa.ChunkedArray) -> CodedCells:
    value_codes, value_texts = _coded(values)
    label_codes, label_texts = _coded(labels)
    gone_codes = numbers_from_arrow(gone)
    # A text that is missing has the code -1, and so the place before the first.
    together = ((value_codes + 1) * (len(label_texts) + 1) + label_codes + 1) * 2 + gone_codes
    places = value_numbers(together)
    first = first_places(places)
    rows = (codes[first].tolist() for codes in (value_codes, label_codes, gone_codes))
    texts = [*value_texts, None], [*label_texts, None]
    return CodedCells([(texts[0][v], texts[1][t], bool(g)) for v, t, g in zip(*rows, strict=True)], places)


def _coded(column: pa.ChunkedArray) -> tuple[Whole, Sequence[str]]:
    """The codes of texts, -1 where there is none, and the texts. Short ones come as codes."""
    import pyarrow as pa

    short = pa.types.is_dictionary(column.type)
    whole = (column if short else listed_values(column)).unify_dictionaries()
    if not whole.num_chunks:
        return numbers_from_arrow(pa.chunked_array([], pa.int64())), []
    indices = pa.chunked_array([chunk.indices for chunk in whole.chunks])
    return numbers_from_arrow(indices, missing=-1), whole.chunk(0).dictionary.to_pylist()
