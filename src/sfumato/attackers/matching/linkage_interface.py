"""Record linkage: which released records an attacker names who knows the original values, and how often rightly.

An attacker knows the quasi-identifiers of people and looks for each of them in the release. For every original record
an attack names the released records that fit best; the truth is known, since both stand in the same row. Nothing is
drawn: where c records fit equally well the attacker picks one of them, and is right with probability 1/c.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sfumato.attackers.matching.linked_records import Linked
from sfumato.members import Named
from sfumato.tables.engine import Table

__all__ = ["Linkage", "LinkageResult", "Linked"]


@dataclass(frozen=True)
class LinkageResult:
    r"""How often an attacker names a released record for an original one, and how often the right one.

    With C(x) the released records that fit original x best, and y(x) its own record:

    .. math::

        \text{match rate} = \frac{1}{|X|} \sum_x [C(x) \ne \emptyset], \qquad
        \text{true-match rate} = \frac{1}{|X|} \sum_x \frac{[y(x) \in C(x)]}{|C(x)|}

    The false-match rate is the difference. The *found rate* is the share of originals whose own record is among those
    named, however many these are; under exact linkage it can only fall with further columns. The true-match rate may
    rise with them, as there are then fewer records to pick from. A record is *linkable* where exactly one released
    record fits best and it is the right one.

    Examples
    --------
    Table 7 of the hospital release: of 30 % matches 17 % are false and 13 % true.

    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> none = DuckDB().query("SELECT 1 AS row WHERE FALSE")
    >>> found = LinkageResult("exact_linkage", 100, 100, matched=30, found=20, expected=13.0, linkable=9, rows=none)
    >>> found.match_rate, found.true_match_rate, round(found.false_match_rate, 12), found.comparisons
    (0.3, 0.13, 0.17, 10000)
    """

    method: str
    records: int  # originals
    released: int
    matched: int  # originals for which a released record is named
    found: int  # ... their own among those named
    expected: float  # right picks, where one of those named is picked at random
    linkable: int
    rows: Table = field(compare=False)  # the numbers of the linkable originals, in a column `row`
    recoded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def match_rate(self) -> float:
        """The share of originals for which a released record is named, rightly or not."""
        return self.matched / self.records

    @property
    def true_match_rate(self) -> float:
        """The share of originals whose own record is picked, on average."""
        return self.expected / self.records

    @property
    def false_match_rate(self) -> float:
        """The share of originals for which a record of somebody else is picked, on average."""
        return (self.matched - self.expected) / self.records

    @property
    def found_rate(self) -> float:
        """The share of originals whose own record is among those named."""
        return self.found / self.records

    @property
    def comparisons(self) -> int:
        """The comparison space, |X| * |Y|."""
        return self.records * self.released

    def document(self) -> dict[str, Any]:
        """The rates as plain values."""
        return {
            "method": self.method,
            "records": self.records,
            "released": self.released,
            "match_rate": self.match_rate,
            "true_match_rate": self.true_match_rate,
            "false_match_rate": self.false_match_rate,
            "found_rate": self.found_rate,
            "linkable": self.linkable,
            "comparisons": self.comparisons,
            "recoded": list(self.recoded),
            "notes": list(self.notes),
            **self.details,
        }


class Linkage(Named, ABC):
    """A way of linking original records to released ones, decided completely by its fields.

    Subclasses are frozen dataclasses, one file each in `attacks/`.
    """

    plainly: ClassVar[str]  # what the attacker does, in plain words

    @abstractmethod
    def of(self, linked: Linked) -> LinkageResult:
        """Link every original record to the released ones."""
