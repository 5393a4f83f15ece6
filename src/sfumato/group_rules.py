"""Class rules: what must be true of a class of records, decided for many classes at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from sfumato.errors import PolicyError
from sfumato.partitioning import CountedTuples
from sfumato.policy import TOLERANCE, Policy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Real = NDArray[np.float64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ClassCells:
    """One sensitive attribute within classes: rows of class and value with their records, and shares of the whole."""

    owner: Whole  # the class
    n: Whole
    value: Whole
    whole: Real  # the share of each value in the whole table


@dataclass(frozen=True, eq=False)
class ClassCounts:
    """Classes as a rule sees them: how large they are and how their sensitive values are distributed."""

    sizes: Whole
    cells: dict[str, ClassCells]


class ClassRule(Protocol):
    """A condition on a class that a union of two classes meets where both meet it (monotone)."""

    @property
    def least(self) -> int:
        """No class with fewer records meets the rule."""

    def met(self, classes: ClassCounts) -> Flags:
        """Which classes meet the rule."""


@dataclass(frozen=True)
class AtLeast:
    """k-anonymity: so many records."""

    k: int

    @property
    def least(self) -> int:
        return self.k

    def met(self, classes: ClassCounts) -> Flags:
        return classes.sizes >= self.k


@dataclass(frozen=True)
class DistinctValues:
    """Distinct l-diversity: so many different values."""

    sensitive: str
    l: int  # noqa: E741

    @property
    def least(self) -> int:
        return self.l

    def met(self, classes: ClassCounts) -> Flags:
        import numpy as np

        found: Flags = np.bincount(classes.cells[self.sensitive].owner, minlength=len(classes.sizes)) >= self.l
        return found


@dataclass(frozen=True)
class EvenValues:
    """Entropy l-diversity: an entropy of ln(l) at least."""

    sensitive: str
    l: float  # noqa: E741

    @property
    def least(self) -> int:
        from math import ceil

        return ceil(self.l * (1 - TOLERANCE))

    def met(self, classes: ClassCounts) -> Flags:
        r"""Entropy as :math:`\ln N - \frac1N \sum_s n_s \ln n_s`; a class without any value has none."""
        import numpy as np

        cells, count = classes.cells[self.sensitive], len(classes.sizes)
        known = np.bincount(cells.owner, weights=cells.n, minlength=count)
        spread = np.bincount(cells.owner, weights=cells.n * np.log(cells.n), minlength=count)
        entropy = np.log(np.maximum(known, 1)) - spread / np.maximum(known, 1)
        found: Flags = (known > 0) & (np.exp(entropy) >= self.l * (1 - TOLERANCE))
        return found


@dataclass(frozen=True)
class CloseValues:
    """t-closeness by equal distance: a total variation from the whole table of t at most."""

    sensitive: str
    t: float

    @property
    def least(self) -> int:
        return 1

    def met(self, classes: ClassCounts) -> Flags:
        import numpy as np

        cells, count = classes.cells[self.sensitive], len(classes.sizes)
        known = np.bincount(cells.owner, weights=cells.n, minlength=count)
        above = np.maximum(cells.n / known[cells.owner] - cells.whole[cells.value], 0.0)
        distance = np.bincount(cells.owner, weights=above, minlength=count)
        found: Flags = distance <= self.t + TOLERANCE * max(self.t, 0.001)
        return found


@dataclass(frozen=True)
class ClassPolicy:
    """Rules that every class must meet."""

    rules: tuple[ClassRule, ...]

    @cached_property
    def least(self) -> int:
        """No class with fewer records meets the policy."""
        return max((rule.least for rule in self.rules), default=1)

    @cached_property
    def by_size(self) -> bool:
        """Whether the size of a class decides alone."""
        return all(isinstance(rule, AtLeast) for rule in self.rules)

    def met(self, tuples: CountedTuples, places: Whole, groups: Whole, count: int) -> Flags:
        """Which of the groups 0, 1, ... meet the policy, where the tuples at these places are in these groups."""
        import numpy as np

        sizes = np.bincount(groups, weights=tuples.counts[places], minlength=count).astype(np.int64)
        met: Flags = sizes >= self.least
        if self.by_size:
            return met
        classes = ClassCounts(sizes, class_cells(tuples, places, groups, count))
        for rule in self.rules:
            met &= rule.met(classes)
        return met


def class_policy(policy: Policy) -> ClassPolicy:
    """The rules of a policy, for the models that partitioning knows.

    >>> from sfumato.privacy.k_anonymity import KAnonymity
    >>> from sfumato.policy import Requirement
    >>> class_policy(Policy((Requirement(KAnonymity(), 5),)))
    ClassPolicy(rules=(AtLeast(k=5),))
    """
    from math import ceil

    rules: list[ClassRule] = []
    for requirement in policy.requirements:
        name, bound = requirement.measure.name(), requirement.bound
        sensitive = str(getattr(requirement.measure, "sensitive", ""))
        if bound is None:
            continue
        if getattr(requirement.measure, "bins", ()) or getattr(requirement.measure, "count_missing", False):
            raise PolicyError(
                f"Partitioning reads {name} from the values as they are: without bins or counted missing."
            )
        if name == "k_anonymity":
            rules.append(AtLeast(ceil(bound)))
        elif name == "distinct_l_diversity":
            rules.append(DistinctValues(sensitive, ceil(bound)))
        elif name == "entropy_l_diversity":
            rules.append(EvenValues(sensitive, bound))
        elif name == "t_closeness":
            rules.append(CloseValues(sensitive, bound))
        else:
            raise PolicyError(f"Partitioning cannot keep to {name}. It knows k, distinct and entropy l, and t.")
    return ClassPolicy(tuple(rules))


def class_cells(tuples: CountedTuples, places: Whole, groups: Whole, count: int) -> dict[str, ClassCells]:
    """The sensitive values of groups of tuples."""
    import numpy as np

    found = {}
    for cells in tuples.sensitive:
        starts = np.searchsorted(cells.place, places)
        lengths = np.searchsorted(cells.place, places, side="right") - starts
        rows = spread(starts, lengths)
        keys = np.repeat(groups, lengths) * max(cells.values, 1) + cells.value[rows]
        different, back = np.unique(keys, return_inverse=True)
        n = np.bincount(back, weights=cells.n[rows], minlength=len(different)).astype(np.int64)
        whole = np.bincount(cells.value, weights=cells.n, minlength=cells.values) / max(int(cells.n.sum()), 1)
        base = max(cells.values, 1)
        found[cells.name] = ClassCells(different // base, n, different % base, whole)
    return found


def spread(starts: Whole, lengths: Whole) -> Whole:
    """The numbers of runs, one after the other.

    >>> import numpy as np
    >>> spread(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    import numpy as np

    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    found: Whole = np.arange(total) - np.repeat(ends - lengths, lengths) + np.repeat(starts, lengths)
    return found


def at_least(k: int, *others: ClassRule) -> ClassPolicy:
    """The policy of k-anonymity, and further rules."""
    return ClassPolicy((AtLeast(k), *others))


def refuse_unknown(policy: ClassPolicy, tuples: CountedTuples) -> None:
    """Refuse a rule about a sensitive attribute that was not counted."""
    known: Sequence[str] = [cells.name for cells in tuples.sensitive]
    for rule in policy.rules:
        name = getattr(rule, "sensitive", None)
        if name is not None and name not in known:
            raise PolicyError(f"The sensitive values of the column {name!r} were not counted.")
