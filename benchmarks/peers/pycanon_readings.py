"""pyCANON: k, l and t of each sensitive column. It has no record flags and no ordered distance over texts."""

import pandas as pd
from pycanon import anonymity
from timed import Task, timed


def assessed(task: Task) -> dict[str, float]:
    data = pd.read_parquet(task["path"], columns=[*task["quasi"], *task["sensitive"]])
    found = {
        "k_anonymity": anonymity.k_anonymity(data, task["quasi"]),
        "distinct_l_diversity_occupation": anonymity.l_diversity(data, task["quasi"], ["occupation"]),
        "t_closeness_occupation": anonymity.t_closeness(data, task["quasi"], ["occupation"]),
    }
    if "cost" in task["sensitive"]:
        found["t_ordered_cost"] = anonymity.t_closeness(data, task["quasi"], ["cost"])
    return {label: float(value) for label, value in found.items()}


if __name__ == "__main__":
    timed(assessed)
