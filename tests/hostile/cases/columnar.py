"""Parquet, folders of Parquet, and Arrow in its three forms."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.hostile.case import HEADER, MARK, NUMBER, Case, Place, file_case, rows


def table(count: int = 12, **more: Any) -> Any:
    """A table that is as it should be, and further columns."""
    import pyarrow as pa

    columns = dict(zip(HEADER, map(list, zip(*rows(count), strict=True)), strict=True))
    return pa.table({**columns, **more})


def parquet(made: Any, **how: Any) -> bytes:
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(made, file, **how)
    return file.getvalue()


def arrow(made: Any, *, stream: bool = False, size: int = 4, **how: Any) -> bytes:
    import pyarrow as pa

    file = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(**how)
    writer = (pa.ipc.new_stream if stream else pa.ipc.new_file)(file, made.schema, options=options)
    with writer:
        writer.write_table(made, max_chunksize=size)
    return file.getvalue()


def _column(kind: Callable[[Any], Any]) -> Any:
    """A table with one column of a type; `kind` makes it of pyarrow."""
    import pyarrow as pa

    return table(odd=kind(pa))


TYPES: dict[str, Callable[[Any], Any]] = {
    "list": lambda pa: pa.array([[MARK, None], []] * 6),
    "struct": lambda pa: pa.array([{"a": MARK, "b": {"c": [1]}}, None] * 6),
    "map": lambda pa: pa.array([[(MARK, 1)]] * 12, pa.map_(pa.string(), pa.int64())),
    "dictionary": lambda pa: pa.array([MARK, None, "b"] * 4).dictionary_encode(),
    "decimal": lambda pa: pa.array([None, 1] * 6).cast(pa.int64()).cast(pa.decimal128(38, 10)),
    "decimal256": lambda pa: pa.array([None, 1] * 6).cast(pa.int64()).cast(pa.decimal256(70, 10)),
    "time": lambda pa: pa.array([0, 86_399_999_999] * 6, pa.time64("us")),
    "time-beyond": lambda pa: pa.array([-1, 90_000_000_000] * 6, pa.int64()).view(pa.time64("us")),
    "uuid": lambda pa: pa.array([b"\xff" * 16, b"\0" * 16] * 6, pa.binary(16)),
    "binary": lambda pa: pa.array([b"\xff\xfe" + MARK.encode(), b""] * 6, pa.binary()),
    "integers": lambda pa: pa.array([-(2**63), 2**63 - 1] * 6),
    "unsigned": lambda pa: pa.array([0, 2**64 - 1] * 6, pa.uint64()),
    "nanoseconds": lambda pa: pa.array([-(2**63) + 1, 2**63 - 1] * 6, pa.int64()).view(pa.timestamp("ns")),
    "seconds": lambda pa: pa.array([-(2**40), 2**40] * 6, pa.int64()).view(pa.timestamp("ms")),
    "zone": lambda pa: pa.array([0, 10**15] * 6, pa.timestamp("us", "Asia/Kathmandu")),
    "no-zone": lambda pa: pa.array([0, 10**15] * 6, pa.timestamp("us", "Nowhere/'; DROP")),
    "far-days": lambda pa: pa.array([-(2**31), 2**31 - 1] * 6, pa.int32()).view(pa.date32()),
    "duration": lambda pa: pa.array([1, 2**62] * 6, pa.duration("us")),
    "floats": lambda pa: pa.array([float("nan"), float("inf"), -float("inf"), -0.0] * 3),
    "half": lambda pa: pa.array([0.5, float(NUMBER)] * 6).cast(pa.float16(), safe=False),
    "null": lambda pa: pa.nulls(12),
    "deep": lambda pa: pa.array([None] * 12, _deep(pa)),
    "wrong-utf-8": lambda pa: pa.array([b"\xff" + MARK.encode(), b"a"] * 6, pa.binary()).view(pa.string()),
}  # fmt: skip


def _deep(pa: Any) -> Any:
    kind = pa.int64()
    for _ in range(60):
        kind = pa.list_(kind)
    return kind


def _names(*names: str) -> Any:
    return table().rename_columns(names)


def _folder(name: str, what: str, parts: Callable[[Place], None], **known: object) -> Case:
    def make(place: Place) -> Path:
        (place.folder / "parts").mkdir()
        parts(place)
        return place.folder / "parts"

    return Case(f"folder-{name}", what, "table", make, **known)  # type: ignore[arg-type]


def _part(place: Place, name: str, content: bytes | None = None) -> None:
    place.put(f"parts/{name}", parquet(table()) if content is None else content)


def _parts(*names: str) -> Callable[[Place], None]:
    return lambda place: [_part(place, name) for name in names] and None


def _linked(target: str) -> Callable[[Place], None]:
    def parts(place: Place) -> None:
        _part(place, "part-0.parquet")
        (place.folder / "parts" / "part-1.parquet").symlink_to(target)

    return parts


def _footer(size: int) -> bytes:
    whole = parquet(table())
    return whole[:-8] + struct.pack("<i", size) + b"PAR1"


def _hurt(begin: int, end: int) -> bytes:
    whole = bytearray(parquet(table(2000), compression="snappy"))
    whole[begin:end] = b"\xff" * (end - begin)
    return bytes(whole)


def _equal_rows() -> bytes:
    """Three hundred million equal records in a few kilobytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    made = pa.table({"age": pa.array([1], pa.int8()).take(pa.array([0] * 1_000_000))})
    with pq.ParquetWriter(file, made.schema) as writer:
        for _ in range(300):
            writer.write_table(made)
    return file.getvalue()


