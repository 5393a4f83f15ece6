"""Ambiguity: how many combinations of values a record could have had."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sfumato.utility.model_interface import ClassSizeModel, Figure, Needs, NotApplicable, Outcome
from sfumato.utility.paired.class_sizes import ClassSizes


@dataclass(frozen=True)
class Ambiguity(ClassSizeModel):
    r"""The combinations of original values that each released record could stand for, added up.

    .. math:: AM = \sum_x \prod_j |leaves_j(x)|

    A record that was not changed stands for one combination, a suppressed one for all that the domains allow.

    References
    ----------
    Nergiz & Clifton (2007). Thoughts on k-anonymization. Data & Knowledge Engineering 63(3), 622-645.

    Examples
    --------
    The ages 40 and 55 could be either; the others are sure:

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> Ambiguity().of(recoded_ages("full-domain")).total.value
    8.0
    """

    bounds = "the number of records to that times all combinations of values"
    plainly = "how many combinations of values the records could stand for, added up"
    applies_to = "generalisation, local recoding and suppression"
    needs = Needs.GENERALISED

    def of_class_sizes(self, sizes: ClassSizes) -> Outcome:
        if not math.isfinite(sizes.domain):
            return NotApplicable("there are more combinations of values than a number can hold")
        n = float(sizes.records)
        kept = math.fsum(alike.classes * alike.size * alike.volume for alike in sizes.released)
        return Figure(kept + sizes.suppressed * sizes.domain, n, n * sizes.domain)
