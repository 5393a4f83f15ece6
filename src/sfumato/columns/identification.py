"""Identification: what each column of a table seems to be, on which evidence, and which to look at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sfumato.columns.combinations import Combinations
from sfumato.columns.evidence.risk_rate import ALPHA, BETA
from sfumato.columns.evidence_interface import Finding
from sfumato.columns.influence import ClassCount, Influences
from sfumato.columns.open_question import would_decide
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.proposal import SURE
from sfumato.columns.role_families import role_families
from sfumato.columns.threshold_moves import threshold_moves
from sfumato.project.recipient.grade import Grade
from sfumato.project.recipient.recipient import Recipient, selected
from sfumato.schema import Role, role_name
from sfumato.show.documents.identification import (
    CoarserDocument,
    ColumnEffectDocument,
    FailureDocument,
    GradeDocument,
    GradeTotalDocument,
    IdentificationDocument,
    IdentificationsDocument,
    IdentifiedColumnDocument,
    IdentifiedTableDocument,
    StandingDocument,
    ThresholdMoveDocument,
)
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.identification import identification_sheet
from sfumato.show.sheets.identified_tables import identifications_sheet
from sfumato.tables.source import Extract


@dataclass(frozen=True)
class IdentifiedColumn:
    """One column: its role, who says so, and every finding behind it."""

    profile: ColumnProfile
    role: Role | None  # None: undecided, since nothing says enough and nobody has said
    findings: tuple[Finding, ...] = ()
    sure: float = 0.0  # 0: nothing speaks for the role; 1: beyond doubt
    decided: bool = False  # by a person, and not proposed
    risk_rate: float | None = None  # S0's; None where it was left out
    hipaa: str | None = None  # the identifier of the HIPAA list that was recognised

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.profile.name

    @property
    def drop(self) -> bool:
        """Whether it had better be left out."""
        return any(finding.drop for finding in self.findings)

    @property
    def is_primary(self) -> bool:
        """Whether it is a quasi-identifier by its meaning, and has a score."""
        return self.role is Role.QUASI and self.profile.score is not None

    @property
    def is_secondary(self) -> bool:
        """Whether it is a primary one with values seen once, or influence, above 0 (S4.5)."""
        return self.is_primary and (self.profile.score or 0.0) > 0

    def content(self, *, final: bool = False) -> IdentifiedColumnDocument:
        """The column as plain values: shares as fractions, no cell value.

        `final` says that the grade of a recipient selects it.
        """
        sets = (("final", final), ("secondary", self.is_secondary), ("primary", self.is_primary))
        return IdentifiedColumnDocument(
            name=self.name,
            role=role_name(self.role),
            decided=self.decided,
            sure=self.sure,
            hipaa=self.hipaa,
            risk_rate=self.risk_rate,
            g_sum=None if self.risk_rate is None else self.profile.rarity,
            values_seen_once=self.profile.values_seen_once,
            unique_records=self.profile.once,  # a value seen once is seen in one record
            influence=self.profile.influence,
            score=self.profile.score,
            quasi_identifier=next((name for name, holds in sets if holds), None),
            missing=self.profile.missing_share,
            drop=self.drop,
            type=self.profile.kind.value,
            why=self.profile.why,
            label=self.profile.label,
            different_values=self.profile.known,
            missing_records=self.profile.missing,
            shape=self.profile.shape,
            evidence=[finding.content() for finding in self.findings],
            would_decide=would_decide(self.profile, self.findings) if self.role is None else None,
        )


@dataclass(frozen=True, repr=False)
class Identification(Presented):
    """The columns of one table, in the order of the table, and how they identify together."""

    source: str
    records: int
    columns: tuple[IdentifiedColumn, ...]
    method: str = "evidence"
    thresholds: tuple[float, float] = (ALPHA, BETA)  # alpha and beta of the risk rate
    excluded: tuple[str, ...] = ()  # from the risk rate, since they are mostly missing
    influences: Influences | None = None
    coarser: dict[str, str] = field(default_factory=dict)  # how a column was coarsened, in words
    combinations: Combinations | None = None
    recipient: Recipient | None = None
    notes: tuple[str, ...] = ()
    extract: Extract | None = field(default=None, compare=False)  # the table that was looked at

    def __iter__(self) -> Iterator[IdentifiedColumn]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> IdentifiedColumn:
        return next(column for column in self.columns if column.name == name)

    @property
    def roles(self) -> dict[str, Role | None]:
        """The role of each column; None where it is undecided."""
        return {column.name: column.role for column in self.columns}

    def with_role(self, role: Role | None) -> tuple[str, ...]:
        """The columns of one role, or the undecided ones (None), those with the highest risk rate first."""
        chosen = [column for column in self.columns if column.role is role]
        return tuple(column.name for column in sorted(chosen, key=lambda c: -(c.risk_rate or 0)))

    def sure_with(self, role: Role) -> tuple[str, ...]:
        """The columns that are proposed for a role with so much certainty that they can be confirmed together."""
        proposed = (column for column in self.columns if column.role is role and not column.decided)
        return tuple(column.name for column in proposed if column.sure >= SURE)

    @property
    def ranked(self) -> tuple[IdentifiedColumn, ...]:
        """The columns that have a score, the highest first: the primary quasi-identifiers, or all in scope."""
        scored = [column for column in self.columns if column.profile.score is not None]
        return tuple(sorted(scored, key=lambda column: -(column.profile.score or 0)))

    @property
    def primary(self) -> dict[str, float]:
        """The score of each primary quasi-identifier, the highest first."""
        return {column.name: column.profile.score or 0.0 for column in self.ranked if column.is_primary}

    @property
    def secondary(self) -> tuple[str, ...]:
        """The primary quasi-identifiers that tell somebody apart, by their own values or beside the others."""
        return tuple(column.name for column in self.ranked if column.is_secondary)

    def final(self, grade: Grade) -> tuple[str, ...]:
        """The final quasi-identifiers for recipients of a grade: those whose score reaches its threshold."""
        return tuple(selected(self.primary, grade.threshold))

    @property
    def selected(self) -> tuple[str, ...]:
        """The final quasi-identifiers for the recipient."""
        return () if self.recipient is None else self.final(self.recipient.grade)

    def content(self) -> IdentificationDocument:
        """Everything as plain values."""
        final = frozenset(self.selected)
        return IdentificationDocument(
            source=self.source,
            records=self.records,
            method=self.method,
            alpha=self.thresholds[0],
            beta=self.thresholds[1],
            columns=[column.content(final=column.name in final) for column in self._listed()],
            excluded=self.excluded,
            roles={role_name(role): self.with_role(role) for role in (*Role, None)},
            confirmable={role.value: self.sure_with(role) for role in Role},
            families=role_families([column.profile for column in self.columns], self.roles),
            secondary=self.secondary,
            grades=[
                GradeDocument(grade=grade, threshold=grade.threshold, columns=self.final(grade)) for grade in Grade
            ],
            ranking=[self._effect(column, self.influences) for column in self.ranked] if self.influences else [],
            combinations=self.combinations.content() if self.combinations else None,
            notes=self.notes,
            recipient=self.recipient.content() if self.recipient is not None else None,
            selected=self.selected if self.recipient is not None else None,
            moves=self._moves() if self.method == "risk-rate" else None,
        )

    def sheet(self, *, every_column: bool = False) -> Sheet:
        """The identification for people; with `every_column` each has a line of its own, however many there are."""
        return identification_sheet(self.content(), every_column=every_column)

    def _moves(self) -> list[ThresholdMoveDocument]:
        rates = {c.name: c.risk_rate for c in self.columns if c.risk_rate is not None and c.role is not Role.DIRECT}
        return list(threshold_moves(rates, *self.thresholds))

    def _listed(self) -> Sequence[IdentifiedColumn]:
        """In the order of the table; by descending rate where the rate is the method."""
        if self.method != "risk-rate":
            return self.columns
        return sorted(self.columns, key=lambda c: -1.0 if c.risk_rate is None else c.risk_rate, reverse=True)

    def _effect(self, column: IdentifiedColumn, influences: Influences) -> ColumnEffectDocument:
        """What would become of the records without a column, or with it coarser."""
        name, records = column.name, influences.records
        coarser = influences.coarser.get(name)
        return ColumnEffectDocument(
            name=name,
            share_of_risk=column.profile.influence,
            now=_standing(influences.whole, records),
            without=_standing(influences.without[name], records),
            coarser=CoarserDocument(**vars(_standing(coarser, records)), how=self.coarser[name]) if coarser else None,
        )


@dataclass(frozen=True, repr=False)
class Identifications(Presented):
    """Several tables, each identified, and those that could not be read."""

    source: str
    tables: tuple[Identification, ...]
    failures: tuple[tuple[str, str], ...] = ()  # table and what is wrong with it
    notes: tuple[str, ...] = ()
    recipient: Recipient | None = None

    def counts(self) -> dict[str, Counter[Role | None]]:
        """How many columns of each role, or undecided (None), each table has."""
        return {table.source: Counter(column.role for column in table.columns) for table in self.tables}

    def totals(self) -> dict[str, int]:
        """How many columns of each role there are in all, one that is in several tables counted in each."""
        total = sum(self.counts().values(), Counter[Role | None]())
        counted = {role_name(role): total[role] for role in (*Role, None)}
        secondary = sum(len(table.secondary) for table in self.tables)
        return {**counted, "columns": total.total(), "tables": len(self.tables), "secondary": secondary}

    def final(self, grade: Grade) -> int:
        """How many final quasi-identifiers there are in all for recipients of a grade, counted as in `totals`."""
        return sum(len(table.final(grade)) for table in self.tables)

    def content(self) -> IdentificationsDocument:
        """Everything as plain values."""
        counts = self.counts()
        return IdentificationsDocument(
            source=self.source,
            tables=[
                IdentifiedTableDocument(
                    name=table.source,
                    identification=table.content(),
                    counts={role_name(role): counts[table.source][role] for role in (*Role, None)},
                )
                for table in self.tables
            ],
            totals=self.totals(),
            grades=[
                GradeTotalDocument(grade=grade, threshold=grade.threshold, columns=self.final(grade)) for grade in Grade
            ],
            failures=[FailureDocument(name=name, problem=problem) for name, problem in self.failures],
            notes=self.notes,
            recipient=self.recipient.content() if self.recipient is not None else None,
        )

    def sheet(self, *, every_column: bool = False) -> Sheet:
        """The tables for people; with `every_column` each undecided one has a line of its own."""
        return identifications_sheet(self.content(), every_column=every_column)


def _standing(count: ClassCount, records: int) -> StandingDocument:
    average = count.classes / records if records else 0.0
    return StandingDocument(classes=count.classes, unique_records=count.alone, average_risk=average)
