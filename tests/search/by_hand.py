"""Every node of a small lattice, scored with dictionaries: slow, and nothing of the search is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import exp, inf, log, log1p, log2, prod

from tests.search.worlds import TINY, Node, Row, View, World

from sfumato.hierarchies.hierarchy import Hierarchy


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


def release(world: World, node: Node, policy: list[tuple[str, float]]) -> Release:
    """What is kept at a node: first those go whom nothing could keep, and then all whose classes break the policy."""
    columns, alive = tuple(range(len(world.hierarchies))), set(range(len(world.rows)))
    plain = [(name, bound) for name, bound in policy if name not in ("average risk", "least presence")]
    average = [bound for name, bound in policy if name == "average risk"]
    least = [(name, bound) for name, bound in policy if name == "least presence"]

    def bad(view: View) -> set[Row]:
        keys = {key for name, bound in plain for key in view.broken(name, bound)}
        for bound in average:
            keys |= view.risky(bound, keys)
        emptied = keys and world.everybody and any(bound > 0 for _, bound in least)
        return set(view.classes) if emptied else keys | {key for rule in least for key in view.broken(*rule)}

    def hopeless(view: View) -> set[Row]:
        keys = {key for rule in plain for key in view.doomed(*rule)}
        emptied = keys and world.everybody and any(bound > 0 for _, bound in least)
        return set(view.classes) if emptied else keys | {key for rule in least for key in view.doomed(*rule)}

    for gone in (hopeless, bad):
        while True:
            views = [world.view(node, scenario, alive) for scenario in world.scenarios or [columns]]
            lost = {i for view in views for key in gone(view) for i in view.classes[key].records}
            if not lost:
                break
            alive -= lost
    kept = world.view(node, columns, alive).classes.values()
    return Release(world.rows, world.hierarchies, node, [group.records for group in kept],
                   sorted(set(range(len(world.rows))) - alive))  # fmt: skip


def loss(release: Release, gs: float = 0.5) -> list[float]:
    g, f = factors(gs)
    scores = []
    for j in range(release.m):
        d, n = release.domain(j), release.n
        total = sum(g * release.leaves(i, j) / d for own in release.kept for i in own)
        total += sum(s + f * (1 - s) for s in (release.leaves(i, j) / d for i in release.gone))
        scores.append((total - g * n / d) / (n - g * n / d) if n - g * n / d > TINY else 0.0)
    return scores


def nue(release: Release, gs: float = 0.5, *, both: bool = True) -> list[float]:
    g, f = factors(gs)
    scores = []
    for j in range(release.m):
        values, labels = Counter(row[j] for row in release.rows), Counter(release.label(i, j) for i in range(release.n))
        lost = -sum(log2(values[release.rows[i][j]] / labels[release.label(i, j)]) for i in range(release.n))
        gone = Counter(release.label(i, j) for i in release.gone)
        again = -sum(s * log2(s / len(release.gone)) for s in gone.values())
        scores.append(g * lost + f * again * both)
    return scores


def nue_shares(release: Release) -> list[float]:
    bits = [
        -sum(n * log2(n / release.n) for n in Counter(row[j] for row in release.rows).values())
        for j in range(release.m)
    ]
    return [x / b if b else 0.0 for x, b in zip(nue(release), bits, strict=True)]


def precision(release: Release, gs: float = 0.5) -> list[float]:
    g, f = factors(gs)
    n, s = release.n, len(release.gone)
    heights = [max(h.height, 1) for h in release.hierarchies]
    return [((n - s) * level / height * g + s * f) / n for level, height in zip(release.node, heights, strict=True)]


def class_size(release: Release, gs: float = 0.5) -> float:
    g, f = factors(gs)
    parts = f * len(release.kept) + g * bool(release.gone)
    return release.n / parts if parts else inf


def discernibility(release: Release) -> float:
    return sum(len(own) ** 2 for own in release.kept) + release.n * len(release.gone)


def discernibility_star(release: Release) -> float:
    return sum(Counter(tuple(release.label(i, j) for j in range(release.m)) for i in range(release.n))[key] ** 2
               for key in {tuple(release.label(i, j) for j in range(release.m)) for i in range(release.n)})  # fmt: skip


def _volume(release: Release, i: int) -> int:
    return prod(release.leaves(i, j) for j in range(release.m))


def ambiguity(release: Release) -> float:
    everything = prod(release.domain(j) for j in range(release.m))
    return sum(_volume(release, i) for own in release.kept for i in own) + len(release.gone) * everything


def divergence(release: Release, *, arx: bool = False) -> float:
    n, alike = release.n, Counter(release.rows)
    everything = prod(release.domain(j) for j in range(release.m))
    q = {i: len(own) / n / _volume(release, i) for own in release.kept for i in own}
    q |= {i: len(release.gone) / n / everything for i in release.gone}
    each = [(alike[release.rows[i]] / n, q[i], 1 if arx else alike[release.rows[i]]) for i in range(n)]
    return max(sum(p / times * log2(p / share) for p, share, times in each), 0.0)


def entropy_loss(release: Release, gs: float = 0.5) -> float:
    g, f = factors(gs)
    bits = log(prod(release.domain(j) for j in range(release.m)))
    kept = sum(log(_volume(release, i)) / bits if bits else 0.0 for own in release.kept for i in own)
    return g * kept + f * len(release.gone)


def factors(gs: float) -> tuple[float, float]:
    return (1.0 if gs <= 0.5 else 1 - 2 * (gs - 0.5)), (2 * gs if gs < 0.5 else 1.0)


def aggregated(scores: list[float], how: str, weights: list[float]) -> float:
    numbers = [w / max(weights) * x for w, x in zip(weights, scores, strict=True)]
    if how == "geometric":
        return exp(sum(log1p(x) for x in numbers) / len(numbers)) - 1
    return max(numbers) if how == "maximum" else sum(numbers) / (len(numbers) if how == "arithmetic" else 1)


def best(world: World, policy: list[tuple[str, float]], limit: float,
         score: Callable[[Release], float]) -> tuple[float, Node] | None:  # fmt: skip
    """The least score and its node; the fewest levels and then the first column decide between equals."""
    scored = []
    for node in product(*(range(h.height + 1) for h in world.hierarchies)):
        there = release(world, node, policy)
        if len(there.gone) <= int(limit * len(world.rows) + 1e-9):
            scored.append((score(there), node))
    if not scored:
        return None
    least = min(number for number, _ in scored)
    equal = [node for number, node in scored if abs(number - least) <= 1e-11 * max(1.0, abs(least))]
    return least, min(equal, key=lambda node: (sum(node), node))
