"""What the purpose says of the columns of a release: which go, which are sealed, which stay as they are, at what price.

Reference: Jung et al., A determination scheme for quasi-identifiers, section 4: what the purpose does not need is
removed or made unsearchable; what it needs may be excluded from de-identification while the others are protected more
strongly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sfumato.errors import ProjectError, SfumatoError
from sfumato.plans.plan import Plan
from sfumato.plans.steps.drop import Drop
from sfumato.plans.steps.seal import Seal
from sfumato.privacy.assess import policy_of
from sfumato.privacy.measure_interface import Safer
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Requirement
from sfumato.privacy.question import Question
from sfumato.project.context.result import Context
from sfumato.project.file import Project
from sfumato.schema import Role
from sfumato.show.sheet import named
from sfumato.tables.source import Extract

# How much stricter k is proposed to be where a quasi-identifier stays: twice the people halve the chance to find one
# of them. Chosen, not measured: no source says by how much.
STRICTER = 2


@dataclass(frozen=True)
class PurposeOfColumns:
    """The plan of a release, what is asked of it, and what somebody still has to answer for."""

    plan: Plan
    question: Question = field(default_factory=Question)
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the search, that go before the project file
    open: tuple[str, ...] = ()

    @classmethod
    def of(cls, project: Project, plan: Plan, extract: Extract) -> PurposeOfColumns:
        """What a project file says of the columns of a table.

        A step may make another column of one that is not needed, or need it for something: so what goes, goes at the
        end. What a step turns into something else has to be left out by the plan itself.
        """
        benefits = Context.of(project, columns=extract.table.columns).benefits
        needless, sealed, whole = benefits.irrelevant, list(benefits.unsearchable), list(benefits.as_they_are)
        way_out = "Leave it out with a step `drop`, or say why it stays: `exempt: ...`."
        _check_untreated(project, plan, [*needless, *sealed], f"the purpose does not need {{}}, {{}}. {way_out}")
        _check_untreated(project, plan, whole, "{} stays as it is, {}. Leave out the step, or `as_it_is`.")
        steps = ([Seal(tuple(sealed))] if sealed else []) + ([Drop(tuple(needless))] if needless else [])
        if steps and not project.has_plan:
            plan = replace(plan, path=project.path, folder=Path(project.path).parent)
        return cls(
            plan=plan.then(*steps) if steps else plan,
            question=Question(requirements=_stricter(project, benefits.instead)),
            settings=_levels(project, whole),
            open=tuple(_unanswered(project, [*benefits.exempted, *whole], benefits.instead)),
        )


def _check_untreated(project: Project, plan: Plan, names: list[str], words: str) -> None:
    """Refuse where a step treats a column about which the context says something else."""
    treated = {name for step in plan.steps for name in step.transformation.treated()}
    unclear = [name for name in names if name in treated]
    if unclear:
        said = words.format(named(unclear), "and steps of the plan treat it, so nothing was released")
        line = project.line_of("context", "benefits", unclear[0])
        raise ProjectError(project.path, f"{said} (`context: benefits:`)", line=line)


def _stricter(project: Project, instead: Mapping[str, str]) -> tuple[Requirement, ...]:
    """What must hold in the place of columns that stay; never less than the file requires anyhow."""
    required = {one.measure: one.bound for one in policy_of(project).requirements}
    stricter: dict[Any, Requirement] = {}
    for column, text in instead.items():
        line = project.line_of("context", "benefits", column)
        try:
            (asked,) = Question.written(requirements=[text]).requirements
        except SfumatoError as error:
            raise ProjectError(project.path, f"`instead` of {column}: {error}", line=line) from None
        usual, earlier = required.get(asked.measure), stricter.get(asked.measure)
        if asked.bound is None or (usual is not None and not _is_stricter(asked, usual)):
            raise ProjectError(
                project.path,
                f"`instead` of {column} asks for no more than `measures:` does, so that nothing is protected in its "
                f"place, and nothing was released. Write a stricter bound.",
                line=line,
            )
        if earlier is None or earlier.bound is None or _is_stricter(asked, earlier.bound):
            stricter[asked.measure] = asked
    return tuple(stricter.values())


def _is_stricter(asked: Requirement, usual: float) -> bool:
    bound = asked.bound if asked.bound is not None else usual
    return bound > usual if asked.measure.safer is Safer.HIGHER else bound < usual


def _levels(project: Project, whole: list[str]) -> dict[str, Any]:
    """The quasi-identifiers that a search leaves at their lowest level: so it coarsens the others as far as needed."""
    quasi = {one.name for one in project.attributes if one.role is Role.QUASI}
    held = {name: 0 for name in whole if name in quasi}
    said: Mapping[str, Any] = project.anonymise.get("levels") or {}
    for name in held:
        if said.get(name, 0) not in (0, [0, 0], (0, 0)):
            raise ProjectError(
                project.path,
                f"{name} stays as it is (`context: benefits:`), and `anonymise: levels:` says another level, so "
                "nothing was released. Take one of the two back.",
                line=project.line_of("context", "benefits", name),
            )
    return {"levels": {**said, **held}} if held else {}


def _unanswered(project: Project, stay: list[str], instead: Mapping[str, str]) -> list[str]:
    """Quasi-identifiers that stay while nobody says what is protected more strongly in their place."""
    quasi = {one.name for one in project.attributes if one.role is Role.QUASI}
    k = next((one.bound for one in policy_of(project).requirements if one.measure == KAnonymity()), None)
    line = f"`instead: k_anonymity >= {STRICTER * int(k)}`" if k is not None else "`instead:` with a bound"
    return [
        f"{name} stays, and nothing says what is protected more strongly in its place: write {line} beside it."
        for name in stay
        if name in quasi and name not in instead
    ]
