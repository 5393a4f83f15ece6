"""Sfumato's `anonymise` with so much memory: read, search in memory or in the engine, apply, assess anew, write."""

import hashlib
import tempfile
import time
from pathlib import Path

from timed import Task, timed

import sfumato as sf
from sfumato.search.time_after import IN_ENGINE
from sfumato.tables.engines.duckdb import DuckDB


def anonymised(task: Task) -> dict[str, float]:
    begun: dict[str, float] = {}

    def tell(message: str, *_: object) -> None:
        begun.setdefault(" ".join(message.split(" ")[: 3 if message.startswith("Reading") else 2]), time.process_time())

    found = sf.anonymise(
        task["path"], quasi=task["quasi"], k=task["k"], suppress=task["suppress"], hierarchies=task["hierarchies"],
        levels=task["levels"], method="optimal", compare=False, engine=DuckDB(memory=task["memory"]), tell=tell,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        found.write(folder, "released.csv")
        with Path(folder, "released.csv").open("rb") as file:
            released = hashlib.file_digest(file, "sha256").hexdigest()
    assert found.met
    assert (IN_ENGINE in found.notes) == (task["memory"] is not None)
    levels, solution = found.solution.levels_found, found.solution
    assert levels is not None
    return {
        "different": found.condensed, "looks": levels.examined, "ruled out": levels.pruned, "score": levels.score,
        "bound": levels.bound, "suppressed": levels.suppressed, "classes": levels.classes, "nodes": levels.lattice,
        "proved": levels.optimal, "release": int(released[:12], 16),
        "search": begun["Reading the release"] - begun["Searching among"],
        **{f"level of {name}": level for name, level in (solution.levels or {}).items()},
    }  # fmt: skip


if __name__ == "__main__":
    timed(anonymised)