def _cut_arrow(stream: bool, share: int) -> bytes:
    whole = arrow(table(200), stream=stream)
    return whole[: len(whole) * share // 100]


def _stream_between_batches() -> bytes:
    """An Arrow stream that ends after a batch, without the mark of its end."""
    whole = arrow(table(), stream=True)
    assert whole.endswith(b"\xff\xff\xff\xff\0\0\0\0")
    return whole[:-8]


def _bent_arrow(begin: int, content: bytes) -> bytes:
    whole = bytearray(arrow(table(200), size=200))
    whole[begin : begin + len(content)] = content
    return bytes(whole)


def _cases() -> list[Case]:
    cases = [
        file_case(
            f"parquet-{name}", f"A column of the type: {name}.", "d.parquet", lambda kind=kind: parquet(_column(kind))
        )
        for name, kind in TYPES.items()
    ]
    cases += [file_case(f"arrow-{name}", f"A column of the type: {name}.", "d.arrow", lambda kind=kind: arrow(_column(kind))) for name, kind in TYPES.items()
              if name in ("dictionary", "wrong-utf-8", "unsigned", "time-beyond", "deep")]  # fmt: skip
    for share in (1, 20, 50, 80, 97):
        cases.append(
            file_case(
                f"parquet-cut-{share}",
                f"Parquet of which {share} per cent are there.",
                "d.parquet",
                lambda share=share: (whole := parquet(table(100)))[: len(whole) * share // 100],
                refused="d.parquet",
            )
        )
        cases.append(
            file_case(
                f"arrow-cut-{share}",
                f"An Arrow file of which {share} per cent are there.",
                "d.arrow",
                lambda share=share: _cut_arrow(False, share),
                refused="d.arrow",
            )
        )
        cases.append(
            file_case(
                f"arrows-cut-{share}",
                f"An Arrow stream of which {share} per cent are there.",
                "d.arrows",
                lambda share=share: _cut_arrow(True, share),
                refused="d.arrows",
            )
        )
    return cases


CASES = [
    *_cases(),
    file_case("parquet-empty", "An empty file.", "d.parquet", b"", refused="d.parquet"),
    file_case("parquet-magic", "Only the letters with which Parquet begins and ends.", "d.parquet", b"PAR1PAR1", refused="d.parquet"),
    file_case("parquet-encrypted", "Parquet with an encrypted footer.", "d.parquet", lambda: b"PARE" + parquet(table())[4:-4] + b"PARE", refused="d.parquet"),
    *(file_case(f"parquet-footer-{name}", f"A footer that says that it is {size} bytes long.", "d.parquet", lambda size=size: _footer(size), refused="d.parquet")
      for name, size in (("huge", 2**31 - 1), ("negative", -1), ("short", 1))),
    *(file_case(f"parquet-hurt-{begin}", f"Parquet with wrong bytes from {begin} to {end}.", "d.parquet", lambda begin=begin, end=end: _hurt(begin, end))
      for begin, end in ((4, 30), (40, 400), (-300, -200), (-60, -20))),
    file_case("parquet-no-columns", "Records without columns.", "d.parquet", lambda: parquet(table().select([]))),
    file_case("parquet-no-rows", "Columns without records.", "d.parquet", lambda: parquet(table().slice(0, 0)), refused="no records"),
    file_case("parquet-names-twice", "A name that stands twice.", "d.parquet", lambda: parquet(_names("age", "age", "name", "dx", "dx"))),
    file_case("parquet-names-hostile", "Names with SQL, markup and what moves a cursor.", "d.parquet", lambda: parquet(_names("age", "\x1b[2J", "x\"'); DROP TABLE t; --", "dx", "<script>\0"))),
    file_case("parquet-names-empty", "Names of nothing.", "d.parquet", lambda: parquet(_names("age", "", " ", "dx", "\n"))),
    file_case("parquet-wide", "Four thousand columns.", "d.parquet", lambda: parquet(table(**{f"c{i}": [i] * 12 for i in range(4000)})), heavy=True),
    file_case("parquet-long-cell", "A cell of fifty megabytes.", "d.parquet", lambda: parquet(table(long=[MARK * 4_000_000, *"bcdefghijkl"]))),
    file_case("parquet-equal-rows", "Three hundred million equal records.", "d.parquet", _equal_rows, heavy=True),
    _folder("good", "Two parts.", _parts("part-0.parquet", "part-1.parquet"), records=24),
    _folder("empty-part", "A part of nothing.", lambda place: (_part(place, "part-0.parquet"), _part(place, "part-1.parquet", b""))[0], refused="part-1"),
    _folder("rubbish-part", "A part of rubbish.", lambda place: (_part(place, "part-0.parquet"), _part(place, "part-1.parquet", b"x" * 99))[0], refused="part-1"),
    _folder("other-columns", "Parts with other columns.", lambda place: (_part(place, "part-0.parquet"), _part(place, "part-1.parquet", parquet(_names("a", "b", "c", "d", "e"))))[0]),
    _folder("other-types", "Parts with other types.", lambda place: (_part(place, "part-0.parquet"), _part(place, "part-1.parquet", parquet(_column(lambda pa: pa.array(range(12))).drop_columns("odd"))))[0]),
    _folder("missing-part", "Parts of which one is missing.", _parts("part-00000.parquet", "part-00002.parquet")),
    _folder("deep", "Parts a hundred folders deep.", lambda place: _part(place, "/".join(["x"] * 100) + "/part-0.parquet")),
    _folder("named-out", "Folders whose names lead out.", _parts("a=..%2F..%2Fx/part-0.parquet", "a=y/part-0.parquet")),
    _folder("link-out", "A part that is a link to a file of somebody else.", _linked("../../neighbour/victim.csv")),
    _folder("link-loop", "A part that is a link to its folder.", _linked(".")),
    _folder("link-zero", "A part that never ends.", _linked("/dev/zero")),
    file_case("arrow-empty", "An empty file.", "d.arrow", b"", refused="d.arrow"),
    file_case("arrow-magic", "Only the letters with which Arrow begins.", "d.arrow", b"ARROW1\0\0", refused="d.arrow"),
    file_case("feather-1", "The head of the first Feather.", "d.feather", b"FEA1" + bytes(60) + b"FEA1", refused="d.feather"),
    file_case("arrows-between-batches", "A stream that ends between two batches.", "d.arrows", _stream_between_batches, refused="d.arrows"),
    file_case("arrow-compressed", "Compressed batches.", "d.ipc", lambda: arrow(table(), compression="zstd"), records=12),
    file_case("arrow-huge-metadata", "Metadata that say that they are two gigabytes long.", "d.arrow", lambda: _bent_arrow(12, struct.pack("<i", 2**31 - 9))),
    *(file_case(f"arrow-bent-{place}", f"Wrong bytes from byte {place} on.", "d.arrow", lambda place=place: _bent_arrow(place, b"\xff" * 64)) for place in (40, 300, 700, 1500, 4000)),
    file_case("arrow-names-twice", "A name that stands twice.", "d.arrow", lambda: arrow(_names("age", "age", "name", "dx", "dx"))),
]  # fmt: skip
