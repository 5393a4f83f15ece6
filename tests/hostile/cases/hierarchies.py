"""Hierarchy files."""

from __future__ import annotations

from tests.hostile.case import MARK, Case, file_case

GOOD = "20;20-22;*\n21;20-22;*\n22;20-22;*\n"
FILES: dict[str, tuple[str, object, dict[str, object]]] = {
    "empty": ("An empty file.", b"", {"refused": "age.csv"}),
    "one-byte": ("One byte.", b";", {}),
    "nul": ("NUL alone.", bytes(1000), {"refused": "hierarchy"}),
    "rubbish": ("Rubbish.", bytes(range(256)) * 9, {"refused": "age.csv"}),
    "utf-16": ("UTF-16.", GOOD.encode("utf-16"), {"refused": "age.csv"}),
    "bom": ("A byte order mark.", b"\xef\xbb\xbf" + GOOD.encode(), {}),
    "zip": ("A zip file.", b"PK\x03\x04" + bytes(100), {"refused": "hierarchy"}),
    "cycle": ("Values that become each other.", "20;21;20\n21;20;21\n22;22;22\n", {}),
    "loop": ("A label that stands above itself and below others.", "20;a;b;a\n21;b;a;b\n22;a;a;a\n", {"refused": "age.csv"}),
    "torn": ("A label with two parents.", "20;a;x\n21;a;y\n22;a;x\n", {"refused": "age.csv"}),
    "value-twice": ("A value with two lines.", GOOD + "20;other;*\n", {"refused": "age.csv"}),
    "missing-value": ("A value of the table that is not there.", "20;a;*\n", {"refused": "age"}),
    "ragged": ("Lines of different lengths.", GOOD + f"{MARK}\n", {"refused": "line"}),
    "one-level": ("Values and nothing above.", "20\n21\n22\n", {}),
    "no-top": ("No common top.", "20;a\n21;b\n22;c\n", {}),
    "many-levels": ("Five thousand levels.", "".join(f"{v};" + ";".join(["a"] * 5000) + "\n" for v in (20, 21, 22)), {}),
    "blank-labels": ("Labels of nothing.", "20;;\n21;;\n22;;\n", {}),
    "open-quote": ("A quote that never closes.", '20;"' + MARK * 10, {}),
    "long-cell": ("A label of a megabyte.", f"20;{'x' * (1 << 20)};*\n21;a;*\n22;a;*\n", {}),
    "long-open-quote": ("A quote that never closes, of a megabyte.", '20;"' + "x\n" * (1 << 19), {"refused": "age.csv"}),
    "formulas": ("Labels that a spreadsheet would run.", "20;=cmd|' /C calc'!A0;*\n21;+1;*\n22;@x;*\n", {}),
    "terminal": ("Labels that move a cursor.", "20;\x1b[2J;*\n21;\u202e;*\n22;\x07;*\n", {}),
    "sql": ("Labels with SQL.", "20;'); DROP TABLE d; --;*\n21;$$;*\n22;%s;*\n", {}),
    "nul-in-label": ("A NUL within a label.", "20;a\0b;*\n21;a;*\n22;a;*\n", {}),
    "cr-only": ("Lines that end as on an old Macintosh.", GOOD.replace("\n", "\r"), {}),
    "surrogate": ("Bytes of half a surrogate pair.", b"20;\xed\xa0\x80;*\n", {"refused": "age.csv"}),
    "numbers": ("Values that are equal as numbers.", "20;a;*\n20.0;b;*\n2e1;c;*\n21;a;*\n22;a;*\n", {}),
    "yaml": ("YAML called CSV.", "kind: intervals\nwidth: 5\n", {}),
    "dictionary": ("Two hundred thousand values that are not asked for.", lambda: GOOD + "".join(f"v{i};g{i % 9};*\n" for i in range(200_000)), {}),
    "huge": ("A hundred megabytes.", lambda: GOOD + "".join(f"{MARK}{i:08};group {i % 999} of many;all of them;*\n" for i in range(2_000_000)), {"heavy": True}),
}  # fmt: skip

CASES: list[Case] = [
    file_case(f"hierarchy-{name}", what, "age.csv", content, kind="hierarchy", **known)  # type: ignore[arg-type]
    for name, (what, content, known) in FILES.items()
]
