"""What a column of text is, decided by how many of its values fit each notation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sfumato.tables.engine import Kind
from sfumato.tables.read.columns import accepted, does_not_fit, said_by
from sfumato.tables.read.notation import (
    DATE_TIME,
    DAY_DOT,
    DAY_SLASH,
    DECIMAL,
    DECIMAL_COMMA,
    ISO_DATE,
    LOSSES,
    MONTH_DOT,
    MONTH_SLASH,
    WHOLE,
    WHOLE_GROUPED,
    Notation,
)
from sfumato.tables.source import ReadOptions

COMMAS_READ = "Commas are read as the decimal sign, and dots between groups of three digits as separators."
DOTS_READ = (
    "Dots are read as the decimal sign, though nothing tells them from separators of groups of three digits. "
    "If 1.234 is more than a thousand, say so with --decimal ','."
)
SIGNS_DIFFER = (
    "Some columns have a decimal comma and others a decimal point: those with a comma are read as text. "
    "Say which is meant with --decimal."
)


@dataclass(frozen=True)
class Tally:
    """How many values a column has, and how many of them fit each notation that was tried."""

    rows: int
    values: int
    fits: Mapping[Notation, int]

    def all_fit(self, notation: Notation) -> bool:
        """Whether there are values, and every one is written in the notation."""
        return self.values > 0 and self.fits.get(notation, 0) == self.values


@dataclass(frozen=True)
class Decision:
    """What a column is, why, and the notation in which its values are written."""

    kind: Kind
    why: str
    notation: Notation | None = None


def decimal_sign(tallies: Iterable[Tally]) -> tuple[str, tuple[str, ...]]:
    """The comma when a column is numeric only with commas, and no column is numeric only with points."""
    tallies = list(tallies)
    commas = any(t.all_fit(DECIMAL_COMMA) and not t.all_fit(WHOLE_GROUPED) for t in tallies)
    points = any(t.all_fit(DECIMAL) and not t.all_fit(DECIMAL_COMMA) for t in tallies)
    if commas and points:
        return ".", (SIGNS_DIFFER,)
    grouped = any(t.all_fit(DECIMAL) and t.all_fit(WHOLE_GROUPED) and not t.all_fit(WHOLE) for t in tallies)
    unclear = grouped and not points
    return (",", (COMMAS_READ,)) if commas else (".", (DOTS_READ,) if unclear else ())


def decision_of(tally: Tally, sign: str) -> Decision:
    """What the values of a column say that it is."""
    if tally.values == 0:
        return Decision(Kind.TEXT, "no values")
    for notation in _candidates(tally, sign):
        if tally.all_fit(notation):
            return Decision(notation.kind, notation.why, notation)
    return Decision(Kind.TEXT, f"text: {_why_text(tally, sign)}")


def decided_by_person(name: str, tally: Tally, kind: Kind, options: ReadOptions, sign: str) -> Decision:
    """What a person says that a column is, where every value fits that."""
    if kind is Kind.TEXT:
        return Decision(kind, "decided by a person")
    notations = accepted(name, kind, options, sign)
    for notation in notations:
        if tally.fits[notation] == tally.values:
            return Decision(kind, said_by(notation), notation)
    raise does_not_fit(name, kind, tally.values - max((tally.fits[n] for n in notations), default=0))


def _candidates(tally: Tally, sign: str) -> tuple[Notation, ...]:
    """Notations to choose from. A date whose day and month could be swapped is left out."""
    numbers = (WHOLE_GROUPED, DECIMAL_COMMA) if sign == "," else (WHOLE, DECIMAL)
    dates = () if _swappable(tally) else (DAY_DOT, DAY_SLASH, MONTH_SLASH)
    return (*numbers, ISO_DATE, DATE_TIME, *dates)


def _swappable(tally: Tally) -> bool:
    pairs = ((DAY_DOT, MONTH_DOT), (DAY_SLASH, MONTH_SLASH))
    return any(tally.all_fit(day) and tally.all_fit(month) for day, month in pairs)


def _why_text(tally: Tally, sign: str) -> str:
    if _swappable(tally):
        return "these may be dates, but nothing tells the day from the month"
    for loss in LOSSES:
        if number := tally.fits.get(loss, 0):
            return f"1 value has {loss.why}" if number == 1 else f"{number} values have {loss.why}"
    tried = [n for n in _candidates(tally, sign) if tally.fits.get(n)]
    if not tried:
        return "not every value is a number or a date"
    best = max(tried, key=lambda n: tally.fits[n])
    called = "plain numbers" if best.kind.numeric else "valid dates"
    return f"{tally.values - tally.fits[best]} of {tally.values} values are not {called}"
