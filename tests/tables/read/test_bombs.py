"""Small files that are enormous when they are read: each is refused in a process that has 2 GB and 60 seconds."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

GIVEN = 2 * 1024**3  # bytes of memory
SECONDS = 60
READ = """
__file__ = "reading"  # or DuckDB takes this for a person at a prompt, and draws how far it is
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({given}, {given}))
from sfumato.errors import SfumatoError
from sfumato.tables.load import load
try:
    extract = load(sys.argv[1])
    print("read", len(extract.columns), extract.table.count())
except SfumatoError as error:
    print(type(error).__name__, error)
"""
MB = 1024 * 1024


def gz(block: bytes, times: int) -> Callable[[Path], None]:
    """A compressed file of the same block many times: each a member of its own, as gzip allows."""
    return lambda path: path.write_bytes(gzip.compress(block) * times) and None


def workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.active.append([1, "x"])
    book.save(path)


def changed(path: Path, member: str, content: bytes | Callable[[bytes], bytes]) -> None:
    """A workbook of which one member is another."""
    workbook(path.with_suffix(".whole"))
    with zipfile.ZipFile(path.with_suffix(".whole")) as whole, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name in whole.namelist():
            if name != member:
                out.writestr(name, whole.read(name))
        out.writestr(member, content(whole.read(member)) if callable(content) else content)


def sparse(path: Path) -> None:
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    changed(path, "xl/worksheets/sheet1.xml", lambda sheet: sheet.replace(b"</sheetData>", far))


def blown_up(path: Path) -> None:
    changed(path, "xl/worksheets/sheet1.xml", lambda sheet: sheet + b" " * (300 * MB))


def lying(path: Path) -> None:
    """A directory that says that a sheet of 100 MB has a hundred bytes."""
    changed(path, "xl/worksheets/sheet1.xml", lambda sheet: sheet + b" " * (100 * MB))
    content = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("xl/worksheets/sheet1.xml").file_size
    path.write_bytes(content.replace(struct.pack("<I", size), struct.pack("<I", 100)))


def many_members(path: Path) -> None:
    workbook(path)
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(11_000):
            archive.writestr(f"xl/media/{number}", b"")


LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha">' + b"".join(
    b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(12)
)


def laughing(path: Path) -> None:
    strings = b'<?xml version="1.0"?>' + LAUGHS + b"]><sst><si><t>&m;</t></si></sst>"
    changed(path, "xl/sharedStrings.xml", strings)


def repeated(path: Path) -> None:
    """An OpenDocument sheet whose one cell stands for all cells that there can be."""
    cell = '<table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>'
    row = f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>'
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    body = f'<office:body><office:spreadsheet><table:table table:name="a">{row}</table:table>'
    body += "</office:spreadsheet></office:body>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        out.writestr("META-INF/manifest.xml", '<?xml version="1.0"?><manifest:manifest xmlns:manifest="x"/>')
        document = f"<office:document-content {spaces}>{body}</office:document-content>"
        out.writestr("content.xml", f'<?xml version="1.0"?>{document}')


def lying_footer(path: Path) -> None:
    pq.write_table(pa.table({"a": list(range(1000))}), path)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"\xd0\x0f", b"\xfe\x7f"))


BOMBS: dict[str, tuple[Callable[[Path], object], str]] = {
    "rows.csv.gz": (gz(b"a,b\n" + b"x,y\n" * (2 * MB), 200), "unpacked_ratio"),
    "line.csv.gz": (gz(b"x" * (8 * MB), 200), "line_bytes"),
    "nothing.csv.gz": (gz(bytes(8 * MB), 200), ""),
    "line.csv": (lambda path: path.write_bytes(b"x" * (20 * MB)), "line_bytes"),
    "cell.csv": (lambda path: path.write_bytes(b"a,b\nx," + b"y" * (12 * MB) + b"\n"), "cell_length"),
    "name.csv": (lambda path: path.write_bytes(b"x" * (12 * MB) + b",b\nx,y\n"), "name_length"),
    "quote.csv": (lambda path: path.write_bytes(b'a,b\nx,"' + b"y\n" * (10 * MB)), "cell_length"),
    "columns.csv": (lambda path: path.write_bytes(b"a," * (2 * MB) + b"a\n"), "columns"),
    "sparse.xlsx": (sparse, "sheet_cells"),
    "blown.xlsx": (blown_up, "unpacked_ratio"),
    "lying.xlsx": (lying, "not a whole workbook"),
    "members.xlsx": (many_members, "parts"),
    "laughing.xlsx": (laughing, ""),
    "repeated.ods": (repeated, "spans more cells"),
    "zeros.rds": (gz(bytes(8 * MB), 200), "unpacked_ratio"),
    "zeros.rda": (lambda path: path.write_bytes(bz2.compress(bytes(8 * MB), 1) * 40), "unpacked_ratio"),
    "zeros.RData": (lambda path: path.write_bytes(lzma.compress(bytes(8 * MB), preset=0) * 40), "unpacked_ratio"),
    "deep.json": (lambda path: path.write_bytes(b'{"columns": ' + b"[" * (5 * MB)), "nested"),
    "line.ndjson": (lambda path: path.write_bytes(b"[" * (20 * MB)), "line_bytes"),
    "lying.parquet": (lying_footer, "read to its end"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound the memory of a process")
@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_that_is_enormous_is_refused_in_little_time_and_memory(name: str, tmp_path: Path) -> None:
    write, why = BOMBS[name]
    write(tmp_path / name)
    command = [sys.executable, "-c", READ.format(given=GIVEN), str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert len(done.stdout) < 1000
    assert why in done.stdout
    assert not done.stdout.startswith("read") or not why
