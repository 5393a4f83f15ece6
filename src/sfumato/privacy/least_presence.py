"""Least presence: nobody of the population is known not to be in the release."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.classes import EquivalenceClasses
from sfumato.measure import Measure, Safer
from sfumato.population_table import absent, in_population


@dataclass(frozen=True)
class LeastPresence(Measure):
    r"""Smallest share of a class of the population that is in the release.

    .. math:: \delta_{min} = \min_E \frac{|E \cap \text{release}|}{|E|}

    Over all classes of the population, also those of which nobody is in the release: then it is 0, and somebody in such
    a class is known not to be in it. Without a table of the population the release is taken for all of it, and the
    reading is 1. A record reads the share of its own class.

    References
    ----------
    Nergiz, Atzori, Clifton (2007). Hiding the presence of individuals from shared databases. SIGMOD, 665-676.

    Examples
    --------
    Two of the three people of one age were sampled, and two of the five of another; then nobody of a third:

    >>> from sfumato.examples import rows
    >>> sample = rows([(30,), (30,), (40,), (40,)], ["age"], age="quasi")
    >>> everybody = [(30,)] * 3 + [(40,)] * 5
    >>> LeastPresence().of(sample.with_population(rows(everybody, ["age"], sample.table.engine).table).classes())
    0.4
    >>> more = rows([*everybody, (50,)], ["age"], sample.table.engine)
    >>> LeastPresence().of(sample.with_population(more.table).classes())
    0.0
    """

    safer = Safer.HIGHER
    monotone = True
    family = "presence"
    column = "least_presence"
    plainly = "the least share of people who look alike in the population that is in the release"

    def by_class(self, classes: EquivalenceClasses) -> str:
        return f"SELECT class_id, CAST(size AS DOUBLE) / population AS reading FROM {in_population(classes)}"

    def overall(self, reading: str, classes: EquivalenceClasses) -> str:
        return f"min(0 * {reading})" if absent(classes) else f"min({reading})"
