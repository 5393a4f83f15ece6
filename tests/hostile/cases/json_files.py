"""JSON, lines of JSON, and Dataset-JSON."""

from __future__ import annotations

import json
from typing import Any

from tests.hostile.case import HEADER, MARK, Case, file_case, rows

ITEMS = [{"itemOID": f"IT.D.{name}", "name": name, "label": name, "dataType": "string"} for name in HEADER]
DOCUMENT: dict[str, Any] = {
    "datasetJSONCreationDateTime": "2026-01-01T00:00:00", "datasetJSONVersion": "1.1.0", "itemGroupOID": "IG.D", "name": "D",
    "label": "d", "records": 12, "columns": ITEMS, "rows": [list(row) for row in rows()],
}  # fmt: skip


def altered(**keys: Any) -> str:
    """A Dataset-JSON file with other keys; None leaves a key out."""
    return json.dumps({key: value for key, value in {**DOCUMENT, **keys}.items() if value is not None})


def lines(*more: str) -> str:
    """Dataset-JSON of one line for each record."""
    head = {key: value for key, value in DOCUMENT.items() if key != "rows"}
    return "".join(f"{line}\n" for line in (json.dumps(head), *(json.dumps(row) for row in DOCUMENT["rows"]), *more))


def _items(**keys: Any) -> list[dict[str, Any]]:
    return [{**ITEMS[0], **keys}, *ITEMS[1:]]


