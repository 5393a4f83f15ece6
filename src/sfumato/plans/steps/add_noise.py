"""Add noise: values near the true ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sfumato.plans.blocks import draws
from sfumato.plans.blocks.added_columns import released, set_aside
from sfumato.plans.blocks.dates_and_times import moved
from sfumato.plans.blocks.parameters import choice, day, flag, one_column, real
from sfumato.plans.blocks.values_in_sql import constant, value_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, literal

KINDS = ("uniform", "gaussian", "laplace")
DRAWS = {"uniform": ("noise",), "gaussian": ("radius", "angle", "rest"), "laplace": ("noise", "rest")}
PER = ("record", "subject")
NOISY = (Kind.INTEGER, Kind.REAL, Kind.DATE, Kind.TIMESTAMP)


@dataclass(frozen=True)
class AddNoise(Transformation):
    r"""A value plus a random number from a stated distribution.

    .. math::
        x' = x + e, \qquad e \sim U\{a, \dots, b\}, \quad N(0, \text{scale}^2) \quad \text{or} \quad
        \mathrm{Laplace}(0, \text{scale})

    Whole numbers stay whole and dates move by whole days: uniform noise is a whole number of the range, both ends
    included, and other noise is rounded to the nearest. Real numbers get real noise, or whole with `whole`.

    range
        Of uniform noise. Zero is part of it, unless `exclude_zero`.
    scale
        Of Gaussian noise the standard deviation, of Laplace noise the mean distance from zero; for dates in days.
    exclude_zero
        No value keeps its truth: whole uniform noise is drawn among the others; other noise that rounds to zero becomes
        one, with its sign. For real numbers zero is as unlikely as any other number, so there it is an error.
    per
        `record`: each its own noise. `subject`: all records of a subject the same, so that differences stay.
    bounds
        Lowest and highest value of the result, either may be null: `[0, null]`. What lies beyond becomes the bound, so
        a value at a bound may keep its truth.

    The noise comes from the key of the project, and nobody can take it off without it. It masks; it is not
    differential privacy, which needs a bounded contribution of each person and a count of all that is released.

    References
    ----------
    Brand (2002). Microdata protection through noise addition. Inference Control in Statistical Databases, LNCS 2316.

    Examples
    --------
    >>> AddNoise("admitted").examples()
    (('2021-03-10', '2021-03-07 to 2021-03-13'), ('40', '37 to 43'))
    """

    column: str
    kind: str = "uniform"
    range: tuple[float, float] = (-3, 3)
    scale: float | None = None
    exclude_zero: bool = False
    per: str = "record"
    whole: bool = False
    bounds: tuple[Any, Any] = (None, None)

    replaces_values = True

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        choice(self, "kind", self.kind, KINDS)
        choice(self, "per", self.per, PER)
        flag(self, "exclude_zero", self.exclude_zero)
        flag(self, "whole", self.whole)
        for name in ("range", "bounds"):
            object.__setattr__(self, name, self._pair(name))
        self._check_size()
        object.__setattr__(self, "bounds", tuple(self._bound(bound) for bound in self.bounds))
        if not _rising(*self.bounds):
            raise self.wrong("bounds must be two numbers or two dates, the lower first.")

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(self.column)
        kind = draft.kind(self.column)
        if kind not in NOISY:
            raise self.wrong(f"the column {self.column!r} holds {kind.value}, neither numbers nor dates.")
        noisy, unit = draws.with_units(draft, people=self.per == "subject")
        drawn: dict[str, str] = {}
        for draw in DRAWS[self.kind]:
            noisy, drawn[draw] = set_aside(noisy, resources.uniform(draft.engine, unit, draw))
        noisy, noise = set_aside(noisy, self._noise(kind, drawn.__getitem__))
        noisy, value = set_aside(noisy, self._noisy(draft, noise))
        return released(noisy.changed({self.column: self._within(value, kind)}), draft)

    def explained(self) -> str:
        size = (
            f"uniform from {self.range[0]:g} to {self.range[1]:g}"
            if self.kind == "uniform"
            else f"{self.kind.capitalize()} of scale {self.scale:g}"
        )
        ends = ("at least", "at most")
        bounds = [f"{end} {bound}" for end, bound in zip(ends, self.bounds, strict=True) if bound is not None]
        return (
            f"Adds random noise to {self.column}, {size}{', never zero' if self.exclude_zero else ''}, "
            f"{'the same for all records of a subject' if self.per == 'subject' else 'drawn for each record'}"
            f"{'; the result is ' + ' and '.join(bounds) if bounds else ''}. Dates move by whole days."
        )

    def examples(self) -> tuple[tuple[str, str], ...]:
        if self.kind != "uniform":
            return ()
        low, high = self.range
        numbers = ("40", f"{40 + low:g} to {40 + high:g}")
        if not _is_whole(low, high):
            return (numbers,)
        start = day("2021-03-10")
        first, last = (start + timedelta(days=int(end)) for end in (low, high))  # type: ignore[operator]
        return (str(start), f"{first} to {last}"), numbers

    def keyed(self) -> bool:
        return True

    def _pair(self, name: str) -> tuple[Any, Any]:
        value = getattr(self, name)
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise self.wrong(f"{name} must be two values, the lower first.")
        return value[0], value[1]

    def _bound(self, bound: Any) -> float | date | None:
        return None if bound is None else day(bound) or real(self, "a bound that is no date", bound)

    def _check_size(self) -> None:
        low, high = (real(self, "range", end) for end in self.range)
        if low > high or (low == high == 0):
            raise self.wrong("range must be two numbers, the lower first, and not both zero.")
        if self.kind == "uniform" and self.scale is not None:
            raise self.wrong("uniform noise has a `range`, not a `scale`.")
        if self.kind == "uniform":
            return
        if tuple(self.range) != (-3, 3):
            raise self.wrong(f"{self.kind} noise has a `scale`, not a `range`.")
        if self.scale is None or real(self, "scale", self.scale) <= 0:
            raise self.wrong(f"{self.kind} noise needs a `scale` above zero.")

    def _noise(self, kind: Kind, drawn: draws.Uniform) -> str:
        if kind is not Kind.REAL or self.whole:
            return self._whole_noise(drawn)
        if self.exclude_zero:
            raise self.wrong(
                f"the column {self.column!r} holds real numbers, for which zero is as unlikely as any other noise. "
                "Leave `exclude_zero` out, or add whole numbers with `whole: true`."
            )
        return draws.between(drawn, *self.range) if self.kind == "uniform" else self._scaled(drawn)

    def _whole_noise(self, drawn: draws.Uniform) -> str:
        if self.kind == "uniform":
            low, high = self.range
            if not _is_whole(low, high):
                raise self.wrong(f"the column {self.column!r} takes whole steps, so the range must be whole numbers.")
            return draws.whole(drawn("noise"), int(low), int(high), without_zero=self.exclude_zero)
        noise = self._scaled(drawn)
        nearest = f"floor({noise} + 0.5)"
        if self.exclude_zero:
            nearest = f"CASE WHEN {nearest} <> 0 THEN {nearest} WHEN {noise} < 0 THEN -1 ELSE 1 END"
        return f"CAST({nearest} AS BIGINT)"

    def _scaled(self, drawn: draws.Uniform) -> str:
        unit = draws.gaussian(drawn) if self.kind == "gaussian" else draws.laplace(drawn)
        return f"({literal(float(self.scale or 0))} * {unit})"

    def _noisy(self, draft: Draft, noise: str) -> str:
        value, kind = value_of(self.column), draft.kind(self.column)
        if kind is Kind.INTEGER:
            return f"({value} + {noise})"
        if kind is Kind.REAL:
            return f"(CAST({value} AS DOUBLE) + {noise})"
        return moved(draft, self.column, f"CAST({noise} AS INTEGER)")

    def _within(self, noisy: str, kind: Kind) -> str:
        """Nulls compare with nothing, so they stay."""
        if kind is Kind.INTEGER and not _is_whole(*(b for b in self.bounds if isinstance(b, int | float))):
            raise self.wrong(f"the column {self.column!r} holds whole numbers, so the bounds must be whole.")
        low, high = (None if bound is None else constant(bound, kind, self.column) for bound in self.bounds)
        cases = f"WHEN {noisy} < {low} THEN {low} " if low else ""
        cases += f"WHEN {noisy} > {high} THEN {high} " if high else ""
        return f"CASE {cases}ELSE {noisy} END" if cases else noisy


def _is_whole(*numbers: float) -> bool:
    return all(float(number).is_integer() for number in numbers)


def _rising(low: Any, high: Any) -> bool:
    return low is None or high is None or (isinstance(low, date) == isinstance(high, date) and bool(low < high))
