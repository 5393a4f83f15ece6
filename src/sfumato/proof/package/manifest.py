"""The manifest: every file of a folder with its size and hash, and the claims in short."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from sfumato.canonical import canonical, parsed, sha256_of
from sfumato.errors import UnreadableFile
from sfumato.outputs import is_plain_name
from sfumato.proof.package.plain_files import (
    NotPlain,
    other_entries,
    plain_bytes,
    plain_sha256,
    plain_size,
    told_name,
    what_is,
)

MANIFEST = "manifest.json"
SIGNATURE = MANIFEST + ".sig"
PUBLIC = MANIFEST + ".pub"  # the key that belongs to the signature
OUTSIDE = (MANIFEST, SIGNATURE, PUBLIC)  # what the manifest cannot speak of
FORMAT, EVIDENCE = "sfumato release 2", "sfumato evidence 1"
HASH = re.compile("[0-9a-f]{64}")
# Bytes of a document: ten thousand sensitive columns take ten million. What is larger takes gigabytes once it is read.
LARGEST = 32 * 1024 * 1024


@dataclass(frozen=True)
class ListedFile:
    """A file of the folder as the manifest knows it."""

    sha256: str
    size: int

    @classmethod
    def said(cls, entry: Any) -> ListedFile:
        """What a manifest says of a file; `ValueError` where that is no hash and no size."""
        digest, size = entry["sha256"], entry["size"]
        if not isinstance(digest, str) or not HASH.fullmatch(digest) or type(size) is not int or size < 0:
            raise ValueError("no hash, or no size")
        return cls(digest, size)


@dataclass(frozen=True)
class FileProblem:
    """A file that is not as the manifest says, and how."""

    file: str
    kind: str  # missing, additional, changed or no plain file
    said: str
    actual: str


@dataclass(frozen=True)
class Manifest:
    """The files of a folder by name, and the claims. The same folder gives the same bytes."""

    files: Mapping[str, ListedFile]
    claims: Mapping[str, Any] = field(default_factory=dict)
    format: str = FORMAT
    content_read: bytes = field(default=b"", compare=False, repr=False)  # as it was in the folder, for its signature

    @classmethod
    def of(cls, folder: str | Path, claims: Mapping[str, Any], format: str = FORMAT) -> Manifest:  # noqa: A002
        """The manifest of a folder as it is."""
        files = {path.name: path for path in sorted(Path(folder).iterdir()) if what_is(path) == "a file"}
        listed = {name: ListedFile(sha256_of(path), path.stat().st_size) for name, path in files.items()}
        return cls({name: file for name, file in listed.items() if name not in OUTSIDE}, dict(claims), format)

    @classmethod
    def read(cls, folder: str | Path, format: str = FORMAT) -> Manifest:  # noqa: A002
        """The manifest in a folder; `UnreadableFile` where there is none, and the folder is no package."""
        path, what = Path(folder) / MANIFEST, "release package" if format == FORMAT else "evidence of a release"
        try:
            content = plain_bytes(path, LARGEST)
            document = parsed(content)
            if document["format"] != format or not isinstance(document["claims"], dict):
                raise ValueError
            files = {name: ListedFile.said(entry) for name, entry in document["files"].items()}
        except NotPlain as error:
            raise UnreadableFile(path, f"this is no manifest of {what}: it is {error.strerror}.") from None
        except OSError:
            raise UnreadableFile(folder, f"this is no {what}: it has no {MANIFEST}.") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UnreadableFile(path, f"this is no manifest of {what}, or it was damaged.") from None
        return cls(files, document["claims"], format, content)

    @property
    def sha256(self) -> str:
        """The hash of the manifest as it was in the folder: by it the log of use knows a package."""
        return sha256(self.content_read).hexdigest()

    def content(self) -> bytes:
        """The manifest as canonical JSON."""
        files = {name: {"sha256": file.sha256, "size": file.size} for name, file in self.files.items()}
        return canonical({"format": self.format, "files": files, "claims": self.claims}) + b"\n"

    def problems(self, folder: str | Path) -> list[FileProblem]:
        """Every file that is missing, additional, changed or no plain file, by name; of many more their number."""
        folder = Path(folder)
        listed = [problem for name, said in self.files.items() if (problem := _problem(folder, name, said))]
        alike = Counter(name.casefold() for name in self.files)
        twice = [
            FileProblem(told_name(name), "its name is that of another but for case", "one file", "two")
            for name in self.files
            if alike[name.casefold()] > 1
        ]
        return sorted([*listed, *twice, *self._others(folder)], key=lambda problem: problem.file)

    def _others(self, folder: Path) -> Iterator[FileProblem]:
        for name in OUTSIDE:
            if (what := what_is(folder / name)) not in ("a file", "nothing"):
                yield FileProblem(name, "no plain file", "a file", what)
        others = other_entries(folder, {*self.files, *OUTSIDE})
        for name, what in others.entries.items():
            there = "there" if what == "a file" else what
            yield FileProblem(told_name(name), "additional", "not part of the release", there)
        if others.beyond:
            yield FileProblem("more files", "additional", "not part of the release", f"{others.beyond} of them")


def _problem(folder: Path, name: str, said: ListedFile) -> FileProblem | None:
    path = folder / name
    if not is_plain_name(name) or name in OUTSIDE or what_is(path) == "nothing":
        return FileProblem(told_name(name), "missing", f"{said.size} bytes", "not there")
    try:
        size = plain_size(path)
        if size != said.size:
            return FileProblem(name, "changed", f"{said.size} bytes", f"{size} bytes")
        digest = plain_sha256(path, said.size)
    except OSError as error:
        return FileProblem(name, "no plain file", "a file", error.strerror or "unreadable")
    if digest == said.sha256:
        return None
    return FileProblem(name, "changed", f"SHA-256 {said.sha256[:12]}", f"SHA-256 {digest[:12]}")
