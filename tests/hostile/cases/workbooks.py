"""Excel and OpenDocument workbooks: zip files of XML, written part by part so that each part can be wrong."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable, Iterable, Mapping
from xml.sax.saxutils import escape

from tests.hostile.case import HEADER, MARK, Case, file_case, rows

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how files of older Office begin, and encrypted ones of newer

CONTENT = (
    f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default '
    f'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
    f'PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" '
    f'ContentType="{TYPE}.worksheet+xml"/></Types>'
)
TOP = f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
BOOK = (
    f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="%s" sheetId="1" r:id="r1"/></sheets></workbook>'
)
LINKS = f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))
    + "]>"
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/hostname">]>'


def sheet(lines: Iterable[str], *, head: str = "") -> str:
    """The XML of a sheet, of the XML of its rows."""
    return f'{head}<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def line(number: int, cells: Iterable[str]) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def cell(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{escape(text)}</t></is></c>'


def good(extra: Iterable[str] = (), *, header: tuple[str, ...] = HEADER, head: str = "") -> str:
    """A sheet that is as it should be, and further rows."""
    lines = [line(i + 1, map(cell, each)) for i, each in enumerate((header, *rows()))]
    return sheet([*lines, *extra], head=head)


def book(parts: Mapping[str, str | bytes], *, name: str = "Sheet1", level: int = 9) -> bytes:
    """A workbook of these parts, beside the usual ones; an empty part is left out."""
    usual = {"[Content_Types].xml": CONTENT, "_rels/.rels": TOP, "xl/workbook.xml": BOOK % escape(name, {'"': "&quot;"}),
             "xl/_rels/workbook.xml.rels": LINKS, "xl/worksheets/sheet1.xml": good()}  # fmt: skip
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for part, content in {**usual, **parts}.items():
            if content:
                archive.writestr(part, content)
    return file.getvalue()


def of_sheet(name: str, what: str, content: str | Callable[[], str], **known: object) -> Case:
    """A workbook with this sheet."""
    return file_case(
        f"xlsx-{name}",
        what,
        "d.xlsx",
        lambda: book({"xl/worksheets/sheet1.xml": content() if callable(content) else content}),
        **known,
    )


def _bomb() -> bytes:
    """Two gigabytes of blanks within a sheet, in two megabytes."""
    file = io.BytesIO(book({"xl/worksheets/sheet1.xml": ""}))
    with (
        zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part,
    ):
        part.write(f'<worksheet xmlns="{MAIN}"><sheetData>'.encode())
        for _ in range(2048):
            part.write(b" " * (1 << 20))
        part.write(b"</sheetData></worksheet>")
    return file.getvalue()


def _twice() -> bytes:
    file = io.BytesIO(book({}))
    with warnings.catch_warnings(), zipfile.ZipFile(file, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("xl/worksheets/sheet1.xml", sheet([line(1, [cell("age")]), line(2, [cell(MARK)])]))
    return file.getvalue()


def _written(cells: Iterable[object]) -> bytes:
    """A workbook by a library, with formulas, errors, days and merged cells."""
    import xlsxwriter

    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True, "nan_inf_to_errors": True}) as made:
        made.add_worksheet("hidden").hide()
        page = made.add_worksheet("d")
        page.activate()
        page.set_first_sheet()
        page.write_row(0, 0, HEADER)
        for i, each in enumerate(rows()):
            page.write_row(i + 1, 0, each)
        for i, value in enumerate(cells):
            page.write(20 + i, 0, value)
        page.merge_range("B30:D31", MARK)
    return file.getvalue()


def ods(body: str, *, head: str = "") -> bytes:
    """An OpenDocument sheet with this table."""
    names = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"' for short in ("office", "table", "text")
    )
    content = f'<?xml version="1.0"?>{head}<office:document-content{names} office:version="1.2"><office:body><office:spreadsheet>{body}</office:spreadsheet></office:body></office:document-content>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>',
        )
        archive.writestr("content.xml", content)
    return file.getvalue()


def ods_table(rows_: str) -> str:
    return f'<table:table table:name="d">{rows_}</table:table>'


def ods_row(cells: Iterable[str], more: str = "") -> str:
    inner = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{escape(each)}</text:p></table:table-cell>'
        for each in cells
    )
    return f"<table:table-row{more}>{inner}</table:table-row>"


ODS_ROWS = "".join(ods_row(each) for each in (HEADER, *rows()))
WIDE = ' table:number-columns-repeated="1000000000"'

CASES = [
    file_case("xlsx-good", "A workbook part by part, as it should be.", "d.xlsx", lambda: book({}), records=12),
    file_case("xlsx-empty", "An empty file.", "d.xlsx", b""),
    file_case("xlsx-one-byte", "One byte.", "d.xlsx", b"P"),
    file_case("xlsx-csv", "A CSV file called workbook.", "d.xlsx", ",".join(HEADER) + "\n", refused="d.xlsx"),
    *(file_case(f"xlsx-cut-{share}", f"A workbook of which {share} per cent are there.", "d.xlsx",
                lambda share=share: (whole := book({}))[: len(whole) * share // 100], refused="d.xlsx") for share in (5, 50, 90, 99)),
    file_case("xlsx-empty-zip", "A zip file of nothing.", "d.xlsx", b"PK\x05\x06" + bytes(18), refused="d.xlsx"),
    file_case("xlsx-encrypted", "A workbook with a password.", "d.xlsx", OLE + bytes(2000), refused="d.xlsx"),
    *(file_case(f"xlsx-without-{part.replace('/', '-').strip('[').replace('].xml', '')}", f"A workbook without {part}.", "d.xlsx",
                lambda part=part: book({part: ""})) for part in
      ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml")),
    of_sheet("sparse", "A cell in the first row and one in the last corner.", good(['<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'])),
    of_sheet("far-row", "A cell in the last row.", good(['<row r="1048576"><c r="A1048576"><v>1</v></c></row>'])),
    of_sheet("no-such-cell", "A cell beyond every sheet.", good(['<row r="99999999999"><c r="ZZZZZZZ99999999999"><v>1</v></c></row>'])),
    of_sheet("negative", "A cell in row -1.", good(['<row r="-1"><c r="A-1"><v>1</v></c></row>'])),
    of_sheet("wide", "Sixteen thousand columns.", lambda: sheet([line(1, (cell(f"c{i}") for i in range(16384))), line(2, (cell("1") for _ in range(16384)))]), quasi="c1"),
    of_sheet("entities", "Entities that unfold to a gigabyte.", good(["<row><c t='inlineStr'><is><t>&j;</t></is></c></row>"], head=BOMB)),
    of_sheet("outside", "An entity that is a file of the reader.", good(["<row><c t='inlineStr'><is><t>&j;</t></is></c></row>"], head=OUTSIDE)),
    of_sheet("open-tag", "XML that breaks off.", good()[:-30]),
    of_sheet("deep", "XML a hundred thousand levels deep.", lambda: good(["<a>" * 100_000])),
    of_sheet("rubbish", "A sheet that is no XML.", MARK * 50),
    of_sheet("no-rows", "A sheet without rows.", sheet([])),
    of_sheet("only-header", "A sheet with a header alone.", sheet([line(1, map(cell, HEADER))])),
    of_sheet("long-cell", "A cell of ten megabytes.", lambda: good([line(14, [cell("20"), cell(MARK * 800_000)])])),
    of_sheet("names-twice", "A name that stands twice.", good(header=("age", "age", "dx", "dx", ""))),
    of_sheet("names-terminal", "Names that move a cursor, as XML may hold them.", good(header=("age", "\u202egnp", "_x001B_[2J", "dx", "\x9b31m"))),
    of_sheet("names-formula", "Names that a spreadsheet would run.", good(header=("age", "=1+1", "@x", "dx", "-2"))),
    of_sheet("serials", "Days before the first and after the last.", good([f'<row r="{20 + i}"><c r="A{20 + i}"><v>{v}</v></c></row>' for i, v in enumerate(("-1", "1e9", "2958466", "NaN", "1e400", "x"))])),
    of_sheet("strings", "Texts by numbers that no list has.", good(['<row r="20"><c r="A20" t="s"><v>99</v></c><c r="B20" t="s"><v>-1</v></c></row>'])),
    file_case("xlsx-cells", "Formulas, errors, and merged cells.", "d.xlsx", lambda: _written(["=cmd|' /C calc'!A0", "=1/0", float("nan"), float("inf"), True, "=HYPERLINK(\"http://x\")"])),
    file_case("xlsx-sheet-name", "A sheet whose name is SQL and markup.", "d.xlsx", lambda: book({}, name="x'); DROP TABLE <b>\u202e"), records=12),
    file_case("xlsx-paths", "Parts whose names lead out of the archive.", "d.xlsx", lambda: book({"../../../evil.xml": "<a/>", "/tmp/evil.xml": "<a/>"}), records=12),
    file_case("xlsx-twice", "A part that is in the archive twice.", "d.xlsx", _twice),
    file_case("xlsx-bomb", "Two gigabytes of blanks in a small workbook.", "d.xlsx", _bomb, refused="d.xlsx", heavy=True),
    file_case("xlsb-empty-zip", "A binary workbook of nothing.", "d.xlsb", b"PK\x05\x06" + bytes(18), refused="d.xlsb"),
    file_case("xlsb-is-xlsx", "A workbook of XML called binary.", "d.xlsb", lambda: book({})),
    file_case("xls-head", "The head of an old workbook and nothing else.", "d.xls", OLE + bytes(504), refused="d.xls"),
    file_case("xls-rubbish", "An old workbook whose sectors are rubbish.", "d.xls", OLE + bytes(range(256)) * 40, refused="d.xls"),
    file_case("xls-is-html", "A page called workbook, as some systems export.", "d.xls", "<html><table><tr><td>age</td></tr></table></html>", refused="d.xls"),
    file_case("ods-good", "An OpenDocument sheet as it should be.", "d.ods", lambda: ods(ods_table(ODS_ROWS)), records=12),
    file_case("ods-cut", "An OpenDocument sheet that is cut.", "d.ods", lambda: ods(ods_table(ODS_ROWS))[:400], refused="d.ods"),
    file_case("ods-columns-bomb", "A cell that is repeated a billion times to the right.", "d.ods", lambda: ods(ods_table(ODS_ROWS + ods_row(["1"]).replace("<table:table-cell", f"<table:table-cell{WIDE}", 1))), refused="d.ods"),
    file_case("ods-rows-bomb", "A row that is repeated a billion times.", "d.ods", lambda: ods(ods_table(ODS_ROWS + ods_row(["1", MARK], ' table:number-rows-repeated="1000000000"'))), refused="d.ods"),
    file_case("ods-negative", "A row that is repeated -1 times.", "d.ods", lambda: ods(ods_table(ODS_ROWS + ods_row(["1"], ' table:number-rows-repeated="-1"')))),
    file_case("ods-entities", "Entities that unfold to a gigabyte.", "d.ods", lambda: ods(ods_table(ODS_ROWS + "<table:table-row><table:table-cell><text:p>&j;</text:p></table:table-cell></table:table-row>"), head=BOMB)),
    file_case("ods-no-table", "An OpenDocument file without a table.", "d.ods", lambda: ods("")),
]  # fmt: skip
