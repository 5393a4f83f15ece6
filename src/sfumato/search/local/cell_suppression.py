"""Cell suppression: few cells taken out, so that nobody stands out by what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import UnknownColumn
from sfumato.hierarchies.hierarchy import TOP
from sfumato.privacy.coded.distinct_rows import first_places, row_numbers
from sfumato.privacy.policy import Policy
from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn
from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.local_recoding import recode_locally
from sfumato.search.local.recoding import keys_and_labels

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.privacy.coded.arrays import Flags, Whole


# Four sets of three columns of the census need three or four rounds; with two, serving them in turn has no end,
# and all columns are served together, which takes out 37,049 cells instead of 2,096.
ROUNDS = 8
WIDE = 12  # columns of a set from which on it is not tried to take out whole columns: 33 took a quarter of a minute
ORDERS = 6  # in which the sets of columns are served: there 1 or 2 take out 2,105 cells, 4 or more 2,096


@dataclass(frozen=True, eq=False)
class CellSuppression:
    """Which cells of each tuple are suppressed."""

    tuples: CountedTuples
    gone: Flags  # by tuple and column
    bound: int  # no choice of cells takes out fewer

    @property
    def cells(self) -> int:
        """How many cells are taken out, counted in records."""
        return int(self.tuples.counts @ self.gone.sum(axis=1))

    @property
    def losses(self) -> dict[str, float]:
        """The share of each column that is taken out, as `Loss` reads it: of a cell without a value all is open."""
        shares = self.tuples.counts @ self.gone / self.tuples.records
        return {c.name: float(share) * c.open for c, share in zip(self.tuples.columns, shares, strict=True)}

    def smallest(self, columns: Sequence[str]) -> int:
        """The records of the smallest class on some columns, where a suppressed cell is a value of its own."""
        group = _classes(self.tuples, self.gone, _places(self.tuples, columns))
        return int(np.bincount(group, weights=self.tuples.counts).min())

    def keeps(self, policy: Policy, columns: Sequence[str]) -> bool:
        """Whether every class on some columns keeps to a policy."""
        rules = GroupRules.of(self.tuples, policy)
        return _served_already(rules, self.gone, _places(self.tuples, columns))

    def lines(self) -> pa.Table:
        """What becomes of every different record: k1, k2, ... as the engine writes them, and l1, l2, ... with `*`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        before = keys_and_labels(self.tuples, lambda j: pa.array(self.gone[:, j]))
        lines = before
        for j in range(len(self.tuples.columns)):
            label = pc.if_else(before[f"l{j + 1}"], TOP, before[f"k{j + 1}"])
            lines = lines.set_column(lines.schema.get_field_index(f"l{j + 1}"), f"l{j + 1}", label)
        return lines


def suppress_cells(tuples: CountedTuples, policy: Policy, column_sets: Sequence[Sequence[str]] = ()) -> CellSuppression:
    """Few cells to suppress so that every class keeps to a policy on each of these sets of columns, or on all columns.

    For one set it is local recoding with two levels, the value and nothing. For several, each set is served in turn on
    what the others left, until all hold, in some orders of the sets; the columns of all sets together, which serves
    each of them, is the other choice, and the one with fewest cells is taken.

    A record that loses none of the cells of a set is in a class with records of its class before only. So all records
    of a class that keeps to the policy in none of its parts lose one cell at least, and so do some of every other
    class that breaks it, which bounds from below how few cells there can be.

    Examples
    --------
    Of four records two are alike and two are not: they lose a cell each.

    >>> from dataclasses import replace
    >>> from sfumato.privacy.coded.group_records import condense
    >>> from sfumato.studies.printed_tables import rows
    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> from sfumato.privacy.policy import Requirement
    >>> from sfumato.privacy.models.k_anonymity import KAnonymity
    >>> letters = dict.fromkeys("xy", Hierarchy((("a", "*"), ("b", "*"), ("c", "*"))))
    >>> people = rows([("a", "a"), ("a", "a"), ("a", "b"), ("a", "c")], ["x", "y"], x="quasi", y="quasi")
    >>> table = CountedTuples.of_condensed(condense(replace(people, hierarchies=letters)), letters)
    >>> suppression = suppress_cells(table, Policy((Requirement(KAnonymity(), 2),)))
    >>> suppression.cells, suppression.bound, suppression.smallest(["x", "y"])
    (2, 2, 2)
    """
    rules = GroupRules.of(tuples, policy)
    rules.check_feasible()
    names = [column.name for column in tuples.columns]
    sets = [_places(tuples, columns) for columns in column_sets or [names]]
    together = sorted({place for places in sets for place in places})
    none = np.zeros(tuples.codes.shape, dtype=np.bool_)
    ways = [_served(tuples, policy, none, together)]
    for order in _orders(sets) if len(sets) > 1 else []:
        in_turn = _in_turn(rules, policy, order)
        ways += [in_turn] if in_turn is not None else []
    bound = _bound(rules, none, sets)
    choices = [CellSuppression(tuples, _served_by_all(rules, gone, sets), bound) for gone in ways]
    return min(choices, key=lambda choice: choice.cells)


