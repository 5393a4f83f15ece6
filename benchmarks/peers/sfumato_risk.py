"""Sfumato: `risk` as it is without options, on a file: scenarios, special uniques, what drives the risk."""

from timed import Task, timed

import sfumato as sf


def exposed(task: Task) -> dict[str, float]:
    found = sf.risk(task["path"], quasi=task["quasi"])
    assert found.drivers is not None
    error = max(driver.error for driver in found.drivers.columns)
    return {"alone": found.scenarios[0].before.singled_out, "standard error": error}


if __name__ == "__main__":
    timed(exposed)
