"""Every node of a small lattice, scored with dictionaries: slow, and nothing of the search is in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import exp, inf, log, log1p, log2, prod

from sfumato.hierarchy import Hierarchy

Row = tuple[str | None, ...]
Node = tuple[int, ...]
TINY = 1e-9


@dataclass
class Release:
    """A node: the classes that are kept and the records of those that are not, each with its original."""

    rows: list[Row]
    hierarchies: list[Hierarchy]
    node: Node
    kept: list[list[int]]
    gone: list[int]

    @property
    def n(self) -> int:
        return len(self.rows)

    def label(self, i: int, j: int) -> str | None:
        return self.hierarchies[j].label(self.rows[i][j], self.node[j])

    def leaves(self, i: int, j: int) -> int:
        return max(sum(line[self.node[j]] == self.label(i, j) for line in self.hierarchies[j].lines), 1)

    def domain(self, j: int) -> int:
        return len(self.hierarchies[j].lines)

    @property
    def m(self) -> int:
        return len(self.hierarchies)


def release(rows: list[Row], secrets: list[str | None], hierarchies: list[Hierarchy], node: Node,
            policy: list[tuple[str, float]]) -> Release:  # fmt: skip
    classes: dict[Row, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        classes[tuple(h.label(value, level) for h, value, level in zip(hierarchies, row, node, strict=True))].append(i)
    whole = Counter(secret for secret in secrets if secret is not None)
    bad = [
        any(BREAKS[name]([secrets[i] for i in own], whole, bound) for name, bound in policy) for own in classes.values()
    ]
    kept = [own for own, broken in zip(classes.values(), bad, strict=True) if not broken]
    gone = [i for own, broken in zip(classes.values(), bad, strict=True) if broken for i in own]
    return Release(rows, hierarchies, node, kept, gone)


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


def loss(found: Release, gs: float = 0.5) -> list[float]:
    g, f = factors(gs)
    scores = []
    for j in range(found.m):
        d, n = found.domain(j), found.n
        total = sum(g * found.leaves(i, j) / d for own in found.kept for i in own)
        total += sum(s + f * (1 - s) for s in (found.leaves(i, j) / d for i in found.gone))
        scores.append((total - g * n / d) / (n - g * n / d) if n - g * n / d > TINY else 0.0)
    return scores


def nue(found: Release, gs: float = 0.5, *, both: bool = True) -> list[float]:
    g, f = factors(gs)
    scores = []
    for j in range(found.m):
        values, labels = Counter(row[j] for row in found.rows), Counter(found.label(i, j) for i in range(found.n))
        lost = -sum(log2(values[found.rows[i][j]] / labels[found.label(i, j)]) for i in range(found.n))
        gone = Counter(found.label(i, j) for i in found.gone)
        again = -sum(s * log2(s / len(found.gone)) for s in gone.values())
        scores.append(g * lost + f * again * both)
    return scores


def nue_shares(found: Release) -> list[float]:
    bits = [-sum(n * log2(n / found.n) for n in Counter(row[j] for row in found.rows).values()) for j in range(found.m)]
    return [x / b if b else 0.0 for x, b in zip(nue(found), bits, strict=True)]


def precision(found: Release, gs: float = 0.5) -> list[float]:
    g, f = factors(gs)
    n, s = found.n, len(found.gone)
    heights = [max(h.height, 1) for h in found.hierarchies]
    return [((n - s) * level / height * g + s * f) / n for level, height in zip(found.node, heights, strict=True)]


def class_size(found: Release, gs: float = 0.5) -> float:
    g, f = factors(gs)
    parts = f * len(found.kept) + g * bool(found.gone)
    return found.n / parts if parts else inf


def discernibility(found: Release) -> float:
    return sum(len(own) ** 2 for own in found.kept) + found.n * len(found.gone)


def discernibility_star(found: Release) -> float:
    return sum(Counter(tuple(found.label(i, j) for j in range(found.m)) for i in range(found.n))[key] ** 2
               for key in {tuple(found.label(i, j) for j in range(found.m)) for i in range(found.n)})  # fmt: skip


def _volume(found: Release, i: int) -> int:
    return prod(found.leaves(i, j) for j in range(found.m))


def ambiguity(found: Release) -> float:
    everything = prod(found.domain(j) for j in range(found.m))
    return sum(_volume(found, i) for own in found.kept for i in own) + len(found.gone) * everything


def divergence(found: Release, *, arx: bool = False) -> float:
    n, alike = found.n, Counter(found.rows)
    everything = prod(found.domain(j) for j in range(found.m))
    q = {i: len(own) / n / _volume(found, i) for own in found.kept for i in own}
    q |= {i: len(found.gone) / n / everything for i in found.gone}
    each = [(alike[found.rows[i]] / n, q[i], 1 if arx else alike[found.rows[i]]) for i in range(n)]
    return max(sum(p / times * log2(p / share) for p, share, times in each), 0.0)


def entropy_loss(found: Release, gs: float = 0.5) -> float:
    g, f = factors(gs)
    bits = log(prod(found.domain(j) for j in range(found.m)))
    kept = sum(log(_volume(found, i)) / bits if bits else 0.0 for own in found.kept for i in own)
    return g * kept + f * len(found.gone)


def factors(gs: float) -> tuple[float, float]:
    return (1.0 if gs <= 0.5 else 1 - 2 * (gs - 0.5)), (2 * gs if gs < 0.5 else 1.0)


def aggregated(scores: list[float], how: str, weights: list[float]) -> float:
    numbers = [w / max(weights) * x for w, x in zip(weights, scores, strict=True)]
    if how == "geometric":
        return exp(sum(log1p(x) for x in numbers) / len(numbers)) - 1
    return max(numbers) if how == "maximum" else sum(numbers) / (len(numbers) if how == "arithmetic" else 1)


def best(rows: list[Row], secrets: list[str | None], hierarchies: list[Hierarchy], policy: list[tuple[str, float]],
         limit: float, score: Callable[[Release], float]) -> tuple[float, Node] | None:  # fmt: skip
    """The least score and its node; the fewest levels and then the first column decide between equals."""
    scored = []
    for node in product(*(range(h.height + 1) for h in hierarchies)):
        found = release(rows, secrets, hierarchies, node, policy)
        if len(found.gone) <= int(limit * len(rows) + 1e-9):
            scored.append((score(found), node))
    if not scored:
        return None
    least = min(number for number, _ in scored)
    equal = [node for number, node in scored if abs(number - least) <= 1e-11 * max(1.0, abs(least))]
    return least, min(equal, key=lambda node: (sum(node), node))
