"""Class rules: which classes break a requirement, and which do so however they are split.

A rule stands below its measure, in the same file of `models/`. `assess` loads these files for their measures and
computes in statements, without NumPy, whose import would add a tenth of a second (an eighth of its time on a small
table). So NumPy is imported in the methods that compute with it, here and in the rules, and arrays are named for type
checkers only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from sfumato.privacy.classes import Value
from sfumato.privacy.measure_interface import Measure, Safer, SensitiveMeasure
from sfumato.privacy.policy import Requirement

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a rule says of the classes at a node, and of every node below it.

    `hereditary` classes break the requirement and so does every part of them, whichever of their records it has. Of the
    others that break it, some part does so too: at least `fewest_members` of each will have to go, whichever these are.
    A member has at least one record, so that as many records go.
    """

    broken: Flags
    hereditary: Flags | None = None  # None: nobody can say
    fewest_members: Real | None = None  # by class; None: nobody can say
    all_hereditary: bool = False  # whether every class that breaks the requirement is known to be hereditary

    @classmethod
    def anti_monotone(cls, broken: Flags) -> Judgement:
        """Of a requirement that no part of a class can keep to where the class does not."""
        return cls(broken, broken, all_hereditary=True)


@dataclass(frozen=True, eq=False)
class ClassRule(ABC):
    """A measure and its bound, read off coded classes instead of tables.

    Readings must be those of the measure, which stays the authority: a release is always assessed by the measure. The
    subclasses need no decorator: all they are made of is the requirement.
    """

    measure: ClassVar[type[Measure]]  # whose rule it is
    last: ClassVar[int] = 0  # above 0 where it is about what the others keep: those with a lower number
    hereditary: ClassVar[bool] = False  # whether every part of a class breaks the requirement where the class does
    requirement: Requirement

    @abstractmethod
    def readings(self, classes: CodedClasses) -> Real:
        """What is read off each class; not a number where it has no reading."""

    def overall(self, classes: CodedClasses) -> float | None:
        """The reading of all classes together: that of the worst; None where no class has one.

        It is what `Measure.overall` reads off a table.
        """
        import numpy as np

        readings = self.readings(classes)[classes.records > 0]
        known = readings[~np.isnan(readings)]
        if not len(known):
            return None
        return float(known.min() if self.requirement.measure.safer is Safer.HIGHER else known.max())

    @abstractmethod
    def judge(self, classes: CodedClasses) -> Judgement:
        """Which classes break the requirement."""

    def judge_rest(self, classes: CodedClasses, suppressed: Flags, hereditary: Flags) -> Judgement:
        """The same when some classes are gone already, and some of these, and all their parts, for good."""
        return self.judge(classes)

    @property
    def least(self) -> int:
        """The fewest members that a class needs to be kept."""
        return 1

    @property
    def limit(self) -> float:
        """The bound as it is compared; only a requirement that has one is searched for."""
        assert self.requirement.limit is not None
        return self.requirement.limit

    def breaks(self, readings: Real) -> Flags:
        """Which readings break the bound."""
        beyond: Flags = (
            readings < self.limit if self.requirement.measure.safer is Safer.HIGHER else readings > self.limit
        )
        return beyond


class SizeRule(ClassRule):
    """A rule about how many members a class has; its parts have fewer still."""

    hereditary = True

    def judge(self, classes: CodedClasses) -> Judgement:
        return Judgement.anti_monotone(classes.members < self.least)


class WholeTableRule(ClassRule):
    """A rule about all classes that are kept together, so that it comes after the others (`judge_rest`).

    No class can be judged before it is known which others there are.
    """

    last = 1

    def judge(self, classes: CodedClasses) -> Judgement:
        import numpy as np

        nothing = np.zeros(classes.space, dtype=np.bool_)
        return self.judge_rest(classes, nothing, nothing)

    @abstractmethod
    def judge_rest(self, classes: CodedClasses, suppressed: Flags, hereditary: Flags) -> Judgement:
        """Which classes break the requirement, of those that are not gone."""


