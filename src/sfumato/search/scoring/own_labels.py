"""What an objective reads off a release in which every class has labels of its own."""

from __future__ import annotations

from math import floor

import numpy as np

from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.policy_rules import PolicyRules, Suppression
from sfumato.privacy.coded.table import CodedTable
from sfumato.search.method_interface import SearchRequest
from sfumato.search.scoring.objective_interface import NodeState, OmittedRows, Task
from sfumato.search.solution import Solution


def scored_by_objective(solution: Solution, table: CodedTable, request: SearchRequest) -> tuple[float, float] | None:
    """The score of a solution by the objective of a request, and from 0 to 1; None where that reads whole columns only.

    A search for levels scores by the objective itself; the other ways make the loss small, whatever is asked for.
    """
    if solution.levels_found is not None:
        return solution.score, solution.normalised
    assert solution.groups is not None
    assert solution.losses is not None
    gone = np.zeros(table.rows, dtype=np.bool_) if solution.gone is None else solution.gone
    last = int(solution.groups.max(initial=-1)) + 1
    classes = CodedClasses(table, (), np.where(gone, last, solution.groups), last + 1)
    here = np.arange(last + 1) == last
    state = NodeState(
        classes=classes,
        suppression=Suppression(
            here=here, hereditary=np.zeros_like(here), all_hereditary=False, forced=0, further=0, fewest_members=None
        ),
        omitted=OmittedRows.none(table),
    )
    limit = floor(request.suppression * table.total + 1e-9)
    task = Task(table, PolicyRules.of(request.policy, request.scenarios), limit)
    scorer = request.objective.ready(task)
    score = scorer.of_own_labels(state, [solution.losses[column.name] for column in table.columns])
    return None if score is None else (score, scorer.normalised(score))
