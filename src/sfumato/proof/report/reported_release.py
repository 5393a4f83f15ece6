"""The release that a report is about: read from a file, made by a plan or by a search, and paired with its original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sfumato.attackers.read_exposure import PairedRelease
from sfumato.plans.decided_columns import DecidedDraft, Decisions
from sfumato.plans.draft import Draft, DraftColumn
from sfumato.plans.plan import FollowedPlan, Plan
from sfumato.privacy.dataset import Dataset
from sfumato.progress import Tell, quiet
from sfumato.schema import Role
from sfumato.search.prepare import dataset_of_draft
from sfumato.secrets import Secrets
from sfumato.tables.engine import Table, listed, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.utility.catalogue import chosen_models
from sfumato.utility.losses import Losses
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.label_levels import ValueChange
from sfumato.utility.paired.pairing import MARKS, Pairing

AS_THEY_ARE = ("keep", "keep_first", "suppress_records")  # steps that leave the values of columns alone


@dataclass(frozen=True)
class ReportedRelease:
    """A release as it is: its name, its columns, and what its columns mean."""

    name: str
    columns: tuple[str, ...]
    records: int
    dataset: Dataset = field(repr=False)  # the subject is known, whether it is released or not
    plan: Plan | None = None  # that made it, where that is known
    notes: tuple[str, ...] = ()
    left_out_columns: tuple[str, ...] = ()  # that nobody decided about
    known: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)  # what was read off it already

    @property
    def changed(self) -> frozenset[str]:
        """The columns that steps of the plan name, to change them."""
        names: set[str] = set()
        for step in self.plan.steps if self.plan else ():
            if step.name in AS_THEY_ARE:
                continue
            settings = step.transformation.settings()
            for columns in (settings.get("column"), settings.get("columns")):
                names |= {columns} if isinstance(columns, str) and columns else set(columns or ())
        return frozenset(names)


@dataclass(frozen=True, eq=False)
class ReleaseWithOriginal:
    """A release beside its original: both tables, and the column that pairs their records."""

    released: ReportedRelease
    dataset: Dataset  # the original, and what its columns mean
    original: Table
    table: Table
    key: str | None
    marks: Sequence[str] = MARKS
    pairing: Pairing | None = None  # of the quasi-identifiers, where both were compared before

    def to_attackers(self) -> PairedRelease:
        """The release as attackers see it, with the roles that the columns of the original have."""
        there = self.table.columns
        known = self.released.dataset.schema
        roles = {a.name: a.role.value for a in known if a.role in (Role.QUASI, Role.SENSITIVE) and a.name in there}
        subject = self.dataset.subject if self.dataset.subject in there else None
        release = Dataset.of(self.table, roles, subject=subject)
        return PairedRelease(
            release, self.key, tuple(self.marks), numbered=self.released.plan is not None, pairing=self.pairing
        )

    def losses(self, source: str, tell: Tell = quiet) -> Losses:
        """What was lost on the quasi-identifiers, and on those sensitive attributes that have other values now.

        One that is released as it was would make the loss smaller than the one that a search and `compare` read.
        """
        tell("Comparing with the original")
        dataset = self.dataset
        compared = self._compared([*dataset.quasi_identifiers, *dataset.sensitive])
        kept = [name for name in dataset.sensitive if not has_other_values(compared.cells[name])]
        if kept and len(kept) < len(compared.cells):
            compared = self._compared([name for name in compared.cells if name not in kept])
        return Losses.of(
            compared,
            chosen_models(),
            paired_by="the number of the record" if self.released.plan else self.key,
            source=source,
            released=self.released.name,
            tell=tell,
        )

    def _compared(self, names: Sequence[str]) -> Comparison:
        known = {name: hierarchy for name, hierarchy in self.dataset.hierarchies.items() if name in names}
        visible = self.table.engine.view(f"SELECT {listed(map(quoted, self._visible()))} FROM {self.table}")
        pairing = Pairing.of(
            self.original, visible, names, hierarchies=known, key=self.key, marks=self.marks,
            numbered=self.released.plan is not None,
        )  # fmt: skip
        return Comparison.of(pairing)

    def _visible(self) -> list[str]:
        """What is released, and the key; the subject may be known here and not there."""
        key = [self.key] if self.key and self.key not in self.released.columns else []
        return [*key, *self.released.columns]


def read_release(data: Any, dataset: Dataset, key: str | None, tell: Tell = quiet) -> ReleaseWithOriginal:
    """A release that was made before, with the roles of the columns that it still has."""
    tell("Reading the release")
    extract = data if isinstance(data, Extract) else load(data, ReadOptions(), dataset.table.engine)
    there = extract.table.columns
    roles = {a.name: a.role.value for a in dataset.schema if a.name in there}
    subject = dataset.subject if dataset.subject in there else None
    meaning = replace(Dataset.of(extract.table, roles, subject=subject), missing=dataset.missing)
    released = ReportedRelease(extract.name, tuple(there), extract.table.count(), meaning, notes=extract.notes)
    return ReleaseWithOriginal(released=released, dataset=dataset, original=dataset.table, table=extract.table, key=key)


def release_by_plan(
    plan: Plan,
    extract: Extract,
    dataset: Dataset,
    decisions: Decisions,
    *,
    secrets: Mapping[str, Any] | Secrets,
    tell: Tell = quiet,
) -> ReleaseWithOriginal:
    """The release that a plan makes, without the columns that nobody decided about."""
    roles = {a.name: a.role for a in dataset.schema}
    before = Draft.of(extract, subject=dataset.subject, roles=roles)
    after, settled = plan.settle(before, Secrets.of(secrets), tell)
    decided = DecidedDraft.of(after, before, plan, decisions)
    return release_in_hand(
        FollowedPlan(plan, settled, extract.name, before, decided.draft), dataset, left_out=decided.undecided
    )


def release_in_hand(
    followed: FollowedPlan, dataset: Dataset, *, left_out: tuple[str, ...] = (), losses: Losses | None = None
) -> ReleaseWithOriginal:
    """A release that was made a moment ago; records are paired by their number in the source, once with its losses."""
    after = followed.after
    hidden = dataset.subject is not None and dataset.subject not in after.names
    known = hidden and dataset.subject in after.table.columns
    kept = replace(after, columns=(*after.columns, DraftColumn(str(dataset.subject)))) if known else after
    new = {c.name: c.role.value for c in after.columns if c.name not in dataset.table.columns}
    meaning = replace(dataset_of_draft(kept, dataset), table=kept.counted_table(), hierarchies={}, population=None)
    names = listed(quoted(name) for name in (after.row, *kept.names))
    return ReleaseWithOriginal(
        released=ReportedRelease(
            name="the release",
            columns=after.names,
            records=after.count(),
            dataset=meaning.with_roles(new),
            plan=followed.plan,
            notes=after.notes,
            left_out_columns=left_out,
        ),
        dataset=dataset,
        original=followed.before.counted,
        table=after.engine.view(f"SELECT {names} FROM {after.counted}"),
        key=after.row,
        pairing=losses.compared.pairing if losses is not None else None,
    )


def has_other_values(cells: ColumnCells) -> bool:
    """Whether a column has other values than it had, besides those that went with their records."""
    return cells.column.dropped or bool(cells.changes[ValueChange.BROADER] or cells.changes[ValueChange.MOVED])
