"""Sfumato: the public verb, with risk rate, uniqueness and the influence of every column among all."""

from timed import Task, timed

import sfumato as sf


def identified(task: Task) -> dict[str, float]:
    decided = {"non_sensitive": task["columns"]}  # so that every column is in scope, whatever it looks like
    found = sf.identify(task["path"], scope="all", **decided)
    numbers: dict[str, float] = {}
    for column in found:
        numbers[f"rate {column.name}"] = 100 * (column.risk_rate or 0)
        numbers[f"uniqueness {column.name}"] = column.profile.values_seen_once
        numbers[f"influence {column.name}"] = column.profile.influence or 0
    return numbers


if __name__ == "__main__":
    timed(identified)
