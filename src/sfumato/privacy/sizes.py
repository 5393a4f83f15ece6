"""Sizes: how many people stand alone, in twos, in threes, and so on."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.show.documents.assessment import LadderStepDocument, SizesDocument, SmallClassesDocument
from sfumato.tables.engine import total

# Cell-size precedents: the smallest class that a guideline accepts, and the risk it stands for.
LADDER = {3: 0.33, 5: 0.2, 11: 0.09, 20: 0.05}


@dataclass(frozen=True)
class Sizes:
    """How many classes there are of each size, and how many records they hold.

    >>> sizes = Sizes(((1, 2, 2), (4, 1, 4)))
    >>> sizes.count, sizes.smallest, sizes.singletons, sizes.average, sizes.records_below(3)
    (3, 1, 2, 2.0, 2)
    """

    histogram: tuple[tuple[int, int, int], ...]  # size, classes, records; smallest size first
    overlapping: int | None = None  # members counted once, where classes overlap
    risk: float | None = None  # the average of everybody's risk, where classes overlap

    @classmethod
    def of(cls, classes: EquivalenceClasses) -> Sizes:
        """Count the classes of each size."""
        table = classes.counted
        rows = table.engine.fetch(f"SELECT size, count(*), sum(records) FROM {table} GROUP BY size")
        # Sorted here: where classes are too many to leave Spark, to sort few rows takes two more jobs.
        histogram = tuple(sorted((int(size), int(number), int(records)) for size, number, records in rows))
        if classes.overlap is None:
            return cls(histogram)
        members, risk = table.engine.fetch(f"""
            SELECT sum(own), {total("CAST(own AS DOUBLE) / size")} / sum(own) FROM {table}""")[0]
        return cls(histogram, int(members), float(risk))

    @property
    def count(self) -> int:
        """The number of classes."""
        return sum(number for _, number, _ in self.histogram)

    @property
    def smallest(self) -> int:
        """The size of the smallest class: k."""
        return self.histogram[0][0]

    @property
    def largest(self) -> int:
        """The size of the largest class."""
        return self.histogram[-1][0]

    @property
    def singletons(self) -> int:
        """The number of classes with one member."""
        return sum(number for size, number, _ in self.histogram if size == 1)

    @property
    def average(self) -> float:
        """Members per class."""
        members = sum(size * number for size, number, _ in self.histogram)
        return (members if self.overlapping is None else self.overlapping) / self.count

    @property
    def average_risk(self) -> float:
        """The chance of finding somebody picked at random."""
        return 1 / self.average if self.risk is None else self.risk

    @property
    def records(self) -> int:
        """Rows in all classes together."""
        return sum(records for _, _, records in self.histogram)

    def quantile(self, share: float) -> int:
        """The smallest size that at least this share of the classes does not exceed."""
        classes = 0
        for size, number, _ in self.histogram:
            classes += number
            if classes >= share * self.count:
                return size
        return self.largest

    def records_below(self, size: int) -> int:
        """Rows in classes smaller than this."""
        return sum(records for each, _, records in self.histogram if each < size)

    def classes_below(self, size: int) -> int:
        """Classes smaller than this."""
        return sum(number for each, number, _ in self.histogram if each < size)

    def content(self) -> SizesDocument:
        """The sizes as plain values."""
        return SizesDocument(
            count=self.count,
            smallest=self.smallest,
            largest=self.largest,
            average=self.average,
            median=self.quantile(0.5),
            fifth_percentile=self.quantile(0.05),
            singletons=self.singletons,
            small=[
                SmallClassesDocument(size=size, classes=number, records=records, risk=1 / size)
                for size, number, records in self.histogram
                if size <= 3
            ],
            ladder=[
                LadderStepDocument(
                    below=size,
                    risk=risk,
                    classes=self.classes_below(size),
                    records=self.records_below(size),
                    share=self.records_below(size) / self.records,
                )
                for size, risk in LADDER.items()
            ],
            maximum_risk=1 / self.smallest,
            average_risk=self.average_risk,
        )
