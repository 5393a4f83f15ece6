"""The context of a release: why, for whom and under which controls, its benefit, and where that puts it.

References: Arbuckle, Ritchie (2019), The five safes of risk-based anonymization; Article 29 Working Party (2017),
WP 248 rev.01; Carvalho, Antunes, Costa, Moniz, Empowering open data sharing for social good: a privacy-aware approach.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sfumato.errors import ProjectError, UnknownColumn
from sfumato.project.context.benefit import Benefit, Benefits, Likelihood, Need
from sfumato.project.context.checklist import CRITERIA, FIVE_SAFES, AnsweredChecklist, Response
from sfumato.project.context.impact import Impact
from sfumato.project.context.risk_benefit import Axis, Level, MatrixPosition, MeasuredRisk
from sfumato.project.dropped_columns import dropped
from sfumato.project.file import Project
from sfumato.project.recipient.grade import Grade
from sfumato.project.recipient.recipient import Recipient
from sfumato.schema import Role
from sfumato.show.documents.context import ContextDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet, counted
from sfumato.show.sheets.context import context_sheet

RESPONSIBILITY = ("handed_to", "controller", "officer", "legal_basis")  # keys whose answers are words


@dataclass(frozen=True, repr=False)
class Context(Presented):
    """What was answered about a release, and what follows; whatever nobody answered is shown as unanswered.

    Examples
    --------
    >>> from sfumato.project.file import Project
    >>> project = Project.parse("context: {release: public, people: {agreement: partly}, benefits: {age: high}}")
    >>> context = Context.of(project, MeasuredRisk(11, "release.csv"))
    >>> print(context.place.words, context.unanswered, "of", context.questions)
    Risk moderate, benefit high: usual. 40 of 41
    """

    project: str  # the file
    purpose: str | None
    release: str | None  # public, restricted or internal
    grade: Grade | None
    safes: tuple[AnsweredChecklist, ...]
    impact: Impact
    benefits: Benefits
    place: MatrixPosition
    preset: str | None = None
    responsibility: Mapping[str, str] = field(default_factory=dict)  # handed_to, controller, ...: as far as it is said
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, project: Project, measured: MeasuredRisk | None = None, columns: Collection[str] | None = None
    ) -> Context:
        """The context that a project file describes, with what was read off the table, and the columns it has."""
        said = project.context
        grade = grade_of(project)
        benefits = Benefits(tuple(_benefits(project, columns)))
        matrix: Mapping[str, str] = said.get("matrix", {})
        return cls(
            project=Path(project.path).name,
            purpose=said.get("purpose"),
            release=said.get("release"),
            grade=grade,
            safes=tuple(checklist.answered(said.get(checklist.key)) for checklist in FIVE_SAFES),
            impact=Impact(CRITERIA.answered(said.get(CRITERIA.key))),
            benefits=benefits,
            place=MatrixPosition(
                _decided(risk_axis(measured, grade, said.get("release")), matrix, "risk"),
                _decided(benefit_axis(benefits), matrix, "benefit"),
            ),
            preset=project.preset,
            responsibility={key: said[key] for key in RESPONSIBILITY if said.get(key)},
            notes=_notes(project),
        )

    @property
    def questions(self) -> int:
        """How many questions there are, beside those about columns."""
        return sum(len(checklist.answers) for checklist in (*self.safes, self.impact.criteria))

    @property
    def unanswered(self) -> int:
        """How many of them nobody has answered."""
        return sum(checklist.count(Response.UNANSWERED) for checklist in (*self.safes, self.impact.criteria))

    @property
    def open(self) -> tuple[str, ...]:
        """What nobody answered and a decision hangs on, in a sentence.

        That is whether an impact assessment is required, while the criteria that are left could still decide it, and
        each of the five safes of which nobody said anything.
        """
        silent = [each.checklist.title for each in self.safes if each.count(Response.UNANSWERED) == len(each.answers)]
        unknown = ["whether an impact assessment (DPIA) is required"] if self.impact.likely is None else []
        if not silent and not unknown:
            return ()
        return (
            f"{self.unanswered} of {self.questions} questions of the context are unanswered. Nobody has said anything "
            f"of: {', '.join([*silent, *unknown])}. `sfumato context` asks them.",
        )

    def content(self) -> ContextDocument:
        """The context as plain values. It holds no cell value."""
        return ContextDocument(
            project=self.project,
            preset=self.preset,
            purpose=self.purpose,
            release=self.release,
            grade=self.grade,
            **self.responsibility,
            questions=self.questions,
            unanswered=self.unanswered,
            five_safes=[answered.content() for answered in self.safes],
            impact_assessment=self.impact.content(),
            benefits=self.benefits.content(),
            matrix=self.place.content(),
            notes=self.notes,
        )

    def sheet(self) -> Sheet:
        """The context for people: titled tables, for a terminal, a notebook or a page."""
        return context_sheet(self.content())


def risk_axis(measured: MeasuredRisk | None, grade: Grade | None, release: str | None) -> Axis:
    """The level of risk: that of the smallest class, one lower for a recipient of grade Low.

    The chance is that of finding somebody when it is tried. That it is tried is assumed, as for every public release;
    only a recipient whose grade is Low makes it less likely.
    """
    if measured is None:
        return Axis(
            None, ("Unanswered: the risk was not measured. That takes a table, and columns with the role quasi.",)
        )
    if release == "public":
        return Axis(measured.level, (measured.words, "A public release: it is assumed that somebody will try."))
    if grade is Grade.LOW:
        lower = measured.level.moved(-1)
        return Axis(
            lower, (measured.words, f"The grade of the recipient is Low: one level less, if there is one: {lower}.")
        )
    why = "was not graded" if grade is None else f"has the grade {grade}"
    return Axis(measured.level, (measured.words, f"The recipient {why}: it is assumed that somebody will try."))


def benefit_axis(benefits: Benefits) -> Axis:
    """The level of benefit: the highest that at least half of the released columns reach."""
    columns = len(benefits.released)
    answered = columns - len(benefits.unanswered)
    if benefits.level is None:
        return Axis(None, (f"Unanswered: the benefit of {columns - answered} of {columns} columns was not said.",))
    why = f"At least half of the {columns} columns that are released reach this level; {answered} were answered."
    if benefits.level is Level.LOW and all(benefit.level is None for benefit in benefits.released):
        why = f"The purpose needs none of the {columns} columns that are released."
    return Axis(benefits.level, (why,))


def grade_of(project: Project) -> Grade | None:
    """The grade of the recipient, said or from a file of answers; None where there is neither."""
    said = str(project.context.get("recipient", "")).strip()
    if not said:
        return None
    return Grade(said.capitalize()) if said.capitalize() in list(Grade) else Recipient.of(said).grade


def require_selected_for_recipient(project: Project) -> None:
    """Refuse quasi-identifiers that were selected for a recipient of a lower grade than the one who receives the data.

    A public release is received by everybody, so that only what the grade High selects is enough.
    """
    selection = project.selection
    public = project.context.get("release") == "public"
    grade = Grade.HIGH if public else grade_of(project)
    if selection is None or grade is None or selection.grade.threshold <= grade.threshold:
        return
    whose = "a public release counts as the grade High" if public else f"the recipient has the grade {grade}"
    raise ProjectError(
        project.path,
        f"the quasi-identifiers were selected for the grade {selection.grade} (a score from "
        f"{selection.grade.threshold:g} on), and {whose} ({grade.threshold:g}), so nothing was released. Select them "
        f"anew: sfumato identify --recipient FILE --write.",
        line=project.line_of("selection", "grade"),
    )


def _notes(project: Project) -> tuple[str, ...]:
    """What to say where roles are only proposed: the risk is read off the quasi-identifiers."""
    if not project.proposed:
        return ()
    return (f"Nobody has confirmed the role of {counted(len(project.proposed), 'column')}: the risk may be another.",)


def _decided(axis: Axis, matrix: Mapping[str, str], side: str) -> Axis:
    """The axis as people decided it, where they did."""
    if side not in matrix:
        return replace(axis, by_the_rules=axis.level)
    why = f"Decided by people, instead of {axis.level or 'unanswered'} by the rules: {matrix['because']}"
    return Axis(Level(matrix[side]), (why, *axis.why), by_the_rules=axis.level)


def _benefits(project: Project, columns: Collection[str] | None) -> Iterator[Benefit]:
    """Every column of the file and of the table, with what was said of its benefit."""
    said: Mapping[str, Mapping[str, str]] = project.context.get("benefits", {})
    roles = {attribute.name: attribute.role for attribute in project.attributes}
    _check(project, said, {*roles, *(said if columns is None else columns)})
    names = dict.fromkeys([*roles, *(columns or ()), *said])
    direct = {name for name in names if roles.get(name) is Role.DIRECT}
    unreleased = direct | {project.subject} | dropped(project) | project.undecided
    for name in names:
        given = said.get(name, {})
        yield Benefit(
            name,
            need=Need(given["need"]) if "need" in given else None,
            likelihood=Likelihood(given["likelihood"]) if "likelihood" in given else None,
            form=given.get("form"),
            recipients=given.get("recipients"),
            effect=given.get("effect"),
            exempt=given.get("exempt"),
            unsearchable=given.get("unsearchable"),
            as_it_is=given.get("as_it_is"),
            instead=given.get("instead"),
            released=name not in unreleased and (columns is None or name in columns),
        )


def _check(project: Project, said: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse a benefit of a column that there is not: it would be a column without an answer."""
    for name in said:
        if name not in known:
            line = project.line_of("context", "benefits", name)
            raise ProjectError(project.path, str(UnknownColumn(name, known)), line=line)
