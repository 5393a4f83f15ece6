"""The manifest of a release folder: every file with its hash, and what is claimed about the release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.canonical import canonical, parsed
from sfumato.errors import UnreadableFile
from sfumato.tables.write.digest import sha256_of

MANIFEST = "manifest.json"
SIGNATURE = MANIFEST + ".sig"
PUBLIC = MANIFEST + ".pub"  # the key that belongs to the signature
OUTSIDE = (MANIFEST, SIGNATURE, PUBLIC)  # what the manifest cannot speak of
FORMAT = "sfumato release 1"


@dataclass(frozen=True)
class Listed:
    """A file of the folder as the manifest knows it."""

    sha256: str
    size: int


@dataclass(frozen=True)
class FileProblem:
    """A file that is not as the manifest says, and how."""

    file: str
    kind: str  # missing, additional or changed
    said: str
    found: str


@dataclass(frozen=True)
class Manifest:
    """The files of a folder by name, and the claims. The same folder gives the same bytes."""

    files: Mapping[str, Listed]
    claims: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: str | Path, claims: Mapping[str, Any]) -> Manifest:
        """The manifest of a folder as it is."""
        return cls(_listed(Path(folder)), dict(claims))

    @classmethod
    def read(cls, folder: str | Path) -> Manifest:
        """The manifest in a folder; `UnreadableFile` where there is none, and the folder is no package."""
        path = Path(folder) / MANIFEST
        try:
            found = parsed(path.read_bytes())
            if found["format"] != FORMAT or not isinstance(found["claims"], dict):
                raise ValueError
            files = {str(name): Listed(str(f["sha256"]), int(f["size"])) for name, f in found["files"].items()}
        except OSError:
            raise UnreadableFile(folder, f"this is no release package: it has no {MANIFEST}.") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UnreadableFile(path, "this is no manifest of a release, or it was damaged.") from None
        return cls(files, found["claims"])

    def content(self) -> bytes:
        """The manifest as canonical JSON."""
        files = {name: {"sha256": found.sha256, "size": found.size} for name, found in self.files.items()}
        return canonical({"format": FORMAT, "files": files, "claims": self.claims}) + b"\n"

    def problems(self, folder: str | Path) -> list[FileProblem]:
        """Every file that is missing, additional or changed, by name."""
        here = _listed(Path(folder))
        return [p for name in sorted({*self.files, *here}) if (p := _problem(name, self.files.get(name), here))]


def checked(folder: str | Path) -> list[FileProblem]:
    """Every file of a package that is not as its manifest says; none where all are."""
    return Manifest.read(folder).problems(folder)


def _problem(name: str, said: Listed | None, here: Mapping[str, Listed]) -> FileProblem | None:
    found = here.get(name)
    if said is None:
        return FileProblem(name, "additional", "not part of the release", "there")
    if found is None:
        return FileProblem(name, "missing", f"{said.size} bytes", "not there")
    if found != said:
        sizes = (f"{said.size} bytes, " if said.size != found.size else "", f"{found.size} bytes, ")
        before, now = f"{sizes[0]}SHA-256 {said.sha256[:12]}", f"SHA-256 {found.sha256[:12]}"
        return FileProblem(name, "changed", before, f"{sizes[1]}{now}" if sizes[0] else now)
    return None


def _listed(folder: Path) -> dict[str, Listed]:
    return {
        path.relative_to(folder).as_posix(): Listed(sha256_of(path), path.stat().st_size)
        for path in _files(folder)
        if path.relative_to(folder).as_posix() not in OUTSIDE
    }


def _files(folder: Path) -> Iterator[Path]:
    """Every file, hidden ones and those in folders too."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file())
