"""Risk rate, uniqueness and influence of columns in pandas: values counted, and the table regrouped without each."""

import pandas as pd
from timed import Task, timed


def identified(task: Task) -> dict[str, float]:
    data = pd.read_parquet(task["path"], columns=task["columns"])
    classes = len(data.drop_duplicates())
    found: dict[str, float] = {}
    for name in data:
        counts = data[name].value_counts(dropna=False)
        found[f"rate {name}"] = round((1 / counts).mean() * 100, 2)
        found[f"uniqueness {name}"] = (counts == 1).sum() / len(data)
        found[f"influence {name}"] = 1 - len(data.drop(columns=name).drop_duplicates()) / classes
    return {name: float(value) for name, value in found.items()}


if __name__ == "__main__":
    timed(identified)
