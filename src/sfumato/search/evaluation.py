"""Evaluations: what one combination of levels would come to, without making the release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING

from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.privacy.policy import Requirement
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.show.documents.evaluation import EvaluationDocument, NodeReadingDocument, NodeSizesDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.evaluation import evaluation_sheet

if TYPE_CHECKING:
    from sfumato.search.evaluator import Evaluator


@dataclass(frozen=True)
class NodeReading:
    """One requirement: its bound, and what `assess` would read off the release."""

    requirement: Requirement
    value: float | None  # None where nobody who stays has a value, or nobody stays
    scenario: str = ""  # of the attacker in whose view it was read; empty where all quasi-identifiers are known

    @property
    def name(self) -> str:
        """The measure with its parameters: the name by which its bound can be changed."""
        return self.requirement.name

    @property
    def bound(self) -> float | None:
        """The bound; None where the measure is only read."""
        return self.requirement.bound

    @property
    def sensitive(self) -> str | None:
        """The sensitive attribute, for a measure that is about one."""
        measure = self.requirement.measure
        return measure.sensitive if isinstance(measure, SensitiveMeasure) else None

    @property
    def met(self) -> bool | None:
        """Whether the value keeps to the bound; None without a bound."""
        return self.requirement.met_by(self.value)

    def content(self) -> NodeReadingDocument:
        """The same as plain values."""
        value = self.value if self.value is None or isfinite(self.value) else None
        return NodeReadingDocument(
            requirement=self.name, scenario=self.scenario or None, value=value, bound=self.bound, met=self.met
        )


@dataclass(frozen=True)
class NodeSizes:
    """How many look alike: persons where the subject is known, and records otherwise."""

    classes: int
    smallest: int  # 0 where there is no class
    largest: int
    alone: int  # people who look like nobody else


@dataclass(frozen=True, repr=False)
class Evaluation(Presented):
    """One combination of levels under one policy: who has to be left out, what is lost, and what is read then."""

    evaluator: Evaluator = field(repr=False, compare=False)  # as it was asked: with these bounds and this share
    levels: Mapping[str, int]
    bounds: Mapping[str, float]  # by the name of the requirement
    suppress: float  # the share of records that may be left out
    records: int
    left_out: int  # records
    limit: int  # records that may be left out
    persons: int | None  # None where the subject is not known
    persons_left_out: int | None  # who have no record left
    before: NodeSizes  # when nobody is left out
    after: NodeSizes  # of those who stay
    score: float  # by the objective
    loss: float  # the same, from 0 where nothing is lost to 1 where everything is
    losses: Mapping[str, float] | None  # by column, from 0 to 1; None: the objective is not read column by column
    readings: tuple[NodeReading, ...]
    levels_found: LevelsFound | None = None  # where a search chose the levels: how sure it is

    @property
    def met(self) -> bool:
        """Whether somebody stays, no more are left out than may be, and all who stay keep to every bound."""
        return self.left_out < self.records and self.excess == 0 and all(r.met is not False for r in self.readings)

    @property
    def excess(self) -> int:
        """Records that would be left out beyond what is allowed."""
        return max(self.left_out - self.limit, 0)

    def reading(self, name: str) -> NodeReading:
        """What one requirement reads, by any of its names: `k`, `t(illness)`, ...; the worst, where there are several.

        Of several attackers the one counts who breaks the bound, or else the first.
        """
        named = [reading for reading in self.readings if name in reading.requirement.names]
        if not named:
            self.evaluator.request.policy.with_bounds({name: 0})  # says which names there are
        return next((reading for reading in named if reading.met is False), named[0])

    def content(self) -> EvaluationDocument:
        """Everything as plain values. It holds no cell value."""
        return EvaluationDocument(
            levels=self.levels,
            bounds=self.bounds,
            suppression_limit=self.suppress,
            met=self.met,
            records=self.records,
            left_out=self.left_out,
            limit=self.limit,
            persons=self.persons,
            persons_left_out=self.persons_left_out,
            before=NodeSizesDocument(**vars(self.before)),
            after=NodeSizesDocument(**vars(self.after)),
            score=self.score if isfinite(self.score) else None,
            loss=self.loss,
            losses=self.losses,
            readings=[reading.content() for reading in self.readings],
        )

    def sheet(self) -> Sheet:
        """The same for people."""
        return evaluation_sheet(self.content())

    def neighbours(self, *ways: int) -> tuple[NextNode, ...]:
        """Each column one level down and one level up, in the order of the columns; `ways` may be -1 or 1 alone."""
        return tuple(
            NextNode(column.name, by, self.evaluator.at({**self.levels, column.name: self.levels[column.name] + by}))
            for column in self.evaluator.table.columns
            for by in ways or (-1, 1)
            if 0 <= self.levels[column.name] + by <= column.height
        )


@dataclass(frozen=True)
class NextNode:
    """The same levels but for one column, which is one level lower or higher."""

    column: str
    by: int  # -1: lower, 1: higher
    evaluation: Evaluation

    @property
    def level(self) -> int:
        """The level of the column there."""
        return self.evaluation.levels[self.column]

    @property
    def met(self) -> bool:
        """Whether it keeps to the policy."""
        return self.evaluation.met

    @property
    def left_out(self) -> int:
        """Records that would be left out."""
        return self.evaluation.left_out

    @property
    def loss(self) -> float:
        """What it loses, from 0 to 1."""
        return self.evaluation.loss
