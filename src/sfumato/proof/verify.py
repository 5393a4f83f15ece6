"""The verb of verification: recompute every claim of a release package that can be checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sfumato.errors import UnreadableFile
from sfumato.plans.provenance import recorded
from sfumato.privacy.verdict import Verdict
from sfumato.progress import Tell, quiet
from sfumato.proof.package.claims import Verified, at, claim, claims, keys_at, names_at, unchecked
from sfumato.proof.package.folder import (
    ANONYMISATION,
    ASSESSMENT,
    MANIFEST,
    MARK,
    PLAN,
    PROVENANCE,
    PUBLIC,
    REPORT,
    SIGNATURE,
    Manifest,
    ReleasePackage,
)
from sfumato.proof.package.follow_again import Original, claims_with_original
from sfumato.proof.package.read_again import ReleaseCheck
from sfumato.proof.package.signature import fingerprint, valid
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import AuditLog
from sfumato.show.documents.verified import Claim
from sfumato.show.sheet import State
from sfumato.tables.engine import Engine
from sfumato.versions import versions

FILES, SIGNED, EVIDENCE, STEPS, REPORTED, LOGGED = "files", "signature", "evidence", "plan", "report", "log"
UNDERSTOOD = ("columns", "log")  # claims of the manifest that no other file repeats


def verify(
    folder: str | Path,
    original: Original | None = None,
    *,
    key: str | Path | None = None,
    log: str | Path | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Verified:
    """Check every claim of a release package, and name each that is not true.

    Files, evidence and readings are checked from the folder alone. With the `original` the plan is followed again,
    which must give the same bytes and the same figures. `key` is the public key of the person who signed, and `log` the
    log of use from which the head in the manifest comes. `UnreadableFile` when the folder is no package.
    """
    manifest = Manifest.read(folder)
    tell("Checking the files")
    package = ReleasePackage.read(folder)
    check = ReleaseCheck(package, manifest.claims, original.orders if original else {}, tell)
    checked = (
        *_files(manifest, package),
        *_signature(Path(folder), key),
        *_evidence(package, manifest.claims),
        *_steps(package),
        *_report(package),
        *_log(manifest.claims, log),
        *check.released_data(engine, persons=original is not None),
        *(claims_with_original(check, original) if original else ()),
    )
    name = Path(original.data).name if original else None
    return Verified(Path(folder).resolve().name, checked, name, _notes(package))


def _files(manifest: Manifest, package: ReleasePackage) -> Iterator[Claim]:
    problems = {problem.file: problem for problem in manifest.problems(package.folder)}
    for name, problem in problems.items():
        yield Claim(FILES, f"{name} ({problem.kind})", problem.said, problem.actual, agrees=False)
    for name in manifest.files:
        if name not in problems:
            yield claim(FILES, name, "as released", "as released")
    needed = (str(package.released), f"{package.released}{PROVENANCE}", PLAN, ANONYMISATION, ASSESSMENT)
    for name in needed:
        if name not in manifest.files:
            yield claim(FILES, f"{name.replace('None', 'released')} is part of the package", "yes", "no")


def _signature(folder: Path, key: str | Path | None) -> Iterator[Claim]:
    """Whether the manifest is signed by the key that was given, or else by the one beside it."""
    signature, beside = _bytes(folder / SIGNATURE), _bytes(folder / PUBLIC)
    if signature is None:
        if key is not None or beside is not None:
            yield claim(SIGNED, f"{MANIFEST} is signed", "yes", f"there is no {SIGNATURE}")
        return
    public = _bytes(Path(key)) if key is not None else beside
    if public is None and key is not None:
        raise UnreadableFile(key, "the public key cannot be read.", hint="Check the path.")
    if public is None:
        yield unchecked(SIGNED, f"{MANIFEST} is signed", "yes", "There is no public key: give it with --key.")
        return
    name = fingerprint(public, key or PUBLIC)
    whose = f"{MANIFEST} is signed by the key {name}"
    good = valid((folder / MANIFEST).read_bytes(), signature, public, key or PUBLIC)
    note = "" if key is not None else "The key came with the package: give the one that you trust with --key."
    yield claim(SIGNED, whose, "yes", "yes" if good else "no: forged, by another key, or of another manifest", note)


def _evidence(package: ReleasePackage, said: Mapping[str, Any]) -> Iterator[Claim]:
    """What the manifest and the parts of the evidence say of each other."""
    in_manifest = {key: value for key, value in said.items() if key not in UNDERSTOOD}
    own = package.claims()
    yield from claims(EVIDENCE, {key: in_manifest.get(key) for key in own}, own, "manifest")
    for key in ("readings", "met", "verdict", "open", "everything", "quasi_identifiers"):
        searched, assessed = at(package.anonymisation, key), at(package.assessment, key)
        yield from claims(EVIDENCE, searched, assessed, f"{ANONYMISATION} and {ASSESSMENT}: {key}")
    follows = Verdict(at(package.anonymisation, "met"), tuple(names_at(package.anonymisation, "open"))).state
    state = follows.value if follows else None
    yield claim(EVIDENCE, "verdict, by what is met and what is open", at(package.anonymisation, "verdict"), state)
    if package.comparison is not None:
        total, columns = (keys_at(package.comparison, key) for key in ("total", "columns"))
        by_column = {name: _normalised(figures) for name, figures in columns.items()}
        lost = {"total": _normalised(total), "columns": by_column}
        yield from claims(EVIDENCE, at(package.anonymisation, "lost"), lost, f"{ANONYMISATION} and comparison: lost")


def _normalised(figures: Any) -> dict[str, Any]:
    return {name: at(figure, "normalised") for name, figure in keys_at({"": figures}, "").items()}


def _steps(package: ReleasePackage) -> Iterator[Claim]:
    """The plan against the record of how the release came about."""
    said = at(package.provenance, "plan")
    if package.plan is None:
        yield claim(STEPS, f"{PLAN} can be read", "yes", "no")
        return
    steps = at(said, "steps")
    listed = [step for step in steps if isinstance(step, Mapping)] if isinstance(steps, list) else []
    names = [next((key for key in step if key != "id"), "") for step in listed]
    yield claim(STEPS, "steps", ", ".join(names), ", ".join(step.name for step in package.plan.steps))
    yield claim(STEPS, "SHA-256 of the plan", at(said, "sha256"), package.plan.fingerprint())
    same = at(said, "steps") == list(map(recorded, package.plan.steps))
    yield claim(STEPS, "parameters of the steps", "as recorded", "as recorded" if same else "others")
    words = [step.transformation.told() for step in package.plan.steps]
    yield claim(STEPS, f"steps in words ({ANONYMISATION})", at(package.anonymisation, "steps"), words)
    settings = [step.transformation.settings() for step in package.plan.steps if step.name == "generalise"]
    levels = {setting["column"]: setting["level"] for setting in settings}
    for column, level in keys_at(package.anonymisation, "levels").items():
        if level != 0:  # a column that the search left alone may have been generalised before it
            yield claim(STEPS, f"level of {column}", level, levels.get(column, 0))


def _report(package: ReleasePackage) -> Iterator[Claim]:
    content = _bytes(package.folder / REPORT)
    if content is None:
        return
    mark = re.search(rf'<meta name="{MARK}" content="([^"]*)"', content.decode(errors="replace"))
    what = f"{REPORT} is about this release"
    if mark is None:
        yield unchecked(REPORTED, what, "yes", "The report does not say of which release it is.")
    else:
        yield claim(REPORTED, what, "yes", "yes" if mark[1] == package.mark() else "no: it is of another run")


def _log(said: Mapping[str, Any], log: str | Path | None) -> Iterator[Claim]:
    head = at(said, "log", "hash")
    if head is None and log is None:
        return
    if log is None:
        yield unchecked(LOGGED, "the log of use has the head in the manifest", head, "Give the log with --log.")
        return
    problems = Chain.of(AuditLog(Path(log)), verify=True, known=head).problems or ()
    yield claim(LOGGED, "the log of use is whole, up to the head in the manifest", "yes", " ".join(problems) or "yes")


def _notes(package: ReleasePackage) -> tuple[str, ...]:
    """What may explain a difference, and what no verification repeats."""
    then, now = keys_at(package.provenance, "versions"), versions()
    other = sorted(name for name in now if name in then and then[name] != now[name])
    words = f"Other versions than at the release: {', '.join(other)}. Bytes of some formats depend on them."
    search = "The search is not repeated: neither its score, nor that no other release loses less, was checked."
    kept = f"Kept by the steward, and no part of the package: {', '.join(package.kept())}."
    return (*_open(package), *([words] if other else []), *([kept] if package.kept() else []), search)


def _open(package: ReleasePackage) -> tuple[str, ...]:
    """The verdict that the package repeats, where it is not simply met: claims that agree do not close a question."""
    questions = names_at(package.anonymisation, "open")
    state = at(package.anonymisation, "verdict")
    if state is None or state == State.MET:
        return ()
    return (f"The release says of its policy: {state}{': ' if questions else '.'}{' '.join(questions)}",)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
