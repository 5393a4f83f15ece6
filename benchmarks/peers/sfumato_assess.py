"""Sfumato: the public verb on the Parquet file, and in the full part the files of flagged records."""

import tempfile

from timed import Task, timed

import sfumato as sf


def assessed(task: Task) -> dict[str, float]:
    requirements = [f"{task['measures'][label]} {bound}" for label, bound in task["bounds"].items()]
    found = sf.assess(task["path"], quasi=task["quasi"], sensitive=task["sensitive"], requirements=requirements)
    readings = {reading.label: reading.value for reading in found.readings}
    if not task["flags"]:
        return readings
    with tempfile.TemporaryDirectory() as folder:
        sf.write_flagged(found, folder)
    return {**readings, "flagged": found.overlap.any}


if __name__ == "__main__":
    timed(assessed)
