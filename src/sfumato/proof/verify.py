"""The verb of verification: recompute every claim of a release package that can be checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sfumato.bounded_file import file_bytes
from sfumato.errors import UnreadableFile, UnusableInput
from sfumato.privacy.verdict import Verdict
from sfumato.progress import Tell, quiet
from sfumato.proof.package.check_evidence import COMMITTED, evidence_claims, file_claims, report_claims
from sfumato.proof.package.claims import Verified, at, claim, claims, keys_at, names_at, unchecked
from sfumato.proof.package.commitments import files_said, kept_said
from sfumato.proof.package.folder import ASSESSMENT, PACKAGE, PLAN, ReleasePackage
from sfumato.proof.package.follow_again import Original
from sfumato.proof.package.manifest import MANIFEST, PUBLIC, SIGNATURE, Manifest
from sfumato.proof.package.plain_files import plain_bytes, told_name, told_sha256, what_is
from sfumato.proof.package.read_again import PackageCheck
from sfumato.proof.package.signature import LARGEST, fingerprint, is_key_of, valid
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import AuditLog
from sfumato.show.documents.verified import Claim, SignatureDocument, SignedBy
from sfumato.show.sheet import State
from sfumato.tables.engine import Engine
from sfumato.versions import versions

FILES, SIGNED, EVIDENCE, STEPS, LOGGED = "files", "signature", "evidence", "plan", "log"


def verify(
    folder: str | Path,
    original: Original | str | Path | None = None,
    *,
    evidence: str | Path | None = None,
    key: str | Path | None = None,
    log: str | Path | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Verified:
    """Check every claim of a release package, and name each that is not true.

    Files, words and readings are checked from the folder alone. With the `evidence`, which its steward has, the
    commitments to it are checked, and all that it says of the release; with the `original` as well the plan is followed
    again, which must give the same bytes and the same figures. `key` is the public key of the person who signed, and
    `log` the log of use from which the head in the manifest comes. `UnreadableFile` when the folder is no package.
    """
    if original is not None and evidence is None:
        raise UnusableInput(
            "A package does not say which original it is of, so the original alone proves nothing. Give the evidence "
            "as well: --evidence DIR."
        )
    before = original if isinstance(original, Original | None) else Original(original)
    manifest = Manifest.read(folder)
    tell("Checking the files")
    package = ReleasePackage.read(folder, manifest.files)
    signature, signed = _signature(Path(folder), manifest, key)
    checked = [
        *_files(manifest, package),
        *signed,
        *_claims(package, manifest.claims),
        *_words(package),
        *report_claims(package.folder, package.mark()),
        *_log(manifest, log),
        *PackageCheck(package, tell).claims(engine, alone=evidence is None),
    ]
    committed = keys_at(manifest.claims, "evidence")
    if evidence is None:
        number = len(files_said(committed)) + len(kept_said(committed))
        checked.append(unchecked(COMMITTED, "the evidence that stays", f"{number} files", "Its steward has it."))
    else:
        checked += evidence_claims(package, evidence, committed, before, engine=engine, tell=tell)
    return Verified(
        name=told_name(Path(folder).resolve().name),
        claims=tuple(checked),
        signature=signature,
        original=Path(before.data).name if before else None,
        evidence=told_name(Path(evidence).resolve().name) if evidence is not None else None,
        notes=_notes(package, evidence=evidence is not None),
    )


def _files(manifest: Manifest, package: ReleasePackage) -> Iterator[Claim]:
    yield from file_claims(FILES, manifest, package.folder)
    assessments = [ASSESSMENT] if not keys_at(package.release, "scenarios") else []
    for name in (package.released or "released", PACKAGE, PLAN, *assessments):
        if name not in manifest.files:
            yield claim(FILES, f"{name} is part of the package", "yes", "no")


def _signature(folder: Path, manifest: Manifest, key: str | Path | None) -> tuple[SignatureDocument, list[Claim]]:
    """Whether the manifest is signed by the key that was given, or else by the one beside it."""
    signature, beside = _bytes(folder / SIGNATURE), _bytes(folder / PUBLIC)
    what = f"{MANIFEST} is signed"
    if signature is None:
        there = {name: words for name in (SIGNATURE, PUBLIC) if (words := what_is(folder / name)) != "nothing"}
        if key is None and not there:
            return SignatureDocument(), []
        said = f"{SIGNATURE} is {there[SIGNATURE]}" if SIGNATURE in there else f"there is no {SIGNATURE}"
        return SignatureDocument(), [claim(SIGNED, what, "yes", said)]
    public = _given(key) if key is not None else beside
    if public is None:
        why = "There is no public key: give it with --key."
        return SignatureDocument(by=SignedBy.UNKNOWN_KEY), [unchecked(SIGNED, what, "yes", why)]
    name = fingerprint(public, key or PUBLIC)
    good = valid(manifest.content_read, signature, public, key or PUBLIC)
    note = "" if key is not None else "The key came with the package: give the one that you trust with --key."
    answer = "yes" if good else "no: forged, by another key, or of another manifest"
    signed = [claim(SIGNED, f"{what} by the key {name}", "yes", answer, note)]
    if what_is(folder / PUBLIC) != "nothing":
        same = beside is not None and is_key_of(beside, public, key or PUBLIC)
        signed.append(claim(SIGNED, f"{PUBLIC} is this key", "yes", "yes" if same else "no"))
    by = SignedBy.NOT_VALID if not good else SignedBy.UNKNOWN_KEY if key is None else SignedBy.KEY_GIVEN
    return SignatureDocument(by=by, key=name), signed


def _given(key: str | Path) -> bytes:
    """The public key that was given, which is a file of whoever verifies."""
    try:
        return file_bytes(key, LARGEST)
    except OSError:
        raise UnreadableFile(key, "the public key cannot be read.", hint="Check the path.") from None


def _claims(package: ReleasePackage, said: Mapping[str, Any]) -> Iterator[Claim]:
    """What the manifest and the documents of the package say of each other."""
    own = package.claims()
    yield from claims(EVIDENCE, {key: said.get(key) for key in own}, own, "manifest")
    yield claim(EVIDENCE, f"met ({PACKAGE})", said=True, actual=at(package.release, "met"))
    follows = Verdict(at(package.release, "met"), tuple(names_at(package.release, "open"))).state
    state = follows.value if follows else None
    yield claim(EVIDENCE, "verdict, by what is met and what is open", at(package.release, "verdict"), state)
    if package.released is not None:
        said_hash = at(package.release, "released", "sha256")
        yield claim(EVIDENCE, f"SHA-256 of {package.released} ({PACKAGE})", said_hash, told_sha256(package.data))
    for scenario, assessment in package.assessments.items():
        known = keys_at(package.release, "scenarios").get(scenario)
        quasi = known if scenario else at(package.release, "quasi_identifiers")
        what = f"{PACKAGE} and the readings{f' ({scenario})' if scenario else ''}: quasi-identifiers"
        yield claim(EVIDENCE, what, quasi, at(assessment, "quasi_identifiers"))


def _words(package: ReleasePackage) -> Iterator[Claim]:
    """The plan against the words for it, and the levels against both."""
    steps = at(package.plan, "steps")
    if not isinstance(steps, list):
        yield claim(STEPS, f"{PLAN} can be read", "yes", "no")
        return
    said = at(package.release, "steps")
    listed = [step for step in steps if isinstance(step, Mapping)]
    yield claim(STEPS, "steps in words", len(said) if isinstance(said, list) else None, len(steps))
    levels = {
        column: at(step, "generalise", "level")
        for step in listed
        if isinstance(column := at(step, "generalise", "column"), str)
    }
    for column, level in keys_at(package.release, "levels").items():
        if level != 0:  # a column that the search left alone may have been generalised before it
            yield claim(STEPS, f"level of {column}", level, levels.get(column, 0))


def _log(manifest: Manifest, log: str | Path | None) -> Iterator[Claim]:
    head = at(manifest.claims, "log", "hash")
    if head is None and log is None:
        return
    if log is None:
        yield unchecked(LOGGED, "the log of use has the head in the manifest", head, "Give the log with --log.")
        return
    if head is not None and not isinstance(head, str):
        yield claim(LOGGED, "the head in the manifest can be read", "yes", "no")
        return
    chain = Chain.of(AuditLog(Path(log)), verify=True, known=head)
    problems = " ".join(chain.problems or ())
    yield claim(LOGGED, "the log of use is whole, up to the head in the manifest", "yes", problems or "yes")
    what = "a use that has ended wrote this package"
    if chain.wrote(manifest.sha256):
        yield claim(LOGGED, what, "yes", "yes")
    elif chain.older:
        yield unchecked(LOGGED, what, None, "The log has uses of older versions, which did not say what they wrote.")
    else:
        yield claim(LOGGED, what, "yes", "no line of the log names it")


def _notes(package: ReleasePackage, *, evidence: bool) -> tuple[str, ...]:
    """What may explain a difference, and what no verification repeats."""
    then, now = keys_at(package.release, "versions"), versions()
    other = sorted(name for name in now if name in then and then[name] != now[name])
    words = f"Other versions than at the release: {', '.join(other)}. Bytes of some formats depend on them."
    search = "The search is not repeated: neither its score, nor that no other release loses less, was checked."
    stays = (
        "What was lost, who was left out and how the original was treated is in the evidence, which its steward has."
    )
    return (*_open(package), *([words] if other else []), search if evidence else stays)


def _open(package: ReleasePackage) -> tuple[str, ...]:
    """The verdict that the package repeats, where it is not simply met: claims that agree do not close a question."""
    questions = names_at(package.release, "open")
    state = at(package.release, "verdict")
    if state is None or state == State.MET:
        return ()
    return (f"The release says of its policy: {state}{': ' if questions else '.'}{' '.join(questions)}",)


def _bytes(path: Path) -> bytes | None:
    try:
        return plain_bytes(path, LARGEST)
    except OSError:
        return None
