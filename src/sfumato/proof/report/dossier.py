"""The dossier of a release: everything that was read, tried and decided, before it is told in a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sfumato.attackers.exposure import Exposure
from sfumato.columns.identification import Identification
from sfumato.plans.plan import Plan
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.dataset import Dataset
from sfumato.project.context.result import Context
from sfumato.project.file import Project
from sfumato.project.recipient.recipient import Recipient
from sfumato.schema import Role
from sfumato.search.anonymisation import Anonymised
from sfumato.search.exploration import Explored
from sfumato.show.documents.effects import EffectsDocument
from sfumato.tables.source import Extract
from sfumato.utility.losses import Losses

AS_THEY_ARE = ("keep", "keep_first", "suppress_records")  # steps that leave the values of columns alone


@dataclass(frozen=True)
class Released:
    """A release as it is: its name, its columns, and what its columns mean."""

    name: str
    columns: tuple[str, ...]
    records: int
    dataset: Dataset = field(repr=False)  # the subject is known, whether it is released or not
    plan: Plan | None = None  # that made it, where that is known
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> frozenset[str]:
        """The columns that steps of the plan name, to change them."""
        found: set[str] = set()
        for step in self.plan.steps if self.plan else ():
            settings = step.transformation.settings()
            for given in (settings.get("column"), settings.get("columns")):
                names = () if step.name in AS_THEY_ARE or not given else given
                found |= {names} if isinstance(names, str) else set(names)
        return frozenset(found)


@dataclass(frozen=True)
class Dossier:
    """The original, its release where there is one, and the evidence on both."""

    extract: Extract = field(repr=False)
    dataset: Dataset = field(repr=False)  # the original, its values as they are
    identification: Identification = field(repr=False)
    before: Assessment
    exposure: Exposure
    context: Context
    project: Project | None = None
    recipient: Recipient | None = None
    released: Released | None = None
    after: Mapping[str, Assessment] = field(default_factory=dict)  # by scenario; one without a name where there is none
    knowing: Mapping[str, Assessment] = field(default_factory=dict)  # the original, by scenario, where there are some
    losses: Losses | None = None
    effects: EffectsDocument | None = None  # risk and utility after each step
    anonymised: Anonymised | None = None
    explored: Explored | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def met(self) -> bool | None:
        """Whether what is released keeps to every requirement; None where nothing was required, or cannot be read."""
        read = tuple(self.after.values()) if self.released else (self.before,)
        said = [found.met for found in read if found.met is not None]
        return all(said) if said else None

    @property
    def required(self) -> bool:
        """Whether anything was required."""
        return any(reading.requirement.bound is not None for reading in self.before.readings)

    @property
    def left_in(self) -> tuple[str, ...]:
        """Direct identifiers, and the subject, that the release still has and that no step of its plan changes."""
        direct = self.dataset.schema.columns_with(Role.DIRECT)
        subject = (self.dataset.subject,) if self.dataset.subject else ()
        there = self.released.columns if self.released else ()
        changed = self.released.changed if self.released else frozenset()
        return tuple(name for name in dict.fromkeys((*direct, *subject)) if name in there and name not in changed)
