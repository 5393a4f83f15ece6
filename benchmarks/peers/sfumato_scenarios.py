"""Sfumato: the public verb on a Parquet file, with many scenarios."""

from timed import Task, timed

import sfumato as sf


def scenarios(task: Task) -> dict[str, float]:
    found = sf.risk(task["path"], quasi=task["quasi"], scenarios=task["scenarios"], uniques=0)
    return {met.before.name: met.before.singled_out for met in found.scenarios}


if __name__ == "__main__":
    timed(scenarios)
