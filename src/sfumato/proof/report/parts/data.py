"""The data: columns, what they are and on which evidence, and what is missing."""

from __future__ import annotations

from sfumato.columns.data_quality import data_quality
from sfumato.columns.evidence.risk_rate import RiskRate
from sfumato.columns.evidence.seen_once_influence import SeenOnceInfluence
from sfumato.columns.evidence_interface import Finding
from sfumato.columns.identification import IdentifiedColumn
from sfumato.columns.proposal import CLEAR, propose
from sfumato.proof.report.decisions import who_says_so
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.parts.released_columns import ROLES, what_is_done
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.schema import Role, role_name
from sfumato.show.sheet import Section, counted, number

STATISTICS = ("risk-rate", "seen-once-influence", "separation")  # numbers, that decide nothing
STRICT = (Role.DIRECT, Role.QUASI, Role.SENSITIVE, Role.NON_SENSITIVE)


def data_part(evidence: ReportEvidence, mask: SmallNumberMask) -> Part:
    """Every column with its role, who says so, the evidence for it, and its missing values."""
    before = evidence.before
    people = "" if before.subjects is None else f" about {counted(before.subjects, 'person')}"
    size = f"{counted(before.records, 'record')}{people}, {counted(len(evidence.dataset.schema.columns), 'column')}"
    words = (
        "What the table holds, and what each column could tell about a person.",
        f"{evidence.extract.name}: {size}.",
        *_doubts(evidence),
    )
    blocks = (_columns(evidence, mask), _quality(evidence, mask), _values(evidence, mask), _missing(evidence))
    return Part("data", "Data", words, tuple(b for b in blocks if b.section.rows), gist=f"{size}.")


def _columns(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    kinds = {name: kind.value for name, kind in evidence.dataset.table.kinds.items()}
    rows = tuple(
        (column.name, kinds[column.name], _role(evidence, column.name), who_says_so(evidence, column.name),
         _evidence(column, mask), what_is_done(evidence, column.name))
        for column in evidence.identification.columns
    )  # fmt: skip
    head = ("column", "type", "role", "who says so", "evidence", "in the release")
    return Block(Section("Columns, their roles and the evidence", head, rows, (ROLES,)))


def _role(evidence: ReportEvidence, name: str) -> str:
    role = _held(evidence, name)
    return f"{role}, subject" if name == evidence.dataset.subject else role


def _held(evidence: ReportEvidence, name: str) -> str:
    return role_name(None if name in evidence.undecided else evidence.dataset.schema[name].role)


def _evidence(column: IdentifiedColumn, mask: SmallNumberMask) -> str:
    records = column.profile.records
    sentences = [_sentence(finding, records, mask) for finding in column.findings if finding.method not in STATISTICS]
    return " ".join(sentences) or "Nothing is known of it."


def _sentence(finding: Finding, records: int, mask: SmallNumberMask) -> str:
    """A finding; the share of one that speaks for leaving the column out may be that of all but a few records."""
    if not finding.drop:
        return finding.sentence
    few = finding.number is not None and mask.hides(finding.number * records, records)
    return f"Leave out? {'Nearly all records have no value.' if few else finding.sentence}"


def _doubts(evidence: ReportEvidence) -> tuple[str, ...]:
    """Where the evidence says that a column is more delicate than its role."""
    doubts = []
    for column in evidence.identification.columns:
        role, sure, _ = propose([f for f in column.findings if f.method not in STATISTICS])
        held = evidence.dataset.schema[column.name].role
        if role is None or sure < CLEAR or column.name == evidence.dataset.subject:
            continue
        if STRICT.index(role) < STRICT.index(held):
            doubts.append(f"{column.name} ({_held(evidence, column.name)}; the evidence says {role.value})")
    return (f"Look again at the role of: {', '.join(doubts)}.",) if doubts else ()


def _quality(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """What to look at before anything is protected: what lacks, repeats, never changes or cannot be."""
    records = evidence.before.records
    quality = data_quality(evidence.dataset.table, (column.profile for column in evidence.identification.columns))
    rows = tuple((f.what, ", ".join(f.columns) or "all", mask.count(f.records, records)) for f in quality)
    head = ("what", "columns", "records")
    return Block(Section("Quality of the data before protection", head, rows, numbers=(2,)))


def _values(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """What is known of the values of each column, in numbers."""
    records = evidence.before.records
    rows = []
    for column in evidence.identification.columns:
        profile = column.profile
        rows.append((
            column.name, mask.share(profile.missing_share, records), number(profile.known),
            mask.share(profile.values_seen_once, records),
            "-" if column.risk_rate is None else f"{100 * column.risk_rate:.2f}",
            "-" if profile.influence is None else f"{profile.influence * 100:.1f} %",
        ))  # fmt: skip
    head = ("column", "missing", "different values", "values seen once, per record", "risk rate %", "share of risk")
    told = (
        explained("values seen once and influence", SeenOnceInfluence, bounds="0 to 1 each"),
        explained("risk rate", RiskRate, bounds="0 to 100 %"),
    )
    return Block(Section("Values and missing values", head, tuple(rows), (), (1, 2, 3, 4, 5)), explained=told)


def _missing(evidence: ReportEvidence) -> Block:
    sizes = evidence.before.missing_readings
    rows = tuple((reading.replace("_", " "), number(k)) for reading, k in sizes.items())
    remark = f"This report reads a missing quasi-identifier as: {evidence.dataset.missing.value.replace('_', ' ')}."
    title = "k by what a missing value is taken for"
    return Block(Section(title, ("read as", "k before"), rows if len(set(sizes.values())) > 1 else (), (remark,), (1,)))
