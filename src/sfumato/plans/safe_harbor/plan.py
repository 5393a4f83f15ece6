"""HIPAA's Safe Harbor as a plan: what becomes of the columns that hold one of the 18 identifiers.

References
----------
45 CFR 164.514(b)(2), and Office for Civil Rights (2012), Guidance regarding methods for de-identification of protected
health information.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from sfumato.columns.identification import Identification, IdentifiedColumn
from sfumato.columns.lexicon import Hipaa, meaning_of
from sfumato.plans.plan import Plan
from sfumato.plans.safe_harbor.open_columns import PLAIN, OpenColumn, open_column
from sfumato.plans.step_interface import Transformation
from sfumato.plans.steps.drop import Drop
from sfumato.plans.steps.top_code import TopCode
from sfumato.plans.steps.year_of import YearOf
from sfumato.plans.steps.zip3 import RESTRICTED, Zip3
from sfumato.schema import Role
from sfumato.tables.engine import Kind

OLDEST = 89  # whoever is older is in one category
# The largest number that an age in years, or in smaller units, may have without telling an age over 89 in another. In
# years nobody is older than 125 (the oldest on record reached 122): a larger number counts months or days. Below a year
# the unit may be the month, in which 90 years are 1,080.
LARGEST = {"age": 125, "age in units below a year": 12 * (OLDEST + 1) - 1}
DAY = r"[1-9]\d{3}(-\d\d(-\d\d([ T].*)?)?)?"
# What Safe Harbor lets be released of a date, an age and a ZIP code.
YEAR = "[0-9]{4}( or earlier)?"
AGE = "-?([0-9]|[1-8][0-9])([.][0-9]+)?|90[+]"
ZIP3 = "[0-9]{3}"
ZIP = ("postcode", "first three digits of a postcode")  # the concepts of which three digits may be kept


@dataclass(frozen=True)
class Treatment:
    """What becomes of one column: the item that it is, what is done in words, and the step.

    `allowed` is the form of the values that may be released, as a regular expression; None where the column goes.
    """

    column: str
    item: Hipaa
    words: str
    step: Transformation | None = None  # None: it is dropped, with all others
    allowed: str | None = None


@dataclass(frozen=True)
class SafeHarbor:
    """What Safe Harbor does to a table.

    `year` is the one in which ages are counted; None where it is not known, and then dates of birth and years go.
    `aged` are columns of ages that are in months or days and may tell an age over 89; `kept` those that somebody
    decided to release as they are, `decided` those that somebody gave a role, and `dropped` those that are to go.
    """

    identification: Identification
    year: int | None = None
    aged: Collection[str] = ()
    kept: Collection[str] = ()
    decided: Collection[str] = ()
    dropped: Collection[str] = ()

    @property
    def treatments(self) -> tuple[Treatment, ...]:
        """The columns that something is done to, in the order of the table."""
        return tuple(treatment for treatment in self._all if treatment.column not in self.kept)

    @property
    def left(self) -> tuple[Treatment, ...]:
        """The columns that something would be done to, had nobody decided to keep them."""
        return tuple(treatment for treatment in self._all if treatment.column in self.kept)

    @property
    def open(self) -> tuple[OpenColumn, ...]:
        """The columns that are not accounted for: not recognised as anything, and nobody decided about them."""
        known = {*(treatment.column for treatment in self._all), *self.kept, *self.decided}
        others = (open_column(column) for column in self.identification if column.name not in known)
        return tuple(column for column in others if column is not None)

    @property
    def _all(self) -> tuple[Treatment, ...]:
        treatments = (self._treatment(column) for column in self.identification)
        return tuple(treatment for treatment in treatments if treatment is not None)

    def plan(self) -> Plan:
        """The steps: first those that make a column coarser, then the columns that go; what is open goes, too."""
        treatments = self.treatments
        steps = [treatment.step for treatment in treatments if treatment.step is not None]
        gone = tuple(treatment.column for treatment in treatments if treatment.step is None)
        gone += tuple(column.name for column in self.open)
        return Plan(path="safe-harbor").then(*steps, *([Drop(gone)] if gone else []))

    def _treatment(self, column: IdentifiedColumn) -> Treatment | None:
        if column.name in self.dropped:
            return Treatment(column.name, Hipaa(column.hipaa or Hipaa.OTHER), "dropped, as decided")
        if column.role is Role.DIRECT:
            return _gone(column)
        concept = concept_of(column)
        if column.hipaa == Hipaa.AGES or concept in LARGEST:
            return self._age(column, years=concept == "age")
        moment = column.profile.kind in (Kind.DATE, Kind.TIMESTAMP)
        named = _item_by_name(column)
        if Hipaa.DATES in (column.hipaa, named) or concept == "year" or moment:
            return self._date(column)
        if Hipaa.PLACES in (column.hipaa, named) or concept == "first three digits of a postcode":
            return _place(column)
        return _gone(column) if column.hipaa is not None else _named(column)

    def _age(self, column: IdentifiedColumn, *, years: bool) -> Treatment | None:
        name = column.name
        if name in self.aged or (column.hipaa == Hipaa.AGES and not column.profile.kind.numeric):
            return Treatment(name, Hipaa.AGES, f"dropped: it may tell ages over {OLDEST}")
        if not years or not column.profile.kind.numeric:
            return None
        step = TopCode(name, OLDEST + 1, label=f"{OLDEST + 1}+")
        words = f"over {OLDEST} as {OLDEST + 1}+"
        return Treatment(column=name, item=Hipaa.AGES, words=words, step=step, allowed=AGE)

    def _date(self, column: IdentifiedColumn) -> Treatment:
        name = column.name
        if not dated(column):
            return Treatment(name, Hipaa.DATES, "dropped: its dates cannot be read")
        if self.year is None:
            return Treatment(name, Hipaa.DATES, "dropped: the year in which ages are counted is not known")
        earliest = self.year - OLDEST - 1
        words, step = f"year only, up to {earliest} as one", YearOf(name, earliest)
        return Treatment(column=name, item=Hipaa.DATES, words=words, step=step, allowed=YEAR)


def concept_of(column: IdentifiedColumn) -> str:
    """What the name or the label of a column says that it is about."""
    meaning = meaning_of(column.name, column.profile.label)
    return meaning.concept.name if meaning else ""


def _item_by_name(column: IdentifiedColumn) -> Hipaa | None:
    """The identifier that the name says, even where the values look like something else: codes of municipalities."""
    meaning = meaning_of(column.name, column.profile.label)
    return meaning.concept.hipaa if meaning and meaning.sure >= PLAIN else None


def dated(column: IdentifiedColumn) -> bool:
    """Whether the dates of a column can be read as such."""
    return column.profile.kind in (Kind.DATE, Kind.TIMESTAMP) or _all_match(column, DAY)


def _place(column: IdentifiedColumn) -> Treatment:
    """A ZIP code loses its last digits; any other place below a state goes.

    Codes of counties and places have five digits, too: only a column whose name says so holds ZIP codes.
    """
    text = column.profile.kind is Kind.TEXT
    if concept_of(column) in ZIP and _all_match(column, r"\d{5}(-?\d{4})?|\d{3}" if text else r"\d{4,5}|\d{8,9}"):
        step = Zip3(column.name, unknown="missing")
        words = f"first three digits, 000 for the {len(RESTRICTED)} areas of few people"
        return Treatment(column=column.name, item=Hipaa.PLACES, words=words, step=step, allowed=ZIP3)
    return Treatment(column.name, Hipaa.PLACES, "dropped")


def _gone(column: IdentifiedColumn) -> Treatment:
    if column.hipaa is None:
        return Treatment(column.name, Hipaa.OTHER, "dropped: it may name anybody")
    return Treatment(column.name, Hipaa(column.hipaa), "dropped")


def _named(column: IdentifiedColumn) -> Treatment | None:
    """A name on the list is taken at its word, even where the values look like something else."""
    meaning = meaning_of(column.name, column.profile.label)
    if meaning is None or meaning.concept.hipaa is None or meaning.concept.role is not Role.DIRECT:
        return None
    return Treatment(column.name, meaning.concept.hipaa, f"dropped: its name says {meaning.concept.name}")


def _all_match(column: IdentifiedColumn, form: str) -> bool:
    values = [value.strip() for value in column.profile.sample]
    return bool(values) and all(re.fullmatch(form, value) for value in values)
