"""Average class size: how many records look alike."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.utility.comparison_interface import Figure, Found, ShapeComparison
from sfumato.utility.paired.class_shapes import Shapes


@dataclass(frozen=True)
class AverageClassSize(ShapeComparison):
    r"""Records per class of the release, suppressed records left out.

    .. math:: C_{avg} = \frac{N - S}{|\text{classes}|}

    References
    ----------
    LeFevre, DeWitt & Ramakrishnan (2006). Mondrian multidimensional k-anonymity. ICDE 2006 (section 2.3), there
    divided by k.

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> AverageClassSize().of(recoded_ages("full-domain")).total.value
    2.0
    """

    bounds = "1 to the number of records"
    plainly = "how many records look alike, on average"

    def of_shapes(self, shapes: Shapes) -> Found:
        if not shapes.classes:
            return Figure(float(shapes.records), self._before(shapes), float(shapes.records))
        kept = shapes.records - shapes.suppressed
        return Figure(kept / shapes.classes, self._before(shapes), float(shapes.records))

    def _before(self, shapes: Shapes) -> float:
        return shapes.records / sum(classes for _, classes in shapes.original)
