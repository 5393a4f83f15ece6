"""What is handed over: the package for a recipient, and beside it the evidence, which stays with the steward.

The package is a function of the released rows, of what people decided (roles, requirements, steps) and of how far the
search went (levels). How much was left out is said rounded and masked. All other figures that the original has a part
in are in the evidence; `docs/explanation/proof.md` goes through every field.
"""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sfumato.canonical import sha256_of
from sfumato.errors import InfeasiblePolicy, OutputError
from sfumato.outputs import file_name, make_private, require_plain_name, whole_folders, write_text
from sfumato.plans.vault import keep_vaults
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.policy import Policy
from sfumato.privacy.requirement_text import stated
from sfumato.privacy.verdict import Verdict
from sfumato.progress import Tell, quiet
from sfumato.proof.package.commitments import SALT, salt_of_release
from sfumato.proof.package.folder import ASSESSMENT, KEYS, PACKAGE, PLAN, seal
from sfumato.proof.package.manifest import MANIFEST, Manifest
from sfumato.proof.package.recipient_plan import RecipientPlan
from sfumato.proof.package.released_rows import Understanding, load_released, met
from sfumato.proof.package.signature import SigningKey
from sfumato.proof.package.suppressed_share import left_out
from sfumato.search.anonymisation import Anonymised
from sfumato.show.documents.anonymisation import PLAN_ONLY
from sfumato.show.documents.package import (
    KeyNamesDocument,
    PackagedExceptionDocument,
    PackageDocument,
    UnderstoodColumnsDocument,
)
from sfumato.show.documents.plan import ReleasedFileDocument
from sfumato.tables.engine import Engine, Table, present_values
from sfumato.versions import versions

PERSONS, RECORDS = "persons", "records"
RESERVED = (SALT, KEYS, MANIFEST)  # files of the evidence that are written last


@dataclass(frozen=True)
class HandedOver:
    """The folder for the recipient, the one that stays, and the manifest of the first."""

    package: Path
    evidence: Path
    manifest: Manifest


@dataclass(frozen=True)
class ReadRelease:
    """The released file as a recipient reads it, for the documents and the report that come with it."""

    document: PackageDocument
    assessments: Mapping[str, Assessment]
    plan: str  # what was done, as the text of a file


Pages = Callable[[ReadRelease, Path, Path], None]  # writes reports: of what was read, into the package and the evidence


