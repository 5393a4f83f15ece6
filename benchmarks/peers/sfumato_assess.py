"""Sfumato: the public verb on the Parquet file, with the flags of every record, or the files of the flagged."""

import tempfile

import pyarrow as pa
import pyarrow.compute as pc
from timed import Task, timed

import sfumato as sf


def assessed(task: Task) -> dict[str, float]:
    requirements = [f"{task['measures'][label]} {bound}" for label, bound in task["bounds"].items()]
    found = sf.assess(task["path"], quasi=task["quasi"], sensitive=task["sensitive"], requirements=requirements)
    readings = {reading.label: reading.value for reading in found.readings}
    if task["flags"]:
        return {**readings, "flagged": flagged(found.flags)}
    if task["files"]:
        with tempfile.TemporaryDirectory() as folder:
            sf.write_flagged(found, folder)
        return {**readings, "flagged": found.overlap.any}
    if task.get("everything"):
        return {**readings, "alone": found.everything.reading.alone}
    return readings


def flagged(flags: pa.Table) -> int:
    """How many records are at risk, by their own flags."""
    return int(pc.sum(flags["flagged"]).as_py())


if __name__ == "__main__":
    timed(assessed)
