"""Attacks that were tried, and what they say to the three questions of WP216."""

from __future__ import annotations

from sfumato.attackers.attack_interface import AttackResult, LinkageResult
from sfumato.privacy.assessment import Assessment
from sfumato.proof.report.docstrings import explained
from sfumato.proof.report.document import Block
from sfumato.proof.report.evidence import ReportEvidence
from sfumato.proof.report.parts.identifiability.scenarios import by_columns, singled_out
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.documents.report import NumberSource
from sfumato.show.sheet import Section, number

NOT_TRIED = "not tried"


def attempt_blocks(evidence: ReportEvidence, mask: SmallNumberMask) -> tuple[Block, ...]:
    """The block of WP216, record linkage, and the attacks."""
    return (_questions(evidence, mask), _linkage(evidence, mask), _attempts(evidence))


def _questions(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    """Singling out, linkability and inference, each by what is counted and by what was tried."""
    once, then = singled_out(evidence, mask)
    rows = (
        ("Singling out: can one person be told from all others?", f"{once} singled out",
         then or "-",
         _tried(evidence, "singling_out")),
        ("Linkability: can records of one person be recognised as such?", "-", _linked(evidence, mask),
         _tried(evidence, "linkability")),
        *_inferences(evidence),
    )  # fmt: skip
    head = ("question", "before", "after", "risk that attacks found")
    told = NumberSource(
        name="the three questions",
        words="An anonymisation is judged by whether singling out, linking and inference are still possible.",
        references=("Article 29 Working Party (2014). Opinion 05/2014 on anonymisation techniques (WP216).",),
    )
    remarks = (
        f"Singled out {by_columns(evidence)}. Linked rightly: the share that record linkage leaves unprotected.",
    )
    return Block(Section("The three questions of WP216", head, rows, remarks), explained=(told,))


def _tried(evidence: ReportEvidence, method: str, sensitive: str | None = None) -> str:
    for result in evidence.exposure.tried.questions:
        if result.method.replace("-", "_") == method and result.details.get("sensitive") == sensitive:
            low, high = result.interval
            return f"{result.risk * 100:.1f} % ({low * 100:.1f} to {high * 100:.1f})"
    return NOT_TRIED


def attack_results(evidence: ReportEvidence) -> list[tuple[str, str]]:
    """Each attack that was tried on the release, and the risk that it found."""
    results = []
    for result in evidence.exposure.tried.questions:
        sensitive = result.details.get("sensitive")
        name = f"attack: {result.method.replace('_', ' ').replace('-', ' ')}{f' of {sensitive}' if sensitive else ''}"
        results.append((name, f"{result.risk * 100:.1f} %"))
    return results


def _linked(evidence: ReportEvidence, mask: SmallNumberMask) -> str:
    linkages = evidence.exposure.tried.linkages
    return f"{_rate(linkages[0].true_match_rate, linkages[0], mask)} linked rightly" if linkages else NOT_TRIED


def _rate(rate: float, linkage: LinkageResult, mask: SmallNumberMask) -> str:
    """A rate of linkage; while nobody is linked for certain it is a chance, and not a number of people."""
    return f"{rate * 100:.1f} %" if not linkage.linkable else mask.share(rate, linkage.counted)


def _inferences(evidence: ReportEvidence) -> tuple[tuple[str, ...], ...]:
    """One line for each sensitive attribute: what l and t read, and what the attack found."""
    sensitive = evidence.dataset.sensitive
    if not sensitive:
        return (("Inference: can a value be worked out?", "no sensitive column", "-", NOT_TRIED),)
    after = next(iter(evidence.after.values()), None)
    rows = []
    for name in sensitive:
        sides = [_said(assessment, name) if assessment else "-" for assessment in (evidence.before, after)]
        rows.append((f"Inference: can {name} be worked out?", *sides, _tried(evidence, "inference", name)))
    return tuple(rows)


def _said(assessment: Assessment, name: str) -> str:
    readings = (*assessment.readings, *assessment.alongside)
    parts = [f"{r.measure.name()} {number(r.value)}" for r in readings if r.sensitive == name and r.value is not None
             and abs(r.value) != float("inf")]  # fmt: skip
    return ", ".join(parts) or "-"


def _linkage(evidence: ReportEvidence, mask: SmallNumberMask) -> Block:
    rows = tuple(
        (linkage.method, *(_rate(rate, linkage, mask) for rate in (linkage.match_rate, linkage.true_match_rate,
         linkage.false_match_rate)), mask.count(linkage.linkable, linkage.counted))
        for linkage in evidence.exposure.tried.linkages
    )  # fmt: skip
    unit = evidence.exposure.tried.unit
    head = ("method", "matches", "true", "false", f"linkable {unit}")
    remark = "Rates are of records. Linkable: exactly one released record fits best, and it is the right one."
    if unit == "persons":
        remark = "Rates are of persons, each by the record that tells most. Linkable: only records of theirs fit best."
    told = (explained("record linkage", LinkageResult, bounds="0 to 100 %"),) if rows else ()
    title = "Record linkage between original and release"
    return Block(Section(title, head, rows, (remark,) if rows else (), (1, 2, 3, 4)), explained=told)


def _attempts(evidence: ReportEvidence) -> Block:
    """The attacks in full: rates of attempts, which are draws and not people."""
    rows = tuple(
        (result.method.replace("_", " "), str(result.details.get("sensitive", "-")), number(result.attack.attempts),
         f"{result.attack.rate * 100:.1f} %", f"{result.control.rate * 100:.1f} %", f"{result.risk * 100:.1f} %",
         f"{result.interval[0] * 100:.1f} to {result.interval[1] * 100:.1f}")
        for result in evidence.exposure.tried.questions
    )  # fmt: skip
    head = ("attack", "sensitive", "attempts", "succeeded", "control", "risk", "95 % interval")
    remark = (
        f"Attempts are on {evidence.exposure.tried.unit}. Control: the same attack on people of whom the release says "
        "nothing. Risk: what the release adds to it."
    )
    told = (explained("risk of an attack", AttackResult, bounds="0 to 1"),) if rows else ()
    section = Section("Attacks that were tried", head, rows, (remark,) if rows else (), (2, 3, 4, 5, 6))
    return Block(section, explained=told)
