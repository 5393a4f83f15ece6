"""Age: completed years instead of a date of birth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from sfumato.plans.blocks.added_columns import derived, require_forward
from sfumato.plans.blocks.dates_and_times import DateColumn, check_form, months_between, staged, years_between
from sfumato.plans.blocks.parameters import choice, day, flag, one_column, whole, words_or_none
from sfumato.plans.blocks.values_in_sql import value_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import literal

BORN = (date(2000, 2, 29), date(1984, 7, 1), date(1919, 12, 31))


@dataclass(frozen=True)
class Age(Transformation):
    """Put the age in completed years into a column, and drop the date of birth.

    `at` is the column of the day that counts, or one day for all, such as 2024-06-30. Who was born on 29 February is
    a year older from 1 March on in other years. Ages from `top` on become `top` (HIPAA: 90), or `label` with a text
    such as 90+; `top: null` leaves them. Months (`unit: months`) are for children. It is missing where a date is; a
    birth after the day that counts is an error, or makes the age missing (`negative: missing`).

    Examples
    --------
    >>> Age("birth", "2023-02-28").examples()
    (('2000-02-29', '22'), ('1984-07-01', '38'), ('1919-12-31', '90'))
    """

    birth: str
    at: Any
    into: str = "age"
    unit: str = "years"
    top: int | None = 90
    label: str | None = None
    drop: bool = True
    negative: str = "error"
    format: str | None = None

    aliases: ClassVar[tuple[str, ...]] = ("derive_age",)

    def __post_init__(self) -> None:
        for name in ("birth", "into"):
            one_column(self, name, getattr(self, name))
        if day(self.at) is None:
            one_column(self, "at", self.at)
        choice(self, "unit", self.unit, ("years", "months"))
        choice(self, "negative", self.negative, ("error", "missing", "keep"))
        if self.top is not None:
            whole(self, "top", self.top, 1)
        words_or_none(self, "label", self.label)
        flag(self, "drop", self.drop)
        check_form(self, self.format)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        fixed = day(self.at)
        stage, birth = staged(draft, DateColumn.of(self, draft, self.birth, self.format), "(birth)")
        at, used = f"CAST({literal(str(fixed))} AS DATE)", [birth.text]
        if fixed is None:
            stage, counts = staged(stage, DateColumn.of(self, draft, self.at, self.format), "(at)")
            at, used = counts.day, [*used, counts.text]
        early = f"{at} < {birth.day}"
        stage = require_forward(self, stage, early, f"{self.birth!r} is after the day that counts", self.negative)
        origins = (self.birth,) if fixed else (self.birth, self.at)
        aged = derived(self, stage, self.into, self._age(birth.day, at, early), origins).without(*used)
        aged = self._topped(aged)
        return aged.without(self.birth) if self.drop else aged

    def makes(self) -> tuple[str, ...]:
        return (self.into,)

    def made_of(self) -> tuple[str, ...]:
        return (self.birth,) if day(self.at) else (self.birth, self.at)

    def treated(self) -> frozenset[str]:
        return frozenset((self.birth,) if self.drop else ())

    def explained(self) -> str:
        top = "" if self.top is None else f", {self.top} years and more as {self.label or self.top}"
        dropped = f", and drop {self.birth}" if self.drop else ""
        return f"Put the age in {self.unit} at {self.at}, from {self.birth}, into {self.into}{top}{dropped}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        at = day(self.at) or date(2023, 2, 28)
        return tuple((str(born), self._shown(born, at)) for born in BORN if born <= at)

    def _age(self, birth: str, at: str, early: str) -> str:
        between = years_between if self.unit == "years" else months_between
        earlier = "NULL" if self.negative == "missing" else f"-{between(at, birth)}"
        return f"CAST(CASE WHEN {early} THEN {earlier} ELSE {between(birth, at)} END AS BIGINT)"

    def _topped(self, draft: Draft) -> Draft:
        if self.top is None:
            return draft
        age, top = value_of(self.into), self.top * (1 if self.unit == "years" else 12)
        limited = f"CASE WHEN {age} > {top} THEN {top} ELSE {age} END"
        if self.label is not None:
            limited = f"CASE WHEN {age} >= {top} THEN {literal(self.label)} ELSE CAST({age} AS VARCHAR) END"
        return draft.changed({self.into: limited})

    def _shown(self, born: date, at: date) -> str:
        months = (at.year - born.year) * 12 + at.month - born.month - (at.day < born.day)
        age, top = (months // 12, self.top) if self.unit == "years" else (months, self.top and self.top * 12)
        return str(age) if top is None or age < top else self.label or str(top)
