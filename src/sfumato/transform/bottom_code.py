"""Bottom coding: all that is small is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.changing.limit import check_limit, limited, limited_text
from sfumato.changing.parameters import one_column, words_or_none
from sfumato.draft import Draft
from sfumato.transformation import Means, Transformation


@dataclass(frozen=True)
class BottomCode(Transformation):
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

    column: str
    at: Any
    label: str | None = None

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        words_or_none(self, "label", self.label)
        check_limit(self, self.at)

    def apply(self, draft: Draft, means: Means) -> Draft:
        return limited(self, draft, self.column, self.at, self.label, beyond="<")

    def explained(self) -> str:
        become = f"{self.at}" if self.label is None else repr(self.label)
        return f"Values of {self.column} {'below' if self.label is None else 'up to'} {self.at} become {become}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return limited_text(self.at, self.label, (-7, 0, 1), beyond="<")
