"""Attacks: how often they succeed on a release, beside how often they would without it.

The Article 29 Working Party asks three questions of an anonymised table: can a person be singled out, can records of a
person be linked, can something be inferred about a person. Each is answered by trying. That an attempt succeeds proves
little when it would succeed anyhow, and so every attack has a control, and the risk is what the release adds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.attackers.matching.linked_records import Linked
from sfumato.chance import Chance
from sfumato.errors import PolicyError
from sfumato.members import Named

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole

NORMAL = 1.959963984540054  # the standard normal quantile of 97.5 %


@dataclass(frozen=True)
class Trials:
    """Attempts, and how many succeeded; half a success is a guess between two answers of which one is right."""

    attempts: int
    successes: float

    @property
    def rate(self) -> float:
        """The share of attempts that succeeded; 0 where nothing was attempted."""
        return self.successes / self.attempts if self.attempts else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        r"""The 95 % confidence interval of the rate (Wilson).

        .. math:: \frac{\hat p + z^2 / 2n \pm z \sqrt{\hat p (1 - \hat p) / n + z^2 / 4n^2}}{1 + z^2 / n}

        References
        ----------
        Wilson (1927). Probable inference, the law of succession, and statistical inference. JASA 22(158), 209-212.

        Examples
        --------
        >>> [round(end, 4) for end in Trials(10, 1).interval], Trials(0, 0).interval
        ([0.0179, 0.4042], (0.0, 1.0))
        """
        if not self.attempts:
            return 0.0, 1.0
        n, p, z = self.attempts, self.rate, NORMAL
        middle, reach = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = (middle - reach) / (1 + z * z / n), (middle + reach) / (1 + z * z / n)
        return (max(low, 0.0) if p else 0.0), (min(high, 1.0) if p < 1 else 1.0)

    def document(self) -> dict[str, Any]:
        """The counts, the rate and its interval as plain values."""
        return {
            "attempts": self.attempts, "successes": self.successes, "rate": self.rate, "interval": list(self.interval),
        }  # fmt: skip


@dataclass(frozen=True)
class AttackResult:
    r"""How often an attack succeeded, how often its control did, and the risk that the release adds.

    .. math:: R = \max\left(0, \frac{a - c}{1 - c}\right)

    The share of attempts that succeed among those that would fail without the release: 0 if it adds nothing, 1 if every
    attempt succeeds. Where the control always succeeds there is nothing to add, and the risk is 0.

    The interval of the risk takes the far ends of both rates, and so covers it in at least 95 % of cases.

    References
    ----------
    Article 29 Data Protection Working Party (2014). Opinion 05/2014 on anonymisation techniques (WP216).
    Giomi, Boenisch, Wehmeyer, Tasnadi (2023). A unified framework for quantifying privacy risk in synthetic data.
    PoPETs 2023(2), 312-328.

    Examples
    --------
    >>> found = AttackResult("inference", Trials(100, 75), Trials(100, 50))
    >>> found.risk, [round(end, 3) for end in found.interval]
    (0.5, [0.151, 0.706])
    """

    method: str
    attack: Trials
    control: Trials
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def risk(self) -> float:
        """The share of attempts that succeed only thanks to the release."""
        return _added(self.attack.rate, self.control.rate)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the risk, at least 95 %."""
        (low, high), (least, most) = self.attack.interval, self.control.interval
        return _added(low, most), _added(high, least)

    def document(self) -> dict[str, Any]:
        """The rates and the risk as plain values."""
        return {
            "method": self.method,
            "risk": self.risk,
            "interval": list(self.interval),
            "attack": self.attack.document(),
            "control": self.control.document(),
            "notes": list(self.notes),
            **self.details,
        }


@dataclass(frozen=True)
class Attack(Named, ABC):
    """A number of attempts on people drawn by a seed; of a table with fewer people, one on each.

    Subclasses are frozen dataclasses, one file each in `attacks/`.
    """

    plainly: ClassVar[str]  # what the attacker does, in plain words

    attempts: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.attempts, int) or isinstance(self.attempts, bool) or self.attempts < 1:
            raise PolicyError(f"{self.name()}: attempts must be a whole number from 1 on.")

    @abstractmethod
    def of(self, linked: Linked) -> AttackResult:
        """Try the attack on a release, and its control."""

    def drawn(self, n: Whole, chance: Chance) -> Whole:
        """Different records of groups of n records each, drawn by chance: the group of each; all if there are few."""
        import numpy as np

        ends = np.cumsum(n)
        everybody = int(ends[-1]) if len(ends) else 0
        if self.attempts >= everybody:
            return np.repeat(np.arange(len(n)), n)
        moved: dict[int, int] = {}  # of a pack of cards in order, those that have changed places
        chosen = []
        for place in range(self.attempts):
            other = chance.whole(place, everybody - 1)
            chosen.append(moved.get(other, other))
            moved[other] = moved.get(place, place)
        return np.searchsorted(ends, np.array(chosen), side="right")


def _added(attack: float, control: float) -> float:
    return max(0.0, (attack - control) / (1 - control)) if control < 1 else 0.0
