"""Attackers: the risk as three people see it who would like to know who a record is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum

from sfumato.attackers.population.model_interface import Population, sample_size
from sfumato.attackers.population.paired_sizes import PairedSizes
from sfumato.privacy.sizes import LADDER, Sizes
from sfumato.show.documents.exposure import AtRiskDocument, AttackerDocument

ALL_THERE_IS = (
    "Nothing is known of the population, and the table is taken for all of it. Where it is a sample of more people, "
    "this is an upper bound."
)
UPPER_BOUND = (
    "The table is a sample of {population:,} people and how many of them are in each class is not known: this is the "
    "prosecutor's risk, which is an upper bound of it."
)


@dataclass(frozen=True)
class AtRisk:
    """The records in classes smaller than a guideline accepts."""

    below: int  # the smallest class that is accepted
    risk: float  # the risk that it is called
    records: int
    share: float


@dataclass(frozen=True)
class Attacker:
    """What somebody knows and how likely they are to be right: about the easiest record, and on the average."""

    name: str
    knows: str
    average: float
    highest: float | None = None  # None where only the number of hits counts
    at_risk: tuple[AtRisk, ...] = ()
    caveat: str = ""

    def content(self) -> AttackerDocument:
        """The risk as plain values."""
        return AttackerDocument(
            name=self.name,
            knows=self.knows,
            highest=self.highest,
            average=self.average,
            at_risk=[AtRiskDocument(**vars(step)) for step in self.at_risk],
            caveat=self.caveat,
        )


@dataclass(frozen=True)
class Attackers:
    r"""Prosecutor, journalist and marketer risk: the highest, the average, and the records at risk.

    A class with c members in the sample has C in the population; u classes hold n members.

    .. math::
        \text{prosecutor:} \quad & \max \frac{1}{c}, \quad \frac{u}{n} \\
        \text{journalist:} \quad & \max \frac{1}{C}, \quad
        \max \Bigl(\frac{u}{\sum C}, \frac{1}{n} \sum \frac{c}{C}\Bigr) \\
        \text{marketer:} \quad & \frac{1}{n} \sum \frac{c}{C}

    The prosecutor looks for one person and knows that they are in the table. The journalist looks for anybody whom to
    name, has a register of the population, and does not know who of it is in the table. The marketer links everybody
    to a register and counts the hits. Records are at risk where c (for the journalist C) is below a class size:
    guidelines round 1/3, 1/11 and so on to 0.33 and 0.09, so that sizes are what is compared (decision 0008).

    References
    ----------
    El Emam (2013). Guide to the De-Identification of Personal Health Information. CRC Press, chapter 16.
    Dankar, El Emam (2010). A method for evaluating marketer re-identification risk. PAIS, EDBT/ICDT Workshops.

    Examples
    --------
    Two uniques and a class of four, of which the population has three, one and eight:

    >>> sizes, paired = Sizes(((1, 2, 2), (4, 1, 4))), PairedSizes(((1, 1, 1, 1), (1, 3, 1, 1), (4, 8, 1, 4)))
    >>> attackers = Attackers.matched(sizes, paired)
    >>> attackers.prosecutor.highest, attackers.prosecutor.average, attackers.journalist.highest
    (1.0, 0.5, 1.0)
    >>> attackers.marketer.average == (1 / 1 + 1 / 3 + 4 / 8) / 6
    True
    """

    prosecutor: Attacker
    journalist: Attacker
    marketer: Attacker

    @classmethod
    def of(cls, sizes: Sizes, population: Population | None = None) -> Attackers:
        """The risks where the classes of the population are not known, but perhaps its size."""
        prosecutor = _prosecutor(sizes)
        caveat = ALL_THERE_IS if population is None else _unknown_classes(sizes, population)
        journalist = _journalist(1 / sizes.smallest, prosecutor.average, prosecutor.at_risk, caveat)
        return cls(prosecutor, journalist, _marketer(prosecutor.average, caveat))

    @classmethod
    def matched(cls, sizes: Sizes, paired: PairedSizes) -> Attackers:
        """The risks where the population is at hand, and with it the members that each class has there."""
        hits = fsum(size / whole * number for size, whole, number, _ in paired.pairs) / paired.members
        people = sum(whole * number for _, whole, number, _ in paired.pairs)
        average = max(sizes.count / people, hits)
        at_risk = _at_risk(paired.records_below, paired.records)
        return cls(_prosecutor(sizes), _journalist(1 / paired.smallest, average, at_risk), _marketer(hits))

    def content(self) -> list[AttackerDocument]:
        """The risks as plain values."""
        return [attacker.content() for attacker in (self.prosecutor, self.journalist, self.marketer)]


def _prosecutor(sizes: Sizes) -> Attacker:
    at_risk = _at_risk(sizes.records_below, sizes.records)
    return Attacker(
        name="prosecutor",
        knows="that a person is in the table",
        average=sizes.average_risk,
        highest=1 / sizes.smallest,
        at_risk=at_risk,
    )


def _journalist(highest: float, average: float, at_risk: tuple[AtRisk, ...], caveat: str = "") -> Attacker:
    return Attacker(
        name="journalist",
        knows="who is in the population, not who is in the table",
        average=average,
        highest=highest,
        at_risk=at_risk,
        caveat=caveat,
    )


def _marketer(average: float, caveat: str = "") -> Attacker:
    return Attacker(
        name="marketer", knows="who is in the population, and counts the hits", average=average, caveat=caveat
    )


def _unknown_classes(sizes: Sizes, population: Population) -> str:
    people = population.members(sample_size(sizes) if sizes.overlapping is None else sizes.overlapping)
    return UPPER_BOUND.format(population=people)


def _at_risk(records_below: Callable[[int], int], records: int) -> tuple[AtRisk, ...]:
    return tuple(
        AtRisk(size, risk, records_below(size), records_below(size) / records) for size, risk in LADDER.items()
    )
