"""Anonymised: a release that keeps to a policy, how it was found, what it costs, and the plan that makes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import InfeasiblePolicy
from sfumato.hierarchies.column_hierarchy import ColumnHierarchy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.outputs import file_name, whole, write_text
from sfumato.plans.apply import write_release
from sfumato.plans.kept_files import salt_of
from sfumato.plans.plan import FollowedPlan, Plan
from sfumato.plans.plan_file import plan_text
from sfumato.plans.released_frame import released_frame, released_rows
from sfumato.plans.vault import keep_vaults
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.policy import Requirement
from sfumato.privacy.requirement_text import stated
from sfumato.privacy.verdict import Verdict
from sfumato.progress import Tell, quiet
from sfumato.search.explanation import Explanation
from sfumato.search.method_interface import SearchRequest
from sfumato.search.rare_values import RareValues
from sfumato.search.solution import Solution
from sfumato.search.suppression_bias import SuppressionBias, with_released_labels
from sfumato.show.documents.anonymisation import (
    AnonymisationDocument,
    KeptClassesDocument,
    LostDocument,
    ReleaseReadingDocument,
    ScoreDocument,
    UsedHierarchyDocument,
)
from sfumato.show.documents.decided_columns import AgainstEvidenceDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.anonymisation import anonymisation_sheet
from sfumato.tables.engine import present_values
from sfumato.tables.write.release import WriteOptions
from sfumato.utility.losses import Losses

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.search.alternatives import Alternative
    from sfumato.show.charts.chart import Chart

PLAN, FOUND, ASSESSMENT, COMPARISON = "plan.yaml", "anonymisation.json", "assessment.json", "comparison.json"


@dataclass(frozen=True, repr=False)
class Anonymised(Presented):
    """What was searched, what was found, and the release that comes of it."""

    followed: FollowedPlan = field(repr=False)
    method: str
    request: SearchRequest
    solution: Solution
    hierarchies: Mapping[str, ColumnHierarchy]
    assessments: Mapping[str, Assessment]  # of the release, read anew: for each scenario, or one without a name
    condensed: int  # different records
    losses: Losses | None = None
    explanation: Explanation | None = None
    bias: SuppressionBias | None = None  # whom suppression hits
    files: Mapping[str, bytes] = field(default_factory=dict)  # that the plan names
    notes: tuple[str, ...] = ()
    steps_before: int = 0  # of the plan, that came before the search
    bias_released: SuppressionBias | None = None  # whom suppression hits, at the levels of the release
    left_out_columns: tuple[str, ...] = ()  # that nobody decided about
    against_evidence: tuple[AgainstEvidenceDocument, ...] = ()  # released, though they seem to identify
    open: tuple[str, ...] = ()  # what a person has to answer for, though the policy is met
    alternatives: tuple[Alternative, ...] = ()  # ways that were compared; none where the method was given
    rare: RareValues | None = None  # that keep one level for each column up

    @property
    def plan(self) -> Plan:
        """The steps that make the release."""
        return self.followed.plan

    @property
    def levels(self) -> Mapping[str, int] | None:
        """The level of each column, where all of its values have the same."""
        return self.solution.levels

    @property
    def assessment(self) -> Assessment:
        """The release, read anew; where there are scenarios, for the first of them."""
        return next(iter(self.assessments.values()))

    @property
    def met(self) -> bool:
        """Whether the release, read anew, keeps to the policy, in every scenario."""
        return all(bool(assessment.met) for assessment in self.assessments.values())

    @property
    def verdict(self) -> Verdict:
        """Whether the release keeps to the policy, and what is open all the same."""
        read_anew = (question for assessment in self.assessments.values() for question in assessment.verdict.open)
        return Verdict(self.met).with_open(*self.open, *read_anew)

    @property
    def broken(self) -> tuple[str, ...]:
        """The readings of the release that break their bounds, in words; none where it keeps to the policy."""
        return tuple(
            f"{reading.requirement.text} is required{f' for {scenario}' if scenario else ''}, and it reads {value:.4g}"
            for scenario, assessment in self.assessments.items()
            for reading in assessment.readings
            if reading.met is False and (value := reading.value) is not None
        )

    @property
    def release(self) -> pa.Table:
        """The released records."""
        return self.followed.after.engine.arrow(self.followed.after.select())

    @property
    def rows(self) -> NDArray[np.int64]:
        """Where each released record stood in the data, from 0 on: row i of the release was row `rows[i]` there."""
        return released_rows(self.followed.after)

    def to_frame(self) -> Any:
        """The released records as a frame like the one that was given: pandas, polars or Arrow, in its order.

        A pandas frame has the index labels of its rows, and each column its type where its values did not change. It is
        for whoever has the data: index and order are not in what `write` writes, and hand on what was left out.
        """
        return released_frame(self.followed.before, self.followed.after)

    @property
    def compared_by(self) -> Mapping[str, Hierarchy]:
        """The hierarchies by which the release was compared with the original, so that every loss is read by them."""
        return {c.name: c.hierarchy for c in self.losses.compared.pairing.columns if c.hierarchy} if self.losses else {}

    def content(self) -> AnonymisationDocument:
        """Everything as plain values, for machines. Of the data it holds no cell, only labels of large groups."""
        return self._content

    @cached_property
    def _content(self) -> AnonymisationDocument:
        """Made once: the files and what is shown say the same."""
        objective, solution, verdict = self.request.objective, self.solution, self.verdict
        everything = self.assessment.everything  # the same in every scenario
        return AnonymisationDocument(
            source=self.followed.source,
            method=self.method,
            objective="cells" if self.method == "cells" else objective.name(),
            aggregate=getattr(objective, "aggregate", None),
            requirements=[stated(r) for r in self._bounded],
            required=[r.text for r in self._bounded],
            suppression_limit=self.request.suppression,
            quasi_identifiers=list(self.hierarchies),
            records=solution.records,
            levels=solution.levels,
            suppressed=solution.suppressed,
            score=ScoreDocument(value=solution.score, normalised=solution.normalised),
            optimal=solution.optimal,
            bound=solution.bound,
            gap=solution.gap,
            examined=solution.examined,
            pruned=solution.pruned,
            tied=solution.tied,
            lattice=solution.lattice,
            classes=KeptClassesDocument(
                count=solution.classes,
                smallest=solution.sizes[0],
                average=solution.average_size,
                largest=solution.sizes[1],
            ),
            condensed=self.condensed,
            readings=[
                ReleaseReadingDocument(scenario=scenario or None, **vars(reading.content()))
                for scenario, assessment in self.assessments.items()
                for reading in assessment.readings
            ],
            met=self.met,
            left_out_columns=self.left_out_columns,
            released_against_evidence=self.against_evidence,
            verdict=verdict.state,
            open=verdict.open,
            everything=everything.content() if everything else None,
            alternatives=[alternative.content() for alternative in self.alternatives],
            rare_values=self.rare.content() if self.rare else None,
            hierarchies={name: UsedHierarchyDocument(**used.document()) for name, used in self.hierarchies.items()},
            lost=self._lost(),
            explanation=self.explanation.content() if self.explanation else None,
            bias=self.bias.content() if self.bias else None,
            steps_before=self.steps_before,
            steps=[step.transformation.told() for step in self.plan.steps],
            notes=self.notes,
        )

    @property
    def charts(self) -> Iterator[Chart]:
        """What was lost by column, and then each column before and after."""
        yield from super().charts
        if self.losses is not None:
            yield from islice(self.losses.charts, 1, None)

    def sheet(self) -> Sheet:
        """The same for people."""
        return anonymisation_sheet(self.content())

    def handed_on(self) -> Anonymised:
        """The same as others may read it: all that lists values of the original is in `files`, known by its hash.

        The plan names these files. Whom suppression hits is said in labels that the release has.
        """
        return self._handed_on

    @cached_property
    def _handed_on(self) -> Anonymised:
        """Made once: the package and the report both begin with it."""
        salt = cache(partial(salt_of, self.followed.before))
        plan, files = self.plan.handed_on(self.files, salt, self.steps_before)
        decided = self.followed.settled.listing(self.files, salt, self.steps_before)
        steps = (replace(step, transformation=listed) for step, (listed, _) in zip(plan.steps, decided, strict=True))
        followed = replace(self.followed, plan=plan, settled=replace(plan, steps=tuple(steps)))
        for _, contents in decided:
            files |= contents
        known = self.bias_released
        bias = (
            with_released_labels(known, {each.column: self._labels(each.column) for each in known.columns})
            if known
            else None
        )
        ways = tuple(replace(way, hits=None) for way in self.alternatives)  # it may be a label of the original
        return replace(self, followed=followed, files=files, bias=bias, alternatives=ways)

    def write(
        self,
        folder: str | Path,
        name: str = "released.csv",
        *,
        protect: Sequence[Path] = (),
        write: WriteOptions | None = None,
        tell: Tell = quiet,
        keep: bool = True,
    ) -> tuple[Path, ...]:
        """Write the release, the plan with its files, and the evidence into a folder, all of it or nothing.

        The folder is for the steward: it holds values of the original and figures that give some away. What others may
        have is what `sfumato release` writes. A release that does not keep to its policy is never written:
        `InfeasiblePolicy`.
        The vaults of its tokens are extended just before it appears, unless `keep` leaves that to the caller.
        """
        if not self.met:
            raise InfeasiblePolicy(f"Nothing was written: {'; '.join(self.broken) or 'a requirement is not met'}.")
        folder = Path(folder)
        before = partial(keep_vaults, self.followed.after) if keep else None
        with whole(folder, private=True, handed_on=(name,), before=before) as draft:
            write_release(self.followed, draft / name, protect, write=write, tell=tell)
            for file, content in self.files.items():
                (draft / file).write_bytes(content)
            write_text(draft / PLAN, plan_text(self.plan, self._description()))
            write_text(draft / FOUND, self.to_json())
            for scenario, assessment in self.assessments.items():
                judged = replace(assessment, open=self.verdict.open)  # one release, one verdict
                write_text(draft / _file(scenario), judged.to_json())
            if self.losses is not None:
                write_text(draft / COMPARISON, self.losses.to_json())
            written = sorted(path.name for path in draft.iterdir())
        return tuple(folder / file for file in written)

    def _labels(self, column: str) -> set[str]:
        """The values of a released column as texts; none of one that is not released."""
        after = self.followed.after
        return set(present_values(after.counted, column)) if column in after.names else set()

    @property
    def _bounded(self) -> list[Requirement]:
        """What is required with a bound."""
        return [r for r in self.request.policy.requirements if r.bound is not None]

    def _description(self) -> str:
        required = ", ".join(r.text for r in self._bounded)
        chosen = ", which loses least of the ways that were compared" if self.alternatives else ""
        return f"Found by `sfumato anonymise` ({self.method}{chosen}) for {required}."

    def _lost(self) -> LostDocument:
        """What was lost on each model, from 0 to 1, and by column."""
        if self.losses is None:
            return LostDocument()
        document = self.losses.document()
        return LostDocument(
            over=document["quasi_identifiers"],
            total={model: figure.get("normalised") for model, figure in document["total"].items()},
            columns={
                name: {model: figure.get("normalised") for model, figure in models.items()}
                for name, models in document["columns"].items()
            },
        )


def _file(scenario: str) -> str:
    return f"assessment_{file_name(scenario)}.json" if scenario else ASSESSMENT
