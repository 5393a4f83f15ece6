"""ATC: medicines by substance, chemical, pharmacological and therapeutic subgroup, and anatomical group."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.columns.profile import ColumnProfile
from sfumato.hierarchies.builder_interface import Builder, Offer
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts
from sfumato.tables.engine import literal

CODE = "[ABCDGHJLMNPRSV]([0-9]{2}([A-Z]([A-Z]([0-9]{2})?)?)?)?"
SHOWN = (5, 4, 3, 1)  # characters at level 1, 2, 3 and 4


@dataclass(frozen=True)
class Atc(Formula, Builder):
    """Codes of the Anatomical Therapeutic Chemical classification, by their first 5, 4, 3 and 1 characters.

    A code that is not of the fifth level stays as it is until its own level is reached.

    >>> Atc().build(["A10BA02", "A10B"]).lines
    (('A10B', 'A10B', 'A10B', 'A10', 'A', '*'), ('A10BA02', 'A10BA', 'A10B', 'A10', 'A', '*'))
    """

    plainly: ClassVar[str] = "medicines (ATC) by their first 5, 4, 3 and 1 characters"
    expects: ClassVar[str] = "are no ATC codes (such as A10BA02)"

    def formula(self, counts: Counts) -> Formula:
        return self

    @property
    def height(self) -> int:
        return len(SHOWN) + 1

    def settled(self) -> dict[str, Any]:
        return self.settings()

    @classmethod
    def offer(cls, column: ColumnProfile) -> Offer | None:
        full = [len(text) == 7 and re.fullmatch(CODE, _clean(text)) is not None for text in column.sample]
        if not full or sum(full) < 0.9 * len(full):
            return None
        return Offer(cls(), "The values are ATC codes of medicines.", 0.9)

    def _label(self, text: str, level: int) -> str | None:
        code = _clean(text)
        return code[: SHOWN[level - 1]] if re.fullmatch(CODE, code) else None

    def _sql(self, value: str, level: int) -> str:
        code = f"upper(trim(concat('', {value})))"
        return f"CASE WHEN regexp_full_match({code}, {literal(CODE)}) THEN substr({code}, 1, {SHOWN[level - 1]}) END"


def _clean(text: str) -> str:
    return text.strip(" ").upper()
