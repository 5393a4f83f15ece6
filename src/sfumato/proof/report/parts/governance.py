"""Governance: what was decided and by whom, and what the report was made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.dossier import Dossier
from sfumato.proof.report.small_numbers import Mask
from sfumato.show.sheet import Section, counted, number


def governance_part(dossier: Dossier, mask: Mask) -> Part:
    """Decisions, open questions, provenance and what the report hides."""
    blocks = (_decisions(dossier), _provenance(dossier), _versions(dossier), _limits(dossier, mask))
    words = (
        "Who decided what, what is still open, and what this report was made from: with the same data, project file "
        "and versions the same report comes out, letter by letter.",
        _open(dossier),
    )
    return Part("governance", "Governance", words, tuple(b for b in blocks if b.section.rows or b.section.remarks))


def _open(dossier: Dossier) -> str:
    proposed = len(dossier.project.proposed) if dossier.project else 0
    roles = f"the roles of {counted(proposed, 'column')}" if proposed else ""
    asked = dossier.context.unanswered
    questions = f"{counted(asked, 'question')} of the context" if asked else ""
    still = " and ".join(part for part in (roles, questions) if part)
    return f"Still open: {still}." if still else "Nothing is left open."


def _decisions(dossier: Dossier) -> Block:
    project = dossier.project
    proposed = sorted(project.proposed) if project else []
    confirmed = sorted(project.decided()) if project else []
    bounds = [r for r in dossier.before.policy.requirements if r.bound is not None]
    matrix: Mapping[str, str] = (project.context if project else {}).get("matrix", {})
    rows = [
        ("roles confirmed", ", ".join(confirmed) or "none in a project file"),
        ("roles only proposed", ", ".join(proposed) or "none"),
        ("required", ", ".join(r.text for r in bounds) or "nothing"),
        ("preset", (project.preset if project else None) or "none"),
        ("subject", dossier.dataset.subject or "each record is a person"),
        ("missing values", dossier.dataset.missing.value.replace("_", " ")),
        ("level in the matrix", f"decided by people: {matrix['because']}" if matrix else "by the rules"),
        ("requirements met", {True: "yes", False: "NO", None: "nothing was required, or was read"}[dossier.met]),
    ]  # fmt: skip
    remark = "A project file says what was decided; who may change the file is decided where it is kept."
    return Block(Section("Decisions", ("what", "decision"), tuple(rows), (remark,)))


def _provenance(dossier: Dossier) -> Block:
    found = dossier.provenance
    rows = [(name, *_file(found[name])) for name in ("original", "release", "project") if found[name]]
    plan, search = found.get("plan"), found.get("search")
    if plan:
        secrets = f", secrets {', '.join(plan['secrets'])}" if plan["secrets"] else ""
        rows.append(("plan", f"{counted(plan['steps'], 'step')}, seed {plan['seed']}{secrets}", plan["sha256"]))
    if search:
        said = (
            f"{search['method']}, least {search['objective']}, up to {search['suppression_limit']:.1%} left out, for "
            f"{', '.join(search['requirements'])}"
        )
        rows.append(("search", said, "-"))
    return Block(Section("What the report was made from", ("what", "which", "SHA-256"), tuple(rows)))


def _file(found: Mapping[str, Any]) -> tuple[str, str]:
    records = f", {counted(found['records'], 'record')}" if "records" in found else ""
    return f"{found['name']}{records}", found["sha256"] or "not a file"


def _versions(dossier: Dossier) -> Block:
    found = dossier.provenance
    rows = (("engine", str(found["engine"])), *found["versions"].items())
    return Block(Section("Versions", ("what", "version"), tuple(rows)))


def _limits(dossier: Dossier, mask: Mask) -> Block:
    """What the report hides, and what else a reader must know."""
    hidden = (
        f"Groups of 1 to {mask.least - 1} records or persons are hidden, and numbers from which they could be worked "
        f"out: counts and shares of records in small classes, of scenarios, of groups, of missing values. Not hidden: "
        f"how many records a table has and how many were left out, and what measures read ({number(1)} over the "
        "smallest class is a risk, not a group)."
    )
    labels = "No value of the original is shown. Labels are those of the release, where enough records share them."
    said = dict.fromkeys((*dossier.notes, *dossier.before.notes, *dossier.exposure.notes))
    notes = tuple(mask.words(note) for note in said)
    return Block(Section("What this report hides, and notes", remarks=(hidden, labels, *notes)))
