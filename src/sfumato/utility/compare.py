"""The verb of utility: compare a release with its original."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sfumato.errors import PolicyError
from sfumato.hierarchies.build import Hierarchies, read_hierarchies
from sfumato.progress import Tell, quiet
from sfumato.tables.engine import Engine
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.utility.catalogue import chosen_models
from sfumato.utility.losses import Losses
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import MARKS, Pairing


def compare(
    original: Any,
    released: Any,
    *,
    quasi: Sequence[str] | str = (),
    hierarchies: Hierarchies | None = None,
    key: str | None = None,
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
    (all but the key and the target, if none are named). Records are paired by position, or by a `key` that both tables
    have; one whose key the release lacks was suppressed, and so was one that has nothing but suppression `marks`.
    `hierarchies` is a folder with one file per column, or a mapping from columns to files or `Hierarchy` objects.
    `models` names the utility models to read; `thorough` reads those too that fit models and draw at random, with
    `seed`. `target` is a column of the original that models are to predict.

    >>> import pyarrow as pa
    >>> before, after = pa.table({"age": [31, 32, 33, 34]}), pa.table({"age": ["30-32", "30-32", "33-35", "33-35"]})
    >>> losses = compare(before, after)
    >>> losses["loss"].total.value, losses["average_class_size"].total.value
    (0.3333333333333333, 2.0)
    """
    chosen = chosen_models(models, thorough=thorough)
    tell("Reading the data")
    before = original if isinstance(original, Extract) else load(original, options, engine)
    after = released if isinstance(released, Extract) else load(released, options, before.table.engine)
    names = [quasi] if isinstance(quasi, str) else list(quasi)
    names = names or [name for name in before.table.columns if name not in (key, target)]
    if not names:
        raise PolicyError("There is no column to compare. Name some: --quasi.")
    if len(set(names)) < len(names):
        raise PolicyError("A column is named twice among those to compare. Name each of them once.")
    tell("Pairing the records")
    pairing = Pairing.of(
        before.table,
        after.table,
        names,
        hierarchies=read_hierarchies(hierarchies, names),
        key=key,
        marks=marks,
        target=target,
    )
    compared = Comparison.of(pairing, seed)
    return Losses.of(compared, chosen, paired_by=key, source=before.name, released=after.name, tell=tell)
