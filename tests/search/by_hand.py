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
        found = {key for name, bound in plain for key in view.broken(name, bound)}
        for bound in average:
            found |= view.risky(bound, found)
        emptied = found and world.everybody and any(bound > 0 for _, bound in least)
        return set(view.classes) if emptied else found | {key for rule in least for key in view.broken(*rule)}

    def hopeless(view: View) -> set[Row]:
        found = {key for rule in plain for key in view.doomed(*rule)}
        emptied = found and world.everybody and any(bound > 0 for _, bound in least)
        return set(view.classes) if emptied else found | {key for rule in least for key in view.doomed(*rule)}

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


def best(world: World, policy: list[tuple[str, float]], limit: float,
         score: Callable[[Release], float]) -> tuple[float, Node] | None:  # fmt: skip
    """The least score and its node; the fewest levels and then the first column decide between equals."""
    scored = []
    for node in product(*(range(h.height + 1) for h in world.hierarchies)):
        found = release(world, node, policy)
        if len(found.gone) <= int(limit * len(world.rows) + 1e-9):
            scored.append((score(found), node))
    if not scored:
        return None
    least = min(number for number, _ in scored)
    equal = [node for number, node in scored if abs(number - least) <= 1e-11 * max(1.0, abs(least))]
    return least, min(equal, key=lambda node: (sum(node), node))
