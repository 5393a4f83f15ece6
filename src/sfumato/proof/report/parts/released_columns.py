"""What leaves and what does not: every column, what becomes of it, and why it stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sfumato.proof.report.document import Block, Place
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.schema import Role, role_name
from sfumato.show.sheet import Section, counted, named, number, percent
from sfumato.tables.read.column_parts import different_values

FIRST = 12  # columns that a reader sees at once: with the rest of the summary they fill two screens
IMPORTANT = (Role.DIRECT, Role.QUASI, Role.SENSITIVE, Role.NON_SENSITIVE)  # what a reader looks at first
NAMES = 12  # names in one cell before the rest is counted: three lines of it
HEAD = ("column", "role", "what is done", "values", "lost")
UNCHANGED = "as it is"
COUNTED = "Values: how many different ones, before and after; lost: of the detail."
ROLES = "direct: names a person; quasi: somebody else may know it; sensitive: somebody would like to know it."


def leaving_blocks(evidence: ReportEvidence) -> tuple[Block, ...]:
    """The columns that leave, the most delicate first; those beyond a dozen are in a block of their own, folded."""
    lost = _lost(evidence)
    names = sorted(_leaving(evidence), key=lambda name: _importance(evidence, name, lost.get(name)))
    rows = _rows(evidence, names, lost)
    first, others = rows[:FIRST], rows[FIRST:]
    what = "What leaves" if evidence.released else "What the table holds"
    more = f" {counted(len(others), 'more column')} below." if others else ""
    size = f"{_records(evidence)}, {counted(len(names), 'column')}.{more}"
    shown = [Block(Section(what, HEAD, first, (f"{size} {ROLES} {COUNTED}",), (3, 4)))]
    if others:
        title = f"{what}: {counted(len(others), 'more column')}"
        shown.append(Block(Section(title, HEAD, others, (), (3, 4)), place=Place.FOLDED))
    return tuple(shown)


def _records(evidence: ReportEvidence) -> str:
    before = evidence.before.records
    if evidence.released is None:
        return counted(before, "record")
    return f"{number(evidence.released.records)} of {counted(before, 'record')}"


def _leaving(evidence: ReportEvidence) -> tuple[str, ...]:
    return evidence.released.columns if evidence.released else tuple(evidence.dataset.table.columns)


def _held(evidence: ReportEvidence, name: str) -> Role | None:
    if name in evidence.undecided:
        return None
    schema = evidence.dataset.schema if name in evidence.dataset.schema.columns else None
    schema = schema or (evidence.released.dataset.schema if evidence.released else None)
    return schema[name].role if schema and name in schema.columns else None


def _importance(evidence: ReportEvidence, name: str, lost: float | None) -> tuple[int, bool, float]:
    """By role, undecided before all; then what is changed, and what loses most; then as in the table."""
    role = _held(evidence, name)
    place = -1 if role is None else IMPORTANT.index(role)
    return place, what_is_done(evidence, name) == UNCHANGED, -(lost or 0.0)


def _rows(
    evidence: ReportEvidence, names: Sequence[str], lost: Mapping[str, float | None]
) -> tuple[tuple[str, ...], ...]:
    before = {column.name: column.profile.known for column in evidence.identification}
    after = _different(evidence, names)
    rows = []
    for name in names:
        done = what_is_done(evidence, name)
        values = _values(None if done == UNCHANGED else before.get(name), after.get(name))
        rows.append((name, _role(evidence, name), done, values, percent(lost.get(name))))
    return tuple(rows)


def _role(evidence: ReportEvidence, name: str) -> str:
    role = role_name(_held(evidence, name))
    if name == evidence.dataset.subject:
        return f"{role}, subject"
    unconfirmed = evidence.project is not None and name in evidence.project.proposed - evidence.project.undecided
    return f"{role}, proposed" if unconfirmed else role


def what_is_done(evidence: ReportEvidence, name: str) -> str:
    """What became of a column, in words; nothing is done to a table that is not released."""
    released = evidence.released
    if released is None:
        return "-"
    if name not in released.columns:
        return "left out"
    if name not in evidence.dataset.table.columns:
        return "made by the plan"
    cells = evidence.losses.compared.cells if evidence.losses else {}
    if name not in cells:
        return "changed by the plan" if name in released.changed else UNCHANGED
    words = cells[name].words
    hierarchy = cells[name].hierarchy
    if words.startswith("generalised to level") and hierarchy:
        first, *others = words.split(", ")
        words = ", ".join([f"{first} of {hierarchy.height}", *others])
    return UNCHANGED if words == "unchanged" else words


def _lost(evidence: ReportEvidence) -> dict[str, float | None]:
    """The share of the detail of each column that was lost, where it was compared."""
    columns = evidence.losses.content().columns if evidence.losses else {}
    losses = {name: outcomes.get("loss") for name, outcomes in columns.items()}
    return {name: outcome.normalised if outcome else None for name, outcome in losses.items()}


def _different(evidence: ReportEvidence, names: Sequence[str]) -> dict[str, int]:
    """How many different values each column has in the release."""
    return different_values(evidence.released.dataset.table, names) if evidence.released else {}


def _values(before: int | None, after: int | None) -> str:
    if after is None or before == after:
        return number(before)
    return f"{number(before)} → {number(after)}" if before is not None else number(after)


def staying_block(evidence: ReportEvidence) -> Block:
    """The columns that do not leave, by why they do not."""
    released = evidence.released
    reasons: dict[str, list[str]] = {}
    for name in evidence.dataset.table.columns if released else ():
        if released and name not in released.columns:
            reasons.setdefault(_why(evidence, name), []).append(name)
    rows = tuple((f"{why}: {number(len(names))}", named(names, NAMES)) for why, names in reasons.items())
    remark = "Every column leaves." if not rows and released else ""
    return Block(Section("What does not leave", ("why: how many", "columns"), rows, (remark,) if remark else ()))


def _why(evidence: ReportEvidence, name: str) -> str:
    released = evidence.released
    if released and name in released.left_out_columns:
        return "nobody decided about it"
    if name == evidence.dataset.subject:
        return "tells persons apart (subject)"
    if evidence.dataset.schema[name].role is Role.DIRECT:
        return "names a person (direct)"
    return "the plan drops it" if released and released.plan else "the release lacks it"
