"""The proof as one loop, which numba compiles: what `OptimalityProof` does box by box, without Python between looks.

It is the same walk: the same boxes in the same order, the same looks, the same sums. What differs is where boxes are
kept. The newest box comes next, and of the two parts into which a box is split one has its classes and the other has
those of one look further down. So there is one box for each look that leads down to where the walk is, and each has its
place, a line of `BoxPlaces`. Rows that are suppressed for good lose their records there, or are left out once rows that
are one at the lowest levels of the box became one.

Functions are few and long: numba hands over all arrays by value, one by one, so that each further function
takes a second more to compile. This module imports numba: `compiled_proof` loads it when a search wants it.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from sfumato.privacy.coded.kernels import compiled
from sfumato.search.levels.bound_loops import (
    comes_first,
    count_look,
    hopeless,
    node_number,
    nodes_of,
    note_above,
    of_class_size,
    ruled_out_above,
    within_reach,
)
from sfumato.search.levels.examined_nodes import WORTH_OMITTING
from sfumato.search.levels.proof_arrays import (
    BITS,
    CLASS_SIZE,
    COSTS,
    DISCERNIBILITY,
    MOST_KEYS,
    ROLLED,
    SOME,
    VAIN,
    WHOLE,
)  # fmt: skip
from sfumato.search.levels.reach import IN_VAIN, LEAST, MOST
from sfumato.search.levels.row_loops import count_parts, forget_counts, hash_numbers, split_classes


def weigh(table: Any, scores: Any, places: Any, at: int, room: Any) -> None:
    """What each column costs at the least at each level of a box, with what is suppressed at its highest node."""
    forced, leaves, held, known = places.numbers[at, 2], places.leaves[at], room.held, room.by_label
    for column in range(len(scores.unit)):
        low, high, unit = places.lows[at, column], places.highs[at, column], scores.unit[column]
        first, n = table.leaf_start[column], 0
        for leaf in range(first, table.leaf_start[column + 1]):
            held[n] = leaf
            n += leaves[leaf] > 0
        for level in range(low, high + 1):
            cost = scores.base[column, level]
            if forced and scores.how == COSTS:
                units = 0.0
                for place in range(n):
                    units += scores.extra[held[place], level] * leaves[held[place]]
                cost += unit * units
            elif scores.how == BITS:
                if forced and scores.factor:
                    labels, bits = table.label_start[column, level] - first, scores.listed[forced]
                    for place in range(n):
                        label, more = table.labels[labels + held[place]], leaves[held[place]]
                        bits -= scores.listed[known[label] + more] - scores.listed[known[label]]
                        known[label] += more
                    for place in range(n):
                        known[table.labels[labels + held[place]]] = 0
                    cost += scores.factor * max(bits, 0.0)
                cost /= unit
            places.parts[at, column, level] = scores.weights[column] * cost / scores.columns


def bound_by_rows(scores: Any, rules: Any, places: Any, at: int, room: Any) -> Any:
    """What no node of a box is below by the rows that it has: `ClassSizeScorer.bound`, `DiscernibilityScorer.bound`."""
    n, classes, forced = places.numbers[at, 0], places.numbers[at, 1], places.numbers[at, 2]
    weights, ids, small = places.weights[at], places.ids[at], room.counts
    if scores.how == DISCERNIBILITY:
        return places.numbers[at, 4] + float(rules.total) * forced
    if not places.numbers[at, 5]:  # each class is made of small rows
        return of_class_size(scores, rules.total, places.numbers[at, 6], 1)
    most = 0
    for i in range(n):
        if weights[i] >= rules.fewest:
            most += 1
        else:
            small[ids[i]] += weights[i]
    for number in range(classes):
        most += small[number] // rules.fewest
        small[number] = 0
    return of_class_size(scores, rules.total, most, 1)


def raise_bound(scores: Any, rules: Any, places: Any, at: int, room: Any) -> None:
    """The bound of a box after it changed."""
    if scores.how <= BITS:
        bound = 0.0
        for group in range(len(scores.floors)):  # in the order of `ColumnScorer._floored`
            own = 0.0
            for column in range(places.lows.shape[1]):
                if scores.floor_of[column] == group:
                    own += least_part(places, at, column)
            bound += max(own, scores.floors[group])
        for column in range(places.lows.shape[1]):
            if scores.floor_of[column] < 0:
                bound += least_part(places, at, column)
    else:
        bound = bound_by_rows(scores, rules, places, at, room)
    places.bounds[at] = max(max(places.bounds[at], bound), scores.least)


def least_part(places: Any, at: int, column: int) -> Any:
    """What a column costs at the least in a box."""
    parts, low = places.parts[at, column], places.lows[at, column]
    least = parts[low]
    for level in range(low + 1, places.highs[at, column] + 1):
        least = min(least, parts[level])
    return least


def compare(rules: Any, room: Any, score: float, levels: Any) -> None:
    """`ExaminedNodes._compare`."""
    order, close = comes_first(levels, room.best), rules.close * max(1.0, abs(score))
    if room.state[3] and abs(score - room.score[0]) <= close:
        room.state[2] += order != 0
        if order <= 0:
            return
    elif score > room.score[0]:
        return
    else:
        room.state[2] = 0
    room.state[3] = 1
    room.best[:] = levels
    room.score[0], room.score[1] = score, score - close if score < np.inf else score


def look(table: Any, scores: Any, rules: Any, places: Any, room: Any, at: int, to: int) -> bool:
    """Look at the levels in the room from a place, and put what is seen into another; false where none below will do.

    The box there has the lowest levels, the bound and what was lost of the box that it is a part of.
    """
    levels, n, space = room.levels, places.numbers[at, 0], places.numbers[at, 1]
    count_look(rules, room, levels)
    own = places.ids[at]
    for column in table.order:
        if levels[column] != places.highs[at, column]:
            how = (column, places.highs[at, column], levels[column])
            space = split_classes(table, places, at, room, how, own, space)
            own = room.parts
    different, lost, large, squares = count_parts(places, at, room, space, rules.fewest)
    forced = places.numbers[at, 2] + lost
    places.aboves[to] = note_above(scores, rules, room, large, squares, forced)
    if forced > rules.limit:
        forget_counts(room, different)
        return False
    counts, used, parts, classes, packed = room.counts, room.used, room.parts, 0, 0
    for place in range(different):  # what is large enough gets its number in the place of its count, the rest -1
        size = counts[used[place]]
        if size >= rules.fewest:
            packed += size // rules.fewest
            counts[used[place]] = classes
            classes += 1
        else:
            counts[used[place]] = -1
    old_rows, old_weights = places.rows[at], places.weights[at]
    rows, own, weights = places.rows[to], places.ids[to], places.weights[to]
    left, missing, columns, kind, whole = n, 0, len(levels), places.numbers[at, 3], places.numbers[at, 3] == WHOLE
    if not lost:
        for i in range(n):
            own[i] = counts[parts[i]]
        if to != at:
            weights[:n] = old_weights[:n]
            if not whole:
                rows[:n] = old_rows[:n]
    elif whole and WORTH_OMITTING * forced <= n:
        if scores.how <= BITS:  # which leaves they have is asked of few rows: a branch that is foreseen nearly always
            for i in range(n):
                if counts[parts[i]] < 0 and old_weights[i] > 0:
                    room.gone[missing], room.gone_weights[missing] = i, old_weights[i]
                    missing += 1
        for i in range(n):  # without a branch, as above
            number = counts[parts[i]]
            own[i], weights[i] = max(number, 0), old_weights[i] if number >= 0 else 0
    else:
        left, kind = 0, max(kind, SOME)
        if whole:
            for i in range(n):
                old_rows[i] = i
        for i in range(n):
            number, row, weight = counts[parts[i]], old_rows[i], old_weights[i]
            rows[left], own[left], weights[left] = row, number, weight
            room.gone[missing], room.gone_weights[missing] = row, weight
            left += (number >= 0) & (weight > 0)
            missing += (number < 0) & (weight > 0)
    forget_counts(room, different)
    if scores.how <= BITS:
        if to != at:
            places.leaves[to] = places.leaves[at]
        for column in range(columns):
            leaves, codes = places.leaves[to, table.leaf_start[column] :], table.codes[column]
            for place in range(missing):
                leaves[codes[room.gone[place]]] += room.gone_weights[place]
    alike = places.numbers[at, 4] - rules.fewest * lost  # a row is smaller than its class, which is too small
    places.numbers[to, 5], places.numbers[to, 6] = places.numbers[at, 5], packed
    places.numbers[to, 0], places.numbers[to, 1], places.numbers[to, 2] = left, classes, forced
    places.numbers[to, 3], places.numbers[to, 4], places.bounds[to] = kind, alike, places.bounds[at]
    places.lows[to], places.lost[to], places.highs[to] = places.lows[at], places.lost[at], levels
    if scores.how <= BITS:
        weigh(table, scores, places, to, room)
        score = 0.0
        for column in range(columns):
            score += places.parts[to, column, levels[column]]
    elif scores.how == CLASS_SIZE:
        score = of_class_size(scores, rules.total, classes, 1 if forced else 0)
    else:
        score = squares + float(rules.total) * forced
    compare(rules, room, score, levels)
    raise_bound(scores, rules, places, to, room)
    return True


def roll(table: Any, rules: Any, places: Any, room: Any, at: int) -> bool:
    """Make rows one that are the same at the lowest levels of a box; false where that does not make them much fewer.

    Where a box has only one level of a column, the class of a row says what its label is.
    """
    lows, highs, state = places.lows[at], places.highs[at], room.state
    n, rows, ids, weights = places.numbers[at, 0], places.rows[at], places.ids[at], places.weights[at]
    columns, kind, numbers = len(lows), places.numbers[at, 3], room.parts
    if kind != ROLLED:
        for place in range(min(state[4], VAIN)):
            below = True
            for column in range(columns):
                below = below and lows[column] <= room.vain[place, column]
            if below:
                return False
    keys, space = room.keys, float(places.numbers[at, 1])
    for column in range(columns):
        if lows[column] < highs[column]:
            space *= table.label_count[column, lows[column]]
    if space >= MOST_KEYS:
        return False
    live, here = 0, room.gone  # rows with records: their places, and their numbers in the table
    for i in range(n):
        here[live], numbers[live], keys[live] = i, i if kind == WHOLE else rows[i], ids[i]
        live += weights[i] > 0
    for column in range(columns):
        if lows[column] < highs[column] and table.label_count[column, lows[column]] > 1:
            values, codes = table.labels[table.label_start[column, lows[column]] :], table.codes[column]
            times = np.uint64(table.label_count[column, lows[column]])
            for i in range(live):
                keys[i] = keys[i] * times + values[codes[numbers[i]]]
    different = hash_numbers(keys, live, room.known, room.place_of)
    if rules.worth_rolling * (live - different) <= live:
        if kind != ROLLED:
            room.vain[state[4] % VAIN] = lows
            state[4] += 1
        return False
    seen = 0
    for i in range(live):
        if keys[i] == seen:  # numbers are in the order in which rows first occur
            rows[seen], ids[seen], weights[seen] = numbers[i], ids[here[i]], weights[here[i]]
            seen += 1
        else:
            weights[keys[i]] += weights[here[i]]
    alike, large = 0, 0
    for i in range(different):
        alike += weights[i] * max(weights[i], rules.fewest)
        large += weights[i] >= rules.fewest
    places.numbers[at, 0], places.numbers[at, 3], places.numbers[at, 4] = different, ROLLED, alike
    places.numbers[at, 5] = large
    return True


def try_columns(table: Any, scores: Any, rules: Any, places: Any, room: Any, at: int, most: float) -> bool:
    """`OptimalityProof._raised`: whether a lowest level was raised."""
    raised, now, levels = False, max(places.numbers[at, 2], 1), room.levels
    levels[:] = places.highs[at]
    for column in range(len(levels)):
        low, high = places.lows[at, column], places.highs[at, column]
        if low >= high or not places.lost[at, column] * now > rules.doubtful:
            continue
        space, level, fewest = places.numbers[at, 1], high, places.numbers[at, 2]
        while level > low and room.state[1] < most:
            levels[column] = level - 1
            count_look(rules, room, levels)
            how, own = (column, level, level - 1), places.ids[at] if level == high else room.parts
            space = split_classes(table, places, at, room, how, own, space)
            used, lost, large, squares = count_parts(places, at, room, space, rules.fewest)
            forced = places.numbers[at, 2] + lost
            note_above(scores, rules, room, large, squares, forced)
            forget_counts(room, used)
            if forced > rules.limit:
                places.lows[at, column] = level
                raised = True
                break
            level, fewest = level - 1, forced
        levels[column] = high
        places.lost[at, column] = fewest / now
    return raised


def trimmed(scores: Any, rules: Any, places: Any, room: Any, at: int) -> bool:
    """`OptimalityProof._trimmed`: whether the levels in the room are now below the highest of the box.

    Where none of the box is left, its bound is beyond all scores then.
    """
    levels, lows, highs, whole, changed = room.levels, places.lows[at], places.highs[at], 0.0, False
    levels[:] = highs
    if scores.how > BITS:
        if ruled_out_above(rules, room, lows):
            places.bounds[at] = np.inf
            return True
        for column in range(len(levels)):
            changed = changed or levels[column] < highs[column]
        return changed
    for column in range(len(levels)):
        whole += least_part(places, at, column)
    for column in range(len(levels)):
        if highs[column] > lows[column]:
            low, bound = lows[column], whole - least_part(places, at, column) + places.parts[at, column, highs[column]]
            lows[column] = highs[column]
            beyond = hopeless(rules, room, bound, lows)
            lows[column] = low
            if beyond:
                levels[column] -= 1
                changed = True
    return changed


def promising(scores: Any, places: Any, at: int) -> int:
    """The column by which a box is split; -1 where it has only one node."""
    chosen, most = -1, -np.inf
    for column in range(places.lows.shape[1]):
        high = places.highs[at, column]
        if high > places.lows[at, column]:
            if scores.how <= BITS:
                gain = places.parts[at, column, high] - least_part(places, at, column)
            else:
                gain = scores.bits[column, places.lows[at, column]] - scores.bits[column, high]
            if chosen < 0 or gain > most:
                chosen, most = column, gain
    return chosen


def prove(table: Any, scores: Any, rules: Any, places: Any, room: Any, until: float, most: float) -> None:
    """Rule out boxes until none is left, or until so many nodes were looked at."""
    state = room.state
    while state[0] >= 0 and state[1] < until:
        at = state[0]
        if hopeless(rules, room, places.bounds[at], places.lows[at]):
            state[0] -= 1
            continue
        if trimmed(scores, rules, places, room, at):
            if places.bounds[at] == np.inf or not look(table, scores, rules, places, room, at, at):
                state[0] -= 1
            continue
        if rules.doubtful < np.inf:
            size = nodes_of(places, at)
            if try_columns(table, scores, rules, places, room, at, most):
                if size >= rules.rolled:
                    roll(table, rules, places, room, at)
                raise_bound(scores, rules, places, at, room)
        column = promising(scores, places, at)
        if column < 0 or hopeless(rules, room, places.bounds[at], places.lows[at]):
            state[0] -= 1
            continue
        if within_reach(scores, room, places, at) and not room.counted[node_number(rules, places.lows[at])]:
            room.levels[:] = places.lows[at]
            look(table, scores, rules, places, room, at, at + 1)  # what is seen has no box, and its place goes on
            changed = trimmed(scores, rules, places, room, at)
            ruled_out = places.bounds[at] == np.inf
            state[6] = max(state[6] - 1, LEAST) if ruled_out else min(state[6] + IN_VAIN, MOST)  # `Reach.learn`
            if changed:
                if places.bounds[at] == np.inf or not look(table, scores, rules, places, room, at, at):
                    state[0] -= 1
                continue
        size, level = nodes_of(places, at), scores.cuts[column, places.lows[at, column], places.highs[at, column]]
        room.levels[:] = places.highs[at]
        room.levels[column] = level
        # The part above has the same place; what it costs does not depend on what is seen below.
        further = look(table, scores, rules, places, room, at, at + 1)
        places.lows[at, column] = level + 1
        rolled = size >= rules.rolled and roll(table, rules, places, room, at)
        if rolled or scores.how <= BITS:
            raise_bound(scores, rules, places, at, room)
        state[0] = at + 1 if further else at


LOOPS = (
    weigh, bound_by_rows, raise_bound, least_part, compare, look, roll, try_columns,
    trimmed, promising, prove,
)  # fmt: skip
for _loop in LOOPS:  # each calls the others by their names, which have to be those of the compiled ones
    globals()[_loop.__name__] = compiled(numba, _loop)
