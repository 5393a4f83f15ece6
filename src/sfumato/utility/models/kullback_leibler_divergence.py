"""Kullback-Leibler divergence: how surprising the original is to somebody who knows the release."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sfumato.utility.model_interface import ClassSizeModel, Figure, Needs, Outcome
from sfumato.utility.paired.class_sizes import ClassSizes


@dataclass(frozen=True)
class KullbackLeiblerDivergence(ClassSizeModel):
    r"""The divergence of the records from what the release says of them, in bits per record.

    .. math:: D(p \| q) = \sum_t p(t) \log_2 \frac{p(t)}{q(t)}, \quad
        p(t) = \frac{|t|}{N}, \quad q(t) = \frac{|E_t|}{N \prod_j |leaves_j(E_t)|}

    over the combinations of values t that occur: `|t|` records have them, and :math:`E_t` is their class, whose records
    are spread evenly over the combinations that it stands for. Suppressed records are one class over the
    whole domain. With it, the sum over records is
    :math:`\frac1N \sum_x \log_2 |t_x| - \frac1N \sum_x \log_2 (|E_x| / \prod_j |leaves_j|)`. Where classes overlap
    (local recoding) each record is looked for in its own class only, so the divergence is an upper bound there.

    References
    ----------
    Kifer & Gehrke (2006). Injecting utility into anonymized datasets. SIGMOD 2006, 217-228 (section 3).

    Examples
    --------
    The ages 40 and 55 are one record each, as an even spread has them: nothing is lost.

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> KullbackLeiblerDivergence().of(recoded_ages("full-domain")).total.value
    0.0
    """

    bounds = "0 upwards, in bits per record"
    plainly = "how surprising the original is to somebody who knows the release, in bits per record"
    applies_to = "generalisation, local recoding and suppression"
    needs = Needs.GENERALISED

    def of_class_sizes(self, sizes: ClassSizes) -> Outcome:
        n = sizes.records
        tuples = math.fsum(c * size * math.log2(size) for size, c in sizes.original) / n
        kept = math.fsum(s.classes * s.size * (math.log2(s.size) - s.bits) for s in sizes.released) / n
        gone = sizes.suppressed * (math.log2(sizes.suppressed) - sizes.domain_bits) / n if sizes.suppressed else 0.0
        removed = tuples - (math.log2(n) - sizes.domain_bits)
        return Figure(max(0.0, tuples - kept - gone), 0.0, max(0.0, removed))
