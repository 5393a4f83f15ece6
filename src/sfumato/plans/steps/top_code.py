"""Top coding: all that is large is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.plans.blocks.limits import Limit


@dataclass(frozen=True)
class TopCode(Limit):
    r"""Replace large values by a limit, or by a label.

    .. math:: x \mapsto \min(x, at)

    With a `label` such as 90+, `at` and everything above becomes that label, and the column becomes text. Numbers and
    dates have a top; a missing value stays missing.

    References
    ----------
    Hundepool et al. (2012). Statistical Disclosure Control. Wiley, section 3.4.3 (top and bottom coding).

    Examples
    --------
    >>> TopCode("age", 90, label="90+").examples()
    (('89', '89'), ('90', '90+'), ('97', '90+'))
    """

    beyond: ClassVar[str] = ">"
    words: ClassVar[tuple[str, str]] = ("above", "from")
    around: ClassVar[tuple[int, ...]] = (-1, 0, 7)
