"""Limits: the largest or the smallest value that is released."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from sfumato.errors import PlanError
from sfumato.plans.blocks.parameters import day, one_column, real, words_or_none
from sfumato.plans.blocks.values_in_sql import compared, constant, text_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, literal, quoted


@dataclass(frozen=True)
class Limit(Transformation):
    """A step that lets no value lie beyond a limit: `beyond` says on which side, `words` how that is said."""

    column: str
    at: Any
    label: str | None = None

    beyond: ClassVar[str]  # > or <
    words: ClassVar[tuple[str, str]]  # with the limit left out, and with it
    around: ClassVar[tuple[int, ...]]  # made-up values, as steps from the limit

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        words_or_none(self, "label", self.label)
        if day(self.at) is None:
            try:
                real(self, "at", self.at)
            except PlanError:
                raise self.wrong("at must be a number, or a day such as 2024-03-01.") from None

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        return limited(self, draft, self.column, self.at, self.label, beyond=self.beyond)

    def explained(self) -> str:
        become = f"{self.at}" if self.label is None else repr(self.label)
        return f"Values of {self.column} {self.words[self.label is not None]} {self.at} become {become}."

    def examples(self) -> tuple[tuple[str, str], ...]:
        return limited_text(self.at, self.label, self.around, beyond=self.beyond)


def limited(step: Transformation, draft: Draft, column: str, at: Any, label: str | None, *, beyond: str) -> Draft:
    """The values beyond a limit (`>` or `<`) become the limit; or those at and beyond it become a label."""
    kind = draft.kind(column)
    if kind not in (Kind.INTEGER, Kind.REAL, Kind.DATE, Kind.TIMESTAMP):
        raise step.wrong(f"column {column!r} holds {kind.value}, and numbers or dates are needed.")
    if kind is Kind.INTEGER and day(at) is None and not float(at).is_integer():
        raise step.wrong(f"column {column!r} holds whole numbers, so at must be one.")
    value, bound = compared(draft, column), constant(at, kind, column)
    if label is not None:
        limited = f"CASE WHEN {value} {beyond}= {bound} THEN {literal(label)} ELSE {text_of(draft, column)} END"
    else:
        limited = f"CASE WHEN {value} {beyond} {bound} THEN {_as_held(bound, kind)} ELSE record.{quoted(column)} END"
    return draft.changed({column: limited})


def limited_text(at: Any, label: str | None, steps: Iterable[int], *, beyond: str) -> tuple[tuple[str, str], ...]:
    """Made-up values around a limit, and what becomes of them."""
    start = day(at)
    examples = []
    for step in steps:
        value = at + step if start is None else start + timedelta(step)
        outside = step * (1 if beyond == ">" else -1)
        if label is not None:
            examples.append((str(value), label if outside >= 0 else str(value)))
        else:
            examples.append((str(value), str(at) if outside > 0 else str(value)))
    return tuple(examples)


def _as_held(bound: str, kind: Kind) -> str:
    return f"CAST({bound} AS {'TIMESTAMP' if kind is Kind.TIMESTAMP else 'DATE'})" if kind in DATES else bound


DATES = (Kind.DATE, Kind.TIMESTAMP)
