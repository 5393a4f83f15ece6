"""What a careful analyst writes in pandas: the same numbers, with groupby."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from timed import Task, timed


def assessed(task: Task) -> dict[str, float]:
    data = pd.read_parquet(task["path"], columns=[*task["quasi"], *task["sensitive"]])
    readings = categorical(data, task["quasi"], "occupation")
    if "cost" in task["sensitive"]:
        readings = readings.join(numeric(data, task["quasi"], "cost"))
    worst = {label: float(readings[label].agg("min" if safer_high(label) else "max")) for label in task["bounds"]}
    return {**worst, "flagged": written(data, readings, task)} if task["flags"] or task["files"] else worst


def categorical(data: pd.DataFrame, quasi: list[str], sensitive: str) -> pd.DataFrame:
    counts = (
        data.groupby([*quasi, sensitive], observed=True, dropna=False).size().unstack(fill_value=0).sort_index(axis=1)
    )
    size = counts.sum(axis=1)
    away = counts.div(size, axis=0) - counts.sum() / size.sum()
    return pd.DataFrame({
        "k_anonymity": size,
        f"distinct_l_diversity_{sensitive}": (counts > 0).sum(axis=1),
        f"t_closeness_{sensitive}": away.abs().sum(axis=1) / 2,
        f"t_ordered_{sensitive}": away.cumsum(axis=1).abs().sum(axis=1) / (counts.shape[1] - 1),
    })  # fmt: skip


def numeric(data: pd.DataFrame, quasi: list[str], sensitive: str) -> pd.DataFrame:
    values, counts = np.unique(data[sensitive], return_counts=True)
    everybody, gaps = counts.cumsum() / len(data), np.diff(values)

    def distances(group: pd.Series) -> tuple[float, float]:
        between = np.abs(np.searchsorted(np.sort(group), values, side="right") / len(group) - everybody)[:-1]
        return float(between @ gaps), float(between.sum() / len(gaps))

    found = data.groupby(quasi, observed=True, dropna=False)[sensitive].agg(distances)
    columns = [f"t_wasserstein_{sensitive}", f"t_ordered_{sensitive}"]
    return pd.DataFrame(found.tolist(), index=found.index, columns=columns)


def written(data: pd.DataFrame, readings: pd.DataFrame, task: Task) -> int:
    """The number of records flagged at all; where asked, one CSV of flagged records per measure, worst first."""
    records = data.join(readings, on=task["quasi"])
    flagged = pd.DataFrame({
        label: records[label] < bound if safer_high(label) else records[label] > bound
        for label, bound in task["bounds"].items()
    })  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for label in flagged if task["files"] else ():
            worst_first = records[flagged[label]].sort_values(label, ascending=safer_high(label))
            worst_first[[*task["quasi"], *task["sensitive"], label]].to_csv(Path(folder) / f"{label}.csv")
    return int(flagged.any(axis=1).sum())


def safer_high(label: str) -> bool:
    return label.startswith(("k_", "distinct_l_"))


if __name__ == "__main__":
    timed(assessed)
