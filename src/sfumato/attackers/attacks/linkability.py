"""Linkability: can two halves of what is known about a person be brought together by the release?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.attackers.attack_interface import AttackResult, ControlledAttack, Trials, share
from sfumato.attackers.matching.coded_tuples import Tuples
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.attackers.matching.lookalikes import Lookalikes
from sfumato.attackers.matching.tuple_holders import TupleHolders
from sfumato.chance import Chance
from sfumato.errors import UnknownColumn

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole


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

    Where a subject is known, x is a record of a person drawn, and the halves are taken to belong together if the
    records that are nearest to both are of one person; the other half of the control is of another person:

    .. math::

        a = \frac{1}{|P|} \sum_p \frac{1}{|X(p)|} \sum_{x \in X(p)}
            \big[ |\{ \pi(y) : y \in N_A(x_A) \cap N_B(x_B) \}| = 1 \big]

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
        if not right or 1 in (linked.records, linked.persons):
            problem = "One person cannot be taken for another" if right else "One column has no two halves"
            why = f"{problem}: nothing was attempted."
            return AttackResult(self.name(), Trials(0, 0), Trials(0, 0), (why,), unit=linked.unit)
        tuples, chance = Tuples.of(linked, raw=True), Chance.of(self.seed)
        holders = tuples.pair_holders
        chosen = [int(unit) for unit in self.drawn(holders.units, chance)]
        people = [self.tried(tuples.original[holders.tuples_of(unit)], chance) for unit in chosen]
        others = [tuples.original[[holders.drawn_tuple(chance, but=unit) for _ in person]]
                  for unit, person in zip(chosen, people, strict=True)]  # fmt: skip
        linking = _Linking(tuples.release_holders, Lookalikes.of(tuples, left), Lookalikes.of(tuples, right))
        return AttackResult(
            self.name(), linking.trials(people, people), linking.trials(people, others), unit=linked.unit,
            details={"halves": [[linked.names[k] for k in half] for half in (left, right)]},
        )  # fmt: skip

    def _left(self, linked: LinkedRecords) -> list[int]:
        for name in self.known:
            if name not in linked.names:
                raise UnknownColumn(name, linked.names)
        width = len(linked.names)
        return sorted(linked.names.index(name) for name in self.known) or list(range((width + 1) // 2))


@dataclass(frozen=True)
class _Linking:
    """Looks for the one released record, or person, to which two halves lead."""

    released: TupleHolders
    left: Lookalikes
    right: Lookalikes

    def trials(self, firsts: Sequence[Whole], seconds: Sequence[Whole]) -> Trials:
        """Attempts on people, by the original tuples of their first halves and of the second halves beside them."""
        successes = sum(share([self.linked(int(one), int(two)) for one, two in zip(first, second, strict=True)])
                        for first, second in zip(firsts, seconds, strict=True))  # fmt: skip
        return Trials(len(firsts), successes)

    def linked(self, first: int, second: int) -> bool:
        """Whether the first half of one original tuple and the second half of another, or the same, lead to one."""
        halves = [(side, side.nearest_parts(which)) for side, which in ((self.left, first), (self.right, second))]
        # Of all released tuples only those are looked at that the half which leads to fewer of them leads to.
        (fewer, near), (other, far) = sorted(halves, key=lambda half: half[0].size(half[1]))
        both = fewer.tuples_of(near)
        return self.released.count(both[far[other.part[both]]]) == 1
