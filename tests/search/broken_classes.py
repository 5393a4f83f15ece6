"""Which classes break a requirement, from the definitions: their sensitive values, and those of everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import exp, log

TINY = 1e-9


def _entropy(values: Counter[str]) -> float:
    size = sum(values.values())
    return -sum(n / size * log(n / size) for n in values.values())


def _recursive(values: Counter[str], c: float) -> bool:
    counts = sorted(values.values(), reverse=True)
    return len(counts) < 2 or counts[0] / sum(counts[1:]) >= c - TINY


def _known(own: list[str | None]) -> Counter[str]:
    return Counter(secret for secret in own if secret is not None)


def _shares(own: list[str | None], whole: Counter[str]) -> dict[str, tuple[float, float]]:
    known, size, everybody = _known(own), len(own) - own.count(None), sum(whole.values())
    return {value: (known[value] / size, whole[value] / everybody) for value in whole} if size else {}


BREAKS: dict[str, Callable[[list[str | None], Counter[str], float], bool]] = {
    "k": lambda own, whole, k: len(own) < k,
    "distinct": lambda own, whole, few: len(_known(own)) < few,
    "entropy": lambda own, whole, few: not _known(own) or exp(_entropy(_known(own))) < few - TINY,
    "recursive": lambda own, whole, c: _recursive(_known(own), c),
    "t": lambda own, whole, t: sum(abs(q - p) for q, p in _shares(own, whole).values()) / 2 > t + TINY,
    "beta": lambda own, whole, b: any((q - p) / p > b + TINY for q, p in _shares(own, whole).values()),
    "delta": lambda own, whole, d: any(not q or abs(log(q / p)) >= d - TINY for q, p in _shares(own, whole).values()),
    "alpha": lambda own, whole, a: any(q > a + TINY for q, _ in _shares(own, whole).values()),
}
