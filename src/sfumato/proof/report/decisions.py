"""Decisions in words: who decided what, when and why; and the key to say it under, where a project file does not."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.project.file import Project, RoleDecision
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.show.sheet import counted, named


def not_stated(key: str) -> str:
    """What stands where a project file says nothing: that it does not, and the key to say it under."""
    return f"not stated (`{key}` in the project file)"


def said_or_not(evidence: ReportEvidence, key: str) -> str:
    """What the context of the project file says under a key."""
    said = (evidence.project.context if evidence.project else {}).get(key)
    return str(said) if said else not_stated(f"context: {key}")


def who_says_so(evidence: ReportEvidence, name: str) -> str:
    """Who decided on the role of a column, as far as it is known.

    A role that a person gave when the report was made is theirs; one of a project file has a name, where it says one.
    """
    project = evidence.project
    if name in evidence.undecided:
        return "nobody"
    decision = evidence.decisions.get(name)
    if decision is not None:
        return confirmed_words(decision)
    if project is None:
        return "said when the report was made"
    if name in project.proposed:
        return "proposed, NOT confirmed"
    return "confirmed in the project file" if name == project.subject else "nobody"


def confirmed_words(decision: RoleDecision) -> str:
    """A decision in one line.

    >>> from sfumato.schema import Role
    >>> confirmed_words(RoleDecision(Role.QUASI, by="J. Doe", on="2026-05-31", reason="Colleagues know it."))
    'confirmed by J. Doe on 2026-05-31: Colleagues know it.'
    >>> confirmed_words(RoleDecision(Role.QUASI))
    'confirmed in the project file'
    """
    by = f" by {decision.by}" if decision.by else ""
    words = f"said when the report was made{by}" if decision.given else decision.words
    return words + _because(decision.reason)


def roles_decided(evidence: ReportEvidence) -> str:
    """Who decided on the roles, in one line: by whom and when, how many without a name, how many not at all."""
    project = evidence.project
    if project is None:
        said = len(evidence.dataset.schema.columns) - len(evidence.undecided)
        return f"{counted(said, 'role')} said when the report was made{_without(evidence)}"
    groups: dict[tuple[str, str], int] = {}
    for decision in project.decisions.values():
        who = f"by {decision.by}" if decision.by else "in the project file, by whom is not stated", decision.on or ""
        groups[who] = groups.get(who, 0) + 1
    most = sorted(groups.items(), key=lambda group: (-group[1], group[0]))
    parts = [f"{counted(n, 'role')} {by}{f' on {on}' if on else ''}" for (by, on), n in most]
    proposed = len(project.proposed - project.undecided)
    parts += [f"{counted(proposed, 'role')} only proposed"] if proposed else []
    return (named(parts) if parts else "no role in the project file") + _without(evidence)


def _without(evidence: ReportEvidence) -> str:
    """The columns without a role: those that leave all the same, and those that do not."""
    released = evidence.released.columns if evidence.released else evidence.dataset.table.columns
    leave = sum(name in released for name in evidence.undecided)
    stay = len(evidence.undecided) - leave
    parts = [f"; {counted(leave, 'column')} undecided" if leave else ""]
    parts += [f"; {counted(stay, 'column')} without a role, not released" if stay else ""]
    return "".join(parts)


def decision_on(project: Project | None, what: str) -> str:
    """Who decided on the policy or on the release, when and why."""
    said: Mapping[str, str] = ((project.context if project else {}).get("decisions") or {}).get(what) or {}
    who = said.get("decided_by") or not_stated(f"context: decisions: {what}")
    on = f", {said['decided_on']}" if said.get("decided_on") else ""
    return f"{who}{on}" + _because(said.get("reason"))


def _because(reason: str | None) -> str:
    return f": {reason}" if reason else ""
