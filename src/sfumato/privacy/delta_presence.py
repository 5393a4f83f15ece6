"""delta-presence: nobody of the population is known to be in the release."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.classes import EquivalenceClasses
from sfumato.measure import Measure, Safer
from sfumato.population_table import in_population


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

    >>> from sfumato.examples import rows
    >>> sample = rows([(30,), (30,), (40,), (40,)], ["age"], age="quasi")
    >>> everybody = rows([(30,)] * 3 + [(40,)] * 5, ["age"], sample.table.engine)
    >>> round(DeltaPresence().of(sample.with_population(everybody.table).classes()), 3)
    0.667
    """

    safer = Safer.LOWER
    monotone = True
    family = "presence"
    column = "presence"
    plainly = "the chance with which somebody of the population can be said to be in the release"

    def by_class(self, classes: EquivalenceClasses) -> str:
        return f"SELECT class_id, CAST(size AS DOUBLE) / population AS reading FROM {in_population(classes)}"
