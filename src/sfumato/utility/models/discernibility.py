"""Discernibility: how many others each record cannot be told from."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.utility.model_interface import ClassSizeModel, Figure, Outcome
from sfumato.utility.paired.class_sizes import ClassSizes


@dataclass(frozen=True)
class Discernibility(ClassSizeModel):
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

    def of_class_sizes(self, sizes: ClassSizes) -> Outcome:
        n = sizes.records
        after = sum(alike.classes * alike.size**2 for alike in sizes.released) + sizes.suppressed * n
        before = sum(classes * size**2 for size, classes in sizes.original)
        return Figure(float(after), float(before), float(n * n))
