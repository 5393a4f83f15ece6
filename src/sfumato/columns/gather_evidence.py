"""Identifying: gather the evidence for each column of a table, and propose its role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sfumato.columns.catalogue import evidences
from sfumato.columns.coarser_reading import coarser_reading
from sfumato.columns.combinations import Combinations, examine_combinations
from sfumato.columns.evidence.keys import Keys
from sfumato.columns.evidence.named_keys import NamedKeys
from sfumato.columns.evidence.risk_rate import ALPHA, BETA, RiskRate, risk_rate
from sfumato.columns.evidence.seen_once_influence import SeenOnceInfluence
from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.identification import Identification, IdentifiedColumn
from sfumato.columns.influence import Influences, distinct_rows, influences_of, mostly_alone, numbered_values
from sfumato.columns.profile import ColumnProfile, Profile, values_of_key
from sfumato.columns.proposal import propose
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.columns.table_keys import MOST_KEYS, REMEMBERED, TableKey, shape_of, tells_apart
from sfumato.errors import PolicyError, did_you_mean
from sfumato.progress import Tell, quiet
from sfumato.project.recipient.recipient import Recipient
from sfumato.schema import Missing, Role
from sfumato.tables.engine import Table
from sfumato.tables.source import Extract

METHODS = ("evidence", "risk-rate")
SCOPES = ("primary", "all")
OF_KEYS, A_KEY = (Keys.method, NamedKeys.method), 0.5  # evidence of keys, and how much of it makes one


@dataclass(frozen=True)
class Inquiry:
    """What is asked about a table.

    `roles` are what a person decided. `method` is evidence (every kind together) or risk-rate (S0 alone). `scope` says
    over which columns influence is counted: the primary quasi-identifiers, or all but the direct identifiers.
    """

    roles: Mapping[str, Role] = field(default_factory=dict)
    method: str = "evidence"
    alpha: float = ALPHA
    beta: float = BETA
    scope: str = "primary"
    missing: Missing = Missing.OWN_VALUE
    dictionary: Mapping[str, tuple[str, bool]] = field(default_factory=dict)  # label, and whether an identifier
    recipient: Recipient | None = None
    largest: int = 3  # columns of a combination
    keys: tuple[TableKey, ...] = ()  # of other tables that belong to this one

    def __post_init__(self) -> None:
        RiskRate(self.alpha, self.beta)
        for name, given, known in (("method", self.method, METHODS), ("scope", self.scope, SCOPES)):
            if given not in known:
                raise PolicyError(f"There is no {name} {given!r}.{did_you_mean(given, known)}")
        if self.missing is Missing.WILDCARD:
            raise PolicyError("Identification reads a missing value as own_value or never_matches, not as a wildcard.")


def identify_extract(
    extract: Extract, inquiry: Inquiry, *, profile: Profile | None = None, tell: Tell = quiet
) -> Identification:
    """Every column of a table that was read; `profile` is what was counted of it before."""
    profile = profile or Profile.of(extract.table, missing=inquiry.missing, tell=tell)
    profile = _described(profile, extract, inquiry)
    for name in inquiry.roles:
        profile[name]  # an unknown column is an error that suggests the nearest
    columns = _identified_columns(profile, extract.name, inquiry, tell)
    whole = Identification(
        source=extract.name, records=profile.records, columns=columns, method=inquiry.method,
        thresholds=(inquiry.alpha, inquiry.beta), recipient=inquiry.recipient,
        excluded=tuple(c.name for c in columns if _unrated(c) and profile.records),
        notes=extract.notes, extract=extract,
    )  # fmt: skip
    if inquiry.method == "risk-rate":
        return whole
    tell("Counting the classes without each column")
    return _scored(whole, extract, inquiry, tell)


def identify_beside_keys(identification: Identification, inquiry: Inquiry) -> Identification | None:
    """The identification beside the keys of other tables; None where the classes must be counted anew."""
    profile = counted_profile(identification)
    columns = _identified_columns(profile, identification.source, inquiry)
    scopes = ({c.name for c in each if _in_scope(c, inquiry)} for each in (identification.columns, columns))
    if len(set(map(frozenset, scopes))) > 1:
        return None
    influences = identification.influences
    counted = tuple(_with_influence(c, influences) for c in columns) if influences else columns
    unrated = tuple(c.name for c in counted if _unrated(c) and profile.records)
    return replace(identification, columns=counted, excluded=unrated)


def counted_profile(identification: Identification) -> Profile:
    """What was counted of a table, without what was found out by it."""
    return Profile(identification.records, tuple(replace(c.profile, influence=None) for c in identification.columns))


def keys_of(identification: Identification, table: Table) -> tuple[TableKey, ...]:
    """The columns that tell the records of a table apart, with their values: a column of another table may be one."""
    weighed: list[tuple[float, IdentifiedColumn]] = []
    for column in identification.columns:
        said = [f.weight for f in column.findings if f.role is column.role and f.method in OF_KEYS]
        if max(said, default=0.0) >= A_KEY and tells_apart(column.profile) and shape_of(column.profile):
            weighed.append((max(said), column))
    keys = [column for _, column in sorted(weighed, key=lambda each: -each[0])[:MOST_KEYS]]
    return tuple(
        TableKey.of(key.profile, identification.source, key.role, values_of_key(table, key.profile, REMEMBERED))
        for key in keys
        if key.role in (Role.DIRECT, Role.QUASI)
    )


def column_proposals(extract: Extract, decided: Mapping[str, Role] | None = None) -> tuple[IdentifiedColumn, ...]:
    """What the names and the values of columns say of each by itself, without counting how they identify together.

    `decided` are roles that a person gave: they stay, and are known beside the other columns.
    """
    inquiry = Inquiry(decided or {})
    profile = _described(Profile.of(extract.table), extract, inquiry)
    return _identified_columns(profile, extract.name, inquiry)


def _unrated(column: IdentifiedColumn) -> bool:
    return column.risk_rate is None and column.role is not Role.DIRECT


def _described(profile: Profile, extract: Extract, inquiry: Inquiry) -> Profile:
    """The profile with what the source and a data dictionary say of each column in words."""
    sources = {column.name: column for column in extract.columns}

    def described(column: ColumnProfile) -> ColumnProfile:
        label, identifier = inquiry.dictionary.get(column.name, (None, None))
        source = sources.get(column.name)
        worded = tuple((source.value_labels or {}).values()) if source else ()
        label = label or (source.label if source else None)
        why = source.why if source else None
        return replace(column, why=why, label=label, value_labels=worded, identifier=identifier)

    return replace(profile, columns=tuple(described(column) for column in profile))


def _identified_columns(
    profile: Profile, table: str, inquiry: Inquiry, tell: Tell = quiet
) -> tuple[IdentifiedColumn, ...]:
    """Every column: first by itself in its table, then beside what the others seem to be."""
    members = evidences(RiskRate(inquiry.alpha, inquiry.beta))
    first, last = ([m for m in members if m.by_roles is by_roles] for by_roles in (False, True))
    beside = Surroundings(table, profile.columns, inquiry.keys)
    findings = {}
    for done, column in enumerate(profile):
        tell("Looking at names and values", done, len(profile.columns))
        findings[column.name] = _findings(column, first, beside)
    roles = {name: inquiry.roles.get(name) or propose(said)[0] for name, said in findings.items()}
    beside = replace(beside, roles=roles)
    return tuple(
        _identified(column, (*findings[column.name], *_findings(column, last, beside)), inquiry) for column in profile
    )


def _identified(column: ColumnProfile, findings: tuple[Finding, ...], inquiry: Inquiry) -> IdentifiedColumn:
    decision = inquiry.roles.get(column.name)
    role, sure, hipaa = propose(findings)
    rate = None if decision is Role.DIRECT else risk_rate(column)
    if inquiry.method == "risk-rate":
        by_rate = next((f.role for f in findings if f.method == RiskRate.method), None)
        role, sure = by_rate or Role.NON_SENSITIVE, 0.0
    if decision is not None:
        role, sure = decision, 1.0
    return IdentifiedColumn(column, role, findings, sure, decision is not None, rate, hipaa)


def _findings(column: ColumnProfile, members: Sequence[Evidence], beside: Surroundings = ALONE) -> tuple[Finding, ...]:
    findings = (member.of(column, beside) for member in members)
    return tuple(finding for finding in findings if finding is not None)


def _scored(identification: Identification, extract: Extract, inquiry: Inquiry, tell: Tell) -> Identification:
    """The identification with the scores of the columns in scope, and their combinations."""
    table = extract.table
    held = extract.held if extract.held is not None and extract.held.table == table else None
    scope = [c.profile for c in identification.columns if _in_scope(c, inquiry)]
    if not scope:  # there is nothing to tell records apart by: of thousands of tables, most have no such columns
        none = Combinations((), 0) if _combines(inquiry) else None
        return replace(identification, influences=Influences.of_no_columns(identification.records), combinations=none)
    scope.sort(key=lambda column: -column.distinct)
    names = [column.name for column in scope]
    coarser = {c.name: step for c in scope if inquiry.scope == "primary" and (step := coarser_reading(table, c))}
    rows = distinct_rows(held.short.table if held else table, names, inquiry.missing, short=held is not None)
    if _combines(inquiry) or not mostly_alone(rows, len(names)):
        rows = numbered_values(rows, len(names))
    influences = influences_of(rows, names, {name: step.sql for name, step in coarser.items()})
    combinations = _combinations(rows, names, inquiry, tell)
    table.engine.drop(rows)
    return replace(
        identification,
        columns=tuple(_with_influence(column, influences) for column in identification.columns),
        influences=influences,
        coarser={name: step.words for name, step in coarser.items()},
        combinations=combinations,
    )


def _in_scope(column: IdentifiedColumn, inquiry: Inquiry) -> bool:
    return column.role is Role.QUASI if inquiry.scope == "primary" else column.role is not Role.DIRECT


def _combines(inquiry: Inquiry) -> bool:
    return inquiry.scope != "all" and bool(inquiry.largest)


def _combinations(rows: Table, names: Sequence[str], inquiry: Inquiry, tell: Tell) -> Combinations | None:
    if not _combines(inquiry):
        return None
    return examine_combinations(rows, names, largest=inquiry.largest, tell=tell)


def _with_influence(column: IdentifiedColumn, influences: Influences) -> IdentifiedColumn:
    if column.name not in influences.columns:
        return column
    profile = replace(column.profile, influence=influences.of(column.name))
    return replace(column, profile=profile, findings=(*column.findings, *_findings(profile, [SeenOnceInfluence()])))
