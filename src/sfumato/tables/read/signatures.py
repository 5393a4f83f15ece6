"""Signatures: what a file is by its first bytes, whatever its name says; and the way round for what is no table."""

from __future__ import annotations

import gzip
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import UnreadableFile

LOOKED_AT = 4096  # bytes: the head of a bundle or of an XML document ends before
EXPORT = "Export the table itself as CSV or Parquet from where it is kept."
UNPACK = "Unpack it, and name the file in it."
FLATTEN = (
    "Each resource is a tree and no row. Make a table of each type of resource that you need, such as Patient or "
    "Observation, with a row for each resource and a column for each element (a view of SQL on FHIR, or the export of "
    "your server to CSV or Parquet), and read that."
)
R_FILES = (".rds", ".rda", ".rdata")


@dataclass(frozen=True)
class Signature:
    """How a kind of file begins, the endings that such files have where they are read, and what to do with others."""

    what: str
    begins: Callable[[bytes], bool]
    endings: tuple[str, ...] = ()
    hint: str = EXPORT

    def refuses(self, source: str) -> UnreadableFile:
        """The error for a file whose name says something else."""
        hint = f"Rename it so that it ends with {self.endings[0]}." if self.endings else self.hint
        return UnreadableFile(source, f"by its content this is {self.what}, whatever its name says.", hint=hint)


def _magic(*starts: bytes, at: int = 0) -> Callable[[bytes], bool]:
    return lambda head: head[at:].startswith(starts)


def _holds(pattern: bytes) -> Callable[[bytes], bool]:
    compiled = re.compile(pattern, re.IGNORECASE | re.DOTALL)
    return lambda head: compiled.match(head) is not None