def fewest_cells(tuples: CountedTuples, policy: Policy, column_sets: Sequence[Sequence[str]] = ()) -> int:
    """How many cells have to go at the least, whatever is chosen; counted without looking for a choice."""
    names = [column.name for column in tuples.columns]
    sets = [_places(tuples, columns) for columns in column_sets or [names]]
    return _bound(GroupRules.of(tuples, policy), np.zeros(tuples.codes.shape, dtype=np.bool_), sets)


def _orders(sets: list[list[int]]) -> list[list[list[int]]]:
    """The sets as they are, from the last to the first, and beginning with each of some."""
    turned = [sets[i:] + sets[:i] for i in range(1, min(len(sets), ORDERS - 1))]
    return [sets, sets[::-1], *turned]


def _bound(rules: GroupRules, none: Flags, sets: Sequence[list[int]]) -> int:
    """Of each set the records that must lose a cell; those who must in any set are as many at least."""
    most, unsafe = 0, np.zeros(len(none), dtype=np.bool_)
    for places in sets:
        group = _classes(rules.tuples, none, places)
        suppression = rules.suppression(np.arange(len(group)), group, int(group.max()) + 1)
        most, unsafe = max(most, suppression.fewest_records), unsafe | suppression.hereditary[group]
    return max(most, int(rules.tuples.counts[unsafe].sum()))


def _in_turn(rules: GroupRules, policy: Policy, sets: Sequence[list[int]]) -> Flags | None:
    """Serve one set after the other; None where that does not come to an end."""
    gone = np.zeros(rules.tuples.codes.shape, dtype=np.bool_)
    for _ in range(ROUNDS):
        broken = [places for places in sets if not _served_already(rules, gone, places)]
        if not broken:
            return gone
        for places in broken:
            gone = _served(rules.tuples, policy, gone, places)
    return None


def _served_already(rules: GroupRules, gone: Flags, places: list[int]) -> bool:
    group = _classes(rules.tuples, gone, places)
    return bool(rules.met_by_everybody(group).all())


def _served_by_all(rules: GroupRules, gone: Flags, sets: Sequence[list[int]]) -> Flags:
    """The suppressed cells when every set is served by the classes that it really has.

    Those of a set are unions of those of all columns. A union of classes that keep to a policy does so too, unless
    persons are in several of them: then whoever is in a class that breaks it loses all cells, and with them one more
    tuple, two, four, ... That ends: the policy is met with everybody in one class.
    """
    number = 1
    while True:
        unserved = np.zeros(len(gone), dtype=np.bool_)
        for places in sets:
            group = _classes(rules.tuples, gone, places)
            unserved |= ~rules.met_by_everybody(group)[group]
        if not unserved.any():
            return gone
        others = np.flatnonzero(~unserved & ~gone.all(axis=1))
        gone = gone.copy()
        gone[unserved] = True
        gone[others[np.argsort(rules.tuples.counts[others], kind="stable")[:number]]] = True
        number *= 2


def _served(tuples: CountedTuples, policy: Policy, gone: Flags, places: list[int]) -> Flags:
    """The suppressed cells when one set of columns is served as well."""
    leaves = np.array([tuples.columns[place].leaves for place in places])
    codes = np.where(gone[:, places], leaves, tuples.codes[:, places])
    columns = [_flat(f"{place}", tuples.columns[place].leaves) for place in places]
    flat = CountedTuples.of(columns, codes[tuples.owner].T, tuples.table)
    recoding = recode_locally(flat, policy, full_domain=() if len(places) > WIDE else None)
    served = gone.copy()
    served[:, places] |= recoding.levels[recoding.group][flat.owner[first_places(tuples.owner)]] > 0
    return served


def _flat(name: str, leaves: int) -> TreeColumn:
    """A tree of the value and nothing, where the last leaf is what was suppressed before and costs nothing."""
    nodes = np.stack([np.arange(leaves + 1), np.zeros(leaves + 1, dtype=np.int64)]).astype(np.int32)
    weights = np.zeros((2, leaves + 1))
    weights[1, :-1] = 1.0
    values = (*map(str, range(leaves)), TOP)
    return TreeColumn(name, nodes, (values, (TOP,)), weights)


def _classes(tuples: CountedTuples, gone: Flags, places: list[int]) -> Whole:
    """The class of each tuple on some columns."""
    codes = np.where(gone, 0, tuples.codes.astype(np.int64) + 1)
    return row_numbers([codes[:, place] for place in places])


def _places(tuples: CountedTuples, columns: Sequence[str]) -> list[int]:
    names = [column.name for column in tuples.columns]
    for column in columns:
        if column not in names:
            raise UnknownColumn(column, names)
    return [names.index(column) for column in columns]
