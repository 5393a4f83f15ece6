"""Sfumato's `anonymise`: read, condense, search, apply, assess anew, write."""

import tempfile

from timed import Task, timed

import sfumato as sf


def anonymised(task: Task) -> dict[str, float]:
    found = sf.anonymise(
        task["path"], quasi=task["quasi"], k=task["k"], suppress=task["suppress"], hierarchies=task["hierarchies"],
        method="optimal", compare=False, explain=False,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        found.write(folder, "released.parquet")
    assert found.met
    solution = found.solution
    return {"condensed": found.condensed, "examined": solution.examined or 0, "suppressed": solution.suppressed}


if __name__ == "__main__":
    timed(anonymised)
