"""A hostile case: a file, a folder or a document that somebody made to hurt, and what is known of the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# What stands in cells. It occurs nowhere else, so a message that holds it gives a cell away.
MARK = "Zkqermintrude"
KEY = "5f1d3c0a9b7e42688c1f0d2e3b4a59687766f5e4d3c2b1a00f1e2d3c4b5a6978"  # of the tests; it protects nothing
NUMBER = 718_281_828  # the same for cells that hold numbers


@dataclass(frozen=True)
class Place:
    """Where a case is made: its own folder, and beside it the files of somebody else, which nothing may touch."""

    folder: Path

    @property
    def neighbour(self) -> Path:
        """A folder outside of the case, with a table of somebody else."""
        return self.folder.parent / "neighbour"

    def put(self, name: str, content: str | bytes) -> Path:
        """Write a file of the case."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        return path


Make = Callable[[Place], Path]


@dataclass(frozen=True)
class Case:
    """One hostile case."""

    name: str
    what: str  # in one sentence
    kind: str  # which commands it is first of all for: table, project, plan, hierarchy, package, log, ...
    make: Make  # writes it, and returns what a command is given
    refused: str | None = None  # words of the error that is known to be right
    records: int | None = None  # or how many records the right answer has
    says: str | None = None  # or words of the right answer: a finding of `verify`
    quasi: str = "age"
    heavy: bool = False  # takes long to make or to read: in the campaign only
    meanwhile: Callable[[Path], None] | None = None  # what somebody else does to it while it is read
    may_write: tuple[str, ...] = ()  # files beside the case that a command may write, by their endings


def rows(count: int = 12) -> list[tuple[str, ...]]:
    """Records with a mark in every cell that is somebody's."""
    return [
        (str(20 + i % 3), "FM"[i % 2], f"{MARK}{i}", f"{MARK} illness {i % 3}", str(NUMBER + i)) for i in range(count)
    ]


HEADER = ("age", "sex", "name", "dx", "cost")


def text(count: int = 12, header: tuple[str, ...] = HEADER, sep: str = ",", end: str = "\n") -> str:
    """A table that is as it should be, as CSV."""
    return "".join(sep.join(line) + end for line in (header, *rows(count)))


def file_case(
    name: str, what: str, file: str, content: str | bytes | Callable[[], str | bytes], **known: object
) -> Case:
    """A case of one file with this content."""

    def make(place: Place) -> Path:
        return place.put(file, content() if callable(content) else content)

    return Case(name, what, str(known.pop("kind", "table")), make, **known)  # type: ignore[arg-type]
