"""Bottom coding: all that is small is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.plans.blocks.limits import Limit


@dataclass(frozen=True)
class BottomCode(Limit):
    r"""Replace small values by a limit, or by a label.

    .. math:: x \mapsto \max(x, at)

    With a `label` such as "40 or less", `at` and everything below becomes that label, and the column becomes text.
    Numbers and dates have a bottom; a missing value stays missing.

    References
    ----------
    Hundepool et al. (2012). Statistical Disclosure Control. Wiley, section 3.4.3 (top and bottom coding).

    Examples
    --------
    >>> BottomCode("weight", 40).examples()
    (('33', '40'), ('40', '40'), ('41', '41'))
    """

    beyond: ClassVar[str] = "<"
    words: ClassVar[tuple[str, str]] = ("below", "up to")
    around: ClassVar[tuple[int, ...]] = (-7, 0, 1)
