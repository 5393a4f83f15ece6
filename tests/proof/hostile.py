"""Attacks on a package by whoever can write into its folder: each changes one honest package.

An attack gets a package with its evidence. What it does to a document it makes fit with new manifests, as somebody
does who knows of them; what it puts in the place of a file it leaves unlisted.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
from tests.proof.conftest import Made

Attack = Callable[[Made], None]
Attacks = dict[str, Attack]

TERABYTE = 2**40
BOMB = "\n".join(["a0: &a0 [x, x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12))])


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _same_content(path: Path) -> None:
    other = path.parent.parent / f"elsewhere-{path.name}"
    other.write_bytes(path.with_name(f"{path.name}.was").read_bytes())
    path.symlink_to(other)


def _socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket is a short one
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


def _hollow(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(TERABYTE)


INSTEAD: dict[str, Callable[[Path], None]] = {
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to nothing": _link("nowhere"),
    "a link to a folder": _link("/etc"),
    "a link to a file beside it": _link("assessment.json"),
    "a link to a device": _link("/dev/zero"),
    "a link to the same content": _same_content,
    "a pipe": os.mkfifo,
    "a socket": _socket,
    "a folder": Path.mkdir,
    "a terabyte of holes": _hollow,
}
FILES = (
    "released.csv", "release.json", "plan.yaml", "assessment.json", "manifest.json", "manifest.json.sig",
    "manifest.json.pub", "evidence/manifest.json", "evidence/salt", "evidence/plan.yaml", "evidence/anonymisation.json",
    "evidence/released.csv.provenance.json",
)  # fmt: skip


def put_instead(name: str, kind: str) -> Attack:
    def attack(made: Made) -> None:
        path = made.path(name)
        was = path.rename(path.with_name(f"{path.name}.was"))
        INSTEAD[kind](path)
        was.unlink()

    return attack


NO_DOCUMENTS: dict[str, bytes] = {
    "nothing": b"",
    "nested lists": b"[" * 500_000,
    "nested objects": b'{"a":' * 100 + b"1" + b"}" * 100,
    "a number of 5,000 digits": b'{"records": ' + b"9" * 5000 + b"}",
    "a number of 60 digits": b'{"records": ' + b"9" * 60 + b"}",
    "a number beyond all": b'{"records": 1e999}',
    "NaN": b'{"records": NaN}',
    "infinity": b'{"records": -Infinity}',
    "a key twice": b'{"met": false, "met": true}',
    "a mark at the beginning": b'\xef\xbb\xbf{"met": true}',
    "UTF-16": '{"met": true}'.encode("utf-16"),
    "no UTF-8": b'{"met": "\xff"}',
    "half of a character": b'{"met": "\\ud800"}',
    "a list": b"[1, 2]",
    "a word": b'"met"',
    "blanks without end": b"{" + b" " * 40_000_000 + b"}",
}
NO_PLANS: dict[str, str] = {
    "aliases of aliases": BOMB,
    "an alias of itself": "steps: &a [*a]",
    "a call": "steps: !!python/object/apply:os.system ['touch ran']",
    "nested lists": "steps: " + "[" * 100_000,
    "nested mappings": "{a: " * 200 + "1" + "}" * 200,
    "a number beyond all": "steps: [{generalise: {column: age, level: 1e999}}]",
    "a number of 4,000 digits": f"steps: [{{generalise: {{column: age, level: {'9' * 4000}}}}}]",
    "a key twice": "steps: []\nsteps: []",
    "two documents": "steps: []\n---\nsteps: []",
    "a day": "steps: [2020-01-01]",
    "three million letters": "# " + "x" * 3_000_000,
    "a merge": "a: &a {b: 1}\nsteps: [{<<: *a}]",
    "a control character": "steps: ['\x01']",
}
NAMES = (
    "../patients.csv", "/etc/hostname", "a/b.csv", "a\\b.csv", "a\0b", "", ".", "..", "manifest.json",
    "x" * 300, "x" * 2_000_000, "a\nb", "\u202egnp.csv", "CON:", " released.csv",
)  # fmt: skip
ENTRIES: tuple[Any, ...] = (
    None, 3, [], {}, {"sha256": "0" * 64}, {"sha256": "0" * 64, "size": -1}, {"sha256": "0" * 64, "size": True},
    {"sha256": "0" * 64, "size": 1.5}, {"sha256": "0" * 64, "size": "1"}, {"sha256": "0" * 63, "size": 1},
    {"sha256": "A" * 64, "size": 1}, {"sha256": 7, "size": 1}, {"sha256": "0" * 64, "size": 2**126},
)  # fmt: skip
NO_NAMES_OF_DATA: tuple[Any, ...] = (
    "../elsewhere.csv", "/etc/hostname", "sqlite:///x.db", "a/b.csv", "*.csv", "", None, 7, ["released.csv"],
    "manifest.json", "nowhere.csv", "plan.yaml",
)  # fmt: skip


def written(name: str, content: bytes | str) -> Attack:
    def attack(made: Made) -> None:
        made.path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        made.repackage()

    return attack


def listed(name: str, entry: Any) -> Attack:
    return lambda made: made.edit("manifest.json", lambda d: d["files"].update({name: entry}))


def said(change: Callable[[Any], None], name: str = "release.json") -> Attack:
    def attack(made: Made) -> None:
        made.edit(name, change)
        made.repackage()

    return attack


def with_data(name: str, write: Callable[[Path], None]) -> Attack:
    """Other data than those that were released, under another name."""

    def attack(made: Made) -> None:
        made.path("released.csv").unlink()
        write(made.folder / name)
        made.edit("release.json", lambda d: d["released"].update(name=name))
        made.repackage()

    return attack


def with_bytes(name: str, content: bytes) -> Attack:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return with_data(name, write)


def claiming(**claims: Any) -> Attack:
    return lambda made: made.edit("manifest.json", lambda d: d["claims"].update(claims))


def _duckdb(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE VIEW released AS SELECT * FROM read_csv('/etc/passwd', delim = ':', header = false)")


def _sqlite(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE released (age TEXT)")
    connection.close()


def _many_files(made: Made) -> None:
    for i in range(3_000):
        (made.folder / f"{i}.txt").touch()


def _deep_folders(made: Made) -> None:
    (made.folder / "/".join(["d"] * 60)).mkdir(parents=True)


def _twin(made: Made) -> None:
    (made.folder / "RELEASED.CSV").write_bytes((made.folder / "released.csv").read_bytes())
    made.repackage()


def _huge_claims(made: Made) -> None:
    made.edit("manifest.json", lambda d: d["claims"].update({f"k{i}": {} for i in range(50_000)}))


def _repeated(count: int) -> Callable[[Any], None]:
    return lambda d: d.update(requirements=d["requirements"] * count)


def _scenarios(d: Any) -> None:
    d.update(scenarios={f"s{i}": ["age"] for i in range(3000)})


ATTACKS: Attacks = {
    **{f"{kind} for released.csv": put_instead("released.csv", kind) for kind in INSTEAD},
    **{f"a pipe for {name}": put_instead(name, "a pipe") for name in FILES[1:]},
    **{f"a link for {name}": put_instead(name, "a link to the same content") for name in FILES[1:]},
    **{f"a terabyte for {name}": put_instead(name, "a terabyte of holes") for name in ("manifest.json", "plan.yaml")},
    **{f"{what} for release.json": written("release.json", text) for what, text in NO_DOCUMENTS.items()},
    **{f"{what} for a manifest": (lambda made, text=text: made.path("manifest.json").write_bytes(text))  # type: ignore[misc]
       for what, text in NO_DOCUMENTS.items()},
    **{f"{what} for evidence": written("evidence/anonymisation.json", text)
       for what, text in list(NO_DOCUMENTS.items())[::4]},
    **{f"{what} for a plan": written("plan.yaml", text) for what, text in NO_PLANS.items()},
    **{f"{what} for the plan of the evidence": written("evidence/plan.yaml", text)
       for what, text in list(NO_PLANS.items())[::3]},
    **{f"the name {name[:30]!r} ({len(name)})": listed(name, {"sha256": "0" * 64, "size": 1}) for name in NAMES},
    **{f"the entry {json.dumps(entry)[:90]}": listed("more.csv", entry) for entry in ENTRIES},
    **{f"the data {name!r}": said(lambda d, name=name: d["released"].update(name=name))  # type: ignore[misc]
       for name in NO_NAMES_OF_DATA},
    "a database of DuckDB": with_data("released.duckdb", _duckdb),
    "a database of DuckDB as CSV": with_data("more.csv", _duckdb),
    "a database of SQLite": with_data("released.sqlite", _sqlite),
    "Parquet that is cut": with_bytes("released.parquet", b"PAR1" + bytes(50) + b"PAR1"),
    "zeros as CSV": with_bytes("zeros.csv", bytes(1_000_000)),
    "a workbook that is none": with_bytes("released.xlsx", b"PK\x03\x04" + bytes(90)),
    "three thousand files": _many_files,
    "folders in folders": _deep_folders,
    "an empty folder": lambda made: (made.folder / "empty").mkdir(),
    "a hidden file": lambda made: made.write(".hidden", "x"),
    "a name that no text is": lambda made: Path(os.fsdecode(os.fsencode(made.folder) + b"/\xff\xfe.csv")).touch(),
    "a file twice but for case": _twin,
    "fifty thousand claims": _huge_claims,
    "forty thousand requirements": said(_repeated(10_000)),
    "three thousand scenarios": said(_scenarios),
    "a requirement that is none": said(lambda d: d.update(requirements=["k_anonymity >= " + "9" * 400])),
    "columns that are not there": said(lambda d: d.update(quasi_identifiers=["x" * 100_000])),
    "a head of the log that is none": claiming(log={"hash": []}),
    "evidence that is a list": claiming(evidence=[1]),
}  # fmt: skip
