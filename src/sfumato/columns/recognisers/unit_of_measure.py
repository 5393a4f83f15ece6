"""Units of measurement."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.recognisers.closed_list import ClosedList, listed, telling
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role

USUAL = frozenset({"mg", "ml", "kg", "cm", "mm", "ug", "mcg", "ng", "dl"})  # two of which stand together nowhere else


class UnitOfMeasure(ClosedList):
    """mg/dL, mmHg, years: what was measured in, and not what was measured."""

    concept = "units of measurement"
    role = Role.NON_SENSITIVE
    strength = 0.9
    file = "unit"
    unnamed = 0.85
    lone = 0.0  # a single short word is anything: CM is a domain of the SDTM
    hints = hinted(
        "unit units uom unite einheit unidad unita unidade eenheid jednostka μοναδα enhet dosu orresu stresu ageu"
    )

    def weight(self, sample: Sequence[str], said: str) -> float:
        """Without a name for it, most must be units and nothing else, some of them longer than two letters."""
        values = telling(self.values(sample))
        certain = [value for value in values if value in listed(self.file) and value not in listed(self.file, "also")]
        plainly = any(len(value) > 2 or not value.isalpha() for value in certain) or len(USUAL & set(certain)) > 1
        enough = plainly and len(certain) >= 0.6 * len(values)
        return super().weight(sample, said) if enough or self.named(said) else 0.0
