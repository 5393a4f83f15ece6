"""The g-distinct risk rate: how rare the values of a column are, on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.errors import PolicyError
from sfumato.schema import Role

MOSTLY_MISSING = 0.85
ALPHA, BETA = 0.1, 0.01  # the thresholds of the thesis for its thousand records


@dataclass(frozen=True)
class RiskRate(Evidence):
    r"""g-distinct (Mansour): the mean over the different values of one over how often each occurs.

    .. math:: r = \frac{1}{d} \sum_{v} \frac{1}{n_v}

    a fraction, rounded to the two decimals that it has in per cent. Above `alpha` the method calls a column sensitive,
    from `beta` to `alpha` a quasi-identifier, below `beta` neither. Its author asks for caution, so it is shown and
    never decides. A missing value is a value like any other; a column of which more than 85 % is missing is left out.

    References
    ----------
    Mansour et al., Quasi-Identifier Recognition Algorithm for Privacy Preservation of Cloud Data; as used by Menten,
    thesis on data sharing in open science (S0), identification stage.

    Examples
    --------
    >>> from sfumato.tables.engine import Kind
    >>> ages = ColumnProfile("age", Kind.INTEGER, records=4, missing=0, distinct=3, once=2, rarity=2.5, pairs=1)
    >>> RiskRate().of(ages).number
    0.8333
    """

    method: ClassVar[str] = "risk-rate"
    alpha: float = ALPHA
    beta: float = BETA

    def __post_init__(self) -> None:
        if not 0 <= self.beta <= self.alpha <= 1:
            raise PolicyError("alpha and beta are per cent with 0 <= beta <= alpha <= 100; alpha is the higher one.")

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        rate = risk_rate(column)
        if rate is None:
            return None
        role = class_of(rate, self.alpha, self.beta)
        place = {
            Role.SENSITIVE: f"above {100 * self.alpha:g} %",
            Role.QUASI: f"from {100 * self.beta:g} to {100 * self.alpha:g} %",
            Role.NON_SENSITIVE: f"below {100 * self.beta:g} %",
        }[role]
        return Finding(self.method, role, rate, f"The g-distinct risk rate is {100 * rate:.2f} %, {place}.")


def class_of(rate: float, alpha: float, beta: float) -> Role:
    """What the method calls a column of this rate."""
    return Role.SENSITIVE if rate > alpha else Role.QUASI if rate >= beta else Role.NON_SENSITIVE


def risk_rate(column: ColumnProfile) -> float | None:
    """The rate; None for a column without records, or mostly without values."""
    if not column.distinct or column.missing_share > MOSTLY_MISSING:
        return None
    return fraction(round(column.rarity / column.distinct * 100, 2))  # as the thesis rounds, before it compares


def fraction(per_cent: float) -> float:
    """The fraction that a number in per cent is; one written with the same digits is the same number.

    >>> fraction(2.66), 2.66 / 100
    (0.0266, 0.026600000000000002)
    """
    return round(per_cent / 100, 10)
