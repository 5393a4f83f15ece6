"""Sfumato: the public verb, with risk rate, uniqueness and the influence of every column among all."""

from timed import Task, timed

import sfumato as sf


def identified(task: Task) -> dict[str, float]:
    decided = {"non_sensitive": task["columns"]}  # so that every column is in scope, whatever it looks like
    found = sf.identify(task["path"], scope="all", **decided)
    return {
        "rate": sum(column.risk_rate or 0 for column in found),
        "uniqueness": sum(column.profile.uniqueness for column in found),
        "influence": sum(column.profile.influence or 0 for column in found),
    }


if __name__ == "__main__":
    timed(identified)
