"""Sfumato: the optimal search on a table that is condensed already; the first search, which compiles, is not timed."""

import json
import sys
from dataclasses import replace
from math import inf
from pathlib import Path

from donors import coded_donors
from timed import Task, timed

from sfumato.hierarchies.builders.from_file import read_hierarchy
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels.examined_nodes import Budget
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.average_class_size import ClassSize
from sfumato.search.objectives.discernibility import Discernibility
from sfumato.search.objectives.loss import Loss
from sfumato.search.objectives.non_uniform_entropy import Nue
from sfumato.tables.load import load

OBJECTIVES = {"loss": Loss(), "nue": Nue(), "class-size": ClassSize(), "discernibility": Discernibility()}


def coded(task: Task) -> CodedTable:
    """The different records of a table, as numbers."""
    if task.get("donors"):
        return coded_donors()
    trees = {name: read_hierarchy(Path(task["hierarchies"]) / f"adult_hierarchy_{name}.csv") for name in task["quasi"]}
    dataset = Dataset.of(load(task["path"]).table, dict.fromkeys(task["quasi"], "quasi"))
    return condense(replace(dataset, hierarchies=trees))


def searched(table: CodedTable, task: Task) -> dict[str, float]:
    policy = Policy((Requirement(KAnonymity(), task["k"]),))
    budget = Budget(seconds=task.get("seconds") or inf)
    found = OptimalSearch(policy, OBJECTIVES[task["objective"]], task["limit"], budget=budget).among(table)
    return {
        "score": found.score, "suppressed": found.suppressed, "examined": found.examined, "pruned": found.pruned,
        "lattice": found.lattice, "optimal": found.optimal, "rows": table.rows, "records": table.total,
    }  # fmt: skip


if __name__ == "__main__":
    TASK: Task = json.loads(sys.argv[1])
    TABLE = coded(TASK)
    searched(TABLE, TASK)
    timed(lambda task: searched(TABLE, task))
