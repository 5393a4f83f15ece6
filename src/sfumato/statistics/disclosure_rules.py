"""Disclosure rules: which cells say too much of few persons, and what is done to the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import isfinite
from numbers import Real
from typing import Any

from sfumato.errors import PolicyError, did_you_mean


@dataclass(frozen=True)
class DisclosureRules:
    """Counts below the `threshold` are hidden, others rounded to a multiple of `base`.

    A sum or mean is hidden where one person could work out another's part of it to within `p` per cent (the p% rule),
    or where the `largest` parts together are more than `share` per cent of it (the dominance rule).
    """

    threshold: int = 10
    base: int = 1
    zeros: str = "hidden"  # or "shown": that nobody has a combination is a statement about everybody
    p: float = 10.0
    largest: int = 2
    share: float = 90.0
    source: str = "Thresholds of ACRO, where nothing else is said"

    def __post_init__(self) -> None:
        _check("threshold", self.threshold, 1, whole=True)
        _check("round", self.base, 1, whole=True)
        _check("p", self.p, 1, most=100)
        _check("dominance", self.largest, 1, whole=True)
        _check("dominance", self.share, 1, most=100)
        if self.threshold + self.base // 2 < self.base:
            raise PolicyError(
                f"Counts from {self.threshold} on would be rounded to nothing. Choose a threshold of "
                f"{self.base - self.base // 2} or more, or round less."
            )
        if self.zeros not in ("hidden", "shown"):
            raise PolicyError("zeros are `hidden` or `shown`.")

    @classmethod
    def of(cls, preset: str | None = None, **given: Any) -> DisclosureRules:
        """The rules of a preset, with what is given beside it; None is not given."""
        if preset is not None and preset not in PRESETS:
            raise PolicyError(f"There is no preset {preset!r}.{did_you_mean(preset, PRESETS)}")
        rules = PRESETS[preset] if preset else cls()
        said = {name: value for name, value in given.items() if value is not None}
        unknown = set(said) - {field.name for field in fields(cls)}
        assert not unknown, unknown
        return replace(rules, **said) if said else rules

    @property
    def rounding(self) -> tuple[int, int]:
        """How much less and how much more than a published count the true one may be.

        >>> DisclosureRules(base=5).rounding, DisclosureRules(base=10).rounding, DisclosureRules().rounding
        ((2, 2), (5, 4), (0, 0))
        """
        return self.base // 2, (self.base - 1) // 2

    def rounded(self, counts: Any) -> Any:
        """Counts as they are published.

        >>> DisclosureRules(base=5).rounded(12), DisclosureRules(base=5).rounded(13)
        (10, 15)
        """
        return (counts + self.base // 2) // self.base * self.base


def _check(name: str, number: Any, least: int, *, whole: bool = False, most: float = float("inf")) -> None:
    """Refuse what is no number from `least` on."""
    is_number = isinstance(number, Real) and not isinstance(number, bool) and isfinite(number)
    if not is_number or not least <= number <= most or (whole and number != int(number)):
        limit = f" to {most:g}" if isfinite(most) else " on"
        raise PolicyError(f"{name} takes a {'whole ' if whole else ''}number from {least}{limit}.")


# What each of them hides by itself; complementary cells are hidden with all of them. Looked up, not remembered:
# - AI-SDC/ACRO, acro/default.yaml: safe_threshold 10, zeros_are_disclosive True, and for sums safe_nk_n 2, safe_nk_k
#   0.90 and safe_pratio_p 0.10, which all presets have, since the other two have no rules for sums;
# - OpenSAFELY, docs.opensafely.org/releasing-files: "first redact counts <=7 and then round to the nearest 5". It lets
#   counts of zero stand in general, and warns of them: here they are hidden, which is the safer of the two;
# - DataSHIELD, dsBase: default.nfilter.tab 3, and table1DDS, table2DDS: a table is refused where a cell has a count
#   from 1 to below it. All of such a table but its totals is hidden there; here, the cells that need it.
PRESETS: Mapping[str, DisclosureRules] = {
    "acro": DisclosureRules(source="ACRO: default configuration, safe_threshold 10, zeros are disclosive"),
    "opensafely": DisclosureRules(
        threshold=8, base=5, source="OpenSAFELY: counts of 7 or fewer redacted, then rounded to the nearest 5"
    ),
    "datashield": DisclosureRules(
        threshold=3, zeros="shown", source="DataSHIELD: nfilter.tab 3, an empty cell is no disclosure"
    ),
}
