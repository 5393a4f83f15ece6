"""The proof by a compiled loop, where what is asked and how nodes are scored are as plain as that loop needs it."""

from __future__ import annotations

import os
import sys
from functools import cache
from itertools import combinations
from math import inf, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.privacy.coded.kernels import SMALL_SPACE, WORTH_LOADING, NumbaKernels, fastest_kernels, kept_on_disk
from sfumato.search.levels import proof_arrays as arrays
from sfumato.search.levels.bounds_above import BoundsAbove
from sfumato.search.levels.group_scores import GroupScorer
from sfumato.search.levels.levels_found import CLOSE
from sfumato.search.levels.open_boxes import LatticeBox
from sfumato.search.objectives.average_class_size import ClassSizeScorer
from sfumato.search.objectives.discernibility import DiscernibilityScorer
from sfumato.search.scoring.by_column import AdditiveScorer, ColumnScorer
from sfumato.search.scoring.leaf_entropy import EntropyScorer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.privacy.coded.arrays import Real, Whole
    from sfumato.privacy.coded.table import CodedTable
    from sfumato.search.levels.examined_nodes import ExaminedNodes
    from sfumato.search.levels.optimality_proof import OptimalityProof
    from sfumato.search.levels.reach import Reach
    from sfumato.search.scoring.objective_interface import Scorer

# Rows that are looked at before somebody may stop the search, or is told how far it is: some 20 ms.
BETWEEN_WATCHES = 8_000_000
LOOKED_AT = 0.05  # of the nodes: 710 of the 12,960 of the census for the entropy, fewer for the loss
LARGEST = 2**31  # records, and rows: their numbers have 32 bits in the loop


def can_be_compiled(nodes: ExaminedNodes) -> bool:
    """Whether the loop knows what is asked, and is at hand and worth it for a table of so many rows and nodes."""
    rows = nodes.task.table.rows
    return has_loop(nodes) and loop_at_hand(rows, LOOKED_AT * nodes.lattice.size * rows)


def has_loop(nodes: ExaminedNodes) -> bool:
    """Whether the loop knows the policy and the objective: sizes of classes of records, and four kinds of scores."""
    task, table = nodes.task, nodes.task.table
    return (
        nodes.in_memory
        and task.rules.fewest_records > 0
        and table.one_record_each
        and table.population is None
        and table.persons is None
        and not table.values
        and not task.settled
        and table.total < LARGEST
        and _scored_by_loop(nodes.scorer)
    )


def loop_at_hand(rows: int, in_all: float) -> bool:
    """Whether so many rows will be gone through in all that numba is worth its import, and the loop is compiled."""
    return (
        (_wanted() or in_all > WORTH_LOADING)
        and isinstance(fastest_kernels(rows), NumbaKernels)
        and (_wanted() or _loop_is_kept())
    )


def _wanted() -> bool:
    """Whether whoever searches wants the loop for small tables too, and compiled where it is not kept."""
    return os.environ.get("SFUMATO_FAST", "") == "1"


@cache
def _loop_is_kept() -> bool:
    from sfumato.search.levels import proof_loop

    return kept_on_disk(proof_loop.prove)


def _scored_by_loop(scorer: Scorer) -> bool:
    if isinstance(scorer, GroupScorer):  # a record that is suppressed is so at all nodes below: what is asked is sizes
        scorer = scorer.scorer
    if isinstance(scorer, ColumnScorer) and scorer.how not in {"sum", "arithmetic"}:
        return False
    if isinstance(scorer, AdditiveScorer):
        return scorer.units is not None and scorer.never_cheaper
    if isinstance(scorer, EntropyScorer):
        return scorer.listed is not None
    return type(scorer) in {ClassSizeScorer, DiscernibilityScorer}


