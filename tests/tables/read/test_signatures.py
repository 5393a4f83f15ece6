"""Files of another kind than their name says: refused by what they are, with the way round."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import openpyxl
import pytest

from sfumato.errors import UnreadableFile
from sfumato.tables.load import load

FHIR = b'{"resourceType": "Bundle", "entry": [{"resource": {"resourceType": "Patient", "name": "Ermintrude"}}]}'
CONTENTS = {
    "picture.csv": (b"\x89PNG\r\n\x1a\n" + bytes(20), "a picture", "Export the table"),
    "photo.parquet": (b"\xff\xd8\xff\xe0" + bytes(20), "a picture", "Export the table"),
    "bundle.json": (FHIR, "FHIR", "SQL on FHIR"),
    "patients.ndjson": (b'{"id": "1", "resourceType":"Patient"}\n', "FHIR", "a row for each resource"),
    "list.csv": (b"\xef\xbb\xbf [" + FHIR + b"]", "FHIR", "SQL on FHIR"),
    "patient.xml": (b'<?xml version="1.0"?>\n<Patient xmlns="http://hl7.org/fhir"/>', "FHIR", "SQL on FHIR"),
    "letter.xml": (b'<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"/>', "HL7 CDA", "Export"),
    "messages.txt": (b"MSH|^~\\&|ADT|Ermintrude", "HL7 version 2", "no row"),
    "scan.csv": (bytes(128) + b"DICM" + bytes(20), "a DICOM image", "header"),
    "report.csv": (b"%PDF-1.7 Ermintrude", "a PDF document", "Export"),
    "export.xls": (b"<html><table><tr><td>Ermintrude", "a web page", "save it as xlsx"),
    "old.csv": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Excel workbook", "ends with .xls"),
    "study.csv": (b"PAR1" + bytes(20), "a Parquet file", "ends with .parquet"),
    "packed.csv": (gzip.compress(b"a,b\n1,2\n"), "a compressed file (gzip)", "ends with .gz"),
    "bitmap.csv": (b"BM" + bytes([70, 1, 9, 9]) + bytes(20), "a picture (BMP)", "Export"),
    "web.csv": (b"RIFF\x24\0\0\0WEBPVP8 ", "a picture (WebP)", "Export"),
    "photo.csv": (b"\0\0\0\x18ftypheic", "a picture (HEIC)", "Export"),
    "setup.csv": (b"MZ\x90\0" + bytes(60), "a program", "Export"),
    "binary.txt": (b"\x7fELF\x02\x01", "a program", "Export"),
    "folder.csv": (b"Ermintrude".ljust(257, b"\0") + b"ustar", "an archive (tar)", "Unpack"),
    "noise.csv": (bytes(range(1, 256)) * 4, "full of control characters", "Export the table"),
    "inside.csv.gz": (gzip.compress(b"%PDF-1.7"), "a PDF document", "Export"),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_file_is_named_by_its_content_with_the_way_round_and_without_a_cell(tmp_path: Path, name: str) -> None:
    content, what, way = CONTENTS[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableFile) as caught:
        load(str(tmp_path / name))
    assert what in str(caught.value)
    assert way in str(caught.value)
    assert "Ermintrude" not in str(caught.value)


def test_archives_are_told_by_what_is_in_them(tmp_path: Path) -> None:
    openpyxl.Workbook().save(tmp_path / "book.csv")
    for name, member in (("letter.csv", "word/document.xml"), ("files.zip", "a.csv")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(member, "Ermintrude")
    for name, what in {"book.csv": "an Excel workbook", "letter.csv": "a Word document", "files.zip": "a zip"}.items():
        with pytest.raises(UnreadableFile, match=what):
            load(str(tmp_path / name))


def test_a_table_whose_words_look_like_a_signature_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("BM,note\n1,<html>\n2,%PDF-\n", "utf-8")
    assert load(str(tmp_path / "a.csv")).table.count() == 2
