"""Anonymiser: levels found on one table and applied to others, in the manner of scikit-learn."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from math import floor, inf
from pathlib import Path
from typing import Any

from sfumato.errors import InfeasiblePolicy, PlanError, PolicyError, UnusableInput
from sfumato.hierarchies.build import Hierarchies
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.plans.steps.recode_tuples import RecodeTuples
from sfumato.plans.steps.suppress_records import SuppressRecords
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.policy import Requirement
from sfumato.search.anonymisation import Anonymised
from sfumato.search.anonymise import anonymise
from sfumato.search.make_release import assess_release
from sfumato.search.prepare import dataset_of_draft
from sfumato.search.request import Levels
from sfumato.search.solve import suppression
from sfumato.secrets import Secrets
from sfumato.tables.load import load

LAST = ("drop", "keep")  # steps that say what is not released


@dataclass(eq=False)
class Anonymiser:
    """Find a recoding with `fit`, and apply the same one to other tables with `transform`.

    Parameters are those of `anonymise`. New data go to the levels that were found; records in unsafe classes are left
    out as far as `suppress` allows, and the release is read anew: where it does not keep to the policy, `transform`
    refuses.

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
    anonymised_: Anonymised | None = field(default=None, init=False, repr=False)

    def fit(self, frame: Any, y: Any = None) -> Anonymiser:
        """Find the recoding that keeps to the policy on these data and loses least."""
        anonymised = anonymise(frame, **self.get_params(), compare=False, explain=False)
        if not anonymised.met:
            raise InfeasiblePolicy(f"Nothing can be released: {'; '.join(anonymised.broken)}.")
        self.anonymised_ = anonymised
        return self

    def transform(self, frame: Any) -> Any:
        """Other data at the levels that were found, as a frame of the same kind; `PolicyError` where that is unsafe."""
        fitted = self._fitted
        extract = load(frame)
        roles = {c.name: c.role for c in fitted.followed.before.columns}
        before = Draft.of(extract, subject=fitted.followed.before.subject, roles=roles)
        with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
            for name, content in fitted.files.items():
                (Path(folder) / name).write_bytes(content)
            try:
                after = replace(self._plan(), folder=Path(folder)).apply(before, Secrets({}))
            except PlanError as error:
                raise PolicyError(f"These data cannot be released with the levels that were found. {error}") from None
        self._check(before, after)
        return like(frame, after.engine.arrow(after.select()))

    def fit_transform(self, frame: Any, y: Any = None) -> Any:
        """Find the recoding, and the release of these data."""
        return like(frame, self.fit(frame, y)._fitted.release)

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

    @property
    def _fitted(self) -> Anonymised:
        if self.anonymised_ is None:
            raise UnusableInput("Nothing was found yet: call fit first.")
        return self.anonymised_

    def _plan(self) -> Plan:
        """What was done when fitted, with what it decided then, and a suppression of what is unsafe among new data."""
        fitted, steps = self._fitted, []
        for step in fitted.followed.settled.steps:
            if isinstance(step.transformation, RecodeTuples) and self.suppress:
                step = replace(step, transformation=replace(step.transformation, unknown="leave_out"))
            steps.append(step)
        plan = replace(fitted.plan, steps=tuple(steps))
        if not self.suppress or any(isinstance(step.transformation, SuppressRecords) for step in steps):
            return plan
        orders = {a.name: a.order for a in fitted.assessment.dataset.schema if a.order}
        safe = suppression(fitted.request, tuple(fitted.hierarchies), orders)
        first = [step for step in steps if step.name not in LAST]
        last = [step.transformation for step in steps if step.name in LAST]
        return replace(plan, steps=tuple(first)).then(safe, *last)

    def _check(self, before: Draft, after: Draft) -> None:
        """Refuse a release of new data that leaves out too many, or does not keep to the policy."""
        everybody, left = before.count(), after.count()
        if everybody - left > floor(self.suppress * everybody + 1e-9):
            raise PolicyError(
                f"With the levels that were found, {everybody - left} of {everybody} records of these data would have "
                f"to be left out, and {self.suppress:.1%} are allowed. Fit again with these data."
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


def like(frame: Any, table: Any) -> Any:
    """An Arrow table as a frame of the kind of another: pandas, polars, or Arrow itself."""
    package = type(frame).__module__.partition(".")[0]
    if package == "pandas":
        return table.to_pandas()
    if package == "polars":
        import polars

        return polars.from_arrow(table)
    return table
