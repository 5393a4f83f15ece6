"""Release packages that somebody made, or changed, to hurt whoever verifies them."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.hostile.case import KEY, MARK, Case, Place, text

Change = Callable[[Path], object]


def package(place: Place) -> Path:
    """A signed package with its evidence, as the program makes it: made once, and copied for every case."""
    once = place.folder.parents[1] / ".package"
    if not once.is_dir():
        _made(Place(once))
    for path in once.iterdir():
        (shutil.copytree if path.is_dir() else shutil.copy2)(path, place.folder / path.name)
    return place.folder / "package"


def _made(place: Place) -> None:
    """As somebody makes it at the command line."""
    columns = {"age": "quasi", "sex": "quasi", "dx": "sensitive", "name": "direct", "cost": "direct"}
    document = {
        "data": {"source": "patients.csv"}, "columns": {name: {"role": role} for name, role in columns.items()},
        "measures": [{"measure": "k_anonymity", "at_least": 2}], "anonymise": {"suppress": 0.2},
    }  # fmt: skip
    place.put("patients.csv", text(24))
    project, key = place.put("sfumato.yaml", json.dumps(document)), place.folder / "signer.pem"
    _run("key", "new", key)
    _run("release", "-p", project, "-o", place.folder / "package", "--evidence", place.folder / "evidence", "--key", key,
         "--no-report")  # fmt: skip


def _run(*words: object) -> None:
    from sfumato.cli import app

    with patch.dict(os.environ, SFUMATO_KEY=KEY):
        app([str(word) for word in words], prog_name="sfumato", standalone_mode=False)


def changed(name: str, what: str, change: Change, **known: object) -> Case:
    def make(place: Place) -> Path:
        folder = package(place)
        change(folder)
        return folder

    return Case(f"package-{name}", what, "package", make, **known)  # type: ignore[arg-type]


def manifest(edit: Callable[[dict[str, Any]], object]) -> Change:
    """Another manifest."""

    def change(folder: Path) -> None:
        path = folder / "manifest.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        edit(document)
        path.write_text(json.dumps(document), encoding="utf-8")

    return change


def put(name: str, content: str | bytes) -> Change:
    return lambda folder: (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def _instead(name: str, make: Callable[[Path], object]) -> Change:
    """Something else in place of a file of the package."""

    def change(folder: Path) -> None:
        (folder / name).unlink()
        make(folder / name)

    return change


def _linked(path: Path) -> None:
    """A link to the same content."""
    kept = path.parent.parent / "kept"
    kept.write_bytes((path.parent.parent / "patients.csv").read_bytes())
    path.symlink_to(kept)


def _same_content(folder: Path) -> None:
    shutil.move(folder / "released.csv", folder.parent / "elsewhere.csv")
    (folder / "released.csv").symlink_to(folder.parent / "elsewhere.csv")


def _folder_link(folder: Path) -> None:
    (folder / "more").symlink_to(folder.parent)


def _loop(folder: Path) -> None:
    (folder / "again").symlink_to(folder)


def _sparse(path: Path) -> None:
    """Sixty gigabytes of nothing, which take no place on the disk."""
    with path.open("wb") as file:
        file.truncate(60 << 30)


def _socket(path: Path) -> None:
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


def _database(folder: Path) -> None:
    """A database in place of the table, with a view of the verifier's files."""
    import duckdb

    (folder / "released.csv").unlink()
    with duckdb.connect(str(folder / "released.duckdb")) as connection:
        connection.execute(
            f"CREATE VIEW d AS SELECT * FROM read_csv('{folder.parent.parent / 'neighbour' / 'victim.csv'}')"
        )
    manifest(lambda m: _rename(m, "released.csv", "released.duckdb"))(folder)