XML = rb"[\xef\xbb\xbf\s]*<.*"
SIGNATURES = (
    Signature("a picture (PNG)", _magic(b"\x89PNG\r\n")),
    Signature("a picture (JPEG)", _magic(b"\xff\xd8\xff")),
    Signature("a picture (GIF)", _magic(b"GIF87a", b"GIF89a")),
    Signature("a picture (TIFF)", _magic(b"II*\0", b"MM\0*")),
    Signature("a picture (BMP)", lambda head: head.startswith(b"BM") and head[6:10] == bytes(4)),
    Signature("a picture (WebP), a sound or a film", lambda head: head.startswith(b"RIFF") and b"\0" in head[4:8]),
    Signature("a picture (HEIC) or a film", lambda head: head.startswith(bytes(3)) and head[4:8] == b"ftyp"),
    Signature("a picture (icon)", _magic(b"\0\0\1\0", b"\0\0\2\0")),
    Signature("a DICOM image", _magic(b"DICM", at=128), hint="Export what its header says as a table."),
    Signature("a PDF document", _magic(b"%PDF-")),
    Signature("a text document (RTF)", _magic(b"{\\rtf")),
    Signature("a Parquet file", _magic(b"PAR1"), (".parquet", ".pq")),
    Signature("an Arrow file", _magic(b"ARROW1"), (".arrow", ".feather", ".ipc", ".arrows")),
    Signature("a SQLite database", _magic(b"SQLite format 3\0"), (".sqlite", ".sqlite3", ".db", ".duckdb", ".ddb")),
    Signature("a DuckDB database", _magic(b"DUCK", at=8), (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")),
    Signature("a SAS transport file", _magic(b"HEADER RECORD*******"), (".xpt",)),
    Signature("an SPSS file", _magic(b"$FL2@(#)", b"$FL3@(#)"), (".sav", ".zsav")),
    Signature("a Stata file", _magic(b"<stata_dta>"), (".dta",)),
    Signature("an R file", _magic(b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"X\n\0\0\0"), R_FILES),
    Signature("an old Excel workbook", _magic(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), (".xls", ".xlsx", ".xlsb")),
    Signature("a compressed file (bzip2)", _magic(b"BZh"), R_FILES, UNPACK),
    Signature("a compressed file (xz)", _magic(b"\xfd7zXZ\0"), R_FILES, UNPACK),
    Signature("a compressed file (zstandard)", _magic(b"\x28\xb5\x2f\xfd"), hint=UNPACK),
    Signature("a program", lambda head: head.startswith(b"\x7fELF") or (head.startswith(b"MZ") and b"\0" in head[:64])),
    Signature("a program", _magic(b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\0asm")),
    Signature("an archive (tar)", _magic(b"ustar", at=257), hint=UNPACK),
    Signature("a file of HDF5 or MATLAB", _magic(b"\x89HDF\r\n", b"MATLAB 5.0 MAT-file")),
    Signature("an archive (7z)", _magic(b"7z\xbc\xaf\x27\x1c"), hint=UNPACK),
    Signature("an archive (RAR)", _magic(b"Rar!\x1a\x07"), hint=UNPACK),
    Signature(
        "HL7 version 2 messages", _magic(b"MSH|", b"\x0bMSH|", b"FHS|", b"BHS|"),
        hint="A message is no row: have the integration engine write the fields that you need as CSV.",
    ),
    Signature("FHIR (JSON)", _holds(rb'[\xef\xbb\xbf\s\[]*\{.*"resourceType"\s*:'), hint=FLATTEN),
    Signature("FHIR (XML)", _holds(XML + rb"hl7\.org/fhir"), hint=FLATTEN),
    Signature("a clinical document (HL7 CDA, XML)", _holds(XML + rb"urn:hl7-org:v3")),
    Signature("CDISC ODM (XML)", _holds(XML + rb"cdisc\.org/ns/odm"), hint="Export each dataset as XPT or CSV."),
    Signature(
        "a web page (HTML)", _holds(rb"[\xef\xbb\xbf\s]*<(!doctype html|html|table|meta)\b"),
        hint="Open it in a spreadsheet and save it as xlsx or CSV.",
    ),
    Signature("an XML document", _holds(rb"[\xef\xbb\xbf\s]*<\?xml\b")),
)  # fmt: skip
WORKBOOKS = {"xl/": ("an Excel workbook", (".xlsx", ".xlsb")), "content.xml": ("an OpenDocument file", (".ods",))}
DOCUMENTS = {"word/": "a Word document", "ppt/": "a presentation"}


def refuse_other_content(source: str, *, known: bool) -> None:
    """Refuse a file whose content is of another kind than its name says; `known`: whether its ending is read at all."""
    path, ending = Path(source), Path(source).suffix.lower()
    if not path.is_file():
        return
    head = _head(path)
    signature = _archive(path) if head.startswith(b"PK\x03\x04") else None
    signature = signature or next((known for known in SIGNATURES if known.begins(head)), None)
    if signature is None and head.startswith(b"\x1f\x8b"):
        signature = Signature("a compressed file (gzip)", _magic(b"\x1f\x8b"), (".gz", *R_FILES))
    if signature and not (known and ending in signature.endings):
        raise signature.refuses(source)


def _head(path: Path) -> bytes:
    """How a file begins; of a compressed text, how the text does."""
    try:
        with path.open("rb") as file:
            head = file.read(LOOKED_AT)
        if head.startswith(b"\x1f\x8b") and path.suffix.lower() == ".gz":
            with gzip.open(path) as unpacked:
                return unpacked.read(LOOKED_AT)
    except (OSError, EOFError, zlib.error):
        return b""  # whoever reads it will say why it cannot be read
    return head


def _archive(path: Path) -> Signature | None:
    """What a zip archive is: many kinds of files are one; None where it is not whole."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError):
        return None
    for beginning, (what, endings) in WORKBOOKS.items():
        if any(name.startswith(beginning) for name in names):
            return Signature(what, bool, endings)
    for beginning, what in DOCUMENTS.items():
        if any(name.startswith(beginning) for name in names):
            return Signature(what, bool, hint="Copy its tables into a spreadsheet, and save it as xlsx or CSV.")
    return Signature("a zip archive", bool, hint=UNPACK)
