"""Kept files: what lists values of the original stays with its steward; a plan names it by name and hash."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sfumato.canonical import canonical
from sfumato.outputs import file_name
from sfumato.plans.blocks.values_in_sql import text_of
from sfumato.plans.draft import Draft

SALT = ".salt"  # after the name of a file, for what is hashed before it
SHORT = 12  # characters of the hash in the name: two of a thousand files share them less than once in 10^8 times
KEYS = ("file", "sha256")
# What a salt is made of: numbers drawn for each record, and their bits. 2 times 52 bits are more than can be tried out.
DRAWS, BITS = 2, 52
HALF = 2 ** (BITS // 2)  # a number is added up in two halves, so that sums stay below what a whole number holds

FilesByName = dict[str, bytes]  # what each holds
Salt = Callable[[], bytes]  # asked for when something is kept


@dataclass(frozen=True)
class KeptFile:
    """A file that is kept, as others may know it: its name says what it is of, and its hash which one it is.

    The hash is SHA-256 of a salt and of the content. The salt is kept beside the file: without it, whoever guesses a
    short list could see by the hash that the guess is right.
    """

    file: str
    sha256: str

    @classmethod
    def of(cls, stem: str, ending: str, content: bytes, salt: bytes = b"") -> KeptFile:
        """The name of a content: the same for the same bytes, and another for others.

        >>> KeptFile.of("hierarchy_sex", ".json", b"[]").file
        'hierarchy_sex-4f53cda18c2b.json'
        """
        digest = sha256(salt + content).hexdigest()
        return cls(f"{file_name(stem)}-{digest[:SHORT]}{ending}", digest)

    def document(self) -> dict[str, str]:
        """What a plan writes."""
        return {"file": self.file, "sha256": self.sha256}

    def located(self, folders: Sequence[Path]) -> tuple[Path, str] | None:
        """The file and its hash, in the first folder that has it; one that was changed only where there is no other."""
        there = [path for folder in folders if (path := folder / Path(self.file).name).is_file()]
        hashes = [(path, sha256(salt_beside(path) + _bytes(path)).hexdigest()) for path in there]
        return next((one for one in hashes if one[1] == self.sha256), hashes[0] if hashes else None)


@dataclass(frozen=True)
class Steward:
    """Tells what others may read from what is kept: `read` gives the bytes of a file that a step names."""

    read: Callable[[str], bytes]
    salt: Salt = bytes

    def keep(self, stem: str, ending: str, content: bytes) -> tuple[KeptFile, FilesByName]:
        """A content as others may know it, and the files that are kept from them."""
        salt = self.salt()
        kept = KeptFile.of(stem, ending, content, salt)
        return kept, {kept.file: content, f"{kept.file}{SALT}": salt}

    def keep_list(self, stem: str, values: Any) -> tuple[KeptFile, FilesByName]:
        """The same of a list of values, as JSON."""
        return self.keep(stem, ".json", canonical(values) + b"\n")


def salt_of(draft: Draft) -> bytes:
    """The salt of a table: the same on every engine and in any order of the records, another for other cells.

    A hash of a short list says whether a guess of the list is right. With salt in it, it says so only to those who hold
    the table.
    """
    cells = ", '|', ".join(f"coalesce({text_of(draft, name)}, '')" for name in draft.names) or "''"
    lines = draft.engine.view(f"SELECT concat({cells}, '') AS line FROM {draft.table} AS record")
    texts = (f"concat('kept {i}|', line)" for i in range(DRAWS))
    drawn = ", ".join(f"{draft.engine.uniform(text)} * {HALF} AS u{i}" for i, text in enumerate(texts))
    halves = [half for i in range(DRAWS) for half in (f"floor(u{i})", f"(u{i} - floor(u{i})) * {HALF}")]
    sums = ", ".join(f"sum(CAST({half} AS BIGINT))" for half in halves)
    totals = draft.engine.fetch(f"SELECT {sums} FROM (SELECT {drawn} FROM {lines}) AS drawn")[0]
    draft.engine.drop(lines)
    return sha256(" ".join(str(int(total or 0)) for total in totals).encode()).hexdigest().encode()


def salt_beside(path: Path) -> bytes:
    """The salt of a kept file; nothing where it lacks, so that the hash is another."""
    return _bytes(path.with_name(f"{path.name}{SALT}"))


def is_kept(given: Any) -> bool:
    """Whether a parameter is the name and the hash of a file that is kept."""
    return isinstance(given, Mapping) and all(isinstance(given.get(key), str) for key in KEYS)


def kept_in(document: Any) -> dict[str, str]:
    """The hashes of all kept files that plain values name, by name.

    >>> kept_in({"steps": [{"recode_tuples": {"columns": ["age"], "file": "recoding-1.csv", "sha256": "1f"}}]})
    {'recoding-1.csv': '1f'}
    """
    return dict(sorted({kept.file: kept.sha256 for kept in _named(document)}.items()))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _named(document: Any) -> Iterator[KeptFile]:
    if is_kept(document):
        yield KeptFile(document["file"], document["sha256"])
    parts = document.values() if isinstance(document, Mapping) else document if isinstance(document, list) else ()
    for part in parts:
        yield from _named(part)
