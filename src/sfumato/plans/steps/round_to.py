"""Rounding to a base."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import floor

from sfumato.errors import HierarchyError
from sfumato.hierarchies.grid import Grid
from sfumato.plans.blocks.parameters import choice, one_column, real
from sfumato.plans.blocks.values_in_sql import compared
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, quoted

MADE_UP = (12, 13, 17.5, 104)


@dataclass(frozen=True)
class RoundTo(Transformation):
    r"""Round numbers to multiples of a base.

    .. math:: x \mapsto b \lfloor x / b + 1/2 \rfloor

    To the nearest multiple, halves up; or always down, or up. Whole numbers stay whole, so their base is one. 0.3 is
    a multiple of 0.1: the base is read as it is written in decimals.

    Examples
    --------
    >>> RoundTo("weight", 5).examples()
    (('12', '10'), ('13', '15'), ('17.5', '20'), ('104', '105'))
    """

    column: str
    base: float
    how: str = "nearest"

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        choice(self, "how", self.how, ("nearest", "down", "up"))
        if real(self, "base", self.base) <= 0:
            raise self.wrong("base must be a number above 0.")
        try:
            Grid(self.base, self._shift)
        except HierarchyError:
            raise self.wrong("base needs 11 decimals at most, and 15 digits at most.") from None

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        kind = draft.kind(self.column)
        if not kind.numeric:
            raise self.wrong(f"column {self.column!r} holds {kind.value}, and numbers are needed.")
        if kind is Kind.REAL:
            return draft.changed({self.column: self._real(draft)})
        if not float(self.base).is_integer():
            raise self.wrong(f"column {self.column!r} holds whole numbers, so the base must be one.")
        return draft.changed({self.column: self._whole()})

    def explained(self) -> str:
        to = "the nearest multiple" if self.how == "nearest" else "a multiple"
        way = "" if self.how == "nearest" else f", {self.how}"
        return f"Round {self.column} to {to} of {self.base}{way}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return tuple((str(number), f"{self._rounded(number):g}") for number in MADE_UP)

    @property
    def _shift(self) -> float:
        """Where the first multiple begins to draw numbers to itself."""
        half = -Decimal(str(self.base)) / 2
        return {"nearest": float(half), "down": 0.0, "up": 0.0}[self.how]

    def _rounded(self, number: float) -> float:
        if self.how == "up":
            return -(self.base * floor(-number / self.base))
        return self.base * floor(number / self.base + (0.5 if self.how == "nearest" else 0))

    def _whole(self) -> str:
        """Whole numbers without a detour by real ones, which would lose digits of long ones."""
        base, value = int(self.base), f"CAST(record.{quoted(self.column)} AS BIGINT)"
        more = {"nearest": base // 2, "down": 0, "up": base - 1}[self.how]
        raised = f"({value} + {more})" if more else value
        return f"({raised} - ({raised} % {base} + {base}) % {base})"

    def _real(self, draft: Draft) -> str:
        """Real numbers by the step of a grid; what is too large to have decimals stays as it is."""
        value, exact = compared(draft, self.column), Grid(self.base)
        if self.how == "up":
            step = f"-({Grid(self.base).index_sql(f'(-({value}))')})"
        else:
            step = Grid(self.base, self._shift).index_sql(f"({value})")
        return f"coalesce({exact.edge_sql(f'({step})')}, {value})"
