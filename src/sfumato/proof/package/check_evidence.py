"""The evidence of a release: whether it is what the package committed to, and whether it agrees with itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sfumato.canonical import CHUNK, canonical
from sfumato.outputs import is_plain_name
from sfumato.plans.provenance import recorded
from sfumato.privacy.verdict import Verdict
from sfumato.progress import Tell
from sfumato.project.file.yaml_file import read_yaml
from sfumato.proof.package.claims import MISUNDERSTOOD, at, claim, claims, keys_at, names_at, unchecked
from sfumato.proof.package.commitments import SALT, commitment, files_said, is_named, kept_said, read_salt
from sfumato.proof.package.folder import (
    ANONYMISATION,
    ASSESSMENT,
    MARK,
    PLAN,
    PROVENANCE,
    REPORT,
    ReleaseEvidence,
    ReleasePackage,
)
from sfumato.proof.package.follow_again import Original, claims_with_original
from sfumato.proof.package.manifest import EVIDENCE, MANIFEST, Manifest
from sfumato.proof.package.plain_files import plain_beginning, plain_size, told_name, told_sha256
from sfumato.proof.package.read_again import ReleaseCheck
from sfumato.proof.package.recipient_plan import RecipientPlan
from sfumato.proof.package.released_rows import load_untrusted
from sfumato.proof.package.suppressed_share import left_out
from sfumato.show.documents.anonymisation import PLAN_ONLY
from sfumato.show.documents.verified import Claim
from sfumato.tables.engine import Engine

NO_FILE = "(no plain file)"  # after the name of what is in the place of one
FILES, COMMITTED, SAYS, STEPS, REPORTED = "files", "commitments", "evidence", "plan", "report"


def evidence_claims(
    package: ReleasePackage,
    folder: str | Path,
    committed: Mapping[str, Any],
    original: Original | None,
    *,
    engine: Engine | None,
    tell: Tell,
) -> list[Claim]:
    """Every claim that takes the evidence; with the original, those that take both."""
    folder = Path(folder)
    tell("Checking the evidence")
    manifest, salt = Manifest.read(folder, EVIDENCE), read_salt(folder)
    evidence = ReleaseEvidence.read(folder, package.data, manifest.files)
    check = ReleaseCheck(evidence, keys_at(package.release, "columns"), original.orders if original else {}, tell)
    files = list(file_claims(FILES, manifest, folder, "evidence/"))
    return [
        *files,
        *_needed(manifest, evidence),
        *_committed(folder, manifest, salt, committed),
        *claims(SAYS, dict(manifest.claims), evidence.claims(), "manifest of the evidence"),
        *_same_release(package, evidence),
        *_documents(evidence),
        *_steps(evidence),
        *report_claims(folder, evidence.mark(), "evidence/"),
        *check.released_data(engine, persons=original is not None),
        *(_followed(check, original, files) if original else ()),
    ]


def _followed(check: ReleaseCheck, original: Original, files: Sequence[Claim]) -> list[Claim]:
    """The claims that take the original. Where a file of the evidence is none, nothing in it is followed."""
    if any(NO_FILE in one.what for one in files):
        why = "Something in the evidence is no plain file, so its plan was not followed."
        return [unchecked(STEPS, "the plan on the original gives the release", "yes", why)]
    return claims_with_original(check, original)


def file_claims(about: str, manifest: Manifest, folder: Path, where: str = "") -> Iterator[Claim]:
    """Every file of a folder against its manifest."""
    problems = manifest.problems(folder)
    for problem in problems:
        yield Claim(about, f"{where}{problem.file} ({problem.kind})", problem.said, problem.actual, agrees=False)
    named = {problem.file for problem in problems}
    for name in map(told_name, manifest.files):
        if name not in named:
            yield claim(about, f"{where}{name}", "as released", "as released")


def report_claims(folder: Path, mark_of_release: str, where: str = "") -> Iterator[Claim]:
    """Whether the report in a folder is about its release."""
    try:
        content = plain_beginning(folder / REPORT, CHUNK)  # the mark is in the head of the page
    except OSError:
        return
    mark = re.search(rf'<meta name="{MARK}" content="([^"]*)"', content.decode(errors="replace"))
    what = f"{where}{REPORT} is about this release"
    if mark is None:
        yield unchecked(REPORTED, what, "yes", "The report does not say of which release it is.")
    else:
        yield claim(REPORTED, what, "yes", "yes" if mark[1] == mark_of_release else "no: it is of another run")


def _needed(manifest: Manifest, evidence: ReleaseEvidence) -> Iterator[Claim]:
    """The files that no evidence lacks."""
    assessments = [] if any(evidence.assessments) else [ASSESSMENT]
    for name in (f"{evidence.released}{PROVENANCE}", PLAN, ANONYMISATION, *assessments):
        if name not in manifest.files:
            yield claim(FILES, f"evidence/{name} is part of the evidence", "yes", "no")


def _committed(folder: Path, manifest: Manifest, salt: bytes, committed: Mapping[str, Any]) -> Iterator[Claim]:
    """Whether the files are those that the package committed to: no other files have the same commitments."""
    made = {MANIFEST: commitment(salt, MANIFEST, manifest.content_read)}
    for name, file in sorted(manifest.files.items()):
        if name != SALT and is_plain_name(name) and _is_plain(folder / name, file.size):
            made[name] = commitment(salt, name, folder / name)
    named, kept = files_said(committed), kept_said(committed)
    for name in dict.fromkeys((*named, *filter(is_named, made))):
        yield claim(COMMITTED, told_name(name), named.get(name), made.get(name))
    others = {name: made[name] for name in made if not is_named(name)}
    for name, one in others.items():
        yield claim(COMMITTED, name, "committed to", "committed to" if one in kept else "another file")
    lost = len([one for one in kept if one not in others.values()])
    yield claim(COMMITTED, "kept files that are not there, or were changed", 0, lost)


def _is_plain(path: Path, size: int) -> bool:
    try:
        return plain_size(path) == size
    except OSError:
        return False


def _same_release(package: ReleasePackage, evidence: ReleaseEvidence) -> Iterator[Claim]:
    """The released file, in the words of both."""
    said = at(evidence.provenance, "output")
    yield from claims(SAYS, said, at(package.release, "released"), "released, in evidence and package")
    yield claim(SAYS, f"SHA-256 of {evidence.released} (evidence)", at(said, "sha256"), told_sha256(evidence.data))
    before, after = at(evidence.provenance, "input", "records"), at(said, "records")
    if isinstance(before, int) and isinstance(after, int):
        share = left_out(before, before - after)
        yield claim(SAYS, "left out, in evidence and package", share, at(package.release, "left_out"))
    told = _recipient_plan(package, evidence)
    if told is not None:
        words, plan = told
        yield claim(SAYS, "steps in words, in evidence and package", words, at(package.release, "steps"))
        same = canonical(plan) == canonical(package.plan)
        yield claim(SAYS, "plan, in evidence and package", "the same", "the same" if same else "another")
    for key in ("requirements", "met"):
        yield claim(SAYS, f"{key}, in evidence and package", at(evidence.anonymisation, key), at(package.release, key))


def _recipient_plan(package: ReleasePackage, evidence: ReleaseEvidence) -> tuple[list[str], Any] | None:
    """The plan as its recipient may know it, in words and as it is read; None where it, or the data, cannot be."""
    before, method = at(evidence.anonymisation, "steps_before"), at(evidence.anonymisation, "method")
    if evidence.plan is None or not isinstance(before, int):
        return None
    try:
        table = load_untrusted(package.data, keys_at(package.release, "columns", "kinds")).table
        told = RecipientPlan.of(evidence.plan, table, None if method == PLAN_ONLY else before)
        return told.words(), read_yaml(told.text(), PLAN).value
    except MISUNDERSTOOD:
        return None


def _documents(evidence: ReleaseEvidence) -> Iterator[Claim]:
    """What the parts of the evidence say of each other."""
    anonymisation = evidence.anonymisation
    for scenario, assessment in evidence.assessments.items():
        both = f"{ANONYMISATION} and {f'readings for {scenario}' if scenario else ASSESSMENT}"
        yield from claims(SAYS, _readings(anonymisation, scenario), at(assessment, "readings"), f"{both}: readings")
        for key in ("verdict", "open", *(() if scenario else ("met", "everything", "quasi_identifiers"))):
            yield from claims(SAYS, at(anonymisation, key), at(assessment, key), f"{both}: {key}")
    follows = Verdict(at(anonymisation, "met"), tuple(names_at(anonymisation, "open"))).state
    state = follows.value if follows else None
    yield claim(SAYS, "verdict, by what is met and what is open", at(anonymisation, "verdict"), state)
    if any(evidence.assessments):
        every = all(at(assessment, "met") is True for assessment in evidence.assessments.values())
        yield claim(SAYS, f"{ANONYMISATION} and the readings for each scenario: met", at(anonymisation, "met"), every)
    if evidence.comparison is not None:
        total, columns = (keys_at(evidence.comparison, key) for key in ("total", "columns"))
        by_column = {name: _normalised(figures) for name, figures in columns.items()}
        over = at(evidence.comparison, "quasi_identifiers")
        lost = {"over": over, "total": _normalised(total), "columns": by_column}
        yield from claims(SAYS, at(anonymisation, "lost"), lost, f"{ANONYMISATION} and comparison: lost")


def _readings(anonymisation: Any, scenario: str) -> Any:
    """The readings of one scenario, without its name."""
    readings = at(anonymisation, "readings")
    if not scenario or not isinstance(readings, list):
        return readings
    return [
        {key: value for key, value in reading.items() if key != "scenario"}
        for reading in readings
        if at(reading, "scenario") == scenario
    ]


def _normalised(figures: Any) -> dict[str, Any]:
    return {name: at(figure, "normalised") for name, figure in keys_at({"": figures}, "").items()}


def _steps(evidence: ReleaseEvidence) -> Iterator[Claim]:
    """The plan against the record of how the release came about."""
    said = at(evidence.provenance, "plan")
    if evidence.plan is None:
        yield claim(STEPS, f"{PLAN} can be read", "yes", "no")
        return
    steps = at(said, "steps")
    listed = [step for step in steps if isinstance(step, Mapping)] if isinstance(steps, list) else []
    names = [next((key for key in step if key != "id"), "") for step in listed]
    yield claim(STEPS, "steps", ", ".join(names), ", ".join(step.name for step in evidence.plan.steps))
    yield claim(STEPS, "SHA-256 of the plan", at(said, "sha256"), evidence.plan.fingerprint())
    same = at(said, "steps") == list(map(recorded, evidence.plan.steps))
    yield claim(STEPS, "parameters of the steps", "as recorded", "as recorded" if same else "others")
    words = [step.transformation.told() for step in evidence.plan.steps]
    yield claim(STEPS, f"steps in words ({ANONYMISATION})", at(evidence.anonymisation, "steps"), words)
    settings = [step.transformation.settings() for step in evidence.plan.steps if step.name == "generalise"]
    levels = {setting["column"]: setting["level"] for setting in settings}
    for column, level in keys_at(evidence.anonymisation, "levels").items():
        if level != 0:  # a column that the search left alone may have been generalised before it
            yield claim(STEPS, f"level of {column}", level, levels.get(column, 0))
