"""Releasing: the release that a report is about, from a file, from a plan, or from a search, beside its original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato.attackers.read_exposure import PairedRelease
from sfumato.plans.draft import Draft, DraftColumn
from sfumato.plans.plan import FollowedPlan, Plan
from sfumato.privacy.dataset import Dataset
from sfumato.progress import Tell, quiet
from sfumato.proof.report.dossier import Released
from sfumato.schema import Role
from sfumato.search.prepare import dataset_of_draft
from sfumato.secrets import Secrets
from sfumato.tables.engine import Table, listed, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.utility.catalogue import chosen_models
from sfumato.utility.losses import Losses
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import MARKS, Pairing


@dataclass(frozen=True, eq=False)
class Beside:
    """A release beside its original: both tables, and the column that pairs their records."""

    released: Released
    dataset: Dataset  # the original, and what its columns mean
    original: Table
    table: Table
    key: str | None
    marks: Sequence[str] = MARKS

    def release(self) -> PairedRelease:
        """The release as attackers see it, with the roles that the columns of the original have."""
        there = self.table.columns
        known = self.released.dataset.schema
        roles = {a.name: a.role.value for a in known if a.role in (Role.QUASI, Role.SENSITIVE) and a.name in there}
        subject = self.dataset.subject if self.dataset.subject in there else None
        return PairedRelease(Dataset.of(self.table, roles, subject=subject), self.key, tuple(self.marks))

    def losses(self, source: str, tell: Tell = quiet) -> Losses:
        """What was lost on the quasi-identifiers and the sensitive attributes."""
        tell("Comparing with the original")
        dataset = self.dataset
        names = [*dataset.quasi_identifiers, *dataset.sensitive]
        known = {name: hierarchy for name, hierarchy in dataset.hierarchies.items() if name in names}
        visible = self.table.engine.view(f"SELECT {listed(map(quoted, self._visible()))} FROM {self.table}")
        pairing = Pairing.of(self.original, visible, names, hierarchies=known, key=self.key, marks=self.marks)
        return Losses.of(
            Comparison.of(pairing),
            chosen_models(),
            paired_by="the number of the record" if self.released.plan else self.key,
            source=source,
            released=self.released.name,
            tell=tell,
        )

    def _visible(self) -> list[str]:
        """What is released, and the key; the subject may be known here and not there."""
        key = [self.key] if self.key and self.key not in self.released.columns else []
        return [*key, *self.released.columns]


def read_release(data: Any, dataset: Dataset, key: str | None, tell: Tell = quiet) -> Beside:
    """A release that was made before, with the roles of the columns that it still has."""
    tell("Reading the release")
    extract = data if isinstance(data, Extract) else load(data, ReadOptions(), dataset.table.engine)
    there = extract.table.columns
    roles = {a.name: a.role.value for a in dataset.schema if a.name in there}
    subject = dataset.subject if dataset.subject in there else None
    seen = replace(Dataset.of(extract.table, roles, subject=subject), missing=dataset.missing)
    found = Released(extract.name, tuple(there), extract.table.count(), seen, notes=extract.notes)
    return Beside(found, dataset, dataset.table, extract.table, key)


def followed(plan: Plan, extract: Extract, dataset: Dataset, secrets: Mapping[str, Any], tell: Tell = quiet) -> Beside:
    """The release that a plan makes."""
    roles = {a.name: a.role for a in dataset.schema}
    before = Draft.of(extract, subject=dataset.subject, roles=roles)
    after, settled = plan.settle(before, Secrets(secrets), tell)
    return made(FollowedPlan(plan, settled, extract.name, before, after), dataset)


def made(done: FollowedPlan, dataset: Dataset) -> Beside:
    """A release that was made a moment ago; records are paired by their number in the source."""
    after = done.after
    hidden = dataset.subject is not None and dataset.subject not in after.names
    known = hidden and dataset.subject in after.table.columns
    kept = replace(after, columns=(*after.columns, DraftColumn(str(dataset.subject)))) if known else after
    new = {c.name: c.role.value for c in after.columns if c.name not in dataset.table.columns}
    seen = replace(dataset_of_draft(kept, dataset), hierarchies={}, population=None).with_roles(new)
    found = Released("the release", after.names, after.count(), seen, done.plan, after.notes)
    names = listed(quoted(name) for name in (after.row, *kept.names))
    table = after.engine.view(f"SELECT {names} FROM {after.table}")
    return Beside(found, dataset, done.before.table, table, after.row)


def file_of(data: Any) -> Path | None:
    """The file that something was read from, where it is one."""
    found = Path(data) if isinstance(data, str | Path) and "://" not in str(data) else None
    return found if found is not None and found.is_file() else None
