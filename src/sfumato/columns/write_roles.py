"""Proposed roles, written into a project file: what evidence proposes, and what the grade of a recipient selects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sfumato.columns.identification import Identification, Identifications
from sfumato.columns.open_roles import Decider, open_columns, today, together
from sfumato.columns.person_key import repeated_person_key, tells_persons_apart
from sfumato.columns.proposal import SURE
from sfumato.errors import OutputError, PolicyError, ProjectError
from sfumato.outputs import write_text
from sfumato.project.file import (
    GradeSelection,
    Project,
    project_template,
    relative_source,
    source_and_project,
    with_decisions,
    with_proposals,
    with_selection,
)
from sfumato.project.places import allowing, said_of_outside
from sfumato.project.recipient.questions import Score
from sfumato.project.user import who
from sfumato.schema import TOLERANCE, Role, role_name
from sfumato.show.sheet import counted, named
from sfumato.tables.engine import Engine
from sfumato.tables.load import load, table_locations
from sfumato.tables.source import ReadOptions

EACH_ITS_OWN = (
    "A project file describes one table: name it with --table, or give its file. To write one for each table, name a "
    "folder for them: --project FOLDER."
)


@dataclass(frozen=True)
class WrittenRoles:
    """What was written into a project file: the file, and how many columns are proposed, undecided, decided."""

    path: Path
    proposed: int
    undecided: int
    confirmed: int
    given: int = 0  # decided, since they were given for the identification
    outside: str = ""  # what to say where the data lie outside of the folder of the file
    selection: GradeSelection | None = None  # what the grade of the recipient selects

    @property
    def words(self) -> str:
        """The same in words, with what is left to do."""
        confirmed = f" {counted(self.confirmed, 'role')} that {'is' if self.confirmed == 1 else 'are'} sure: decided."
        is_undecided = "column is undecided: give it" if self.undecided == 1 else "columns are undecided: give each"
        return (
            f"Wrote {self.path}: {counted(self.proposed, 'proposed role')}. Confirm them: sfumato confirm."
            + (f" {self.undecided} {is_undecided} a role." if self.undecided else "")
            + (confirmed if self.confirmed else "")
            + (f" {counted(self.given, 'role')} given as options: decided." if self.given else "")
            + self._selected
            + self.outside
        )

    @property
    def _selected(self) -> str:
        if self.selection is None:
            return ""
        final, below, grade = self.selection.final, self.selection.below, self.selection.grade
        left = f" Below it, and undecided until you say what each is: {named([*below])}." if below else ""
        many = f"{len(final)} of {len(final) + len(below)} quasi-identifiers"
        return f" Grade {grade}, threshold {grade.threshold:g}, selects {many}.{left}"


def write_roles(
    identification: Identification | Identifications,
    source: str | None,
    project: str | Path | None,
    *,
    confirm_sure: bool = False,
    decider: Decider | None = None,
) -> WrittenRoles:
    """Write the proposed roles into the project file, never over a decision.

    Roles that were given for the identification are decisions. With `confirm_sure` those that are sure enough to be
    confirmed together are written as decided as well. `decider` is who decides: the user, today, if none is named.
    """
    if isinstance(identification, Identifications):
        raise OutputError(EACH_ITS_OWN)
    if identification.method == "risk-rate":
        raise PolicyError(
            "The risk rate proposes no roles to write: it sees how rare values are, not what they mean. "
            "Leave out --method, or write the roles into sfumato.yaml yourself."
        )
    source, project = source_and_project(source, project)
    path = Path(project or "sfumato.yaml")
    selection = selection_for(identification, path)
    if path.exists():
        before, outside = path.read_bytes().decode("utf-8"), ""
        known = Project.parse(before, str(path))
        selection = _beside_decisions(selection, known) if selection else None
        roles = _proposed_roles(identification, selection or known.selection)
        text = with_proposals(before, roles, path)
    else:
        roles = _proposed_roles(identification, selection)
        extract = identification.extract or load(source)
        text = project_template(extract, relative_source(path, str(source)), roles, _person_key(identification))
        outside = said_of_outside(relative_source(path, str(source)), path.parent)
    text = with_selection(text, selection, path) if selection else text
    with allowing(*([source] if source else [])):
        written = _written_roles(identification, path, text, decider, roles, confirm_sure=confirm_sure)
    return replace(written, outside=outside, selection=selection)


def selection_for(identification: Identification, path: Path) -> GradeSelection | None:
    """What the grade of the recipient selects, for the project file at a path; None without a recipient."""
    recipient = identification.recipient
    if recipient is None:
        return None
    final = {name: identification.primary[name] for name in identification.selected}
    return GradeSelection(
        recipient.grade, final,
        {name: score for name, score in identification.primary.items() if name not in final},
        answers=relative_source(path, recipient.answered_in) if recipient.answered_in else None,
        scores={score.value: getattr(recipient, score) for score in Score},
    )  # fmt: skip


def _beside_decisions(selection: GradeSelection, known: Project) -> GradeSelection:
    """A selection in a project file that has one: what an earlier grade did not select, and somebody decided then.

    Such a column is no quasi-identifier any more, and has no score now. Where the score that it had reaches the new
    threshold, the decision was made for a recipient of another grade, and has to be made anew.
    """
    earlier = known.selection.below if known.selection else {}
    left = {name: score for name, score in earlier.items() if name not in {**selection.final, **selection.below}}
    decided = {name: score for name, score in left.items() if name in known.decisions}
    reached = [name for name, score in decided.items() if score >= selection.grade.threshold - TOLERANCE]
    if reached:
        first = reached[0]
        raise ProjectError(
            known.path,
            f"column {first!r} is decided as {role_name(known.decided()[first])}, when the recipient had the grade "
            f"{known.selection.grade if known.selection else ''}. Its score {decided[first]:.4f} reaches the threshold "
            f"{selection.grade.threshold:g} of the grade {selection.grade}, so nothing was written. Decide anew: "
            f"sfumato confirm --again --quasi COLUMN.",
            line=known.line_of("columns", first),
        )
    return replace(selection, below={**selection.below, **decided})


def _proposed_roles(identification: Identification, selection: GradeSelection | None) -> dict[str, Role | None]:
    """The roles to write: a quasi-identifier that the grade does not select has none, unless a person decided."""
    below = selection.below if selection else {}
    return {c.name: None if c.name in below and not c.decided else c.role for c in identification}


def _written_roles(
    identification: Identification, path: Path, text: str, decider: Decider | None,
    roles: Mapping[str, Role | None], *, confirm_sure: bool,
) -> WrittenRoles:  # fmt: skip
    known = Project.parse(text, str(path))
    decider = decider or Decider(who(), today())
    columns = {c.name: c for c in open_columns(identification, known) if c.name not in known.decisions}
    sure = [c for c in columns.values() if confirm_sure and c.sure >= SURE and not c.set_aside]
    said = {c.name: c.role for c in identification if c.decided and c.role is not None and c.name in columns}
    given = {name: decider.on_column(columns[name], role) for name, role in said.items()}
    decisions = {**together(sure, decider), **given}
    write_text(path, with_decisions(text, decisions, path))
    left = [role for name, role in roles.items() if name in columns and name not in decisions]
    undecided = sum(role is None for role in left)
    return WrittenRoles(path, len(left) - undecided, undecided, len(decisions) - len(given), len(given))


def write_roles_of_tables(
    identifications: Identifications,
    source: str,
    folder: str | Path,
    *,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    confirm_sure: bool = False,
) -> tuple[WrittenRoles, ...]:
    """Write a project file for each of several tables into a folder: `patients.csv.yaml` for `patients.csv`."""
    places = {place.name: place for place in table_locations(source, options)}
    paths = {table.source: Path(folder) / _file_name(table.source) for table in identifications.tables}
    if len({*paths.values()}) < len(paths):
        raise OutputError("Two of the tables would have the same project file. Give each of them a name of its own.")
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = []
    for table in identifications.tables:
        place, path = places[table.source], paths[table.source]
        read = replace(options or ReadOptions(), table=place.table)
        _require_same_table(path, place.source, place.table)
        extract = load(place.source, read, engine)
        written.append(write_roles(replace(table, extract=extract), place.source, path, confirm_sure=confirm_sure))
    return tuple(written)


def _file_name(table: str) -> str:
    """The name of the project file of a table, whatever its own name holds.

    >>> _file_name("lab/results.csv"), _file_name("book.xlsx: first visit")
    ('lab-results.csv.yaml', 'book.xlsx-first-visit.yaml')
    """
    return re.sub(r"[^\w.]+", "-", table).strip("-.") + ".yaml"


def _require_same_table(path: Path, source: str, table: str | None) -> None:
    """Refuse to write into the project file of another table."""
    if not path.exists():
        return
    with allowing(source):
        known = Project.read(path)
    same = known.source is not None and ("://" in source or Path(known.source).resolve() == Path(source).resolve())
    if not same or known.read_options().table != table:
        raise ProjectError(path, "this project file describes another table. Choose another folder.")


def _person_key(identification: Identification) -> str | None:
    """The column that tells persons apart where some have several records."""
    keys = [c for c in identification if c.role is Role.DIRECT and tells_persons_apart(c.name)]
    return repeated_person_key({c.name: (c.profile.present, c.profile.known) for c in keys})