WHOLE = altered()
TEXTS: dict[str, tuple[str, str | bytes]] = {
    "empty": ("An empty file.", b""),
    "one-byte": ("One byte.", b"{"),
    "null": ("The value null.", "null"),
    "number": ("A number.", "1e400"),
    "object": ("An empty object.", "{}"),
    "list": ("An empty list.", "[]"),
    "records": ("A list of objects, which is no Dataset-JSON.", json.dumps([{"age": 1, "dx": MARK}] * 3)),
    "deep": ("A hundred thousand lists in each other.", "[" * 100_000),
    "deep-whole": ("Fifty thousand objects in each other.", '{"a":' * 50_000 + "1" + "}" * 50_000),
    "nan": ("A NaN in a row.", WHOLE.replace('"20"', "NaN", 1)),
    "huge-integer": ("An integer of five thousand digits.", WHOLE.replace('"20"', "7" * 5000, 1)),
    "huge-power": ("The number 1e400.", WHOLE.replace('"20"', "1e400", 1)),
    "keys-twice": ("The rows twice.", WHOLE[:-1] + ', "rows": []}'),
    "surrogate": ("Half a surrogate pair in a cell.", WHOLE.replace('"20"', '"\\ud800"', 1)),
    "surrogate-name": ("Half a surrogate pair in a name.", altered(columns=_items(name="a\ud800"))),
    "bom": ("A byte order mark before it.", b"\xef\xbb\xbf" + WHOLE.encode()),
    "utf-16": ("UTF-16.", WHOLE.encode("utf-16")),
    "latin-1": ("Latin-1.", WHOLE.replace("illness", "é").encode("latin-1")),
    "nul": ("A NUL after it.", WHOLE.encode() + b"\0"),
    "two": ("Two documents.", WHOLE + WHOLE),
    "cut": ("A document that breaks off.", WHOLE[: len(WHOLE) // 2]),
    "cut-end": ("A document without its last bracket.", WHOLE[:-1]),
    "short-row": ("A row with too few cells.", altered(rows=[*DOCUMENT["rows"], [MARK]])),
    "long-row": ("A row with too many cells.", altered(rows=[*DOCUMENT["rows"], [MARK] * 9])),
    "row-object": ("A row that is an object.", altered(rows=[{"age": MARK}])),
    "row-text": ("A row that is a text.", altered(rows=[MARK])),
    "rows-text": ("Rows that are a text.", altered(rows=MARK)),
    "rows-object": ("Rows that are an object.", altered(rows={MARK: MARK})),
    "nested": ("Lists and objects in cells.", altered(rows=[[[MARK], {"a": MARK}, None, True, 1.5]])),
    "no-columns": ("No columns.", altered(columns=None)),
    "zero-columns": ("Zero columns.", altered(columns=[], rows=[[], []])),
    "columns-text": ("Columns that are a text.", altered(columns="age")),
    "columns-names": ("Columns that are names alone.", altered(columns=list(HEADER))),
    "name-number": ("A column whose name is a number.", altered(columns=_items(name=5))),
    "name-null": ("A column whose name is null.", altered(columns=_items(name=None))),
    "name-list": ("A column whose name is a list.", altered(columns=_items(name=["age"]))),
    "name-terminal": ("A name that moves a cursor.", altered(columns=_items(name="\x1b[2J\x07"))),
    "label-terminal": ("A label that moves a cursor.", altered(columns=_items(label="\x1b[2J\u202e<b>"))),
    "names-twice": ("A name that stands twice.", altered(columns=_items(name="sex"))),
    "type-unknown": ("A type that is none.", altered(columns=_items(dataType="'); DROP"))),
    "type-list": ("A type that is a list.", altered(columns=_items(dataType=["string"]))),
    "type-wrong": ("Texts in a column of integers.", altered(columns=[*ITEMS[:2], {**ITEMS[2], "dataType": "integer"}, *ITEMS[3:]])),
    "type-date": ("Texts in a column of days.", altered(columns=[*ITEMS[:2], {**ITEMS[2], "dataType": "date"}, *ITEMS[3:]])),
    "length-wrong": ("A length of -1.", altered(columns=_items(length=-1))),
    "records-wrong": ("More records announced than there are.", altered(records=999)),
    "records-text": ("A number of records that is a text.", altered(records="many")),
    "version": ("A version of the future.", altered(datasetJSONVersion="99.0")),
    "old-form": ("The first form, with groups of items.", json.dumps({"clinicalData": {"itemGroupData": {"IG.D": {"records": 1, "name": "D", "items": ITEMS, "itemData": [list(rows(1)[0])]}}}})),
    "old-form-wrong": ("The first form, with lists for objects.", json.dumps({"clinicalData": [{"itemGroupData": [MARK]}]})),
}  # fmt: skip
LINES: dict[str, tuple[str, str | bytes]] = {
    "empty": ("An empty file.", b""),
    "good": ("As it should be.", lines()),
    "blank": ("Blank lines between.", lines().replace("\n", "\n\n")),
    "half-line": ("A line that breaks off.", lines('["20", "F", "' + MARK)),
    "objects": ("Objects for rows.", lines(json.dumps({"age": MARK}))),
    "no-head": ("Rows without a head.", "\n".join(json.dumps(list(row)) for row in rows())),
    "head-list": ("A list for a head.", "[]\n[]\n"),
    "long-line": ("A line of ten megabytes.", lines(json.dumps(["20", "F", MARK * 800_000, "x", "1"]))),
    "deep-line": ("A line of brackets.", lines("[" * 100_000)),
    "nan": ("NaN in a line.", lines('[NaN, "F", "x", "y", Infinity]')),
}
KNOWN: dict[str, dict[str, Any]] = {
    "json-empty": {"refused": "d.json"}, "json-deep": {"refused": "d.json"}, "json-cut": {"refused": "d.json"},
    "json-cut-end": {"refused": "d.json"}, "json-two": {"refused": "d.json"}, "json-bom": {"records": 12},
    "json-short-row": {"refused": "d.json"}, "json-no-columns": {"refused": "d.json"}, "json-records-wrong": {"refused": "records"},
    "ndjson-good": {"records": 12}, "ndjson-half-line": {"refused": "line"}, "json-keys-twice": {"refused": "d.json"}, "json-surrogate-name": {"refused": "half a character"},
}  # fmt: skip

CASES: list[Case] = [
    *(file_case(f"json-{name}", what, "d.json", content, **KNOWN.get(f"json-{name}", {})) for name, (what, content) in TEXTS.items()),
    *(file_case(f"ndjson-{name}", what, "d.ndjson", content, **KNOWN.get(f"ndjson-{name}", {})) for name, (what, content) in LINES.items()),
    file_case("json-many-rows", "A million empty rows.", "d.json", lambda: altered(rows=None)[:-1] + ', "rows": [' + "[]," * 1_000_000 + "[]]}"),
]  # fmt: skip
