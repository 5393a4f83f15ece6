"""CSV, TSV and compressed CSV."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator

from tests.hostile.case import HEADER, MARK, NUMBER, Case, Place, file_case, rows, text

GOOD = text().encode()
LINE = ",".join(rows(1)[0])
ZIP = b"PK\x03\x04\x14\x00\x00\x00\x08\x00" + bytes(range(256))
OTHERS = {
    "zip": ZIP, "png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(200),
    "parquet": b"PAR1" + bytes(100) + b"PAR1", "sqlite": b"SQLite format 3\0" + bytes(100), "elf": b"\x7fELF" + bytes(99),
}  # fmt: skip
NAMES = {
    "twice": ("age", "age", "name", "dx", "cost"),
    "empty": ("age", "", "", "dx", "cost"),
    "spaces": ("age", " ", "  ", "dx", "cost"),
    "only-case": ("age", "Age", "AGE", "dx", "cost"),
    "control": ("age", "a\x07b", "c\x00d"[:1] + "\x0c", "dx", "cost"),
    "quotes": ("age", '"a""b"', "it's", "dx", "`x`"),
    "sql": ("age", "x); DROP TABLE t; --", "' OR 1=1 --", "dx", "count(*)"),
    "html": ("age", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "dx", "&lt;"),
    "terminal": ("age", "\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "dx", "\x9b31m"),
    "formula": ("age", "=cmd|' /C calc'!A0", "+1+1", "dx", "@SUM(A1)"),
    "turned": ("age", "\u202egnp.exe", "\u2067x\u2069", "dx", "\u200fy"),
    "devices": ("age", "CON", "NUL", "dx", "/dev/null"),
    "inner": ("age", "class_id", "size", "dx", "value"),
    "row-numbers": ("age", "row", "record", "dx", "rowid"),
    "formats": ("age", "%s%n%x", "{0.__class__}", "dx", "$(touch x)"),
    "paths": ("age", "../../x", "/etc/passwd", "dx", "..\\x"),
    "normal-forms": ("age", "caf\u00e9", "cafe\u0301", "dx", "cost"),
    "marks-upon-marks": ("age", "z" + "\u0301\u0336" * 200, "name", "dx", "cost"),
    "surrogate": ("age", "a\ud800b", "name", "dx", "cost"),
    "markup": ("age", "[red]x[/red]", "[link=file:///etc/passwd]y[/link]", "dx", "cost"),
}  # fmt: skip
FILES = {
    "device": "CON.csv", "dash": "-rf.csv", "shell": "$(touch x).csv", "percent": "%s%n.csv", "line": "two\nlines.csv",
    "quote": "it's; DROP TABLE x --.csv", "star": "*.csv", "brackets": "[ab].csv", "braces": "{a,b}.csv",
    "terminal": "\x1b[31mred.csv", "turned": "\u202evsc.csv", "question": "?.csv", "tilde": "~root.csv", "url": "http:x.csv",
    "long": "x" * 240 + ".csv",
}  # fmt: skip


def _cells(name: str, what: str, *cells: str, **known: object) -> Case:
    """A table in which a column holds these values, some of them twice."""
    lines = [",".join((str(20 + i % 3), cell, f"{MARK}{i}")) for i, cell in enumerate(cells * 2)]
    return file_case(f"csv-cells-{name}", what, "d.csv", "age,dx,name\n" + "\n".join(lines) + "\n", **known)


def _cuts() -> Iterator[Case]:
    quoted = f'age,sex,name,dx\n20,F,"{MARK}, é","two\n{MARK}"\n'.encode()
    for place in (1, 5, 9, 17, len(quoted) - 30, len(quoted) - 20, len(quoted) - 3):
        yield file_case(f"csv-cut-at-{place}", f"A CSV file cut after byte {place}.", "d.csv", quoted[:place])


def _bomb() -> bytes:
    """Four gigabytes of records in a few megabytes: one compressed part, many times."""
    part = gzip.compress((LINE + "\n").encode() * 400_000, compresslevel=9)
    return gzip.compress((",".join(HEADER) + "\n").encode()) + part * 200


def _wide(columns: int) -> str:
    return "\n".join(",".join(f"{start}{i}" for i in range(columns)) for start in ("c", *"12345")) + "\n"


def _zeros() -> bytes:
    """Eight gigabytes of zeros in ten megabytes."""
    part = gzip.compress(bytes(64 << 20), compresslevel=9)
    return part * 128


def _globbed(name: str) -> Case:
    """A file whose name is a pattern that fits others as well: only the file itself is read."""

    def make(place: Place):
        for other in ("a.csv", "b.csv", "c.csv"):
            place.put(other, text(30))
        return place.put(FILES[name], text(12))

    return Case(f"csv-name-{name}", f"A file whose name ({name}) means something to a shell or a database.", "table",
                make, records=12)  # fmt: skip


CASES = [
    file_case("csv-empty", "An empty file.", "d.csv", b"", refused="empty"),
    file_case("csv-one-byte", "One byte.", "d.csv", b"x"),
    file_case("csv-one-nul", "One NUL.", "d.csv", b"\0", refused="d.csv"),
    file_case("csv-one-line-end", "One line end.", "d.csv", b"\n"),
    file_case("csv-only-bom", "A byte order mark alone.", "d.csv", b"\xef\xbb\xbf"),
    file_case("csv-only-header", "A header and no records.", "d.csv", ",".join(HEADER) + "\n", refused="no records"),
    file_case("csv-only-delimiters", "Delimiters alone.", "d.csv", ",,,,\n" * 50),
    file_case("csv-blank-lines", "A hundred thousand blank lines.", "d.csv", b"\n" * 100_000),
    *_cuts(),
    *(file_case(f"csv-is-{name}", f"A {name} file called CSV.", "d.csv", content, refused="d.csv")
      for name, content in OTHERS.items()),
    *(file_case(f"csv-names-{name}", f"Column names: {name}.", "d.csv", text(header=header))
      for name, header in NAMES.items()),
    *(_globbed(name) for name in FILES),
    file_case("csv-utf-8-bom", "UTF-8 with a byte order mark.", "d.csv", b"\xef\xbb\xbf" + GOOD, records=12),
    *(file_case(f"csv-{name}", f"A table in {name} with a byte order mark.", "d.csv", text().encode(name))
      for name in ("utf-16", "utf-32")),
    file_case("csv-utf-16-without-mark", "UTF-16 without a mark.", "d.csv", text().encode("utf-16-le")),
    file_case("csv-mixed-encodings", "Lines in UTF-8 and in Latin-1.", "d.csv",
              GOOD + f"20,F,é{MARK},ü,1\n".encode() + f"20,F,é{MARK},ü,1\n".encode("latin-1")),
    file_case("csv-late-latin-1", "Latin-1 after a megabyte of ASCII.", "d.csv",
              GOOD + (LINE + "\n").encode() * 20_000 + f"20,F,é{MARK},ü,1\n".encode("latin-1")),
    file_case("csv-surrogates", "Bytes of half a surrogate pair.", "d.csv", GOOD + b"20,F,\xed\xa0\x80,x,1\n"),
    file_case("csv-overlong", "UTF-8 longer than it may be.", "d.csv", GOOD + b"20,F,\xc0\xaf\xe0\x80\xaf,x,1\n"),
    file_case("csv-mixed-line-ends", "All line ends at once.", "d.csv", "age,dx\n1,a\r\n2,b\r3,c\n4,d\n"),
    file_case("csv-cr-only", "Lines that end as on an old Macintosh.", "d.csv", text(end="\r")),
    file_case("csv-nul-in-cells", "NUL within cells.", "d.csv", GOOD + b"20,F,a\0b,\0,1\n"),
    file_case("csv-all-nul", "A megabyte of NUL.", "d.csv", bytes(1 << 20), refused="d.csv"),
    file_case("csv-ragged", "Lines of different lengths.", "d.csv", GOOD + f"1\n{MARK},2,3,4,5,6,7\n".encode(), refused="line"),
    file_case("csv-open-quote", "A quote that never closes, five megabytes.", "d.csv",
              GOOD + f'20,F,"{MARK}\n'.encode() + b"x" * (5 << 20), refused="d.csv"),
    file_case("csv-quotes", "Nothing but quotes.", "d.csv", b'"' * 100_001),
    file_case("csv-headless", "Records without a header.", "d.csv", "\n".join(",".join(r) for r in rows(20)) + "\n",
              quasi="column1"),
    file_case("csv-sep-line", "A first line that names the delimiter.", "d.csv", "sep=;\n" + text(sep=";")),
    *(file_case(f"csv-wide-{width}", f"{width} columns, five records.", "d.csv", lambda width=width: _wide(width), quasi="c1",
                heavy=width > 1000) for width in (1000, 5000)),
    file_case("csv-wide-head", "Two hundred thousand column names, no record.", "d.csv",
              lambda: ",".join(f"c{i}" for i in range(200_000)) + "\n", refused="columns"),
    file_case("csv-one-line", "Twenty megabytes in one line.", "d.csv", lambda: f"{MARK}," * 1_500_000, refused="d.csv"),
    file_case("csv-long-cell", "A cell of twenty megabytes.", "d.csv", lambda: text() + f"20,F,{MARK * 1_600_000},x,1\n"),
    file_case("csv-long-name", "A column name of a megabyte.", "d.csv", lambda: text(header=("age", "n" * (1 << 20), "c", "dx", "e"))),
    file_case("csv-many-long-names", "A thousand names of ten thousand letters.", "d.csv",
              lambda: ",".join(["age", *("n" * 10_000 + str(i) for i in range(1000))]) + "\n" + "1" + ",2" * 1000 + "\n"),
    file_case("csv-deep-quotes", "A header of quoted quotes.", "d.csv", '"' + '""' * 5000 + '",age\n1,2\n'),
    _cells("numbers", "Numbers that are none: NaN, infinities, 1e400.", "NaN", "inf", "-inf", "1e400", "-1e400", "0x10", "1_0"),
    _cells("integers", "Integers of forty and of four thousand digits.", "1" * 40, "-" + "9" * 40, "7" * 4400, "0", "-0"),
    _cells("days", "Days of no calendar.", "0000-01-01", "9999999-01-01", "-0001-01-01", "2023-02-30", "0000-00-00"),
    _cells("far-days", "Days at the ends of the calendar.", "0001-01-01", "9999-12-31", "1582-10-10", "5874897-12-31"),
    _cells("formulas", "Cells that a spreadsheet would run.", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\t=1"),
    _cells("sql", "Cells with SQL.", "'; DROP TABLE x; --", "x' OR '1'='1", "$$", "%s", "\\'"),
    _cells("terminal", "Cells with what moves a cursor.", "\x1b[2J", "\x1b]8;;file:///x\x07", "\x08\x08", "\u202e"),
    _cells("blank", "Cells of blanks of every kind.", "\u00a0", "\u2003", "\u200b", "\ufeff", "\u3000"),
    file_case("csv-one-column", "One column and a million equal records.", "d.csv", lambda: "age\n" + "1\n" * 1_000_000, records=1_000_000),
    file_case("csv-zero-columns", "Empty names only.", "d.csv", '""\n""\n""\n'),
    file_case("tsv-of-commas", "A TSV file with commas.", "d.tsv", GOOD),
    file_case("tsv-tabs-in-quotes", "Tabs and line ends in quotes.", "d.tsv", f'age\tdx\n1\t"a\t\n{MARK}"\n2\tb\n', records=2),
    file_case("txt-prose", "Prose called a table.", "d.txt", "It was a dark and stormy night.\nNobody, it seems, slept.\n"),
    file_case("gz-good", "A compressed table, in two parts.", "d.csv.gz", gzip.compress(GOOD) + gzip.compress(f"{LINE}\n".encode()), records=13),
    file_case("gz-empty", "Nothing, under a name that ends with gz.", "d.csv.gz", b""),
    file_case("gz-of-nothing", "A compressed nothing.", "d.csv.gz", gzip.compress(b""), refused="empty"),
    file_case("gz-is-csv", "A table that is not compressed, called gz.", "d.csv.gz", GOOD),
    file_case("gz-cut", "A compressed table that is cut.", "d.csv.gz", lambda: gzip.compress(text(5000).encode())[:-2000], refused="d.csv.gz"),
    file_case("gz-cut-in-head", "A compressed table cut in its head.", "d.csv.gz", gzip.compress(GOOD)[:6], refused="d.csv.gz"),
    file_case("gz-wrong-sum", "A compressed table whose check sum is wrong.", "d.csv.gz", gzip.compress(GOOD)[:-8] + b"\0\0\0\0" + gzip.compress(GOOD)[-4:], refused="d.csv.gz"),
    file_case("gz-rubbish-after", "Rubbish after a compressed table.", "d.csv.gz", gzip.compress(GOOD) + MARK.encode()),
    file_case("gz-zlib", "Zlib without the head of gzip.", "d.csv.gz", zlib.compress(GOOD)),
    file_case("gz-of-gz", "Compressed twice.", "d.csv.gz", gzip.compress(gzip.compress(GOOD))),
    file_case("gz-bomb", "Four gigabytes of records in a small file.", "d.csv.gz", _bomb, refused="limit"),
    file_case("gz-zeros", "Eight gigabytes of zeros in a small file.", "d.csv.gz", _zeros, refused="d.csv.gz"),
    file_case("csv-numbers-huge", "A number cell with the mark of a person.", "d.csv", f"age,dx\n1,{NUMBER}\n2,{NUMBER}x\n"),
]  # fmt: skip
