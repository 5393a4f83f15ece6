"""Files of SAS, SPSS, Stata and R."""

from __future__ import annotations

import bz2
import gzip
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.hostile.case import HEADER, MARK, Case, file_case, rows

WRITERS = {".xpt": "write_xport", ".sav": "write_sav", ".zsav": "write_sav", ".por": "write_por", ".dta": "write_dta"}
SHARES = (2, 20, 50, 80, 99)
SAS_MAGIC = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
CARD = b" " * 80  # XPT is made of cards of eighty letters


def written(ending: str, count: int = 40, *, names: tuple[str, ...] = HEADER, **how: Any) -> bytes:
    """A file of a statistics package, as pyreadstat writes it."""
    import pandas as pd
    import pyreadstat

    frame = pd.DataFrame(rows(count), columns=list(names))
    how = {"row_compress": True, **how} if ending == ".zsav" else how
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"d{ending}"
        getattr(pyreadstat, WRITERS[ending])(frame, str(path), **how)
        return path.read_bytes()


def bent(ending: str, place: int, content: bytes) -> bytes:
    """A file with other bytes at a place; from the end, where that is negative."""
    whole = bytearray(written(ending))
    place %= len(whole)
    whole[place : place + len(content)] = content
    return bytes(whole)


def _cuts(ending: str) -> list[Case]:
    def cut(share: int) -> Callable[[], bytes]:
        return lambda: (whole := written(ending, 400))[: len(whole) * share // 100]

    name = ending.strip(".")
    return [
        file_case(
            f"{name}-cut-{share}", f"A {ending} file of which {share} per cent are there.", f"d{ending}", cut(share)
        )
        for share in SHARES
    ]


def _xpt_at_a_block() -> bytes:
    """Cut between two cards and between two records, so that only a count could tell."""
    whole = written(".xpt", 400)
    return whole[: len(whole) * 60 // 100 // 80 * 80]


def _named(ending: str) -> list[Case]:
    name = ending.strip(".")
    return [
        file_case(f"{name}-good", f"A {ending} file as it should be.", f"d{ending}", lambda: written(ending, 12), records=12,
                  quasi="AGE" if ending == ".por" else "age"),
        file_case(f"{name}-empty", "An empty file.", f"d{ending}", b"", refused=f"d{ending}"),
        file_case(f"{name}-one-byte", "One byte.", f"d{ending}", b"\x00", refused=f"d{ending}"),
        file_case(f"{name}-csv", "A CSV file under another name.", f"d{ending}", ",".join(HEADER) + f"\n1,2,{MARK},4,5\n", refused=f"d{ending}"),
        file_case(f"{name}-no-rows", "Columns without records.", f"d{ending}", lambda: written(ending, 0)),
    ]  # fmt: skip


def _bent(ending: str, *places: int) -> list[Case]:
    def hurt(place: int) -> Callable[[], bytes]:
        return lambda: bent(ending, place, b"\xff" * 16)

    name = ending.strip(".")
    return [
        file_case(f"{name}-bent-{place}", f"A {ending} file with wrong bytes at {place}.", f"d{ending}", hurt(place))
        for place in places
    ]


def r_vector(length: int, *, kind: int = 14) -> bytes:
    """The head of an R file with one vector of numbers that says how long it is, and no numbers."""
    return b"X\n" + struct.pack(">iii", 2, 0x00030600, 0x00020300) + struct.pack(">ii", kind, length)


def r_function() -> bytes:
    """An R file that holds a function: code, which nobody may run."""
    head = b"X\n" + struct.pack(">iii", 2, 0x00030600, 0x00020300)
    closure = struct.pack(">i", 3) + struct.pack(">i", 253) + struct.pack(">i", 254)  # in the global environment
    symbol = struct.pack(">i", 1) + struct.pack(">ii", 0x00040009, 6) + b"system"
    call = struct.pack(">i", 6) + symbol + struct.pack(">i", 254)
    return head + closure + call


CASES = [
    *(case for ending in WRITERS for case in _named(ending)),
    *(case for ending in (".xpt", ".sav", ".zsav", ".dta", ".por") for case in _cuts(ending)),
    *_bent(".xpt", 0, 90, 250, 560, 700, -400),
    *_bent(".sav", 0, 64, 72, 80, 180, 300, -200),
    *_bent(".zsav", 72, -24, -60, -200),
    *_bent(".dta", 0, 28, 60, 120, 400, -300),
    *_bent(".por", 0, 200, 500, -80),
    file_case("xpt-at-a-block", "A transport file cut between two cards.", "d.xpt", _xpt_at_a_block),
    file_case("xpt-head", "The first card of a transport file.", "d.xpt", b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!" + b"0" * 30 + b"  "),
    file_case("xpt-many-variables", "A transport file that announces 9999 variables.", "d.xpt", lambda: written(".xpt").replace(b"NAMESTR HEADER RECORD!!!!!!!000000000500", b"NAMESTR HEADER RECORD!!!!!!!000000999900")),
    file_case("xpt-letters-for-numbers", "A transport file with letters for its number of variables.", "d.xpt", lambda: written(".xpt").replace(b"NAMESTR HEADER RECORD!!!!!!!0000000005", b"NAMESTR HEADER RECORD!!!!!!!00000000XX")),
    file_case("xpt-blank-cards", "A transport file and a thousand blank cards.", "d.xpt", lambda: written(".xpt") + CARD * 1000),
    file_case("sav-many-cases", "An SPSS file that announces two thousand million cases.", "d.sav", lambda: bent(".sav", 80, struct.pack("<i", 2**31 - 1))),
    file_case("sav-wide-case", "An SPSS file that announces cases of two thousand million cells.", "d.sav", lambda: bent(".sav", 68, struct.pack("<i", 2**31 - 1))),
    file_case("sav-labels", "Labels that move a cursor, and hold markup.", "d.sav", lambda: written(".sav", column_labels=["\x1b[2J", "<script>", "\u202e", "'; DROP", "=1+1"])),
    file_case("dta-labels", "Labels that move a cursor, and hold markup.", "d.dta", lambda: written(".dta", column_labels=["\x1b[2J", "<script>", "\u202e", "'; DROP", "=1+1"])),
    file_case("dta-many-rows", "A Stata file that announces more records than there are atoms.", "d.dta", lambda: (whole := written(".dta")).replace(whole[whole.index(b"<N>") :][:11], b"<N>" + b"\xff" * 8, 1)),
    file_case("sas7bdat-empty", "An empty file.", "d.sas7bdat", b"", refused="d.sas7bdat"),
    file_case("sas7bdat-magic", "The head of a SAS file and nothing else.", "d.sas7bdat", SAS_MAGIC, refused="d.sas7bdat"),
    file_case("sas7bdat-zeros", "The head of a SAS file and zeros.", "d.sas7bdat", SAS_MAGIC + bytes(70_000)),
    file_case("sas7bdat-ones", "The head of a SAS file and ones, so that a page has four gigabytes.", "d.sas7bdat", SAS_MAGIC + b"\xff" * 70_000, refused="d.sas7bdat"),
    file_case("rds-empty", "An empty file.", "d.rds", b"", refused="d.rds"),
    file_case("rds-of-nothing", "A compressed nothing.", "d.rds", gzip.compress(b""), refused="d.rds"),
    file_case("rds-rubbish", "Rubbish, compressed.", "d.rds", gzip.compress(MARK.encode() * 100), refused="d.rds"),
    file_case("rds-cut", "A vector that breaks off.", "d.rds", gzip.compress(r_vector(100)), refused="d.rds"),
    file_case("rds-long-vector", "A vector of two thousand million numbers, without them.", "d.rds", gzip.compress(r_vector(2**31 - 1)), refused="d.rds"),
    file_case("rds-negative-vector", "A vector of -5 numbers.", "d.rds", gzip.compress(r_vector(-5)), refused="d.rds"),
    file_case("rds-function", "A function, which nobody may run.", "d.rds", gzip.compress(r_function()), refused="d.rds"),
    file_case("rds-bomb", "Four gigabytes of zeros, compressed.", "d.rds", lambda: gzip.compress(r_vector(2**29)) + gzip.compress(bytes(64 << 20), 9) * 64, refused="d.rds"),
    file_case("rds-bomb-bz2", "A gigabyte of zeros, compressed by bzip2.", "d.rds", lambda: bz2.compress(r_vector(2**27)) + bz2.compress(bytes(32 << 20), 9) * 32, heavy=True),
    file_case("rds-deep", "Lists in lists, a hundred thousand levels.", "d.rds", lambda: gzip.compress(b"X\n" + struct.pack(">iii", 2, 0x30600, 0x20300) + struct.pack(">ii", 19, 1) * 100_000), refused="d.rds"),
    file_case("rdata-magic", "The head of a workspace and nothing else.", "d.rdata", gzip.compress(b"RDX3\nX\n"), refused="d.rdata"),
    file_case("rda-text", "A text called workspace.", "d.rda", MARK, refused="d.rda"),
]  # fmt: skip
