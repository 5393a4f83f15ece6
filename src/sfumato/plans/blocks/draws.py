"""Draws: numbers from stated distributions, as SQL over uniform ones."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import md5
from math import floor, pi

from sfumato.plans.blocks.added_columns import set_aside
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources
from sfumato.tables.engine import literal

HALF = literal(2.0**-53)  # half the distance between two uniform numbers
GRID = 2**24  # parts of the unit that a real draw is rounded to, see `rounded`

Uniform = Callable[[str], str]  # from the name of a draw to SQL for a number from 0 to below 1


def uniform(text: str) -> float:
    """What `Engine.uniform` gives for a text, here in Python: for examples, and digits of what is hashed already.

    >>> uniform("7|noise|1")
    0.1148318859329307
    """
    return int(md5(text.encode(), usedforsecurity=False).hexdigest()[:13], 16) / 2**52


def whole(drawn: str, low: int, high: int, *, without_zero: bool = False) -> str:
    """SQL for a whole number from low to high, both included, each as likely; on request never zero."""
    skipped = without_zero and low <= 0 <= high
    number = f"({low} + CAST(floor({drawn} * {high - low + 1 - skipped}) AS BIGINT))"
    return f"({number} + CASE WHEN {number} >= 0 THEN 1 ELSE 0 END)" if skipped else number


def whole_number(drawn: float, low: int, high: int, *, without_zero: bool = False) -> int:
    """What `whole` gives, here in Python.

    >>> [whole_number(drawn, -1, 1) for drawn in (0, 0.4, 0.9)]
    [-1, 0, 1]
    >>> [whole_number(drawn, -1, 1, without_zero=True) for drawn in (0, 0.4, 0.9)]
    [-1, -1, 1]
    """
    skipped = without_zero and low <= 0 <= high
    number = low + floor(drawn * (high - low + 1 - skipped))
    return number + 1 if skipped and number >= 0 else number


def between(drawn: Uniform, low: float, high: float) -> str:
    """SQL for a real number from low to high, uniform."""
    return f"({literal(float(low))} + {drawn('noise')} * {literal(float(high) - float(low))})"


def gaussian(drawn: Uniform) -> str:
    r"""SQL for a number from the normal distribution of mean 0 and deviation 1.

    .. math:: z = \sqrt{-2 \ln u} \cos 2 \pi v

    References: Box, Muller (1958). A note on the generation of random normal deviates. Ann. Math. Stat. 29, 610-611.
    """
    away = f"sqrt(-2 * ln({_open(drawn('radius'))}))"
    return rounded(f"{away} * cos({literal(2 * pi)} * {drawn('angle')})", drawn("rest"))


def laplace(drawn: Uniform) -> str:
    r"""SQL for a number from the Laplace distribution of mean 0 and scale 1, by its inverse.

    .. math:: F^{-1}(u) = \ln 2u \text{ for } u < \tfrac12, \quad -\ln 2(1 - u) \text{ otherwise}
    """
    u = _open(drawn("noise"))
    return rounded(f"CASE WHEN {u} < 0.5 THEN ln(2 * {u}) ELSE -ln(2 * (1 - {u})) END", drawn("rest"))


def rounded(real: str, rest: str) -> str:
    """SQL for a real number rounded to 2^-24, and anywhere within half of that by a uniform number, the `rest`.

    The logarithm and the cosine of two engines may differ in the last bit; on the grid they are the same. But a number
    that lies on a grid says which prices in cents it can be the noisy one of: few. The rest takes it off the grid.
    """
    return f"((floor(({real}) * {literal(float(GRID))} + 0.5) + ({rest} - 0.5)) / {literal(float(GRID))})"


def with_units(draft: Draft, *, people: bool = False) -> tuple[Draft, str]:
    """The draft with what a draw for each record depends on, and that as SQL over `record`.

    The record as it was in the source; with `people` the person whom it is about, as the source names them. Neither is
    touched by what steps did since: not by records left out, nor by a pseudonym, which others see.
    """
    units = draft.source.people if people else draft.source.records
    return set_aside(draft, "units.unit", join=f"JOIN {units} AS units ON units.number = {draft.number}")


def with_draw(draft: Draft, resources: Resources, *, people: bool = False) -> tuple[Draft, str]:
    """The draft with a uniform number for each record, or the same for all records of a person, and that as SQL."""
    drawing, unit = with_units(draft, people=people)
    return set_aside(drawing, resources.uniform(draft.engine, unit))


def _open(drawn: str) -> str:
    """From above 0 to below 1: exact, since uniform numbers are multiples of 2^-52. There is no logarithm of 0."""
    return f"({drawn} + {HALF})"
