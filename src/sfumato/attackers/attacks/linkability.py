"""Linkability: can two halves of what is known about a person be brought together by the release?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.attack_interface import AttackResult, ControlledAttack, Trials
from sfumato.attackers.matching.coded_tuples import Tuples
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.attackers.matching.lookalikes import Lookalikes
from sfumato.chance import Chance
from sfumato.errors import UnknownColumn

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


@dataclass(frozen=True)
class Linkability(ControlledAttack):
    r"""The share of people of whom two halves lead to one and the same released record.

    .. math:: a = P\big( |N_A(x_A) \cap N_B(x_B)| = 1 \big), \qquad x \in X \text{ drawn}

    An attacker holds some columns of a person in one file and the others in another file, and does not know which rows
    belong together. For each half the nearest released records are looked up (all that are equally near; distance as in
    distance linkage, a label fits the values that the release gives it to). If exactly one record is nearest to both,
    the halves are taken to belong together.

    The control does the same with halves of two different people. If they are taken to belong together as often, then
    the release says nothing about who belongs to whom.

    References
    ----------
    Article 29 Data Protection Working Party (2014). Opinion 05/2014 on anonymisation techniques, section 3.
    Giomi et al. (2023). A unified framework for quantifying privacy risk in synthetic data. PoPETs 2023(2).

    Examples
    --------
    Four people released as they are; two of them cannot be told apart.

    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> pairs = DuckDB().query('''
    ...     SELECT o1, o2, o1 AS r1, o2 AS r2, TRUE AS kept
    ...     FROM (VALUES (20, 'f'), (20, 'f'), (30, 'm'), (40, 'm')) AS person(o1, o2)''')
    >>> Linkability().of(LinkedRecords.of(pairs, ["age", "sex"])).attack
    Trials(attempts=4, successes=2)
    """

    known: tuple[str, ...] = ()  # the columns of one half; the first half of all columns if none is named

    plainly = "looks up two halves of what is known about a person, and sees whether they lead to the same record"
    place = 2
    least_columns = 2  # one in each half

    def of(self, linked: LinkedRecords) -> AttackResult:
        left = self._left(linked)
        right = [k for k in range(len(linked.names)) if k not in left]
        if not right or linked.records == 1:
            problem = "One person cannot be taken for another" if right else "One column has no two halves"
            return AttackResult(self.name(), Trials(0, 0), Trials(0, 0), (f"{problem}: nothing was attempted.",))
        tuples, chance = Tuples.of(linked, raw=True), Chance.of(self.seed)
        chosen = [int(pair) for pair in self.drawn(tuples.n, chance)]
        others = [_other(tuples.n, pair, chance) for pair in chosen]
        linking = _Linking(tuples, Lookalikes.of(tuples, left), Lookalikes.of(tuples, right))
        attack = sum(linking.linked(pair, pair) for pair in chosen)
        control = sum(linking.linked(*pairs) for pairs in zip(chosen, others, strict=True))
        halves = [[linked.names[k] for k in half] for half in (left, right)]
        return AttackResult(
            self.name(), Trials(len(chosen), attack), Trials(len(others), control), details={"halves": halves}
        )

    def _left(self, linked: LinkedRecords) -> list[int]:
        for name in self.known:
            if name not in linked.names:
                raise UnknownColumn(name, linked.names)
        width = len(linked.names)
        return sorted(linked.names.index(name) for name in self.known) or list(range((width + 1) // 2))


@dataclass(frozen=True)
class _Linking:
    """Looks for the one released record to which two halves lead."""

    tuples: Tuples
    left: Lookalikes
    right: Lookalikes

    def linked(self, pair: int, other: int) -> bool:
        """Whether the first half of one person and the second half of another, or the same, lead to one record."""
        first, second = (int(self.tuples.original[one]) for one in (pair, other))
        both: Flags = self.left.nearest(first) & self.right.nearest(second)
        return int(self.tuples.releases[both].sum()) == 1


def _other(n: Whole, pair: int, chance: Chance) -> int:
    """The pair of somebody else, drawn from all records but one of the given pair."""
    ends = np.cumsum(n)
    drawn = chance.whole(0, int(ends[-1]) - 2)
    return int(np.searchsorted(ends, drawn + (drawn >= ends[pair] - 1), side="right"))