class CellRule(ClassRule):
    """A rule about the sensitive values of a class."""

    otherwise: ClassVar[float] = float("nan")  # what a class reads in which nobody has a value
    compares: ClassVar[bool] = True  # whether the values of a class are compared with those of everybody

    @property
    def value(self) -> Value:
        """The sensitive value that is read."""
        assert isinstance(self.requirement.measure, SensitiveMeasure)
        return self.requirement.measure.value

    @abstractmethod
    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        """What is read off each class that has cells."""

    def hereditary_classes(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Flags | None:
        """Which classes that have cells break the requirement in every part as well; None where nobody can say."""
        return None

    def fewest_members(self, readings: Real, cells: SensitiveCells, coded: CodedValue) -> Real:
        """How many members of each class that has cells and breaks the requirement must go at the least."""
        import numpy as np

        return np.ones(len(readings))

    def readings(self, classes: CodedClasses) -> Real:
        import numpy as np

        cells, _, readings = self._read(classes)
        every = np.full(classes.space, self.otherwise)
        every[cells.classes] = readings
        return every

    def judge(self, classes: CodedClasses) -> Judgement:
        import numpy as np

        cells, coded, readings = self._read(classes)
        breaks, hereditary = self.breaks(readings), self.hereditary_classes(cells, coded, classes)
        empty = bool(self.breaks(np.array([self.otherwise]))[0])  # where nobody has a value, nobody in any part has
        broken = np.full(classes.space, empty)
        broken[cells.classes] = breaks
        lost = np.full(classes.space, empty)
        lost[cells.classes] = False if hereditary is None else hereditary & breaks
        # A person of several records counts once in a class and once in each of its parts: the parts of a class may
        # then all keep to a bound that it breaks, and nobody needs to go.
        sure = self.requirement.measure.monotone and classes.table.persons is None and bool(breaks.any())
        return Judgement(broken, lost, self._fewest(readings, breaks, cells, classes) if sure else None)

    def _fewest(self, readings: Real, breaks: Flags, cells: SensitiveCells, classes: CodedClasses) -> Real:
        import numpy as np

        fewest, every = self.fewest_members(readings, cells, classes.table.values[self.value]), np.zeros(classes.space)
        # The slack is chosen, not measured: far above the error of these sums, and it can only lower the bound.
        every[cells.classes] = np.where(breaks, np.maximum(np.ceil(fewest - 1e-6), 1), 0)
        return every

    def _read(self, classes: CodedClasses) -> tuple[SensitiveCells, CodedValue, Real]:
        cells = classes.cells(self.value)
        coded = classes.coded(self.value) if self.compares else classes.table.values[self.value]
        return cells, coded, self.of_cells(cells, coded, classes)


class DiversityRule(CellRule):
    """A rule that needs l different values in a class, whatever else it asks: a part of a class has no others."""

    otherwise = 0.0
    compares = False

    @property
    def least(self) -> int:
        return max(ceil(self.limit), 1)

    def hereditary_classes(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Flags | None:
        return self.breaks(self.different(cells))

    @staticmethod
    def different(cells: SensitiveCells) -> Real:
        """How many different values a class has, and members who have one: the smaller of the two."""
        import numpy as np

        return np.minimum(cells.counts, cells.size)


class DistanceRule(CellRule):
    """A rule about a distance between a class and everybody.

    Taking away the share x of a class moves it by x of the longest distance at most, so that of a reading t above the
    bound at least the share (t - bound) / longest has to go.
    """

    def reach(self, coded: CodedValue) -> float:
        """The longest distance there is."""
        return 1.0

    def fewest_members(self, readings: Real, cells: SensitiveCells, coded: CodedValue) -> Real:
        return (readings - self.limit) / self.reach(coded) * cells.mass


def risks(classes: CodedClasses) -> Real:
    """The chance of picking the right record of each class."""
    import numpy as np

    return 1 / np.maximum(classes.members, 1)


def sums(numbers: Real, cells: SensitiveCells) -> Real:
    """Numbers of cells, added up by class."""
    import numpy as np

    return np.add.reduceat(numbers, cells.first) if len(cells.first) else numbers[:0]


def maxima(numbers: Real, cells: SensitiveCells) -> Real:
    """The largest number of the cells of each class."""
    import numpy as np

    return np.maximum.reduceat(numbers, cells.first) if len(cells.first) else numbers[:0]


def above_share(allowed: Real, cells: SensitiveCells) -> Real:
    """How many members of each class must go until no value has more than its allowed share of those who are left.

    Of n members out of `mass` that have a value, x must go until n - x is the share a of mass - x:
    x = (n - a mass) / (1 - a).
    """
    import numpy as np

    most = np.minimum(allowed[cells.value], 1 - 1e-12)  # where all may have a value, no division by 0
    excess = cells.n - most * np.repeat(cells.mass, cells.counts)
    return maxima(excess / (1 - most), cells)
