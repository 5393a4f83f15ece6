"""Governance: what was decided and by whom, and what the report was made from."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.proof.report.decisions import decision_on, roles_decided
from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.proof.report.sources import SourceFile
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import AuditLog, log_of
from sfumato.show.sheet import Section, counted, number
from sfumato.show.sheets.audit import deliveries_section, reported_section


def governance_part(evidence: ReportEvidence, mask: SmallNumberMask) -> Part:
    """Decisions, open questions, provenance and what the report hides."""
    blocks = (
        _decisions(evidence), *_handed_on(evidence), _sources(evidence), _versions(evidence), _limits(evidence, mask)
    )  # fmt: skip
    words = (
        "Who decided what, what is still open, and what this report was made from: with the same data, project file "
        "and versions the same report comes out, letter by letter.",
        _open(evidence),
    )
    shown = tuple(b for b in blocks if b.section.rows or b.section.remarks)
    return Part("governance", "Governance", words, shown, gist=words[1])


def _open(evidence: ReportEvidence) -> str:
    proposed = evidence.project.proposed if evidence.project else frozenset()
    roles = f"the roles of {counted(len(proposed), 'column')}" if proposed else ""
    asked = evidence.context.unanswered
    questions = f"{counted(asked, 'question')} of the context" if asked else ""
    still = " and ".join(part for part in (roles, questions) if part)
    return f"Still open: {still}." if still else "Nothing is left open."


def _decisions(evidence: ReportEvidence) -> Block:
    project = evidence.project
    proposed = sorted(project.proposed - project.undecided) if project else []
    confirmed = sorted(project.decided()) if project else []
    bounds = [r for r in evidence.before.policy.requirements if r.bound is not None]
    matrix: Mapping[str, str] = (project.context if project else {}).get("matrix", {})
    rows = [
        ("roles confirmed", ", ".join(confirmed) or "none in a project file"),
        ("roles decided", roles_decided(evidence)),
        ("roles only proposed", ", ".join(proposed) or "none"),
        ("undecided", ", ".join(sorted(evidence.undecided)) or "none"),
        ("quasi-identifiers selected", _selected(evidence)),
        ("required", ", ".join(r.text for r in bounds) or "nothing"),
        ("preset", (project.preset if project else None) or "none"),
        ("subject", evidence.dataset.subject or "each record is a person"),
        ("missing values", evidence.dataset.missing.value.replace("_", " ")),
        ("level in the matrix", f"decided by people: {matrix['because']}" if matrix else "by the rules"),
        ("policy decided", decision_on(project, "policy")),
        ("release decided", decision_on(project, "release")),
        ("requirements met", {True: "yes", False: "NO", None: "nothing was required, or was read"}[evidence.met]),
    ]  # fmt: skip
    remark = "A project file says what was decided; who may change the file is decided where it is kept."
    return Block(Section("Decisions", ("what", "decision"), tuple(rows), (remark,)))


def _handed_on(evidence: ReportEvidence) -> tuple[Block, ...]:
    """To whom packages of this project were handed, and what came of it, as the log of use says by now."""
    path = log_of(evidence.project.path) if evidence.project else None
    if path is None or not path.is_file():
        return ()
    chain = Chain.of(AuditLog(path))
    return Block(deliveries_section(chain.deliveries)), Block(reported_section(chain.reported))


def _selected(evidence: ReportEvidence) -> str:
    """By which grade the quasi-identifiers were selected, and which were not."""
    selection = evidence.project.selection if evidence.project else None
    if selection is None:
        return "by their meaning, whoever receives the data"
    below = f"; not selected: {', '.join(selection.below)}" if selection.below else ""
    final = ", ".join(selection.final) or "none"
    return f"for a recipient of grade {selection.grade}, from a score of {selection.grade.threshold:g}: {final}{below}"


def _sources(evidence: ReportEvidence) -> Block:
    sources = evidence.sources
    files = {"original": sources.original, "release": sources.release, "project": sources.project}
    rows = [(name, *_file(file)) for name, file in files.items() if file]
    if sources.plan:
        plan = sources.plan
        secrets = f", secrets {', '.join(plan.secrets())}" if plan.secrets() else ""
        key = ", the key of the project" if plan.keyed else ""
        rows.append(("plan", f"{counted(len(plan.steps), 'step')}{key}{secrets}", plan.fingerprint()))
    if sources.search:
        request = sources.search.request
        requirements = ", ".join(r.text for r in request.policy.requirements if r.bound is not None)
        words = (
            f"{sources.search.method}, least {request.objective.name()}, up to {request.suppression:.1%} left out, for "
            f"{requirements}"
        )
        rows.append(("search", words, "-"))
    return Block(Section("What the report was made from", ("what", "which", "SHA-256"), tuple(rows)))


def _file(file: SourceFile) -> tuple[str, str]:
    records = f", {counted(file.records, 'record')}" if file.records is not None else ""
    return f"{file.name}{records}", file.sha256 or "not a file"


def _versions(evidence: ReportEvidence) -> Block:
    rows = (("engine", evidence.sources.engine), *evidence.sources.versions.items())
    return Block(Section("Versions", ("what", "version"), rows))


def _limits(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """What the report hides, and what else a reader must know."""
    hidden = (
        f"Groups of 1 to {mask.least - 1} records or persons are hidden, and numbers from which they could be worked "
        f"out: counts and shares of records in small classes, of scenarios, of groups, of missing values. Not hidden: "
        f"how many records a table has and how many were left out, and what measures read ({number(1)} over the "
        "smallest class is a risk, not a group)."
    )
    labels = "No value of the original is shown. Labels are those of the release, where enough records share them."
    notes = dict.fromkeys((*evidence.notes, *evidence.before.notes, *evidence.exposure.notes))
    return Block(Section("What this report hides, and notes", remarks=(hidden, labels, *map(mask.words, notes))))
