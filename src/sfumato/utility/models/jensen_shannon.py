"""Jensen-Shannon divergence: how well one could tell the values before from those after."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import CellModel, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class JensenShannon(CellModel):
    r"""The divergence of the shares before and after from their average, in bits.

    .. math:: JSD = \tfrac12 \sum_v p \log_2 \frac{2p}{p + q} + \tfrac12 \sum_v q \log_2 \frac{2q}{p + q}

    p is the share of a value in the original and q what a reader of the release must take it for: a label is spread
    evenly over the values that it stands for; what is suppressed is a value of its own.

    References
    ----------
    Lin (1991). Divergence measures based on the Shannon entropy.
    IEEE Transactions on Information Theory 37(1), 145-151.

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> round(JensenShannon().of(recoded_ages("local")).total.value, 4)
    0.2621
    """

    shares = True
    bounds = "0 to 1 bit"
    plainly = "how well one could tell the distribution of the values before from that after"

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        return Sums(_divergence("q"), removed=_divergence("u"))


def _divergence(other: str) -> str:
    parts = (f"CASE WHEN {a} > 0 THEN {a} * log2(2 * {a} / (p + {other})) ELSE 0 END" for a in ("p", other))
    return f"{total(' + '.join(parts))} / 2"
