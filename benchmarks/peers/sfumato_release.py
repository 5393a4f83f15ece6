"""Sfumato: `release` of a project file, with or without its reports."""

import tempfile
from pathlib import Path

from timed import Task, timed

import sfumato as sf


def released(task: Task) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        made = sf.release(task["project"], Path(folder) / "package", report=task["report"])
        return {"different": made.anonymised.condensed, "left out": made.anonymised.solution.suppressed}


if __name__ == "__main__":
    timed(released)
