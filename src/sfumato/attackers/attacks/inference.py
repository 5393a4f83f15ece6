"""Inference: can something sensitive be guessed of a person from those who look alike in the release?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.attack_interface import AttackResult, ControlledAttack, Trials, share
from sfumato.attackers.matching.coded_tuples import MISSING, Tuples
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.attackers.matching.lookalikes import Lookalikes
from sfumato.chance import Chance
from sfumato.errors import UnknownColumn

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole


class Baseline(StrEnum):
    """What the attacker is compared with: the control."""

    MAJORITY = "majority"  # guesses the commonest value of the release, whoever it is
    LEFT_OUT = "left_out"  # guesses in the same way, from the release without the record of the person


@dataclass(frozen=True, kw_only=True)
class Inference(ControlledAttack):
    r"""The share of people whose sensitive value is the commonest one among the released records nearest to them.

    .. math:: a = P\big( s(x) = \arg\max_s |\{ y \in N(x) : s(y) = s \}| \big), \qquad x \in X \text{ drawn}

    An attacker knows all other columns of a person. N(x) are the released records that are nearest on them: those of
    the same class if there are any (distance as in distance linkage, a label fits the values that the release gives it
    to). Between several commonest values the attacker guesses. Right is the value as the release would write it.

    The control guesses the commonest value of the whole release for the same people. With `left_out` it instead guesses
    in the same way from the release without the person: what then remains of the risk is due to having been released,
    and not to what the columns have to do with each other.

    Where a subject is known, x is a record of a person drawn, and the commonest value is the one that most persons have
    among N(x): whoever has it in ten records has it once. Without the person means without any record of theirs.

    References
    ----------
    Article 29 Data Protection Working Party (2014). Opinion 05/2014 on anonymisation techniques, section 3.
    Giomi et al. (2023). A unified framework for quantifying privacy risk in synthetic data. PoPETs 2023(2).

    Examples
    --------
    Machanavajjhala et al. (2007), figures 1 and 2: whoever is in the thirties has cancer. Over the three classes 8 of
    12 guesses are right, where "cancer" for everybody is right 5 times.

    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> from sfumato.studies.printed_tables import four_anonymous_inpatients, inpatients
    >>> engine = DuckDB()
    >>> before = engine.numbered(f"SELECT * FROM {inpatients(engine).table}", "row")
    >>> after = engine.numbered(f"SELECT * FROM {four_anonymous_inpatients(engine).table}", "row")
    >>> pairs = engine.query(f'''
    ...     SELECT row, TRUE AS kept, before.zip AS o1, before.age AS o2, before.condition AS o3,
    ...            after.zip AS r1, after.age AS r2, after.condition AS r3
    ...     FROM {before} AS before JOIN {after} AS after USING (row)''')
    >>> result = Inference(sensitive="condition").of(LinkedRecords.of(pairs, ["zip", "age", "condition"]))
    >>> result.attack.successes, result.control.successes, round(result.risk, 4)
    (8.0, 5.0, 0.4286)
    """

    sensitive: str
    baseline: Baseline = Baseline.MAJORITY

    plainly = "guesses a sensitive value of a person from the released records that look most alike"
    place = 3
    about_sensitive = True

    def of(self, linked: LinkedRecords) -> AttackResult:
        if self.sensitive not in linked.names:
            raise UnknownColumn(self.sensitive, linked.names)
        place = linked.names.index(self.sensitive)
        guessing, chance = _Guessing.of(Tuples.of(linked, raw=True), place), Chance.of(self.seed)
        tuples = guessing.tuples
        known = tuples.columns[place].value[tuples.original] != MISSING
        holders = tuples.holders_of_pairs(known)
        chosen = [int(unit) for unit in self.drawn(holders.units, chance)]
        people = [self.tried(tuples.original[holders.tuples_of(unit)], chance) for unit in chosen]
        attack = sum(share([guessing.right(int(original)) for original in person]) for person in people)
        control = guessing.right_left_out if Baseline(self.baseline) is Baseline.LEFT_OUT else guessing.right_overall
        compared = sum(share([control(int(original), holders.who(unit)) for original in person])
                       for unit, person in zip(chosen, people, strict=True))  # fmt: skip
        unknown = int(tuples.n[~known].sum())
        notes = (f"{unknown} records without the sensitive value were passed over.",) if unknown else ()
        return AttackResult(
            self.name(), Trials(len(people), attack), Trials(len(people), compared), notes,
            {"sensitive": self.sensitive, "baseline": Baseline(self.baseline).value}, linked.unit,
        )  # fmt: skip


@dataclass(frozen=True)
class _Guessing:
    """Guesses of one column from the released tuples nearest on the others."""

    tuples: Tuples
    near: Lookalikes
    labels: Whole  # by released tuple
    truth: Whole  # by original tuple
    codes: int

    @classmethod
    def of(cls, tuples: Tuples, place: int) -> _Guessing:
        near = Lookalikes.of(tuples, [k for k in range(len(tuples.columns)) if k != place])
        column = tuples.columns[place]
        return cls(tuples, near, column.released, column.original, column.codes)

    def right(self, original: int) -> float:
        """How likely the guess for somebody with an original tuple is right."""
        return self._right(original, self._counted(np.flatnonzero(self.near.nearest(original))))

    def right_overall(self, original: int, _who: int) -> float:
        """How likely the commonest value is right for them."""
        return self._right(original, self._everybody)

    def right_left_out(self, original: int, who: int) -> float:
        """How likely the guess is right that is made without them: a pair, or all records of a person."""
        if self.tuples.held is None:
            own = self.tuples.released[[who]]
            own = own[own >= 0]
        else:
            own = self.tuples.release_holders.tuples_held_by(who)
        part = np.unique(self.near.part[own])
        gone = part[self._parts[part] == 1]  # nobody else has these values on the other columns
        near = self.near.nearest(original, gone) if len(own) else self.near.nearest(original)
        return self._right(original, self._counted(np.flatnonzero(near), own, who))

    def _counted(self, near: Whole, own: Whole | None = None, who: int = -1) -> Whole:
        """How many people have each label among some released tuples; without somebody who has some as their own."""
        tuples, released = self.tuples, self.tuples.release_holders
        if tuples.held is None:
            counts = np.bincount(self.labels[near], weights=tuples.releases[near], minlength=self.codes)
            if own is not None:
                np.subtract.at(counts, self.labels[own[np.isin(own, near)]], 1)
            return counts.astype(np.int64)
        person, held = released.held(near)
        pairs = np.unique(person[person != who] * self.codes + self.labels[held[person != who]])
        return np.bincount(pairs % self.codes, minlength=self.codes)

    @cached_property
    def _everybody(self) -> Whole:
        return self._counted(np.arange(len(self.labels)))

    @cached_property
    def _parts(self) -> Whole:
        """People by their values on the other columns: records, or persons, each once."""
        released, width = self.tuples.release_holders, len(self.near.first)
        if self.tuples.held is None:
            return np.bincount(self.near.part, weights=self.tuples.releases, minlength=width).astype(np.int64)
        person, held = released.held(np.arange(len(self.labels)))
        pairs = np.unique(person * width + self.near.part[held])
        return np.bincount(pairs % width, minlength=width)

    def _right(self, original: int, people: Whole) -> float:
        counts = people.copy()
        counts[MISSING] = 0  # a suppressed value cannot be guessed
        if not counts.any():
            return 0.0
        commonest = np.flatnonzero(counts == counts.max())
        return float(self.truth[original] in commonest) / len(commonest)
