"""What an analyst writes in pandas: value counts of each column, and the table regrouped without each."""

import pandas as pd
from timed import Task, timed


def identified(task: Task) -> dict[str, float]:
    data = pd.read_parquet(task["path"], columns=task["columns"])
    counts = [data[name].value_counts(dropna=False) for name in data]
    classes = len(data.drop_duplicates())
    return {
        "rate": sum(round((1 / n).mean() * 100, 2) for n in counts),
        "uniqueness": sum((n == 1).sum() / len(data) for n in counts),
        "influence": sum(1 - len(data.drop(columns=name).drop_duplicates()) / classes for name in data),
    }


if __name__ == "__main__":
    timed(identified)
