"""What rules boxes out within the compiled loop of a proof: the best score so far, and nodes that were looked at below.

What numba keeps of `proof_loop` contains these: after a change here, change that module too, or clear its cache.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from sfumato.privacy.coded.kernels import compiled
from sfumato.search.levels.proof_arrays import BITS, CLASS_SIZE


def node_number(rules: Any, levels: Any) -> Any:
    """The number of a node in the lattice."""
    number = rules.first
    for column in range(len(levels)):
        number += levels[column] * rules.strides[column]
    return number


def nodes_of(places: Any, at: int) -> float:
    """How many nodes a box has."""
    size = 1.0
    for column in range(places.lows.shape[1]):
        size *= places.highs[at, column] - places.lows[at, column] + 1
    return size


def count_look(rules: Any, room: Any, levels: Any) -> None:
    """A second look at a node does not count, where nodes are few enough to be remembered."""
    if len(room.counted) == 0:
        room.state[1] += 1
        return
    number = node_number(rules, levels)
    if not room.counted[number]:
        room.counted[number] = True
        room.state[1] += 1


def comes_first(levels: Any, best: Any) -> int:
    """1 where a node comes before the best one in the order of nodes, 0 where it is that one, -1 where it is after."""
    ahead = 0
    for column in range(len(best)):
        ahead += best[column] - levels[column]
    if ahead:
        return 1 if ahead > 0 else -1
    for column in range(len(best)):
        if levels[column] != best[column]:
            return 1 if levels[column] < best[column] else -1
    return 0


def hopeless(rules: Any, room: Any, bound: float, lows: Any) -> bool:
    """`ExaminedNodes.hopeless`."""
    score = room.score[0]
    if bound < room.score[1]:
        return False
    close = rules.close * max(1.0, abs(score)) if score < np.inf else 0.0
    return bound > score + close or comes_first(lows, room.best) <= 0


def of_class_size(scores: Any, total: int, classes: int, suppressed: int) -> Any:
    """Records over classes."""
    parts = scores.factor * classes + scores.other * suppressed
    return total / parts if parts else np.inf


def note_above(scores: Any, rules: Any, room: Any, large: int, squares: float, forced: int) -> Any:
    """Remember what the node in the room says of all above it, by its large classes: `BoundsAbove.add`."""
    if scores.how <= BITS:
        return -np.inf
    place = room.state[5] % len(room.bounds_above)
    room.levels_above[:, place] = room.levels
    if scores.how == CLASS_SIZE:
        bound = of_class_size(scores, rules.total, large + forced // rules.fewest, 1)
    else:
        bound = squares + float(min(rules.fewest, rules.total)) * forced
    room.bounds_above[place] = bound
    room.state[5] += 1
    return bound


def ruled_out_above(rules: Any, room: Any, lows: Any) -> bool:
    """`BoundsAbove.trimmed`: lower the levels in the room; true where no node of the box is better."""
    levels = room.levels
    if room.score[1] == np.inf:
        return False
    for place in range(min(room.state[5], len(room.bounds_above))):
        bound = room.bounds_above[place]
        if bound < room.score[1]:
            continue
        by, higher = 0, 0
        for column in range(len(levels)):
            if room.levels_above[column, place] > lows[column]:
                by, higher = by + 1, column
                if by > 1:
                    break
        if by == 0 and hopeless(rules, room, bound, lows):
            return True
        if by == 1 and room.levels_above[higher, place] <= levels[higher]:
            low = lows[higher]
            lows[higher] = room.levels_above[higher, place]
            if hopeless(rules, room, bound, lows):
                levels[higher] = room.levels_above[higher, place] - 1
            lows[higher] = low
    return False


def within_reach(scores: Any, room: Any, places: Any, at: int) -> Any:
    """`Reach.holds`."""
    if scores.how <= BITS:
        return False
    bound, score, factors = places.aboves[at], room.score[0], scores.reach[room.state[6]]
    for column in range(places.lows.shape[1]):
        bound *= factors[column, places.highs[at, column]]
        score *= factors[column, places.lows[at, column]]
    return bound >= score


LOOPS = (
    node_number, nodes_of, count_look, comes_first, hopeless, of_class_size, note_above, ruled_out_above, within_reach,
)  # fmt: skip
for _loop in LOOPS:  # each calls others by their names
    globals()[_loop.__name__] = compiled(numba, _loop)
