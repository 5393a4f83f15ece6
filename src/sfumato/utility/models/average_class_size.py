"""Average class size: how many records look alike."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.utility.model_interface import ClassSizeModel, Figure, Outcome
from sfumato.utility.paired.class_sizes import ClassSizes


@dataclass(frozen=True)
class AverageClassSize(ClassSizeModel):
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

    def of_class_sizes(self, sizes: ClassSizes) -> Outcome:
        if not sizes.classes:
            return Figure(float(sizes.records), self._before(sizes), float(sizes.records))
        kept = sizes.records - sizes.suppressed
        return Figure(kept / sizes.classes, self._before(sizes), float(sizes.records))

    def _before(self, sizes: ClassSizes) -> float:
        return sizes.records / sum(classes for _, classes in sizes.original)
