"""What is shown to be technical: constants of the study, counters, row numbers, forms, weights, normal ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon.words import words
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.columns.word_lists import word_list
from sfumato.schema import Role

STATES = frozenset({"0", "1", "2", "0.0", "1.0", "2.0", "incomplete", "unverified", "complete"})  # of a form in REDCap
FEWEST = 8  # rows below which a running number says nothing


@dataclass(frozen=True)
class Technical(Evidence):
    """A name that says technical, and values that show it.

    That nothing is known of a column shows nothing: a constant without a telling name is left undecided. An empty
    column shows nothing either; its name counts for less.
    """

    method: ClassVar[str] = "technical"
    unshown: float = 0.6  # what a name is worth that no value bears out

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        for said, weight, shows in SHOWN:
            if shows(column):
                weight = weight if column.sample else weight * self.unshown
                return Finding(self.method, Role.NON_SENSITIVE, None, f"{said}.", round(weight, 3))
        return None


def _known(sort: str) -> frozenset[str]:
    return word_list("technical_names", sort)


def _read(column: ColumnProfile) -> list[str]:
    return [word for word in words(column.name, camel=not column.name.isupper()) if not word.isdigit()]


def _said(read: Iterable[str], sort: str) -> bool:
    return not _known(sort).isdisjoint(read)


def _whole(column: ColumnProfile, sort: str) -> bool:
    """Whether the name, or its last word, is one of the sort."""
    read = _read(column)
    return bool(read) and ("".join(read) in _known(sort) or read[-1] in _known(sort))


def _form_state(column: ColumnProfile) -> bool:
    """Whether a form was filled in, as REDCap says at the end of each."""
    states = {value.strip().casefold() for value in column.sample}
    return column.name.strip().casefold().endswith("_complete") and states <= STATES


def _study_constant(column: ColumnProfile) -> bool:
    read = _read(column)
    if column.known != 1 or column.present < 2 or len(column.sample[0]) > 100:
        return False
    return bool(read) and ("".join(read) in _known("study") or (read[0] in _known("study") and len(read) <= 3))


def _numbers(column: ColumnProfile) -> list[int] | None:
    """The values as whole numbers; None where they are not."""
    texts = [value.strip().removesuffix(".0") for value in column.sample]
    return sorted(map(int, texts)) if texts and all(text.isascii() and text.isdecimal() for text in texts) else None


def _counts(column: ColumnProfile) -> bool:
    """1, 2, 3 and so on without a gap, each again and again."""
    if not _whole(column, "counter"):
        return False
    numbers = _numbers(column)
    if numbers is None or column.known > len(numbers) or column.present < 2 * column.known:
        return False
    begins = numbers[0] == 1 or (numbers[0] == 0 and len(numbers) > 2)  # 0 and 1 are no and yes
    return begins and numbers[-1] - numbers[0] < len(numbers) * 1.2


def _numbers_rows(column: ColumnProfile) -> bool:
    """Every row has a number of its own, from the first to as many as there are rows."""
    if not _row_named(column) or column.missing or column.known != column.present or column.present < FEWEST:
        return False
    numbers = _numbers(column)
    return numbers is not None and numbers[-1] <= column.records and numbers[-1] >= 0.9 * len(numbers)


def _row_named(column: ColumnProfile) -> bool:
    read = _read(column)
    return not read or "".join(read) in _known("row")


def _weighs_a_survey(column: ColumnProfile) -> bool:
    read = _read(column)
    if _said(read, "design") or _said(["".join(read)], "design"):
        return True
    worded = words(column.label or "")
    by_label = _said(worded, "weight") and len(set(worded) & _known("sampling")) >= 2
    stratified = _said(worded, "design") and not {"cancer", "tumor", "tumour"} & set(worded)
    by_name = len(read) > 1 and _said(read[-1:], "weight") and _said(read, "sampling")
    return by_label or stratified or (by_name and _wide(column))


def _wide(column: ColumnProfile) -> bool:
    """Weights of a survey are many different numbers, most of them larger than a person weighs, or about one."""
    try:
        numbers = [float(value) for value in column.sample]
    except ValueError:
        return False
    return bool(numbers) and (max(numbers) > 1000 or max(numbers) < 10)


def _bounds_the_normal(column: ColumnProfile) -> bool:
    read = _read(column)
    return _said(["".join(read)], "normal") or (_said(read, "normal") and _said(read, "bound"))


# The first that is shown is said.
SHOWN: tuple[tuple[str, float, Callable[[ColumnProfile], bool]], ...] = (
    ("It says whether a form was filled in", 0.95, _form_state),
    ("Every record has the same value, and the name says that it is the study's", 0.85, _study_constant),
    ("The values count 1, 2, 3 and begin again, as the name says", 0.85, _counts),
    ("Every row has the next number, and the name says that rows are numbered", 0.9, _numbers_rows),
    ("The name or the label says that it is a weight or a part of the design of a survey", 0.85, _weighs_a_survey),
    ("The name says that it bounds what is normal", 0.8, _bounds_the_normal),
)
