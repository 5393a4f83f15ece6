"""What every step of a plan does to risk and utility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.show.document import Document, where_said


@dataclass(frozen=True, kw_only=True)
class EffectDocument(Document):
    """Risk and utility of a table on its way to a release: before any step, or after one."""

    number: int | None = where_said()  # of the step
    transformation: str | None = where_said()
    explanation: str | None = where_said()
    quasi_identifiers: Sequence[str]  # those that the table has at that point
    records: int
    k: int | None
    singled_out: int | None
    average_risk: float | None
    lost: Mapping[str, float | None]  # by utility model, from 0 to 1
    notes: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class EffectsDocument(Document):
    """The loop of a release: before the plan, and after each of its steps."""

    source: str
    plan: str
    before: EffectDocument
    steps: Sequence[EffectDocument]
