"""Anonymiser: levels found on one table and applied to others, in the manner of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from math import floor, inf
from typing import TYPE_CHECKING, Any

from sfumato.errors import InfeasiblePolicy, PlanError, PolicyError, UnfitData, UnusableInput
from sfumato.hierarchies.build import Hierarchies
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.plans.released_frame import released_frame
from sfumato.plans.steps.recode_tuples import RecodeTuples
from sfumato.plans.steps.suppress_records import SuppressRecords
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.policy import Requirement
from sfumato.search.anonymisation import Anonymised
from sfumato.search.anonymise import anonymise
from sfumato.search.make_release import assess_release
from sfumato.search.pipeline_step import as_output, as_table, feature_names, tags_of, unfitted
from sfumato.search.prepare import dataset_of_draft
from sfumato.search.request import Levels
from sfumato.search.solve import suppression
from sfumato.secrets import Secrets
from sfumato.tables.load import load
from sfumato.temporary import scratch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LAST = ("drop", "keep")  # steps that say what is not released
DROP, MASK = "drop", "mask"  # what becomes of the row of a record that is left out


@dataclass(eq=False)
class Anonymiser:
    """Find a recoding with `fit`, and apply the same one to other tables with `transform`.

    Parameters are those of `anonymise`. New data go to the levels that were found; records in unsafe classes are left
    out as far as `suppress` allows, and the release is read anew: where it does not keep to the policy, `transform`
    refuses. A frame comes back as one of its kind, with its index.

    `left_out` says what becomes of the row of a record that is left out: "drop" takes it out, "mask" keeps it with
    nothing but missing values, so that a step of a `Pipeline` has as many rows as `y` has values. A masked row tells
    nothing of its record but that there is one; it is for fitting models, and not to be handed on.

    >>> import pyarrow as pa
    >>> blur = Anonymiser(quasi=["age"], k=2)
    >>> blur.fit_transform(pa.table({"age": [21, 24, 33, 36]}))["age"].to_pylist()
    ['20-29', '20-29', '30-39', '30-39']
    """

    quasi: Sequence[str] | str = ()
    sensitive: Sequence[str] | str = ()
    direct: Sequence[str] | str = ()
    non_sensitive: Sequence[str] | str = ()
    release_rest: bool = False
    subject: str | None = None
    k: int | None = None
    l: float | None = None  # noqa: E741
    t: float | None = None
    requirements: Iterable[Requirement | str] = ()
    scenarios: Mapping[str, Sequence[str]] | None = None
    hierarchies: Hierarchies | None = None
    suppress: float = 0.0
    objective: str = "loss"
    aggregate: str | None = None
    method: str = "optimal"
    levels: Levels | None = None
    weights: Mapping[str, float] | None = None
    balance: float = 0.5
    nodes: float = inf
    seconds: float = inf
    left_out: str = DROP
    anonymised_: Anonymised | None = field(default=None, init=False, repr=False)

    def fit(self, frame: Any, y: Any = None) -> Anonymiser:
        """Find the recoding that keeps to the policy on these data and loses least."""
        if self.left_out not in (DROP, MASK):
            raise UnusableInput(f"left_out is {DROP!r} or {MASK!r}: take out the rows that are left out, or mask them.")
        asked = {name: value for name, value in self.get_params().items() if name != "left_out"}
        table = as_table(frame)
        anonymised = anonymise(table, **asked, compare=False, explain=False)
        if not anonymised.met:
            raise InfeasiblePolicy(f"Nothing can be released: {'; '.join(anonymised.broken)}.")
        self.anonymised_ = anonymised
        self.n_features_in_ = len(anonymised.followed.before.names)
        vars(self).pop("feature_names_in_", None)  # of data that were fitted before
        names = feature_names(frame)
        if names is not None:
            self.feature_names_in_ = names
        return self

    def transform(self, frame: Any) -> Any:
        """Other data at the levels that were found, as a frame of the same kind; `PolicyError` where that is unsafe."""
        fitted = self._fitted
        extract = load(as_table(frame))
        self._check_columns([column.name for column in extract.columns])
        roles = {c.name: c.role for c in fitted.followed.before.columns}
        before = Draft.of(extract, subject=fitted.followed.before.subject, roles=roles)
        with scratch() as folder:
            for name, content in fitted.files.items():
                (folder / name).write_bytes(content)
            try:
                after = replace(self._plan(), folder=folder).apply(before, Secrets({}))
            except PlanError as error:
                raise PolicyError(f"These data cannot be released with the levels that were found. {error}") from None
        self._check(before, after)
        return self._given_back(frame, before, after)

    def fit_transform(self, frame: Any, y: Any = None) -> Any:
        """Find the recoding, and the release of these data."""
        followed = self.fit(frame, y)._fitted.followed
        left = followed.before.count() - followed.after.count()
        if y is not None and left and self.left_out == DROP:
            raise PolicyError(
                f"{left} record{'s' * (left != 1)} would be left out, and y would have more values than there are "
                f"rows. Keep their rows, with missing values: left_out={MASK!r}."
            )
        return self._given_back(frame, followed.before, followed.after)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the released columns, as scikit-learn asks for them."""
        import numpy as np

        followed = self._fitted.followed
        if input_features is not None and [str(name) for name in input_features] != list(followed.before.names):
            raise UnfitData("input_features is not equal to feature_names_in_: these are other columns.")
        return np.array(followed.after.names, dtype=object)

    def set_output(self, *, transform: str | None = None) -> Anonymiser:
        """What `transform` gives: "pandas", "polars", or "default", a frame of the kind that it gets."""
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}  # where scikit-learn's `clone` looks for it
        return self

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002
        """The parameters, as scikit-learn asks for them."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init}

    def set_params(self, **parameters: Any) -> Anonymiser:
        """Other parameters; what was found is forgotten."""
        for name, value in parameters.items():
            if name not in self.get_params():
                raise UnusableInput(f"An Anonymiser has no parameter {name!r}.")
            setattr(self, name, value)
        self.anonymised_ = None
        return self

    @property
    def levels_(self) -> Mapping[str, int] | None:
        """The level of each column that was found; None where each class has its own."""
        return self._fitted.levels

    @property
    def plan_(self) -> Plan:
        """The steps that `transform` follows."""
        return self._plan()

    def __sklearn_is_fitted__(self) -> bool:
        return self.anonymised_ is not None

    def __sklearn_tags__(self) -> Any:
        return tags_of()

    def __getstate__(self) -> dict[str, Any]:
        if self.anonymised_ is not None:
            raise UnusableInput(
                "A fitted Anonymiser holds the data that it was fitted on, and is not written to a file or sent to "
                "another process. Keep its plan (`plan_`), or fit again there."
            )
        return dict(vars(self))

    @property
    def _fitted(self) -> Anonymised:
        if self.anonymised_ is None:
            raise unfitted()
        return self.anonymised_

    @property
    def _share(self) -> float:
        """The share of records that may be left out, as it was when fitted."""
        return self._fitted.request.suppression

    def _given_back(self, frame: Any, before: Draft, after: Draft) -> Any:
        kind = getattr(self, "_sklearn_output_config", {}).get("transform")
        return as_output(released_frame(before, after, every_row=self.left_out == MASK), frame, kind)

    def _check_columns(self, names: Sequence[str]) -> None:
        """Refuse data with other columns than those that the recoding was found on."""
        known = self._fitted.followed.before.names
        if len(names) != len(known):
            raise UnfitData(f"X has {len(names)} features, but Anonymiser is expecting {len(known)} features as input.")
        if tuple(names) != known:
            raise UnfitData(
                "The feature names should match those that were passed during fit: the same columns, in the same order."
            )

    def _plan(self) -> Plan:
        """What was done when fitted, with what it decided then, and a suppression of what is unsafe among new data."""
        fitted, steps = self._fitted, []
        for step in fitted.followed.settled.steps:
            if isinstance(step.transformation, RecodeTuples) and self._share:
                step = replace(step, transformation=replace(step.transformation, unknown="leave_out"))
            steps.append(step)
        plan = replace(fitted.plan, steps=tuple(steps))
        if not self._share or any(isinstance(step.transformation, SuppressRecords) for step in steps):
            return plan
        orders = {a.name: a.order for a in fitted.assessment.dataset.schema if a.order}
        safe = suppression(fitted.request, tuple(fitted.hierarchies), orders)
        first = [step for step in steps if step.name not in LAST]
        last = [step.transformation for step in steps if step.name in LAST]
        return replace(plan, steps=tuple(first)).then(safe, *last)

    def _check(self, before: Draft, after: Draft) -> None:
        """Refuse a release of new data that leaves out too many, or does not keep to the policy."""
        everybody, left = before.count(), after.count()
        if everybody - left > floor(self._share * everybody + 1e-9):
            raise PolicyError(
                f"With the levels that were found, {everybody - left} of {everybody} records of these data would have "
                f"to be left out, and {self._share:.1%} are allowed. Fit again with these data."
            )
        every = self._assessed(before, after).values()
        broken = [reading.label for assessment in every for reading in assessment.readings if reading.met is False]
        if broken:
            raise PolicyError(
                f"With the levels that were found, these data do not keep to {', '.join(broken)}. Fit again with "
                f"these data, or allow some records to be left out (suppress)."
            )

    def _assessed(self, before: Draft, after: Draft) -> dict[str, Assessment]:
        fitted = self._fitted
        kept = replace(after, columns=tuple(c for c in before.columns if c.name in after.table.columns))
        return assess_release(
            replace(dataset_of_draft(kept, fitted.assessment.dataset), hierarchies={}), fitted.request
        )
