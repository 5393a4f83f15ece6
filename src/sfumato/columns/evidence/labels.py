"""What the label of a variable says, and the labels of its values."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import meaning, meaning_of
from sfumato.columns.lexicon.words import folded, words
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers import recognisers
from sfumato.columns.recognisers.closed_list import telling
from sfumato.columns.recognisers.unit_of_measure import UnitOfMeasure
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.columns.word_lists import word_list
from sfumato.schema import Role

FROM_LABEL = 0.9  # a sentence holds more words than it is about
FEW = 12  # different values of a column of codes
_UNIT = re.compile(r"[(\[]\s*([^()\[\]]{1,20})\s*[)\]]\W*$|,\s*([^,\s]{1,12})\s*$")


@dataclass(frozen=True)
class Labels(Evidence):
    """A label is a sentence by who made the table, and plainer than most names.

    The lexicon reads the surer of name and label; here the label speaks beside a name that was surer, and of what the
    words of a sentence show: that a value was measured in something, that a code remarks on another column, that
    people of a household were counted. Labels of values are read as values are.
    """

    method: ClassVar[str] = "labels"
    remark: float = 0.9
    gathered: float = 0.8
    measured: float = 0.8
    absent: float = 0.75

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        by_label = self._of_label(column, column.label) if column.label else None
        by_values = self._of_values(column) if column.value_labels else None
        return max((f for f in (by_label, by_values) if f), key=lambda finding: finding.weight, default=None)

    def _of_label(self, column: ColumnProfile, label: str) -> Finding | None:
        read = [word for word in words(label) if not word.isdigit()]
        if not read:
            return None
        coded = column.known <= FEW
        if coded and read[-1] in _listed("remark") and len(read) > 1:
            return self._finding(Role.NON_SENSITIVE, "a code that remarks on another column", self.remark)
        if coded and "status" in read[-2:] and _holds(read, "gathered"):
            return self._finding(Role.NON_SENSITIVE, "how far the data were gathered", self.gathered)
        counted = "#" in label or _holds(read, "counted")
        if counted and _holds(read, "people") and _holds(read, "home"):
            return self._finding(Role.QUASI, "how many people live together", self.measured)
        if _measured_in(label):
            return self._finding(Role.SENSITIVE, "a measurement, with its unit", self.measured)
        return self._beside_the_name(column, label)

    def _beside_the_name(self, column: ColumnProfile, label: str) -> Finding | None:
        """What a label says beside a name that says so more plainly; what it says alone is told under the name."""
        said = meaning(label)
        if said is None or meaning(column.name) is None or meaning_of(column.name, label) != meaning(column.name):
            return None
        if said.concept.role is Role.DIRECT and column.known <= FEW < column.present:
            return None
        weight = FROM_LABEL * said.sure - (0.1 if said.concept.role is Role.SENSITIVE else 0.0)
        return self._finding(said.concept.role, said.concept.name, weight)

    def _of_values(self, column: ColumnProfile) -> Finding | None:
        """What the codes stand for."""
        worded = telling(column.value_labels)
        if worded and sum(text in _listed("absent") for text in worded) >= 2 / 3 * len(worded):
            sentence = "The labels of its values say why there is none."
            return Finding(self.method, Role.NON_SENSITIVE, None, sentence, self.absent)
        loud = [text for text in worded if text not in _listed("answers")]
        if not loud:
            return None
        fitting = [
            (weight, recogniser)
            for recogniser in recognisers()
            if recogniser.only_for is None and recogniser.unnamed != 0 and recogniser.share(loud) >= recogniser.needed
            if (weight := recogniser.weight(loud, column.label or ""))
        ]
        if fitting:
            weight, recogniser = max(fitting, key=lambda fit: fit[0])
            sentence = f"The labels of its values look like this: {recogniser.concept}."
            return Finding(self.method, recogniser.role, None, sentence, FROM_LABEL * weight)
        return self._of_meanings(loud)

    def _of_meanings(self, worded: list[str]) -> Finding | None:
        counted = Counter(said.concept.role for text in worded if (said := meaning(text)))
        if not counted:
            return None
        role, times = counted.most_common(1)[0]
        if times < max(2, len(worded) / 2) or role in (Role.DIRECT, Role.NON_SENSITIVE):
            return None
        sentence = f"{times} of {len(worded)} labels of its values are names of what is {role.value}."
        return Finding(self.method, role, times / len(worded), sentence, 0.6)

    def _finding(self, role: Role, what: str, weight: float) -> Finding:
        return Finding(self.method, role, None, f"The label says {what}.", round(weight, 3))


def _measured_in(label: str) -> bool:
    """Whether a label ends in a unit that things of a body are measured in."""
    ending = _UNIT.search(label.strip())
    unit = folded((ending[1] or ending[2] or "").strip()) if ending else ""
    return bool(unit) and unit not in _listed("time_and_way") and UnitOfMeasure().matches(unit.replace("**", ""))


def _listed(sort: str) -> frozenset[str]:
    return word_list("labels", sort)


def _holds(read: list[str], sort: str) -> bool:
    return not _listed(sort).isdisjoint(read)
