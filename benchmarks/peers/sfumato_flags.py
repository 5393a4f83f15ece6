"""Sfumato: `assess` with files of flagged records, in the format that is asked for."""

import tempfile

from timed import Task, timed

import sfumato as sf


def flagged(task: Task) -> dict[str, float]:
    found = sf.assess(task["path"], quasi=task["quasi"], k=task["k"])
    with tempfile.TemporaryDirectory() as folder:
        sf.write_flagged(found, folder, file_format=task["format"])
    return {"alone": found.sizes.singletons, "groups": found.sizes.count}


if __name__ == "__main__":
    timed(flagged)
