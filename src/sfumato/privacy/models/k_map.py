"""k-map: nobody in the release stands alone in the population."""

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
class KMap(Measure):
    r"""Size in the population of the smallest class that occurs in the release.

    .. math:: k = \min_{E : |E \cap \text{release}| > 0} |E|

    Every record of the release could be at least k people of the population. A release that is only a part of the
    population needs less protection than k-anonymity gives, as long as nobody knows who is in it. Without a table of
    the population the release is taken for all of it, and k-map is k-anonymity.

    References
    ----------
    Sweeney (2001). Computational disclosure control. PhD thesis, Massachusetts Institute of Technology.
    El Emam, Dankar (2008). Protecting privacy using k-anonymity. JAMIA 15(5), 627-637.

    Examples
    --------
    Two of the three people of one age were sampled, and two of the five of another:

    >>> from sfumato.studies.printed_tables import rows
    >>> sample = rows([(30,), (30,), (40,), (40,)], ["age"], age="quasi")
    >>> everybody = rows([(30,)] * 3 + [(40,)] * 5, ["age"], sample.table.engine)
    >>> KMap().of(sample.with_population(everybody.table).classes())
    3.0
    """

    safer = Safer.HIGHER
    monotone = True
    family = "k"
    column = "k_map"
    bounds = "1 upwards"
    counts = True
    reads_population = True
    plainly = "the fewest people of the population who share their quasi-identifiers with a record"

    def by_class(self, classes: EquivalenceClasses) -> str:
        return f"SELECT class_id, population AS reading FROM {in_population(classes)}"


class KMapRule(ClassRule):
    """A class needs k members in the population; a part of a class has fewer still."""

    measure = KMap
    hereditary = True

    def readings(self, classes: CodedClasses) -> Real:
        return classes.population

    def judge(self, classes: CodedClasses) -> Judgement:
        return Judgement.anti_monotone(self.breaks(classes.population))
