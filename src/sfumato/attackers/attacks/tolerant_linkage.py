"""Tolerant linkage: equal, or within the known reach of the noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sfumato.attackers.matching.coded_tuples import Tuples
from sfumato.attackers.matching.linkage_interface import Linkage, LinkageResult
from sfumato.attackers.matching.linked_records import MOMENTS, Linked
from sfumato.attackers.matching.nearest_tuples import nearest
from sfumato.attackers.matching.tuple_distance import tolerant
from sfumato.errors import PolicyError, UnknownColumn, WrongScale
from sfumato.tables.engine import Kind

DAY = 86_400_000_000  # microseconds


@dataclass(frozen=True)
class TolerantLinkage(Linkage):
    r"""Names the released records that are equal, where numbers and dates may be apart by a tolerance.

    .. math:: C(x) = \{ y \in Y : |x_k - y_k| \le t_k \text{ (without a tolerance, } y_k = x_k) \text{ for every } k \}

    Who knows how far the noise reaches rules out nobody wrongly: the own record is always among those named, and the
    question is how many others are. Tolerances are in the unit of the column, of dates in days. A recoded column has
    none: its labels are equal or not. Without tolerances it is exact linkage.

    References
    ----------
    Torra, Domingo-Ferrer (2003). Record linkage methods for multidatabase data mining.
    In Information Fusion in Data Mining, 101-132.

    Examples
    --------
    Ages moved by at most three years. Of the two women about twenty either may be meant.

    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> pairs = DuckDB().query('''
    ...     SELECT * FROM (VALUES (20, 'f', 23, 'f', TRUE), (22, 'f', 21, 'f', TRUE), (60, 'f', 61, 'f', TRUE))
    ...     AS pair(o1, o2, r1, r2, kept)''')
    >>> found = TolerantLinkage({"age": 3}).of(Linked.of(pairs, ["age", "sex"]))
    >>> round(found.true_match_rate, 4), found.found_rate, found.linkable
    (0.6667, 1.0, 1)
    """

    within: Mapping[str, float] = field(default_factory=dict)

    plainly = "looks for released records that are equal, or as near as the noise can have moved them"

    def __post_init__(self) -> None:
        for name, tolerance in self.within.items():
            if not tolerance >= 0:
                raise PolicyError(f"{self.name()}: the tolerance of column {name!r} must be a number from 0 on.")

    def of(self, linked: Linked) -> LinkageResult:
        tolerances = self._tolerances(linked)
        tuples = Tuples.of(linked)
        space = tolerant(tuples.columns, tolerances)
        found = nearest(space, len(tuples.originals), tuples.releases, farthest=0.0)
        return tuples.result(self.name(), found.cost, found.records, tuples.own(space.cost))

    def _tolerances(self, linked: Linked) -> list[float | None]:
        kinds = dict(zip(linked.names, linked.kinds, strict=True))
        for name in self.within:
            if name not in kinds:
                raise UnknownColumn(name, kinds)
            if not (kinds[name].numeric or kinds[name] in MOMENTS or name in linked.recoded):
                raise WrongScale(f"Column {name!r} is compared as {kinds[name].value}, which can have no tolerance.")
        units = {name: DAY if kind is Kind.TIMESTAMP else 1 for name, kind in kinds.items()}
        return [self.within[name] * units[name] if name in self.within else None for name in linked.names]
