"""For the supervisory authority: purpose, legal basis, benefits, measures taken, the risk that is left, who decided.

References: GDPR articles 5(2), 25, 35 and 51; Carvalho, Antunes, Costa, Moniz, Empowering open data sharing for social
good: the last task of a release is a report to the authority with its benefits, all steps and the levels of risk.
"""

from __future__ import annotations

from sfumato.attackers.three_attackers import Attackers
from sfumato.project.context.checklist import Response
from sfumato.proof.report.decisions import decision_on, not_stated, roles_decided, said_or_not
from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.parts.at_a_glance import information_lost, masked_verdict
from sfumato.proof.report.parts.identifiability.scenarios import by_columns, singled_out
from sfumato.proof.report.parts.summary import to_whom
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.sheet import Section, counted, named, number, percent

HEAD = ("what", "answer")
UNSAID = "not stated"
LISTED = 8  # columns that are named in one cell; the others are counted
CONTROLS = {  # of the Five Safes, by section: what an authority asks of a release besides its risk
    ("projects", "legal_basis"): "a legal basis is said to exist",
    ("projects", "consent"): "consent, or why it is not needed",
    ("projects", "subject_rights"): "rights of data subjects (GDPR articles 12 to 22)",
    ("projects", "ethics_review"): "ethics review",
    ("projects", "impact_assessment"): "impact assessment considered (GDPR article 35)",
    ("projects", "protection_by_design"): "protection by design and by default (GDPR article 25)",
    ("projects", "minimised"): "only what the purpose needs",
    ("people", "agreement"): "agreement that forbids re-identification",
    ("settings", "access_control"): "access by named people only",
    ("settings", "retention"): "date of deletion",
    ("settings", "breach_plan"): "plan for a breach (GDPR article 33)",
}


def authority_part(evidence: ReportEvidence, mask: SmallNumberMask) -> Part:
    """What an authority asks of a release, answered from the project file and the readings."""
    blocks = (_about(evidence), _measures(evidence), _residual(evidence, mask), _decided(evidence))
    unsaid = sum(cell.startswith(UNSAID) for block in blocks for row in block.section.rows for cell in row)
    still = f"{counted(unsaid, 'answer')} not stated." if unsaid else "Every question is answered."
    words = (
        "What somebody who oversees the release asks first, on one page: what for, on which basis, what was done, "
        "which risk is left, and who decided. The other parts are the evidence for it.",
        f"{still} What is not stated is open, and nothing here stands in for it.",
    )
    return Part("authority", "For the supervisory authority", words, blocks, gist=still)


def _about(evidence: ReportEvidence) -> Block:
    context = evidence.context
    needed = [f"{b.column} ({b.level})" for b in context.benefits.released if b.level]
    benefit = context.place.benefit.level
    rows = (
        ("controller", said_or_not(evidence, "controller")),
        ("data protection officer", said_or_not(evidence, "officer")),
        ("purpose", said_or_not(evidence, "purpose")),
        ("legal basis", said_or_not(evidence, "legal_basis")),
        ("recipients", to_whom(evidence)),
        ("whose data", _people(evidence)),
        ("sensitive columns", _sensitive(evidence)),
        ("benefit", f"{benefit}: {named(needed, LISTED)}" if benefit else not_stated("context: benefits")),
        ("impact assessment", context.impact.words),
    )
    return Block(Section("The release and its grounds", HEAD, rows))


def _people(evidence: ReportEvidence) -> str:
    before, released = evidence.before, evidence.released
    people = "" if before.subjects is None else f" about {counted(before.subjects, 'person')}"
    leaves = f"; {number(released.records)} leave" if released else "; none leave yet"
    return f"{counted(before.records, 'record')}{people}{leaves}"


def _sensitive(evidence: ReportEvidence) -> str:
    names = evidence.dataset.sensitive
    there = [name for name in names if evidence.released is None or name in evidence.released.columns]
    return named(there, LISTED) if there else "no column has the role sensitive"


def _measures(evidence: ReportEvidence) -> Block:
    """Technical measures with the risk after each step, then those of the organisation, as somebody has answered."""
    released, effects = evidence.released, evidence.effects
    steps = released.plan.steps if released and released.plan else ()
    risks = effects.steps if effects and len(effects.steps) == len(steps) else ()
    rows: list[tuple[str, str, str]] = []
    for i, step in enumerate(steps):
        risk = f"smallest class {number(risks[i].k)}, average risk {number(risks[i].average_risk)}" if risks else "-"
        rows.append((f"step {i + 1}", step.transformation.told(), risk))
    if released and not steps:
        rows.append(("steps", "not known: the release was made elsewhere", "-"))
    rows += [("organisation", words, answer) for words, answer in _controls(evidence)]
    return Block(Section("Measures taken", ("measure", "what", "risk after it, or answer"), tuple(rows)))


def _controls(evidence: ReportEvidence) -> list[tuple[str, str]]:
    """What was answered to the controls that an authority asks about; the unanswered ones in one line."""
    answers = {(safe.checklist.key, key): said for safe in evidence.context.safes for key, said in safe.answers.items()}
    said = [(words, answers[key].value) for key, words in CONTROLS.items() if answers[key] is not Response.UNANSWERED]
    silent = [words for key, words in CONTROLS.items() if answers[key] is Response.UNANSWERED]
    return [*said, *([("; ".join(silent), not_stated("context"))] if silent else [])]


def _residual(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    once, then = singled_out(evidence, mask)
    after = [assessment.sizes.smallest for assessment in evidence.after.values()]
    smallest = min(after) if after else None if evidence.released else evidence.before.sizes.smallest
    left = evidence.exposure.after if evidence.released else evidence.exposure.attackers
    risk = evidence.context.place.risk
    bounds = [r.text for r in evidence.before.policy.requirements if r.bound is not None]
    met = {True: "met", False: "NOT met", None: "not read"}[evidence.met] if bounds else ""
    detail, _ = information_lost(evidence.losses.content()) if evidence.losses else (None, None)
    rows = (
        ("required", f"{', '.join(bounds)}: {met}" if bounds else "nothing was required"),
        ("smallest group that looks alike", "not read" if smallest is None else number(smallest)),
        (f"singled out {by_columns(evidence)}", f"{then or once}, before {once}" if then else once),
        ("highest risk, average risk", _risks(left)),
        ("level in the matrix", risk.level or "unanswered"),
        ("what is open", " ".join(masked_verdict(evidence, mask).open) or "nothing"),
        ("cost", f"{percent(detail)} of the detail lost" if detail is not None else "-"),
    )
    return Block(Section("The risk that is left", HEAD, rows))


def _risks(attackers: Attackers | None) -> str:
    if attackers is None:
        return "not read"
    return f"{number(attackers.prosecutor.highest)} (prosecutor), {number(attackers.marketer.average)} (marketer)"


def _decided(evidence: ReportEvidence) -> Block:
    rows = (
        ("roles of columns", roles_decided(evidence)),
        ("policy", decision_on(evidence.project, "policy")),
        ("release", decision_on(evidence.project, "release")),
    )
    return Block(Section("Who decided", HEAD, rows))
