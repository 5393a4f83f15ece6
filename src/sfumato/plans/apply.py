"""The verbs of plans: apply one to a table, and explain one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from sfumato.canonical import sha256_of
from sfumato.errors import InfeasiblePolicy, PlanError
from sfumato.hierarchies.builders.from_file import hierarchies_in
from sfumato.outputs import write_text
from sfumato.plans.decided_columns import DecidedDraft, Decisions, released_against_evidence
from sfumato.plans.draft import Draft
from sfumato.plans.given_back import refuse_given_back
from sfumato.plans.plan import NOT_PROTECTED, FollowedPlan, Plan
from sfumato.plans.plan_file import read_plan
from sfumato.plans.provenance import draws_of, provenance_of
from sfumato.plans.unshifted_dates import left_unshifted, named_unshifted, said_of_unshifted, shifted_columns
from sfumato.plans.vault import keep_vaults
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.schema import Role
from sfumato.secrets import Secrets
from sfumato.show.documents.decided_columns import AgainstEvidenceDocument
from sfumato.show.documents.plan import AppliedPlanDocument, PlanDocument, ProvenanceDocument, StepDocument
from sfumato.show.sheet import named
from sfumato.show.sheets.decided_columns import against_evidence_words, left_out_words
from sfumato.tables.engine import Engine
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.tables.write.release import ReleasedColumn, WriteOptions
from sfumato.tables.write.table import write_table

OTHERS = "Any other date of these people that leaves as it is tells by how much: `apply` and `release` look for them."


@dataclass(frozen=True)
class AppliedPlan:
    """What came of a plan: the file, and how it came about."""

    path: Path
    content: ProvenanceDocument
    followed: FollowedPlan = field(repr=False, compare=False)
    left_out_columns: tuple[str, ...] = ()  # that nobody decided about
    left_out_identifiers: tuple[str, ...] = ()  # direct identifiers, and the subject, that no step treats

    @property
    def provenance(self) -> dict[str, Any]:
        """How the release came about, as plain values."""
        return self.content.plain()

    @cached_property
    def against_evidence(self) -> tuple[AgainstEvidenceDocument, ...]:
        """The columns that were released as they are, though they seem to identify."""
        followed = self.followed
        return released_against_evidence(followed.after, followed.before, followed.plan)

    def document(self) -> dict[str, Any]:
        """How the release came about, and what was decided about its columns."""
        return AppliedPlanDocument(
            **vars(self.content),
            left_out_columns=self.left_out_columns,
            left_out_identifiers=self.left_out_identifiers,
            released_against_evidence=self.against_evidence,
        ).plain()

    @property
    def words(self) -> tuple[str, ...]:
        """What undoes the protection, and what was decided about the columns, a sentence each."""
        identifiers, unshifted = self.left_out_identifiers, self.followed.unshifted
        said = (
            NOT_PROTECTED if NOT_PROTECTED in self.content.notes else "",
            said_of_unshifted(unshifted) if unshifted else "",
            left_out_words(self.left_out_columns),
            f"Left out, since no step replaces what identifies: {named(identifiers)}." if identifiers else "",
            against_evidence_words(self.against_evidence),
        )
        return tuple(filter(None, said))

    @property
    def record(self) -> Path:
        """The file that says how the release came about."""
        return provenance_path(self.path)


def apply_plan(
    plan: Plan | str | Path,
    data: Any,
    out: str | Path,
    *,
    subject: str | None = None,
    roles: Mapping[str, Role] | None = None,
    non_sensitive: Sequence[str] | str = (),
    release_rest: bool = False,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    key_file: str | Path | None = None,
    hierarchies: str | Path | None = None,
    evidence: str | Path | None = None,
    options: ReadOptions | None = None,
    write: WriteOptions | None = None,
    engine: Engine | None = None,
    source: str | Path | None = None,
    tell: Tell = quiet,
) -> AppliedPlan:
    """Apply a plan to a table and write the result, whole or not at all, beside a file that says how it came about.

    Only columns that somebody decided about are written: those that a step treats, that have a role (`roles`, or in the
    project file around the plan) or are `non_sensitive`; with `release_rest` all others, too. Direct identifiers and
    the subject are written only where a step replaces their values.

    `out` is CSV, Parquet, XPT, SPSS, Stata or Excel by its ending. `subject` is the column that says whom a record is
    about, for steps that treat a person's records alike; `secrets` are files by the names that the plan uses,
    `key_file` that of the key by which steps draw (usually `sfumato.key` beside the plan, made when it lacks), and
    `hierarchies` a folder with one file per column, for steps that name none. The files that the plan of a release
    names are beside it, or in the `evidence` of that release. Of an `Extract`, `source` is the file that it was read
    from, which is hashed and never written over.
    """
    plan = plan if isinstance(plan, Plan) else read_plan(plan)
    plan = replace(plan, hierarchies=hierarchies_in(hierarchies)) if hierarchies else plan
    plan = replace(plan, kept=(Path(evidence),)) if evidence is not None else plan
    path, known = Path(out), Secrets.of(secrets, key_file=key_file)
    for name in plan.secrets():
        known(name)  # a secret that lacks is said at once
    tell("Reading the data")
    extract = data if isinstance(data, Extract) else load(data, options, engine, watch=True)
    question = Question.written(non_sensitive=non_sensitive, release_rest=release_rest, subject=subject)
    said = {**(roles or {}), **question.roles}
    before = Draft.of(extract, subject=subject or plan.subject, roles={**plan.roles, **said}).require(*said)
    after, settled = plan.settle(before, known, tell)
    decisions = Decisions.of(None, question, plan).with_columns((*plan.roles, *said))
    decided = DecidedDraft.of(after, before, plan, decisions)
    if not decided.draft.columns:
        raise PlanError(
            "Nothing would be released: nobody decided about the columns, or they are identifiers that no step "
            "replaces. Treat columns in a step, or name them with --non-sensitive."
        )
    after = decided.draft
    refuse_given_back(after, before, plan)
    _refuse_broken(settled, before, after, known)
    unshifted = left_unshifted(plan, before, after)
    if unshifted:
        after = replace(after, notes=(*after.notes, said_of_unshifted(unshifted)))
    followed = FollowedPlan(
        plan=plan,
        settled=settled,
        source=extract.name,
        before=before,
        after=after,
        secrets=known,
        state=extract.state,
        unshifted=unshifted,
    )
    applied = write_release(followed, path, sources_of(source or data, plan), write=write, tell=tell, keep=True)
    return replace(applied, left_out_columns=decided.undecided, left_out_identifiers=decided.identifiers)


def _refuse_broken(plan: Plan, before: Draft, after: Draft, secrets: Secrets) -> None:
    """Refuse a release that does not keep to what steps require; persons are counted though they are not released."""
    subject = before.subject if before.subject in after.table.columns else None
    broken = plan.broken_by(replace(after, subject=subject), secrets)
    if broken:
        raise InfeasiblePolicy(f"Nothing was written: {'; '.join(broken)}.")


def write_release(
    followed: FollowedPlan,
    path: Path,
    sources: Sequence[Path],
    *,
    write: WriteOptions | None = None,
    tell: Tell = quiet,
    keep: bool = False,
) -> AppliedPlan:
    """Write a release and how it came about, both whole or neither; never over one of its sources.

    With `keep` the vaults of its tokens are extended just before it appears; otherwise that is left to the caller.
    """
    tell("Writing the release")
    after, state = followed.after, followed.state
    if state is not None:
        state.require_same(hashed=False)
    columns = [ReleasedColumn(c.name, c.label, c.value_labels, c.order or None) for c in after.columns]
    made: list[ProvenanceDocument] = []

    def beside(file: Path, records: int) -> None:
        if state is not None:
            state.require_same()
        own = Path(followed.plan.path).resolve()
        source = next((one for one in sources if one.is_file() and one != own), None)
        digest = state.sha256 if state is not None else sha256_of(source) if source else None
        provenance = provenance_of(followed, digest, file, records)
        text = json.dumps(provenance.plain(), indent=2, ensure_ascii=False) + "\n"
        write_text(provenance_path(file), text, private=True)
        made.append(provenance)
        if keep:
            keep_vaults(after)

    write_table(
        after.table, path.absolute(), columns, protect=sources, options=write, tell=tell, beside=beside,
        short=after.short,
    )  # fmt: skip
    return AppliedPlan(path, made[0], followed)


def provenance_path(path: Path) -> Path:
    """Where it is written how a release came about: beside it."""
    return path.with_name(path.name + ".provenance.json")


def plan_document(plan: Plan) -> PlanDocument:
    """Every step in a sentence, with made-up examples."""
    return PlanDocument(
        plan=Path(plan.path).name,
        seed=plan.seed,
        draws=draws_of(plan),
        fingerprint=plan.fingerprint(),
        secrets=plan.secrets(),
        remarks=_remarks(plan),
        steps=[
            StepDocument(
                number=number,
                id=step.id,
                transformation=step.name,
                explanation=step.transformation.explained(),
                examples=step.transformation.examples(),
                parameters=step.document()[step.name],
                because=step.because,
                proposed_by=step.proposed_by,
            )
            for number, step in enumerate(plan.steps, 1)
        ],
    )


def _remarks(plan: Plan) -> tuple[str, ...]:
    """What undoes the protection of a plan, as far as the plan itself shows it."""
    unshifted = named_unshifted(plan)
    by_seed = "Steps draw at random, and the plan has a `seed`: without a key the draws follow from it. "
    return (
        *((f"{by_seed}{NOT_PROTECTED}",) if plan.keyed and plan.seed is not None else ()),
        *((said_of_unshifted(unshifted),) if unshifted else ()),
        *((f"Shifted: {', '.join(sorted(shifted))}. {OTHERS}",) if (shifted := shifted_columns(plan)) else ()),
    )


def sources_of(data: Any, plan: Plan) -> list[Path]:
    """The files that must not be written over."""
    named = [data] if isinstance(data, str | Path) and "://" not in str(data) else []
    return [Path(name).resolve() for name in (*named, plan.path) if Path(name).exists()]
