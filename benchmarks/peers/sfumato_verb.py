"""Sfumato: one public verb on a Parquet file with so many quasi-identifiers."""

import tempfile
from collections.abc import Callable
from typing import Any

from timed import Task, timed

import sfumato as sf


def assessed(task: Task) -> Any:
    return sf.assess(task["path"], quasi=task["quasi"], k=5).met


def flagged(task: Task) -> Any:
    result = sf.assess(task["path"], quasi=task["quasi"], k=5)
    with tempfile.TemporaryDirectory() as folder:
        sf.write_flagged(result, folder)
    return result.met


def exposed(task: Task) -> Any:
    return len(sf.risk(task["path"], quasi=task["quasi"]).scenarios)


def anonymised(task: Task) -> Any:
    asked = {name: task[name] for name in ("hierarchies", "seconds") if task.get(name)}
    return sf.anonymise(task["path"], quasi=task["quasi"], k=5, suppress=0.02, method="optimal", **asked).met


def identified(task: Task) -> Any:
    return len(sf.identify(task["path"]).columns)


VERBS: dict[str, Callable[[Task], Any]] = {
    "assess": assessed, "flag files": flagged, "risk": exposed, "anonymise": anonymised, "identify": identified,
}  # fmt: skip


def asked(task: Task) -> dict[str, float]:
    return {"answer": float(VERBS[task["verb"]](task))}


if __name__ == "__main__":
    timed(asked)
