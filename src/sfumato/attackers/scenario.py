"""Scenarios: what an attacker is assumed to know, and how many records that singles out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sfumato.errors import PolicyError
from sfumato.plans.condition import Condition
from sfumato.privacy.policy import known_columns
from sfumato.privacy.sizes import LADDER, Sizes
from sfumato.show.documents.exposure import ScenarioDocument


class Mode(StrEnum):
    """How what is known of a person besides the quasi-identifiers enters the risk."""

    SUBSET = "subset"  # only the records that satisfy the condition are looked at, and counted
    AS_QI = "as_qi"  # the condition is one more quasi-identifier of all records


@dataclass(frozen=True)
class Subset:
    """A scenario in which it is also known whether a condition holds for the person.

    `subset`: the attacker is certain that the person is among the records for which the condition holds. The others
    are left out, and the share is of those that remain.

    `as_qi`: the attacker knows whether the condition holds, as one knows an age. All records are grouped by the
    quasi-identifiers and by whether the condition holds; all that are alone count, and the share is of all records.

    The paper's table 8 can only be the second with *all* records counted: age and gender alone single out 32 of its
    1,685 records, one more key can only add to them, and indeed all nine pathologies have 53 to 72; while the
    subsets of its table 3 that are as large as a common pathology (368 and 529 records) have only 28 and 30 in
    them. How many of the records that are alone satisfy the condition is told beside it.

    References
    ----------
    Carvalho, Antunes, Costa, Moniz, Empowering open data sharing for social good (S3), tables 3 and 8.
    """

    name: str
    condition: Condition
    quasi_identifiers: Sequence[str]
    mode: Mode = Mode.SUBSET

    def __post_init__(self) -> None:
        object.__setattr__(self, "quasi_identifiers", known_columns(self.name, self.quasi_identifiers))
        if self.mode not in tuple(Mode):
            raise PolicyError(f"Scenario {self.name!r}: the mode is one of {', '.join(Mode)}.")
        object.__setattr__(self, "mode", Mode(self.mode))


@dataclass(frozen=True)
class ConditionCounts:
    """For how many records the condition of a subset holds, and how many of them are singled out."""

    words: str
    mode: Mode
    records: int
    singled_out: int


@dataclass(frozen=True)
class ScenarioRisk:
    r"""The risk of re-identification in one scenario: the share of records that are singled out.

    .. math:: 100 \cdot \frac{1}{n} \sum_{E : |E| = 1} r(E)

    E are the classes of the n records on what the attacker knows, |E| the persons and r(E) the records of a class.
    Without a subject column every record is a person, and the sum is the number of classes of one.

    References
    ----------
    Carvalho, Antunes, Costa, Moniz, Empowering open data sharing for social good (S3), section on k-anonymity.

    Examples
    --------
    Two of six records are alone in their class:

    >>> risk = ScenarioRisk("neighbour", ("age", "sex"), Sizes(((1, 2, 2), (4, 1, 4))), persons=6)
    >>> risk.singled_out, round(risk.percent, 2), risk.k, risk.average_risk, risk.below
    (2, 33.33, 1, 0.5, {3: 2, 5: 6, 11: 6, 20: 6})
    """

    name: str
    quasi_identifiers: tuple[str, ...]
    sizes: Sizes
    persons: int  # of whom the records are; as many as records where no subject is known
    condition: ConditionCounts | None = None  # of a subset

    @property
    def records(self) -> int:
        """The records that the share is of: n."""
        return self.sizes.records

    @property
    def singled_out(self) -> int:
        """Records in classes of one person."""
        return self.sizes.records_below(2)

    @property
    def percent(self) -> float:
        """The share of records that are singled out, in per cent."""
        return 100 * self.singled_out / self.records

    @property
    def k(self) -> int:
        """The persons of the smallest class."""
        return self.sizes.smallest

    @property
    def average_risk(self) -> float:
        """The chance of finding somebody picked at random."""
        return self.sizes.average_risk

    @property
    def highest_risk(self) -> float:
        """The chance of finding whoever is easiest to find."""
        return 1 / self.k

    @property
    def below(self) -> dict[int, int]:
        """Records in classes smaller than 3, 5, 11 and 20 persons, as guidelines ask for."""
        return {size: self.sizes.records_below(size) for size in LADDER}

    def content(self) -> ScenarioDocument:
        """The risk as plain values."""
        return ScenarioDocument(
            name=self.name,
            quasi_identifiers=self.quasi_identifiers,
            records=self.records,
            persons=self.persons,
            singled_out=self.singled_out,
            percent=self.percent,
            k=self.k,
            average_risk=self.average_risk,
            highest_risk=self.highest_risk,
            below={str(size): records for size, records in self.below.items()},
            condition=self.condition.words if self.condition else None,
            mode=self.condition.mode.value if self.condition else None,
            satisfying=self.condition.records if self.condition else None,
            singled_out_satisfying=self.condition.singled_out if self.condition else None,
        )
