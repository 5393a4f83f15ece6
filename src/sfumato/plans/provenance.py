"""Provenance: how a release came about, without the values that the steps of its plan name."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Mapping
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
# Parameters that name values of the data, or what stands in their place: somebody wrote them looking at the data, so a
# limit may be the income of one person and a condition the only one with an illness.
NAMES_VALUES = (
    "where", "rules", "mapping", "otherwise", "missing", "at", "label", "placeholder", "present", "absent", "matrix",
    "bounds", "earliest", "orders",
)  # fmt: skip
WORDS = ("error", "keep", "top", "release", "original")  # what such a parameter may say without naming a value
TOLD_WITHOUT = ("where", "rules", "mapping", "orders")  # of these the sentence of a step names no value anyhow
A_VALUE = "a value, in the plan"

Common = Callable[[str, Any], bool]  # whether enough released people have a value, given its column


def nobody(column: str, value: Any) -> bool:
    """That no value is common: nothing is named."""
    return False


def provenance_of(followed: FollowedPlan, digest: str | None, path: Path, records: int) -> ProvenanceDocument:
    """What went in, what was done to it, and what came out. Without a time: the same input gives the same file.

    `digest` is the hash of the file that was read, where it is one; `path` where so many records were written to.
    """
    plan, settled, after = followed.plan, followed.settled, followed.after
    return ProvenanceDocument(
        input=SourceDocument(name=followed.source, sha256=digest, records=followed.before.count()),
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


def for_recipient(plan: Plan, common: Common = nobody) -> list[tuple[dict[str, Any], str]]:
    """The steps as a recipient may read them: plain values, and a sentence for each.

    By the small-number rule: of values that a step names, those that enough released people have (`common`) stand
    there, and the others are counted. What becomes of a limit, a condition, a mapping or an order is the same.

    >>> from sfumato.plans.plan import numbered
    >>> from sfumato.plans.steps.top_code import TopCode
    >>> plan = Plan(numbered([(TopCode("income", 98761), None), (TopCode("age", 90), None)]))
    >>> settings, words = zip(*for_recipient(plan, lambda column, value: value == 90), strict=True)
    >>> settings
    ({'top_code': {'column': 'income', 'at': 'a value, in the plan'}}, {'top_code': {'column': 'age', 'at': 90}})
    >>> words
    ('Top code income, by values that the plan states.', 'Values of age above 90 become 90.')
    """
    return [(recorded(step, common), _said(step, common)) for step in plan.steps]


def recorded(step: Step, common: Common | None = None) -> dict[str, Any]:
    """A step as plain values: mappings, conditions and lists of values stay in the plan, and are only counted.

    With `common`, every other parameter that names values is counted too, unless all that it names is common.

    >>> from sfumato.plans.steps.recode import Recode
    >>> recorded(Step(Recode("outcome", {"H": "home", "N": "home"}), "outcomes"))
    {'id': 'outcomes', 'recode': {'column': 'outcome', 'mapping': '2 entries, in the plan'}}
    """
    settings = plain(step.transformation.settings())
    if common is not None:
        return {step.name: {name: _masked(step, name, value, common) for name, value in settings.items()}}
    named = {"id": step.id} if step.named else {}
    return {**named, step.name: {name: _recorded(name, value) for name, value in settings.items()}}


def _masked(step: Step, name: str, value: Any, common: Common) -> Any:
    """A parameter as a recipient may read it."""
    if not _names_values(step, name, value):
        return value if name in LONG_RULES else _recorded(name, value)
    columns = _columns_of(step)
    if name == "where":
        return Condition.of(value).words(values=lambda column, named: common(column, named))
    if name == "mapping" and isinstance(value, Mapping) and not is_kept(value):
        merged = Counter(str(new) for new in value.values() if any(common(column, new) for column in columns))
        rest = len(value) - sum(merged.values())
        become = {new: _entries(n, "value") for new, n in merged.items()}
        return {**become, "others": _entries(rest, "value")} if rest else become
    if isinstance(value, Mapping | list):
        return _counted(value)
    return value if any(common(column, value) for column in columns) else A_VALUE


def _said(step: Step, common: Common) -> str:
    """A step in a sentence; one that would name what is not common says only what is done to which columns."""
    settings = plain(step.transformation.settings())
    hidden = any(
        _names_values(step, name, value) and _masked(step, name, value, common) != value
        for name, value in settings.items()
        if name not in TOLD_WITHOUT
    )
    if not hidden:
        return step.transformation.told()
    columns = ", ".join(_columns_of(step))
    what = f"{step.name.replace('_', ' ').capitalize()}{' ' if columns else ''}{columns}"
    return f"{what}, by values that the plan states."


def _names_values(step: Step, name: str, value: Any) -> bool:
    if step.name == "age" and name == "at":  # a column, or the day of a study
        return False
    if name == "keep":  # columns, a share, or a share for each value
        return isinstance(value, Mapping)
    return name in NAMES_VALUES and value is not None and not isinstance(value, bool) and value not in WORDS


def _columns_of(step: Step) -> tuple[str, ...]:
    settings = step.transformation.settings()
    named = settings.get("columns") or settings.get("column") or settings.get("into") or ()
    return (named,) if isinstance(named, str) else tuple(named)


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
    return f"{_entries(len(value), 'entry')}, in the plan"


def _entries(n: int, noun: str) -> str:
    several = "entries" if noun == "entry" else f"{noun}s"
    return f"{n} {noun if n == 1 else several}"