def hand_over(
    anonymised: Anonymised,
    package: str | Path,
    evidence: str | Path,
    *,
    key: bytes,
    name: str = "released.csv",
    sign: SigningKey | None = None,
    overwrite: bool = True,
    pages: Pages | None = None,
    protect: Sequence[Path] = (),
    unanswered: Sequence[str] = (),
    beside: Sequence[Path] = (),
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> HandedOver:
    """Write the package and the evidence of a release, both whole or not at all; the evidence is there first.

    `key` is the key of the project, from which the salt of the commitments is made; `sign` the key that signs;
    `unanswered` what is open whatever the data are; `beside` files that the evidence gets a copy of.
    """
    public = anonymised.handed_on()
    target, kept = Path(package), Path(evidence)
    keep = partial(keep_vaults, public.followed.after)
    with whole_folders(kept, target, overwrite=overwrite, before=keep) as (own, ours):
        public.write(own, name, protect=protect, tell=tell, keep=False)
        shutil.move(own / name, ours / name)
        tell("Reading the release as its recipient does")
        read = read_handed_over(public, ours / name, unanswered, engine, tell)
        write_text(ours / PACKAGE, json.dumps(read.document.plain(), indent=2, ensure_ascii=False) + "\n")
        write_text(ours / PLAN, read.plan)
        for scenario, assessment in read.assessments.items():
            write_text(ours / assessment_file(scenario), assessment.to_json())
        if pages is not None:
            pages(read, ours, own)
        for file in beside:
            _copied(file, own)
        write_text(own / SALT, salt_of_release(key, read.document.released.sha256).hex() + "\n")
        names = KeyNamesDocument(
            project_key="sfumato.key", secrets=public.plan.secrets(), signed_by=sign.name if sign else None
        )
        write_text(own / KEYS, json.dumps(names.plain(), indent=2) + "\n")
        manifest = seal(ours, own, sign)
        make_private(own)
    return HandedOver(target, kept, manifest)


def _copied(file: Path, evidence: Path) -> None:
    """A copy of a file among the evidence, committed to like the rest; it never takes the place of another."""
    require_plain_name(file.name)
    if file.name in RESERVED or (evidence / file.name).exists():
        raise OutputError(f"The evidence has a file {file.name} already. Rename the one that is to go beside it.")
    shutil.copyfile(file, evidence / file.name)


def read_handed_over(
    anonymised: Anonymised,
    path: Path,
    unanswered: Sequence[str] = (),
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> ReadRelease:
    """What a recipient reads off the released file, and the document that says how to read it.

    Kinds of columns are those that the file shows. Only where the release would break its policy so are they said: a
    kind that no released value asks for would tell of a value that was left out.
    """
    names, dataset = set(anonymised.followed.after.names), anonymised.assessment.dataset
    means = Understanding(
        quasi_identifiers=[name for name in anonymised.hierarchies if name in names],
        sensitive=[name for name in dataset.sensitive if name in names],
        subject=dataset.subject if dataset.subject in names else None,
        persons=dataset.subject is not None,
        missing=dataset.missing,
        scenarios={s.name: [n for n in s.quasi_identifiers if n in names] for s in anonymised.request.scenarios},
    )
    policy = Policy(tuple(r for r in anonymised.request.policy.requirements if not r.measure.reads_population))
    known = {name: kind.value for name, kind in dataset.table.kinds.items() if name in names}
    for shown in ({}, known):
        table = load_released(path, shown, engine).table
        placed = replace(means, orders=_orders(anonymised.assessment, table))
        assessments = placed.recipients(table, policy, tell)
        if met(assessments):
            break
    else:
        raise InfeasiblePolicy(
            "Nothing was released: read from its file, as a recipient reads it, the release breaks a requirement.",
            ("A column that is read in bins is not released in bins: let a step generalise it.",),
        )
    alone = (question for assessment in assessments.values() for question in assessment.verdict.open)
    against = [
        PackagedExceptionDocument(column=one.column, role=one.role, proposed=one.proposed)
        for one in anonymised.against_evidence
        if one.column in names
    ]
    said = (
        f"{one.column} is released as {one.role}, though its name and values say that it is {one.proposed}."
        for one in against
    )
    verdict = Verdict(anonymised.met).with_open(*unanswered, *said, *alone)
    searched = None if anonymised.method == PLAN_ONLY else anonymised.steps_before
    plan = RecipientPlan.of(anonymised.plan, table, searched)
    document = replace(_document(anonymised, path, placed, shown), steps=plan.words())
    document = replace(document, verdict=verdict.state, open=verdict.open, released_against_evidence=against)
    judged = {name: replace(one, open=verdict.open) for name, one in assessments.items()}
    return ReadRelease(document, judged, plan.text())


def _orders(assessment: Assessment, table: Table) -> dict[str, list[int]]:
    """The orders of ordinal values, as places among the sorted values of the released file."""
    orders = {}
    for attribute in assessment.dataset.schema:
        if attribute.order and attribute.name in assessment.dataset.sensitive:
            present = present_values(table, attribute.name)
            orders[attribute.name] = [present.index(value) for value in attribute.order if value in present]
    return orders


def _document(anonymised: Anonymised, path: Path, means: Understanding, kinds: Mapping[str, str]) -> PackageDocument:
    request, solution, after = anonymised.request, anonymised.solution, anonymised.followed.after
    bounded = [requirement for requirement in request.policy.requirements if requirement.bound is not None]
    content = anonymised.content()
    released = set(after.names)
    return PackageDocument(
        released=ReleasedFileDocument(
            name=path.name, sha256=sha256_of(path), records=after.count(), columns=after.names
        ),
        requirements=[stated(requirement) for requirement in bounded],
        required=[requirement.text for requirement in bounded],
        met=anonymised.met,
        verdict=None,
        open=(),
        released_against_evidence=(),
        counted=PERSONS if anonymised.assessment.dataset.subject else RECORDS,
        subject=means.subject,
        unread=[requirement.text for requirement in bounded if requirement.measure.reads_population],
        scenarios=dict(means.scenarios) or None,
        quasi_identifiers=list(means.quasi_identifiers),
        sensitive=list(means.sensitive),
        missing_values=means.missing.value,
        columns=UnderstoodColumnsDocument(kinds=kinds, orders=means.orders),
        method=content.method,
        objective=content.objective,
        left_out=left_out(before := anonymised.followed.before.count(), before - after.count()),
        levels=None if solution.levels is None else {n: v for n, v in solution.levels.items() if n in released},
        steps=(),
        engine=after.engine.name,
        versions={"python": platform.python_version(), **versions()},
    )


def assessment_file(scenario: str) -> str:
    """The name of the readings for what an attacker knows."""
    return f"assessment_{file_name(scenario)}.json" if scenario else ASSESSMENT
