"""Least presence: nobody of the population is known not to be in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import Judgement, WholeTableRule
from sfumato.privacy.measure_interface import Measure, Safer
from sfumato.privacy.population_table import absent, in_population

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real
    from sfumato.privacy.coded.classes import CodedClasses


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

    >>> from sfumato.studies.printed_tables import rows
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
    bounds = "0 to 1"
    reads_population = True
    plainly = "the least share of people who look alike in the population that is in the release"

    def by_class(self, classes: EquivalenceClasses) -> str:
        return f"SELECT class_id, CAST(size AS DOUBLE) / population AS reading FROM {in_population(classes)}"

    def overall(self, reading: str, classes: EquivalenceClasses) -> str:
        return f"min(0 * {reading})" if absent(classes) else f"min({reading})"


class LeastPresenceRule(WholeTableRule):
    """The share of each class of the population that is in the release, also of those of which nobody is.

    Suppressing a class leaves nobody of it, which is worse: as soon as a class has too small a share, or goes for
    another requirement, all have to. The share of a class lies between those of its parts, so that one of them has too
    small a share as well, unless persons of several records count in several parts.
    """

    measure = LeastPresence
    last = 2

    def readings(self, classes: CodedClasses) -> Real:
        import numpy as np

        return classes.members / np.maximum(classes.population, 1)

    def overall(self, classes: CodedClasses) -> float | None:
        least = super().overall(classes)
        return 0.0 if least is not None and classes.absent else least

    def judge_rest(self, classes: CodedClasses, suppressed: Flags, hereditary: Flags) -> Judgement:
        import numpy as np

        if classes.table.population is None:
            return Judgement.anti_monotone(np.full(classes.space, self.breaks(np.ones(1))[0]))
        some = classes.members > 0
        too_few = bool(self.breaks(self.readings(classes)[some]).any())
        matters = bool(self.breaks(np.zeros(1))[0])  # whether of every class somebody must be there
        lost = matters and (classes.absent or bool((hereditary & some).any()))
        broken = too_few or lost or (matters and bool((suppressed & some).any()))
        lost = lost or (too_few and classes.table.persons is None)
        return Judgement(np.full(classes.space, broken), np.full(classes.space, lost))
