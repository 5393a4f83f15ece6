"""Shift dates: other days, the same intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from math import floor

from sfumato.errors import UnknownColumn
from sfumato.plans.blocks import draws
from sfumato.plans.blocks.added_columns import released, set_aside
from sfumato.plans.blocks.dates_and_times import moved, whole_date
from sfumato.plans.blocks.draws import uniform
from sfumato.plans.blocks.parameters import choice, column_names, flag, whole, words_or_none
from sfumato.plans.blocks.people_per_value import noted
from sfumato.plans.blocks.record_numbers import places
from sfumato.plans.blocks.values_in_sql import value_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, literal

KEPT = ("weekday", "season")
PARTIAL = ("error", "clear")
DATED = (Kind.DATE, Kind.TIMESTAMP, Kind.TEXT)
YEAR = 365.25  # days, on average
SLACK = 3  # days around the same day of another year, so that each year offers a whole week


@dataclass(frozen=True)
class ShiftDates(Transformation):
    r"""All dates of a person later or earlier by the same random number of days.

    .. math:: d' = d + o(\text{person}), \quad -\text{days} \le o \le \text{days}

    Every interval between two dates of a person is what it was: over all columns of the step, over all records, and
    with `secret` also over all tables that are shifted with the same secret, `days` and `keep`. The time of day stays.
    In a table without a subject each record is shifted on its own. A person is who the source says, by its own
    identifier as text: whatever pseudonym an earlier step gave, the offset has nothing to do with it.

    secret
        The name of a secret from which the offsets come instead of the key of the project: 256 bits in hexadecimal
        digits or base64, or a passphrase, which is stretched with a salt of the project. Nobody can compute the
        offsets without it.
    keep
        `weekday`: shifts by whole weeks. `season`: by whole years, and at most three days more or less (`Offsets` says
        how exactly). What is kept leaves fewer offsets: take several years of `days` for `season`.
    exclude_zero
        Nobody keeps the true dates. One fewer offset, so no gain against who knows some dates of a person.
    partial
        Columns of text hold dates of ISO 8601, as in SDTM. `2024-03` cannot be shifted: an `error`, or `clear`: null.
    beside
        Columns of dates that leave as they are, by a decision of yours. A date that stays tells the offset of its
        person by the difference to one that was shifted; `release` refuses such dates unless they are named here.

    References
    ----------
    Hripcsak et al. (2016). Preserving temporal relations in clinical data while maintaining privacy. JAMIA 23(6),
    1040-1045.

    Examples
    --------
    >>> for example in ShiftDates("admitted", days=1830, keep=("weekday", "season")).examples():
    ...     print(*example, sep=": ")
    2021-03-01, 2021-03-15 of one person: 2026-03-02, 2026-03-16
    2021-03-01, 2021-03-15 of another person: 2023-02-27, 2023-03-13
    """

    columns: tuple[str, ...]
    days: int = 365
    secret: str | None = None
    keep: tuple[str, ...] = ()
    exclude_zero: bool = False
    partial: str = "error"
    beside: tuple[str, ...] = ()

    aliases = ("offset",)

    replaces_values = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        keep = (self.keep,) if isinstance(self.keep, str) else tuple(self.keep)
        object.__setattr__(self, "keep", tuple(choice(self, "keep", word, KEPT) for word in keep))
        whole(self, "days", self.days, 1)
        words_or_none(self, "secret", self.secret)
        flag(self, "exclude_zero", self.exclude_zero)
        choice(self, "partial", self.partial, PARTIAL)
        object.__setattr__(self, "beside", column_names(self, self.beside) if self.beside else ())
        if both := sorted(set(self.beside).intersection(self.columns)):
            raise self.wrong(f"{', '.join(both)} cannot be shifted and left as it is. Name it once.")
        if self.offsets.reach == 0:
            least = 7 if "season" not in self.keep else 364 if "weekday" in self.keep else 368
            raise self.wrong(f"days must be {least} or more to keep the {' and the '.join(self.keep)}.")

    @property
    def offsets(self) -> Offsets:
        """The offsets that a person can get."""
        return Offsets(
            days=self.days, weekday="weekday" in self.keep, season="season" in self.keep, without_zero=self.exclude_zero
        )

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        for name in self.beside:
            if name not in draft.source.columns:
                raise UnknownColumn(name, draft.source.columns)
        self._check(draft)
        shifted, unit = draws.with_units(draft, people=True)
        shifted, drawn = set_aside(shifted, self._uniform(draft, resources, unit))
        shifted, number = set_aside(shifted, self.offsets.number(drawn))
        shifted, days = set_aside(shifted, f"CAST({self.offsets.sql(number)} AS INTEGER)")
        shifted = released(shifted.changed({column: moved(draft, column, days) for column in self.columns}), draft)
        if draft.subject is not None:
            return shifted
        return noted(
            shifted, f"{self.name()}: no column says whom a record is about, so each record was shifted on its own."
        )

    def explained(self) -> str:
        offsets = self.offsets.all()
        kept = f"; {' and '.join(self.keep)} {'are' if len(self.keep) > 1 else 'is'} kept" if self.keep else ""
        source = f"come from the secret {self.secret!r}" if self.secret else "come from the key of the project"
        return (
            f"Shifts the dates in {', '.join(self.columns)} by a random number of days, {len(offsets)} possible "
            f"offsets of at most {max(offsets)} days either way, the same for all dates of a subject (of a "
            f"record, where the data name no subject){kept}. The offsets {source}."
            + (f" Left as they are, by decision: {', '.join(self.beside)}." if self.beside else "")
        )

    def examples(self) -> tuple[tuple[str, str], ...]:
        before = (date(2021, 3, 1), date(2021, 3, 15))
        pairs = []
        for person in ("one", "another"):
            shift = timedelta(days=self.offsets.drawn(uniform(person)))
            after = (day + shift for day in before)
            pairs.append((f"{_listed(before)} of {person} person", _listed(after)))
        return tuple(pairs)

    def secrets(self) -> tuple[str, ...]:
        return (self.secret,) if self.secret is not None else ()

    def keyed(self) -> bool:
        return self.secret is None

    def _uniform(self, draft: Draft, resources: Resources, person: str) -> str:
        if self.secret is None:
            return resources.uniform(draft.engine, person)
        key = resources.secret_key(self.secret, "offsets of dates")
        return draft.engine.keyed_uniform(key, f"concat({literal('offset of dates|')}, {person})")

    def _check(self, draft: Draft) -> None:
        for column in self.columns:
            if draft.kind(column) not in DATED:
                raise self.wrong(f"the column {column!r} holds {draft.kind(column).value}, not dates.")
            if draft.kind(column) is Kind.TEXT and self.partial == "error":
                records, where = places(draft, f"{value_of(column)} IS NOT NULL AND NOT {whole_date(column)}")
                if records:
                    raise self.wrong(
                        f"the column {column!r} holds text that is no whole date such as 2024-03-01 in {where}. Read "
                        "the column as dates, complete them, or clear them here with `partial: clear`."
                    )


@dataclass(frozen=True)
class Offsets:
    r"""The offsets of at most `days` either way among which one is drawn, each as likely.

    Each is numbered by :math:`i \in \{-r, \dots, r\}` for the largest `r` that stays within `days`:

    .. math::
        \text{any day: } i \qquad \text{weekday kept: } 7 i \qquad
        \text{season kept: } \lfloor 365.25\, y + \tfrac12 \rfloor + i - 7 y,\ y = \lfloor (i + 3) / 7 \rfloor \\
        \text{both kept: } 7 \lfloor 365.25\, i / 7 + \tfrac12 \rfloor

    A season is kept by whole years and at most three days more or less, so with leap years a date ends at most four
    days from where it was in its year (five when the weekday is kept as well). Zero is number 0 of each.

    >>> Offsets(days=15, weekday=True).all()
    [-14, -7, 0, 7, 14]
    >>> Offsets(days=800, weekday=True, season=True, without_zero=True).all()
    [-728, -364, 364, 728]
    >>> [len(Offsets(days=1830, season=True, weekday=weekday).all()) for weekday in (False, True)]
    [77, 11]
    """

    days: int
    weekday: bool = False
    season: bool = False
    without_zero: bool = False

    @property
    def reach(self) -> int:
        """The largest number of an offset; 0 when none but zero lies within the days, or within another year."""
        if not self.season:
            return self.days // (7 if self.weekday else 1)
        numbers = range(1, self.days // 364 + 1)
        if self.weekday:
            return max((i for i in numbers if self.of(i) <= self.days), default=0)
        return max((7 * y + SLACK for y in numbers if self.of(7 * y + SLACK) <= self.days), default=0)

    def of(self, i: int) -> int:
        """The offset of a number, in days."""
        if not self.season:
            return 7 * i if self.weekday else i
        if self.weekday:
            return 7 * floor(YEAR * i / 7 + 0.5)
        year = (i + SLACK) // 7
        return floor(YEAR * year + 0.5) + i - 7 * year

    def all(self) -> list[int]:
        """Every offset, lowest first."""
        numbers = range(-self.reach, self.reach + 1)
        return [self.of(i) for i in numbers if i or not self.without_zero]

    def drawn(self, uniform: float) -> int:
        """The offset that a number from 0 to below 1 chooses."""
        return self.of(draws.whole_number(uniform, -self.reach, self.reach, without_zero=self.without_zero))

    def number(self, uniform: str) -> str:
        """SQL for the number of an offset, chosen by a number from 0 to below 1."""
        return draws.whole(uniform, -self.reach, self.reach, without_zero=self.without_zero)

    def sql(self, i: str) -> str:
        """SQL for the offset of a number, in days."""
        if not self.season:
            return f"7 * {i}" if self.weekday else i
        if self.weekday:
            return f"7 * floor({literal(YEAR)} * {i} / 7 + 0.5)"
        year = f"floor(({i} + {SLACK}) / 7)"
        return f"(floor({literal(YEAR)} * {year} + 0.5) + {i} - 7 * {year})"


def _listed(days: Iterable[date]) -> str:
    return ", ".join(day.isoformat() for day in days)
