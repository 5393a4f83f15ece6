"""Ages: bands of five, ten and twenty years, and 90 and above as one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from sfumato.columns.lexicon import meaning_of
from sfumato.columns.profile import ColumnProfile
from sfumato.errors import HierarchyError
from sfumato.hierarchies.builder_interface import Builder, Offer
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts
from sfumato.hierarchies.ranges import Ranges, Style, number_in
from sfumato.tables.engine import Kind

OLDEST = 125  # nobody is known to have lived to 123
GROWN = 40  # counts of children or of visits stay below, the ages of a study's people do not
ENOUGH = 20  # values, of which fewer may be whole numbers of any kind. Chosen, not measured


@dataclass(frozen=True)
class Ages(Builder):
    """Ages in completed years: bands that grow from level to level, and one for `top` and above at all of them.

    HIPAA's Safe Harbor has all ages over 89 in one category, so `top` is 90.

    The ages of the thesis (S0.13), in bands of ten years:

    >>> ages = Ages().build(["25", "32", "36", "45", "23", "43", "93"])
    >>> [ages.label(age, 2) for age in ("25", "32", "36", "45", "23", "43", "93")]
    ['20-29', '30-39', '30-39', '40-49', '20-29', '40-49', '90+']
    """

    plainly: ClassVar[str] = "ages in bands of 5, 10 and 20 years, with 90+ at the end"
    rules: ClassVar[tuple[str, ...]] = ("widths",)
    widths: tuple[int, ...] = (5, 10, 20)
    top: int = 90

    def __post_init__(self) -> None:
        widths = self.widths
        if not widths or min(widths) < 1 or any(b <= a or b % a for a, b in pairwise(widths)):
            raise HierarchyError("Bands must grow, each a multiple of the one before: widths=5,10,20.")
        if self.top < 1 or any(not float(n).is_integer() for n in (*widths, self.top)):
            raise HierarchyError("The widths of the bands and their top are whole numbers of years, 1 or more.")

    def formula(self, counts: Counts) -> Formula:
        rows = (tuple(sorted({*range(0, int(self.top), int(width)), int(self.top)})) for width in self.widths)
        return Ranges(tuple(rows), Style.INTEGERS, self.settings())

    @classmethod
    def offer(cls, column: ColumnProfile) -> Offer | None:
        numbers = [number for number in map(number_in, column.sample) if number is not None]
        if not numbers or len(numbers) < len(column.sample) or min(numbers) < 0 or max(numbers) > OLDEST:
            return None
        meaning = meaning_of(column.name, column.label)
        if meaning is not None and meaning.concept.name == "age":
            return Offer(cls(), "The name says age, and the values are numbers of years that people reach.", 0.9)
        if meaning is None and column.kind is Kind.INTEGER and max(numbers) >= GROWN and len(numbers) >= ENOUGH:
            return Offer(cls(), f"It holds whole numbers from 0 to {OLDEST}, as ages are. Check that they are.", 0.55)
        return None