def _equal_records(folder: Path) -> None:
    """Thirty million equal records in some kilobytes, in place of the table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    once = pa.table({name: pa.repeat(MARK, 1_000_000) for name in ("age", "sex", "dx")})
    with pq.ParquetWriter(folder / "released.parquet", once.schema, compression="zstd") as file:
        for _ in range(30):
            file.write_table(once)
    (folder / "released.csv").unlink()
    for path in folder.glob("*.json"):
        path.write_text(path.read_text(encoding="utf-8").replace("released.csv", "released.parquet"), encoding="utf-8")


def _rename(document: Any, old: str, new: str) -> None:
    """Every mention of a name in a manifest, as another."""
    text_ = json.dumps(document).replace(json.dumps(old)[1:-1], json.dumps(new)[1:-1])
    document.clear()
    document.update(json.loads(text_))


def _unsigned(folder: Path) -> None:
    for path in folder.glob("*.sig*"):
        path.unlink()
    (folder / "manifest.sig").unlink(missing_ok=True)


def _deep(folder: Path) -> None:
    path = folder
    for _ in range(200):
        path = path / "d"
        path.mkdir()


def _many(folder: Path) -> None:
    for i in range(3000):
        (folder / f"extra-{i}.txt").write_bytes(b"x")


def _values(value: Any) -> Callable[[dict[str, Any]], object]:
    """Every value of the manifest becomes this one."""
    return lambda document: [document.__setitem__(key, value) for key in list(document)]


CASES = [
    changed("signature-stripped", "A package whose signature was taken away.", _unsigned, says="unsigned"),
    changed("signature-rubbish", "A signature of rubbish.", lambda f: [p.write_bytes(b"\xff" * 64) for p in f.glob("*.sig*")], says=""),
    changed("signature-empty", "An empty signature.", lambda f: [p.write_bytes(b"") for p in f.glob("*.sig*")], says=""),
    changed("manifest-absent", "No manifest.", lambda f: (f / "manifest.json").unlink()),
    changed("manifest-empty", "An empty manifest.", put("manifest.json", b"")),
    changed("manifest-one-byte", "A manifest of one byte.", put("manifest.json", b"{")),
    changed("manifest-list", "A list for a manifest.", put("manifest.json", "[]")),
    changed("manifest-null", "The manifest null.", put("manifest.json", "null")),
    changed("manifest-object", "A manifest of nothing.", put("manifest.json", "{}")),
    changed("manifest-deep", "Brackets without end.", put("manifest.json", "[" * 200_000)),
    changed("manifest-deep-object", "Objects in each other.", put("manifest.json", '{"a":' * 100_000 + "1" + "}" * 100_000)),
    changed("manifest-utf-16", "A manifest in UTF-16.", lambda f: put("manifest.json", (f / "manifest.json").read_text(encoding="utf-8").encode("utf-16"))(f)),
    changed("manifest-twice", "A manifest with its keys twice.", lambda f: put("manifest.json", (p := (f / "manifest.json").read_text(encoding="utf-8").strip())[:-1] + "," + p[1:])(f), refused="manifest.json"),
    changed("manifest-nan", "A manifest with NaN.", manifest(lambda m: m.update(claims=float("nan")))),
    changed("manifest-huge-number", "A manifest with an endless number.", put("manifest.json", '{"version": ' + "7" * 5000 + "}")),
    changed("manifest-long", "A manifest of fifty megabytes.", put("manifest.json", '{"a": "' + "x" * (50 << 20) + '"}')),
    *(changed(f"manifest-all-{name}", f"A manifest in which every value is {name}.", manifest(_values(value)))
      for name, value in (("null", None), ("a list", []), ("a text", MARK), ("a number", 5), ("an object", {}), ("true", True))),
    *(changed(f"name-{name}", f"A file whose name leads out: {name}.", manifest(lambda m, new=new: _rename(m, "released.csv", new)))
      for name, new in (("up", "../patients.csv"), ("absolute", "/etc/hostname"), ("nul", "a\0b"), ("empty", ""), ("dot", "."), ("terminal", "\x1b[2J\u202e"), ("backslash", "..\\x"), ("device", "/dev/zero"), ("surrogate", "\ud800"))),
    changed("file-extra", "A file that is not in the manifest.", put("evil.exe", MARK), says=""),
    changed("file-hidden", "A hidden file that is not in the manifest.", put(".hidden", MARK), says=""),
    changed("file-missing", "A file that is missing.", lambda f: (f / "released.csv").unlink(), says=""),
    changed("file-changed", "A changed table.", lambda f: put("released.csv", (f / "released.csv").read_bytes() + b"\n")(f), says=""),
    changed("file-empty", "An empty table.", put("released.csv", b""), says=""),
    changed("file-terminal", "A file whose name moves a cursor.", put("\x1b[2J\u202egnp.exe", b""), says=""),
    changed("file-pipe", "A pipe in place of the table.", _instead("released.csv", os.mkfifo), says=""),
    changed("file-zero", "A link to a device without end.", _instead("released.csv", lambda p: p.symlink_to("/dev/zero")), says=""),
    changed("file-socket", "A socket in place of the table.", _instead("released.csv", _socket), says=""),
    changed("file-folder", "A folder in place of the table.", _instead("released.csv", Path.mkdir), says=""),
    changed("file-dangling", "A link to nothing.", _instead("released.csv", lambda p: p.symlink_to("nowhere")), says=""),
    changed("file-linked", "A link to another table.", _instead("released.csv", _linked), says=""),
    changed("file-linked-same", "A link to the same content elsewhere.", _same_content, says=""),
    changed("file-sparse", "A table of sixty gigabytes of nothing.", _instead("released.csv", _sparse), says=""),
    changed("manifest-pipe", "A pipe in place of the manifest.", _instead("manifest.json", os.mkfifo)),
    changed("manifest-zero", "A link to a device in place of the manifest.", _instead("manifest.json", lambda p: p.symlink_to("/dev/zero"))),
    changed("manifest-sparse", "A manifest of sixty gigabytes of nothing.", _instead("manifest.json", _sparse)),
    changed("folder-empty", "An empty folder within.", lambda f: (f / "empty").mkdir(), says=""),
    changed("folder-link", "A link to a folder outside.", _folder_link, says=""),
    changed("folder-loop", "A link to the package within it.", _loop, says=""),
    changed("folder-deep", "Two hundred folders in each other.", _deep, says=""),
    changed("folder-many", "Three thousand files that are not in the manifest.", _many, says=""),
    changed("database", "A database in place of the table.", _database, says=""),
    changed("equal-records", "Ninety million equal cells in a small Parquet file.", _equal_records, says="raise the limit: SFUMATO_LIMITS=cells_per_byte="),
    changed("plan-tag", "A plan that would run something.", lambda f: [put(p.name, "steps: !!python/object/apply:os.system ['touch evil']")(f) for p in f.glob("*.yaml")], says=""),
    changed("report-changed", "A report with a script.", lambda f: [put(p.name, "<script>alert(1)</script>")(f) for p in f.glob("*.html")] or put("report.html", "x")(f), says=""),
]  # fmt: skip