class CompiledProof:
    """A proof that has begun, carried on by the loop."""

    def __init__(self, proof: OptimalityProof, *, rolled: float, worth_rolling: int) -> None:
        from sfumato.search.levels import proof_loop as loop

        self.proof, self.nodes, self.loop = proof, proof.nodes, loop
        nodes, table, lattice = proof.nodes, proof.nodes.task.table, proof.lattice
        sizes = [high - low + 1 for low, high in zip(lattice.lowest, lattice.highest, strict=True)]
        strides = np.zeros(len(sizes), dtype=np.int64)
        if not nodes.relaxed:  # nodes of a group are more than can be numbered, and come once
            strides[:] = [prod(sizes[j + 1 :]) if sizes[j] > 1 else 0 for j in range(len(sizes))]
        rules = arrays.Rules(
            fewest=nodes.task.rules.fewest_records, limit=min(nodes.task.limit, table.total), total=table.total,
            close=CLOSE, rolled=float(rolled), worth_rolling=worth_rolling, doubtful=float(proof.doubtful),
            strides=strides, first=-int(strides @ np.array(lattice.lowest)),
        )  # fmt: skip
        depth = sum(sizes) - len(sizes) + 2
        self.above = nodes.above or BoundsAbove(len(lattice.columns))
        self.room = _room(table, 0 if nodes.relaxed else lattice.size, depth, self.above)
        self.room.best[:] = lattice.highest
        self.places = _places(table, depth)
        rows = _rows(table)
        scores = _scores(nodes.scorer, table, proof.reach)
        self.given = rows, scores, rules, self.places, self.room
        for node in nodes.counted:
            self.room.counted[rules.first + int(strides @ np.array(node))] = True
        self._begin(proof.boxes.take())
        proof.boxes.current = None

    def _begin(self, box: LatticeBox) -> None:
        """Put the first box in its place."""
        places, room, nodes = self.places, self.room, self.nodes
        assert box.state is not None  # it was looked at
        state = nodes.lighter(box.state, always=True)
        classes, n = state.classes.packed, nodes.task.table.rows
        here: Any = slice(n) if classes.rows is None else classes.rows
        places.ids[0], places.weights[0] = 0, 0
        places.ids[0, here], places.weights[0, here] = classes.ids, classes.row_weights
        places.leaves[0] = state.omitted.leaves.counts
        own, fewest = places.weights[0].astype(np.int64), nodes.task.rules.fewest_records
        alike, packed = int((own * np.maximum(own, fewest)).sum()), int((classes.records // fewest).sum())
        places.numbers[0] = n, classes.space, state.forced, arrays.WHOLE, alike, int((own >= fewest).sum()), packed
        places.highs[0], places.lows[0], places.bounds[0], places.lost[0] = box.highs, box.lows, box.bound, inf
        places.aboves[0] = state.bound_above
        if isinstance(nodes.scorer, ColumnScorer):
            places.parts[0] = nodes.scorer._parts(state)
        parts = self.proof.reach.parts if self.proof.reach else 0
        room.state[:] = 0, nodes.count, nodes.tied, nodes.best is not None, 0, self.above.count, parts
        room.score[:] = nodes.score, nodes.clearly_better
        if nodes.best is not None:
            room.best[:] = nodes.best.classes.levels

    def go_on(self) -> None:
        """Rule out boxes until none is left, or until no more may be looked at."""
        nodes, state = self.nodes, self.room.state
        looks = max(BETWEEN_WATCHES // max(nodes.task.table.rows, 1), 1)
        self._tell()
        while state[0] >= 0 and not nodes.spent:
            self.loop.prove(*self.given, min(float(nodes.most), float(nodes.count + looks)), float(nodes.most))
            self._tell()
            nodes.watch()

    def _tell(self) -> None:
        """What the loop knows, where others look for it."""
        room, places, boxes = self.room, self.places, self.proof.boxes
        self.nodes.count, self.above.count = int(room.state[1]), int(room.state[5])
        if room.state[3]:
            levels = tuple(int(level) for level in room.best)
            self.nodes.seen(levels, float(room.score[0]), tied=int(room.state[2]))
        lows, highs = places.lows.tolist(), places.highs.tolist()
        boxes.waiting = {
            at: LatticeBox(tuple(lows[at]), tuple(highs[at]), float(places.bounds[at]))
            for at in range(int(room.state[0]) + 1)
        }


def _rows(table: CodedTable) -> Any:
    levels = max(column.height for column in table.columns) + 1
    labels, label_start, label_count = _in_one_line(
        [[(own, column.count(level)) for level, own in enumerate(column.labels)] for column in table.columns], levels
    )
    steps, step_start, step_count = _in_one_line([list(column.parts) for column in table.columns], levels)
    kept = (step_count > 0) & (step_count <= arrays.MOST_STEPS)
    return arrays.LoopRows(
        codes=table.codes.astype(np.uint32), weights=table.records.astype(np.int32),
        labels=labels, label_start=label_start, label_count=label_count,
        steps=steps, step_start=step_start, step_count=step_count,
        step_line=np.where(kept, np.cumsum(kept).reshape(kept.shape) - 1, -1),
        order=np.argsort([column.width for column in table.columns], kind="stable"),
        leaf_start=np.append(table.starts, table.width),
    )  # fmt: skip


def _in_one_line(tables: Sequence[Sequence[tuple[Whole, int]]], levels: int) -> tuple[Whole, Whole, Whole]:
    """Numbers of leaves by column and level, in one line; where each begins, and how many different ones it has."""
    starts, counts = np.zeros((2, len(tables), levels), dtype=np.int64)
    line, start = [np.zeros(0, dtype=np.uint32)], 0
    for j, column in enumerate(tables):
        for level, (numbers, count) in enumerate(column):
            starts[j, level], counts[j, level] = start, count
            line.append(numbers.astype(np.uint32))
            start += len(numbers)
    return np.concatenate(line), starts, counts


def _scores(scorer: Scorer, table: CodedTable, reach: Reach | None) -> Any:
    columns, levels = len(table.columns), max(column.height for column in table.columns) + 1
    nothing = np.zeros((columns, levels))
    plain: dict[str, Any] = {
        "base": nothing, "unit": np.ones(columns), "extra": np.zeros((1, levels)), "listed": np.zeros(1),
        "weights": np.ones(columns), "bits": nothing, "factor": 1.0, "other": 1.0, "columns": 1.0,
        "least": float(scorer.least), "cuts": _cuts(scorer, table, levels),
        "reach": _factors(reach, columns, levels), "floors": np.zeros(0),
        "floor_of": np.full(columns, -1, dtype=np.int64),
    }  # fmt: skip
    if isinstance(scorer, ColumnScorer):
        plain["weights"] = np.array(scorer.weights)
        plain["floors"] = np.array([floor for _, floor in scorer.floors])
        for place, (group, _) in enumerate(scorer.floors):
            plain["floor_of"][sorted(group)] = place
        plain["columns"] = float(scorer.columns) if scorer.how == "arithmetic" else 1.0
    if isinstance(scorer, GroupScorer):
        scorer = scorer.scorer
    if isinstance(scorer, AdditiveScorer):
        assert scorer.units is not None
        extra = np.ascontiguousarray(scorer.units.extra.T)
        return arrays.Scores(**{**plain, "how": arrays.COSTS, "base": np.ascontiguousarray(scorer.floor),
                              "unit": scorer.units.unit, "extra": extra})  # fmt: skip
    if isinstance(scorer, EntropyScorer):
        return arrays.Scores(**{**plain, "how": arrays.BITS, "base": scorer.base, "unit": scorer.unit[:, 0].copy(),
                              "listed": scorer.listed, "factor": float(scorer.factor)})  # fmt: skip
    bits = nothing.copy()
    for j, own in enumerate(table.label_bits):
        bits[j, : len(own)] = own
    if isinstance(scorer, ClassSizeScorer):
        plain |= {"factor": float(scorer.f), "other": float(scorer.g)}
        return arrays.Scores(**{**plain, "how": arrays.CLASS_SIZE, "bits": bits})
    return arrays.Scores(**{**plain, "how": arrays.DISCERNIBILITY, "bits": bits})


def _cuts(scorer: Scorer, table: CodedTable, levels: int) -> Whole:
    """Where a box is split between a lowest and a highest level of each column."""
    cuts = np.zeros((len(table.columns), levels, levels), dtype=np.int64)
    for j, column in enumerate(table.columns):
        for low, high in combinations(range(column.height + 1), 2):
            cuts[j, low, high] = scorer.cut(j, low, high)
    return cuts


def _factors(reach: Reach | None, columns: int, levels: int) -> Real:
    """`Reach.factors`; none where nodes do not bound what is above them."""
    known = reach.factors if reach else []
    factors = np.zeros((max(len(known), 1), columns, levels))
    for part, own in enumerate(known):
        for j, by_level in enumerate(own):
            factors[part, j, : len(by_level)] = by_level
    return factors


def _places(table: CodedTable, depth: int) -> Any:
    rows, columns = max(table.rows, 1), len(table.columns)
    levels = max(column.height for column in table.columns) + 1
    return arrays.BoxPlaces(
        rows=np.empty((depth, rows), dtype=np.uint32), ids=np.empty((depth, rows), dtype=np.uint32),
        weights=np.empty((depth, rows), dtype=np.int32), leaves=np.zeros((depth, table.width), dtype=np.int64),
        parts=np.zeros((depth, columns, levels)), highs=np.zeros((depth, columns), dtype=np.int64),
        lows=np.zeros((depth, columns), dtype=np.int64), lost=np.zeros((depth, columns)), bounds=np.zeros(depth),
        aboves=np.full(depth, -inf), numbers=np.zeros((depth, 7), dtype=np.int64),
    )  # fmt: skip


def _room(table: CodedTable, nodes: int, depth: int, above: BoundsAbove) -> Any:
    rows, columns = max(table.rows, 1), len(table.columns)
    space = arrays.ROOMY * rows + SMALL_SPACE + 1
    hashed = 1 << max(int(2 * rows).bit_length(), 1)
    labels = max(column.count(level) for column in table.columns for level in range(column.height + 1))
    lines = sum(column.height for column in table.columns) + 1
    return arrays.Room(
        row_steps=np.empty((lines, rows), dtype=np.uint16), filled=np.zeros(lines, dtype=np.bool_),
        parts=np.empty(rows, dtype=np.uint32), counts=np.zeros(space, dtype=np.int32),
        used=np.empty(rows + 1, dtype=np.uint32), gone=np.empty(rows + 1, dtype=np.uint32),
        gone_weights=np.empty(rows + 1, dtype=np.int32),
        keys=np.empty(rows, dtype=np.uint64), known=np.empty(hashed, dtype=np.uint64),
        place_of=np.empty(hashed, dtype=np.int32), levels=np.zeros(columns, dtype=np.int64),
        by_label=np.zeros(labels, dtype=np.int64),
        held=np.empty(table.width + 1, dtype=np.int64), counted=np.zeros(nodes, dtype=np.bool_),
        vain=np.zeros((arrays.VAIN, columns), dtype=np.int64), best=np.zeros(columns, dtype=np.int64),
        score=np.zeros(2), levels_above=above.levels, bounds_above=above.bounds, state=np.zeros(7, dtype=np.int64),
    )  # fmt: skip


def compile_loops() -> bool:
    """Compile all loops and keep them on disk, by searches of a made-up table; false where numba is not there."""
    from sfumato.privacy.coded.table import CodedColumn, CodedTable
    from sfumato.privacy.models.k_anonymity import KAnonymity
    from sfumato.privacy.policy import Policy, Requirement
    from sfumato.search.levels.optimal import OptimalSearch
    from sfumato.search.objectives.loss import Loss

    os.environ["SFUMATO_FAST"] = "1"
    sizes, values = (1, 2, 4, 8), np.arange(8)
    labels, leaves = tuple(values // size for size in sizes), tuple(np.full(8 // size, size) for size in sizes)
    codes = np.stack([np.repeat(values, 8), np.tile(values, 8), np.repeat(values, 8)[::-1]])
    records = 1 + np.arange(64) % 3
    columns = tuple(CodedColumn(name, labels, leaves, 8) for name in "abc")
    table = CodedTable(columns, np.ascontiguousarray(codes), records, records, {}, one_record_each=True)
    policy = Policy((Requirement(KAnonymity(), 5),))
    for objective in (Loss(), Loss(aggregate="geometric")):  # by the loop, and step by step
        OptimalSearch(policy, objective, 0.1).among(table)
    return isinstance(fastest_kernels(table.rows), NumbaKernels)


if __name__ == "__main__":
    sys.exit(0 if compile_loops() else "numba is not installed: pip install 'sfumato[fast]'.")
