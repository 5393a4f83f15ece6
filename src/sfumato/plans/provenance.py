"""Provenance: how a release came about, without the values that the steps of its plan name."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sfumato.canonical import sha256_of
from sfumato.hierarchies.catalogue import builders
from sfumato.plans.condition import Condition
from sfumato.plans.kept_files import is_kept
from sfumato.plans.plan import NOT_PROTECTED, FollowedPlan, Plan, Step, plain
from sfumato.show.documents.plan import (
    ProvenanceDocument,
    RecordedPlanDocument,
    ReleasedFileDocument,
    SourceDocument,
)
from sfumato.versions import versions

# Parameters that say how a step works, and those within a hierarchy that do: a report shows them. Of any other that is
# no number, a report only says that it is there, since it may name values of the data.
SAYS_HOW = (
    "column", "columns", "level", "levels", "kind", "unit", "method", "seed", "to", "width", "range", "keep_left",
    "keep_right", "class_size", "rarer_than", "fewer_than", "requirements", "against", "only", "secret", "period",
    "digits", "base", "share", "scale", "distribution", "size", "aggregate", "by", "days", "hierarchy", "file",
    "beside",
)  # fmt: skip
# Lists that name no value of the data either, but are long: the record of a release has them, the table of a report
# has their length.
LONG_RULES = ("keep", "bounds", "scenarios", "restricted")


def provenance_of(followed: FollowedPlan, source: Path | None, path: Path, records: int) -> ProvenanceDocument:
    """What went in, what was done to it, and what came out. Without a time: the same input gives the same file.

    `source` is the file that was read, where it is one; `path` the one that so many records were written to.
    """
    plan, settled, after = followed.plan, followed.settled, followed.after
    return ProvenanceDocument(
        input=SourceDocument(
            name=followed.source, sha256=sha256_of(source) if source else None, records=followed.before.count()
        ),
        output=ReleasedFileDocument(name=path.name, sha256=sha256_of(path), records=records, columns=after.names),
        plan=RecordedPlanDocument(
            seed=plan.seed,
            subject=plan.subject or None,
            steps=list(map(recorded, plan.steps)),
            sha256=plan.fingerprint(),
        ),
        settled=None if settled == plan else list(map(recorded, settled.steps)),
        draws=draws_of(plan, by_seed=NOT_PROTECTED in after.notes),
        secrets=plan.secrets(),
        engine=after.engine.name,
        versions={"python": platform.python_version(), **versions()},
        notes=after.notes,
    )


def recorded(step: Step) -> dict[str, Any]:
    """A step as plain values: mappings, conditions and lists of values stay in the plan, and are only counted.

    >>> from sfumato.plans.steps.recode import Recode
    >>> recorded(Step(Recode("outcome", {"H": "home", "N": "home"}), "outcomes"))
    {'id': 'outcomes', 'recode': {'column': 'outcome', 'mapping': '2 entries, in the plan'}}
    """
    settings = plain(step.transformation.settings())
    named = {"id": step.id} if step.named else {}
    return {**named, step.name: {name: _recorded(name, value) for name, value in settings.items()}}


def draws_of(plan: Plan, *, by_seed: bool = False) -> dict[str, str]:
    """What each step that draws at random draws by, in words: by the name of the step, or its number.

    >>> from sfumato.plans.plan import numbered
    >>> from sfumato.plans.steps.add_noise import AddNoise
    >>> draws_of(Plan(numbered([(AddNoise("age"), None), (AddNoise("weight"), "weights")])))
    {'step 1': 'the key of the project', 'weights': 'the key of the project'}
    """
    source = "the seed of the plan, which protects nothing" if by_seed else "the key of the project"
    steps = ((step.id if step.named else f"step {number}", step) for number, step in enumerate(plan.steps, 1))
    return {name: source for name, step in steps if step.transformation.keyed()}


def _recorded(name: str, value: Any) -> Any:
    if name == "where":
        return Condition.of(value).words(values=False)
    if name == "hierarchy":
        return _hierarchy(value)
    if name == "hierarchies" and isinstance(value, Mapping):
        return {column: _hierarchy(hierarchy) for column, hierarchy in value.items()}
    return value if name in SAYS_HOW or name in LONG_RULES else _counted(value)


def _hierarchy(value: Any) -> Any:
    """A file by its name, rules as they are, and lists of values counted."""
    if not isinstance(value, Mapping):
        return value
    kind = builders().get(str(value.get("kind")))
    rules = kind.rules if kind else ()
    return {name: part if name in rules else _counted(part) for name, part in value.items()}


def _counted(value: Any) -> Any:
    if is_kept(value) or not isinstance(value, Mapping | list):
        return value
    if isinstance(value, Mapping) and value and all(map(is_kept, value.values())):
        return value
    return f"{len(value)} entr{'y' if len(value) == 1 else 'ies'}, in the plan"
