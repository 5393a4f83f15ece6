"""The verb of utility: compare a release with its original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.errors import PolicyError
from sfumato.hierarchies.build import Hierarchies, read_hierarchies
from sfumato.plans.draft import Draft
from sfumato.plans.made_columns import with_made_columns
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.progress import Tell, quiet
from sfumato.secrets import Secrets
from sfumato.tables.engine import Engine, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.utility.catalogue import chosen_models
from sfumato.utility.losses import Losses
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.index_pairs import paired_extracts
from sfumato.utility.paired.pairing import MARKS, Pairing


def compare(
    original: Any,
    released: Any = None,
    *,
    quasi: Sequence[str] | str = (),
    hierarchies: Hierarchies | None = None,
    key: str | None = None,
    by_position: bool = False,
    plan: Plan | str | Path | None = None,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    key_file: str | Path | None = None,
    marks: Sequence[str] = MARKS,
    target: str | None = None,
    models: Sequence[str] = (),
    thorough: bool = False,
    seed: int = 0,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Losses:
    """What was lost between an original and its release, on every utility model.

    `original` and `released` are frames, files, or an `Extract` that was loaded before; `quasi` the columns to compare
    (all but the key and the target, if none are named). Records are paired by a `key` that both tables have; one whose
    key the release lacks was suppressed, and so was one that has nothing but suppression `marks`. Two pandas frames are
    paired by their index, as `Anonymised.to_frame()` gives it back, where no key is named. A file of a release
    is in an order of its own: only where somebody knows that both tables are in the same order are they paired
    `by_position`. With a `plan` the release is what the plan makes of the original, here and without a file.
    `hierarchies` is a folder with one file per column, or a mapping from columns to files or `Hierarchy` objects.
    `models` names the utility models to read; `thorough` reads those too that fit models and draw at random, with
    `seed`. `target` is a column of the original that models are to predict.

    >>> import pyarrow as pa
    >>> before, after = pa.table({"age": [31, 32, 33, 34]}), pa.table({"age": ["30-32", "30-32", "33-35", "33-35"]})
    >>> losses = compare(before, after, by_position=True)
    >>> losses["loss"].total.value, losses["average_class_size"].total.value
    (0.3333333333333333, 2.0)
    """
    chosen = chosen_models(models, thorough=thorough)
    if released is None and plan is None:
        raise PolicyError("Give the release, or a plan that makes it (--plan).")
    names = [quasi] if isinstance(quasi, str) else list(quasi)
    tell("Reading the data")
    before = original if isinstance(original, Extract) else load(original, options, engine)
    paired_by: str | None
    if plan is not None:
        plan = plan if isinstance(plan, Plan) else read_plan(plan)
        before = with_made_columns(before, plan, names or plan.makes())
        before, after, paired_by = _planned(plan, before, released, Secrets.of(secrets, key_file=key_file))
    else:
        after = released if isinstance(released, Extract) else load(released, options, before.table.engine)
        before, after, paired_by = paired_extracts(before, after, key, by_position=by_position)
    names = names or [name for name in before.table.columns if name not in (paired_by, target)]
    if not names:
        raise PolicyError("There is no column to compare. Name some: --quasi.")
    bounds = (options or ReadOptions()).bounds
    some = f"{len(names):,} columns are to be compared, of which --quasi may name some"
    bounds.require(before.name, "compared_columns", len(names), some)
    if len(set(names)) < len(names):
        raise PolicyError("A column is named twice among those to compare. Name each of them once.")
    tell("Pairing the records")
    pairing = Pairing.of(
        before.table,
        after.table,
        names,
        hierarchies=read_hierarchies(hierarchies, names),
        key=paired_by,
        marks=marks,
        target=target,
    )
    compared = Comparison.of(pairing, seed)
    shown = "the number of the record" if plan is not None else "the index" if paired_by != key else key
    return Losses.of(compared, chosen, paired_by=shown, source=before.name, released=after.name, tell=tell)


def _planned(plan: Plan, original: Extract, released: Any, secrets: Secrets) -> tuple[Extract, Extract, str]:
    """The original with the numbers of its records, what a plan makes of it, and the column of the numbers."""
    if released is not None:
        raise PolicyError("Give a release or a plan that makes one, not both.")
    before = Draft.of(original, subject=plan.subject)
    after = plan.apply(before, secrets)
    made = after.engine.view(f"SELECT {quoted(after.row, *after.names)} FROM {after.table}")
    return replace(original, table=before.table), Extract(Path(plan.path).name, made, ()), before.row
