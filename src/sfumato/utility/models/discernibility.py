"""Discernibility: how many others each record cannot be told from."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.utility.comparison_interface import Figure, Found, ShapeComparison
from sfumato.utility.paired.class_shapes import Shapes


@dataclass(frozen=True)
class Discernibility(ShapeComparison):
    r"""The number of pairs of records that cannot be told apart; a suppressed record cannot be told from any.

    .. math:: DM = \sum_E |E|^2 + S \cdot N

    References
    ----------
    Bayardo & Agrawal (2005). Data privacy through optimal k-anonymization. ICDE 2005, 217-228 (section 2.1).

    Examples
    --------
    Classes of one, two and three:

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> Discernibility().of(recoded_ages("full-domain")).total.value
    14.0
    """

    bounds = "the number of records to its square"
    plainly = "how many pairs of records cannot be told apart"

    def of_shapes(self, shapes: Shapes) -> Found:
        n = shapes.records
        found = sum(shape.classes * shape.size**2 for shape in shapes.released) + shapes.suppressed * n
        before = sum(classes * size**2 for size, classes in shapes.original)
        return Figure(float(found), float(before), float(n * n))
