"""delta-presence: nobody of the population is known to be in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import ClassRule, Judgement
from sfumato.privacy.measure_interface import Measure, Safer
from sfumato.privacy.population_table import in_population

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses


@dataclass(frozen=True)
class DeltaPresence(Measure):
    r"""Largest share of a class of the population that is in the release.

    .. math:: \delta_{max} = \max_E \frac{|E \cap \text{release}|}{|E|}

    The chance with which somebody who finds a person in the population can say that the person is in the release: of a
    registry of HIV patients that is the diagnosis itself. Without a table of the population the release is taken for
    all of it, and the reading is 1. The other end, how sure one can be that somebody is not in the release, is
    `least_presence`.

    References
    ----------
    Nergiz, Atzori, Clifton (2007). Hiding the presence of individuals from shared databases. SIGMOD, 665-676.

    Examples
    --------
    Two of the three people of one age were sampled, and two of the five of another:

    >>> from sfumato.studies.printed_tables import rows
    >>> sample = rows([(30,), (30,), (40,), (40,)], ["age"], age="quasi")
    >>> everybody = rows([(30,)] * 3 + [(40,)] * 5, ["age"], sample.table.engine)
    >>> round(DeltaPresence().of(sample.with_population(everybody.table).classes()), 3)
    0.667
    """

    safer = Safer.LOWER
    monotone = True
    family = "presence"
    column = "presence"
    bounds = "0 to 1"
    reads_population = True
    plainly = "the chance with which somebody of the population can be said to be in the release"

    def by_class(self, classes: EquivalenceClasses) -> str:
        return f"SELECT class_id, CAST(size AS DOUBLE) / population AS reading FROM {in_population(classes)}"


class DeltaPresenceRule(ClassRule):
    """The share of a class of the population that is in the release.

    Of s members out of P no more than delta P may stay in all parts together, as long as these add up to P: s - delta P
    must go. They do not add up where persons of the population are in several of its records.
    """

    measure = DeltaPresence

    def readings(self, classes: CodedClasses) -> Real:
        import numpy as np

        return classes.members / np.maximum(classes.population, 1)

    def judge(self, classes: CodedClasses) -> Judgement:
        import numpy as np

        broken = self.breaks(self.readings(classes))
        if classes.table.population is None:
            return Judgement.anti_monotone(broken)  # everybody is in the release, whatever the classes are
        if classes.table.residents is not None or not broken.any():
            return Judgement(broken)
        excess = classes.members - self.limit * classes.population
        return Judgement(broken, fewest_members=np.where(broken, np.maximum(np.ceil(excess - 1e-6), 1), 0))
