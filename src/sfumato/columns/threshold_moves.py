"""What becomes of columns as the thresholds of the risk rate move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from sfumato.columns.evidence.risk_rate import class_of
from sfumato.schema import Role
from sfumato.show.documents.identification import ThresholdMoveDocument


def threshold_moves(rates: Mapping[str, float], alpha: float, beta: float) -> Iterator[ThresholdMoveDocument]:
    """Every value of alpha, and then of beta, at which columns change their class while the other one stays.

    A column of the rate r is sensitive with alpha below r, and non-sensitive with beta above r: so only the rates
    themselves matter. The counts are those with the threshold at the value.

    >>> [(m.threshold, m.value, m.sensitive, m.quasi) for m in threshold_moves({"age": 0.2, "sex": 0.02}, 0.1, 0.01)]
    [('alpha', 0.2, 0, 2), ('alpha', 0.02, 1, 1), ('beta', 0.02, 1, 1)]
    """
    falling = sorted(rates, key=lambda name: -rates[name])
    for threshold in ("alpha", "beta"):
        for value, names in groupby(falling, key=rates.__getitem__):
            high, low = (value, beta) if threshold == "alpha" else (alpha, value)
            if low > high:
                continue
            classes = [class_of(rate, high, low) for rate in rates.values()]
            yield ThresholdMoveDocument(
                threshold=threshold, value=value, columns=list(names), sensitive=classes.count(Role.SENSITIVE),
                quasi=classes.count(Role.QUASI), non_sensitive=classes.count(Role.NON_SENSITIVE),
            )  # fmt: skip
