"""Inference: can something sensitive be guessed of a person from those who look alike in the release?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.attack_interface import AttackResult, ControlledAttack, Trials
from sfumato.attackers.matching.coded_tuples import MISSING, Tuples
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.attackers.matching.lookalikes import Lookalikes
from sfumato.chance import Chance
from sfumato.errors import UnknownColumn

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


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
        guessing = _Guessing.of(Tuples.of(linked, raw=True), place)
        tuples = guessing.tuples
        known = tuples.columns[place].value[tuples.original] != MISSING
        chosen = self.drawn(tuples.n * known, Chance.of(self.seed))
        attack = sum(guessing.right(int(pair)) for pair in chosen)
        control = guessing.right_left_out if Baseline(self.baseline) is Baseline.LEFT_OUT else guessing.right_overall
        compared = sum(control(int(pair)) for pair in chosen)
        unknown = int(tuples.n[~known].sum())
        notes = (f"{unknown} records without the sensitive value were passed over.",) if unknown else ()
        return AttackResult(
            self.name(), Trials(len(chosen), attack), Trials(len(chosen), compared), notes,
            {"sensitive": self.sensitive, "baseline": Baseline(self.baseline).value},
        )  # fmt: skip


@dataclass(frozen=True)
class _Guessing:
    """Guesses of one column from the released tuples nearest on the others."""

    tuples: Tuples
    near: Lookalikes
    labels: Whole  # by released tuple
    truth: Whole  # by original tuple
    codes: int
    parts: Whole  # records by values on the other columns

    @classmethod
    def of(cls, tuples: Tuples, place: int) -> _Guessing:
        near = Lookalikes.of(tuples, [k for k in range(len(tuples.columns)) if k != place])
        column = tuples.columns[place]
        parts = np.bincount(near.part, weights=tuples.releases, minlength=len(near.first)).astype(np.int64)
        return cls(tuples, near, column.released, column.original, column.codes, parts)

    def right(self, pair: int) -> float:
        """How likely the guess for a person is right."""
        original = int(self.tuples.original[pair])
        return self._right(original, self.near.nearest(original), self.tuples.releases)

    def right_overall(self, pair: int) -> float:
        """How likely the commonest value is right for a person."""
        everybody = np.ones(len(self.labels), dtype=np.bool_)
        return self._right(int(self.tuples.original[pair]), everybody, self.tuples.releases)

    def right_left_out(self, pair: int) -> float:
        """How likely the guess is right that is made without the record of the person."""
        original, own = int(self.tuples.original[pair]), int(self.tuples.released[pair])
        if own < 0:
            return self.right(pair)
        others = self.tuples.releases.copy()
        others[own] -= 1
        part = int(self.near.part[own])
        gone = np.array([part]) if self.parts[part] == 1 else None
        return self._right(original, self.near.nearest(original, gone), others)

    def _right(self, original: int, near: Flags, releases: Whole) -> float:
        counts = np.bincount(self.labels[near], weights=releases[near], minlength=self.codes)
        counts[MISSING] = 0  # a suppressed value cannot be guessed
        if not counts.any():
            return 0.0
        commonest = np.flatnonzero(counts == counts.max())
        return float(self.truth[original] in commonest) / len(commonest)
