"""The parts of a folder that is one table: what their names say about parts that lack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise
from pathlib import Path

from sfumato.errors import UnreadableFile

PART = re.compile(r"part[-_](\d+)(?:-of-(\d+))?", re.IGNORECASE)
SHOWN = 5  # numbers that a message names


def missing_parts(files: Sequence[Path]) -> Iterator[str]:
    """What to say of numbers that no file of a folder has; `UnreadableFile` where the names say how many there must be.

    Programs that write a table in parts leave out those without a row, so a gap is no proof.
    """
    named = [match for file in files if (match := PART.match(file.name))]
    if not named:
        return
    numbers = {int(match[1]) for match in named}
    totals = {int(match[2]) for match in named if match[2]}
    first = min(numbers) if totals else 0
    gaps = (range(before + 1, after) for before, after in pairwise(sorted({first - 1, *numbers})))
    lacking = list(islice(chain.from_iterable(gaps), SHOWN + 1))  # a name may have any number
    if totals and len(numbers) < max(totals):
        folder = files[0].parent
        problem = f"the names of its parts say that there are {max(totals)}, and there are {len(numbers)}."
        raise UnreadableFile(folder, problem, hint="Copy the folder again.")
    if lacking:
        which = ", ".join(map(str, lacking[:SHOWN])) + (", ..." if len(lacking) > SHOWN else "")
        yield (
            f"There is no part {which} among the {len(files)} files of the folder. Some programs leave out parts "
            "without a record; if none was empty, the folder is not whole."
        )
    if not any((parent / "_SUCCESS").exists() for parent in _folders(files)):
        yield "The folder has no file _SUCCESS, which Spark writes at the end: if Spark wrote it, it may not be whole."


def _folders(files: Sequence[Path]) -> set[Path]:
    """The folders that may hold the mark of success: those of the parts, and those above folders such as year=2020."""
    folders = {file.parent for file in files}
    return folders | {above for folder in folders for above in folder.parents if "=" in folder.name}
