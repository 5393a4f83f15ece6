"""The anytime search on 24 quasi-identifiers, beside a genetic search; seconds are of the processor.

What a search reaches within seconds depends on who else is at work on the machine. So the clock that ends it is that of
the processor here, for both alike.
"""

import json
import resource
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from anytime_tables import TABLES

import sfumato as sf
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.lattice import Lattice, Node, moved
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search import anonymise, deadline, method_interface, time_after
from sfumato.search.levels import examined_nodes, optimal
from sfumato.search.levels.examined_nodes import Budget, ExaminedNodes
from sfumato.search.levels.levels_so_far import LevelsSoFar, SearchWatch
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.loss import Loss
from sfumato.search.scoring.objective_interface import NodeState
from sfumato.tables.load import load

for module in (anonymise, deadline, method_interface, time_after, examined_nodes, optimal):
    vars(module)["monotonic"] = time.process_time

FIVE = Policy((Requirement(KAnonymity(), 5),))
Steps = list[tuple[float, float]]  # seconds after which a loss was found that is lower than all before, and that loss


def coded(name: str) -> CodedTable:
    table, trees = TABLES[name]()
    dataset = Dataset.of(load(table).table, dict.fromkeys(table.column_names, "quasi"))
    return condense(replace(dataset, hierarchies=trees))


def losses_found(begun: float) -> Steps:
    """Filled while a search goes on: read off where both compare what they look at, so that no message is late."""
    compare, steps = ExaminedNodes._compare, Steps()

    def compared(nodes: ExaminedNodes, state: NodeState, score: float) -> None:
        compare(nodes, state, score)
        if not nodes.relaxed and (not steps or nodes.score < steps[-1][1]):
            steps.append((time.process_time() - begun, nodes.score))

    vars(examined_nodes)["ExaminedNodes"]._compare = compared
    return steps


def sfumato(table: CodedTable, task: dict[str, Any]) -> dict[str, Any]:
    begun, bounds = time.process_time(), {}
    steps = losses_found(begun)

    def follow(now: LevelsSoFar) -> None:
        for seconds in task["seconds"]:
            if time.process_time() - begun <= seconds:
                bounds[seconds] = now.bound

    search = OptimalSearch(FIVE, Loss(), task["limit"], budget=Budget(seconds=max(task["seconds"])), seed=task["seed"])
    best = search.among(table, watch=SearchWatch(follow=follow))
    bounds[max(task["seconds"])] = best.bound
    over = time.process_time() - begun - max(task["seconds"])
    return {"steps": steps, "bounds": bounds, "looks": best.examined, "over": over}


def genetic(table: CodedTable, task: dict[str, Any]) -> dict[str, Any]:
    """Two populations: an elite stays, others are its children or changed by chance, and now and then some move over.

    After what is said of the search of ARX in Meurers, Bild, Do, Prasser (2021), A scalable software solution for
    anonymizing high-dimensional biomedical data, GigaScience 10. Written here: neither the code of ARX, nor ARX.
    """
    search, begun = OptimalSearch(FIVE, Loss(), task["limit"]), time.process_time()
    steps = losses_found(begun)
    ready = search.task(table)
    lattice = Lattice.of(table)
    nodes = ExaminedNodes(ready, lattice, Loss().ready(ready), Budget(seconds=max(task["seconds"])))
    evolve(nodes, Random(task["seed"]))
    return {"steps": steps, "looks": nodes.count, "over": time.process_time() - begun - max(task["seconds"])}


def verb(_: CodedTable | None, task: dict[str, Any]) -> dict[str, Any]:
    """From the table to the files of the release: all that a command does, but for starting."""
    (table, known), limit = TABLES[task["table"]](), max(task["seconds"])
    begun = time.process_time()
    release = sf.anonymise(
        table, quasi=table.column_names, k=5, suppress=task["limit"], hierarchies=known, method=task["method"],
        seconds=limit,
    )  # fmt: skip
    searched = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        release.write(Path(folder) / "out")
    done = {False: "no time left", True: "done"}
    return {
        "over": searched - begun - limit,
        "written": time.process_time() - begun - limit,
        "compared": done[release.losses is not None],
        "explained": done[release.explanation is not None or release.bias is not None or release.levels is None],
    }


SIZE, ELITE, CHILDREN, MOVING, EVERY = 50, 10, 20, 10, 10  # of a population; and the generations between two moves


def evolve(nodes: ExaminedNodes, chance: Random) -> None:
    lattice = nodes.lattice
    populations = [[drawn(lattice, chance) for _ in range(SIZE)] for _ in range(2)]
    populations[0][0] = lattice.highest
    generation = 0
    while True:
        generation += 1
        for place, population in enumerate(populations):
            for node in population:
                if nodes.visit(node) is None:
                    return
            ranked = sorted(set(population), key=lambda node: nodes.visited[node].order)
            elite = ranked[:ELITE]
            children = [child(chance.choice(elite), chance.choice(ranked), chance) for _ in range(CHILDREN)]
            others = [changed(chance.choice(ranked), lattice, chance) for _ in range(SIZE - CHILDREN - len(elite))]
            populations[place] = [*elite, *children, *others]
        if generation % EVERY == 0:
            first, second = populations
            populations = [[*first[:-MOVING], *second[:MOVING]], [*second[:-MOVING], *first[:MOVING]]]


def drawn(lattice: Lattice, chance: Random) -> Node:
    return tuple(chance.randint(low, high) for low, high in zip(lattice.lowest, lattice.highest, strict=True))


def child(mother: Node, father: Node, chance: Random) -> Node:
    return tuple(chance.choice(levels) for levels in zip(mother, father, strict=True))


def changed(node: Node, lattice: Lattice, chance: Random) -> Node:
    column = chance.randrange(len(node))
    level = chance.randint(lattice.lowest[column], lattice.highest[column])
    return moved(node, column, level - node[column])


if __name__ == "__main__":
    TASK = json.loads(sys.argv[1])
    RUN = {"sfumato": sfumato, "compiled": sfumato, "genetic": genetic, "verb": verb}[TASK["who"]]
    RESULT = RUN(None if RUN is verb else coded(TASK["table"]), TASK)
    PEAK = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(json.dumps({**RESULT, "peak_gb": PEAK}))
