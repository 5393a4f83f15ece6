"""What the columns beside are about: in a table of people and their health, a number is a measurement of a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role
from sfumato.tables.engine import Kind

NUMBERS = (Kind.INTEGER, Kind.REAL, Kind.BOOLEAN)


@dataclass(frozen=True)
class Neighbours(Evidence):
    r"""A column of which nothing is known, among columns about health.

    .. math:: w = 0.4 + 0.15 \, \frac{h}{k} \Big(1 - \frac1h\Big)

    Of k columns beside whose role is known, keys and technical ones not counted, h are about health. Below `most` of
    them nothing is said. A number with decimals was measured on somebody, so that fewer such columns are enough. It
    tips and does not decide: any plain name, and any shape of the values, weighs more.
    """

    method: ClassVar[str] = "neighbours"
    by_roles: ClassVar[bool] = True
    most: float = 0.5
    most_of_decimals: float = 0.3
    fewest: int = 2  # columns about health
    categories: int = 12  # different values of a column that groups people
    weight: float = 0.4
    more: float = 0.15
    decimal: float = 0.03  # that a number with decimals weighs more
    tip: float = 0.25

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if beside.roles.get(column.name) is not None or column.identifier:
            return None
        health, known = beside.health_columns
        if not column.records:
            return self._of_name(health, known)
        what = self._what(column)
        if what is None or not known or not beside.about_people:
            return None
        decimals = what == "numbers with decimals"
        fewest, least = (1, self.most_of_decimals) if decimals else (self.fewest, self.most)
        if health < max(fewest, least * known):
            return None
        weight = self.weight + self.more * health / known * (1 - 1 / health) + (self.decimal if decimals else 0.0)
        sentence = f"{health} of {known} known columns beside are about health, and the values are {what}."
        return Finding(self.method, Role.SENSITIVE, health / known, sentence, round(weight, 3))

    def _of_name(self, health: int, known: int) -> Finding | None:
        """A table without records: less than would decide, and enough beside a name that hints at something."""
        if health < 2 * self.fewest or health < self.most * known:
            return None
        sentence = f"{health} of {known} known columns beside are about health."
        return Finding(self.method, Role.SENSITIVE, health / known, sentence, self.tip)

    def _what(self, column: ColumnProfile) -> str | None:
        """What the values are, where they can be measurements or answers; None for keys, dates, texts and constants."""
        if column.known < 2:
            return None
        if column.kind in NUMBERS:
            decimals = any(value.rstrip("0").rstrip(".").count(".") for value in column.sample if "." in value)
            if decimals:
                return "numbers with decimals"
            alone = column.known == column.present > self.categories
            return None if alone else "numbers"
        few = column.known <= min(self.categories, column.present / 2)
        return "a few categories" if column.kind is Kind.TEXT and few else None
