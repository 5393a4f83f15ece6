"""The policy of a project: its requirements beside their last readings, and edits of them in the project file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sfumato.columns.person_key import repeated_person_key, tells_persons_apart
from sfumato.errors import NotKnown, ServiceRefusal
from sfumato.privacy.catalogue import measure, measures
from sfumato.privacy.measure_interface import Safer, SensitiveMeasure
from sfumato.privacy.policy import Requirement
from sfumato.privacy.uncounted_persons import COUNTED_AS_THEY_ARE
from sfumato.project.file import Project
from sfumato.project.file.section_edits import with_section
from sfumato.project.file.yaml_file import read_yaml
from sfumato.service.caller import Caller
from sfumato.service.column_decisions import ColumnEvidence
from sfumato.service.entities import ProjectVersion, Run
from sfumato.service.newest_runs import newest_runs
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.project_text import ProjectText, edit_project_text
from sfumato.service.runs import document
from sfumato.service.service import Service

VERB = "assess"  # the run that reads what is required


class WrongBound(ServiceRefusal):
    """A requirement that cannot be one."""

    status, kind = 422, "wrong-bound"


@dataclass(frozen=True)
class Required:
    """A requirement as it is written, and what was read of it last."""

    place: int | None  # among those of the file itself; None: it comes from the preset
    measure: str
    sensitive: str | None
    bound: float
    parameters: Mapping[str, Any]
    reading: float | None = None
    flagged: int | None = None  # records that break it, at the bound that it was read with
    read_with: float | None = None  # the bound that it was read with; None: it was not read yet

    @property
    def key(self) -> str:
        """The key of its bound in the project file."""
        return "at_least" if measures()[self.measure].safer is Safer.HIGHER else "at_most"

    @property
    def met(self) -> bool | None:
        """Whether the last reading keeps to the bound as it is now; None where it was not read."""
        if self.read_with is None:
            return None
        return Requirement(measure(self.measure, self.parameters), self.bound).met_by(self.reading)

    @property
    def slider(self) -> tuple[float, float, float] | None:
        """The ends and the step of a slider for the bound; None where it has no natural end."""
        known = measures()[self.measure]
        if known.counts:
            return 1, max(50, 2 * self.bound), 1
        return (0, known.most or 1, 0.01) if known.bounds == "0 to 1" else None

    def with_bound(self, bound: float) -> Required:
        """The same with another bound."""
        return replace(self, bound=bound)


@dataclass(frozen=True)
class Assessed:
    """The last assessment: its run and its document, as `assess --json` writes it."""

    run: Run
    told: Mapping[str, Any]


def last_assessment(service: Service, caller: Caller, project: str) -> Assessed | None:
    """The last assessment; None where there is none."""
    run = newest_runs(service, caller, project, VERB).done
    return Assessed(run, document(service, caller, project, run.handle)) if run is not None else None


def requirements(written: ProjectText, assessed: Assessed | None) -> list[Required]:
    """What is required, by the file itself and by its preset, with what was read last."""
    known = written.project
    own = own_measures(written.text)
    told = {(one["measure"], one["sensitive"]): one for one in (assessed.told["readings"] if assessed else ())}
    listed = []
    for place, entry in enumerate(known.measures if known else ()):
        bound = entry.at_least if entry.at_least is not None else entry.at_most
        sensitive = entry.parameters.get("sensitive")
        read = told.get((entry.measure, sensitive), {})
        listed.append(
            Required(
                place if place < len(own) else None, entry.measure, sensitive, bound or 0.0, entry.parameters,
                read.get("value"), read.get("flagged"), read.get("bound"),
            )
        )  # fmt: skip
    return listed


def own_measures(text: str) -> list[dict[str, Any]]:
    """The requirements that a project file states itself, without those of its preset."""
    said = read_yaml(text, PROJECT_FILE).value if text.strip() else None
    return list((said or {}).get("measures") or [])


def change_bounds(
    service: Service,
    caller: Caller,
    project: str,
    bounds: Mapping[int, float],
    *,
    since: str,
    removed: int | None = None,
    added: tuple[str, str | None, float] | None = None,
) -> ProjectVersion:
    """Change bounds of requirements of the file by their places, take one out, or add one: measure, column, bound."""

    def edit(text: str) -> str:
        new = [
            _bounded(entry, bounds.get(place))
            for place, entry in enumerate(own_measures(text))
            if place != removed
        ]  # fmt: skip
        return with_section(text, "measures", [*new, *([_entry(*added)] if added else [])] or None, PROJECT_FILE)

    words = f"Requirement added: {added[0]}" if added else "A requirement less" if removed is not None else "Bounds"
    return edit_project_text(service, caller, project, edit, since=since, message=words)


def change_preset(service: Service, caller: Caller, project: str, name: str, *, since: str) -> ProjectVersion:
    """Put a preset behind the project file, or none."""
    words = f"Preset: {name}" if name else "No preset"
    return edit_project_text(
        service, caller, project, lambda text: with_section(text, "preset", name or None, PROJECT_FILE), since=since,
        message=words,
    )  # fmt: skip


def change_subject(service: Service, caller: Caller, project: str, column: str, *, since: str) -> ProjectVersion:
    """Say which column tells persons apart, or that records are counted."""
    words = f"Persons by {column}" if column else "Records are counted"
    return edit_project_text(
        service, caller, project, lambda text: with_section(text, "subject", column or None, PROJECT_FILE), since=since,
        message=words,
    )  # fmt: skip


def uncounted_persons_by(known: Project | None, evidence: ColumnEvidence | None) -> str | None:
    """The column by which some persons have several records, where records are counted and nobody said whose they are.

    From the last identification, so that it is known before the table is read anew.
    """
    if known is None or known.subject is not None or evidence is None:
        return None
    by_role = columns_by_role(known)
    by_value = {name for role in COUNTED_AS_THEY_ARE for name in by_role.get(role.value, ())}
    return repeated_person_key(
        {
            name: (evidence.records - told["missing_records"], told["different_values"])
            for name, told in evidence.columns.items()
            if name not in by_value and tells_persons_apart(name)
        }
    )


def columns_by_role(known: Project | None) -> Mapping[str, Sequence[str]]:
    """The columns of a project file by their roles, proposed ones among them."""
    listed: dict[str, list[str]] = {}
    for attribute in known.attributes if known else ():
        role = (
            attribute.role.value if attribute.role and attribute.name not in (known.undecided if known else ()) else ""
        )
        listed.setdefault(role, []).append(attribute.name)
    return listed


def _bounded(entry: dict[str, Any], bound: float | None) -> dict[str, Any]:
    key = "at_least" if "at_least" in entry else "at_most"
    return entry if bound is None or entry.get(key) == bound else {**entry, key: bound}


def _entry(name: str, sensitive: str | None, bound: float) -> dict[str, Any]:
    known = measures().get(name)
    if known is None:
        raise NotKnown("a measure of that name")
    about = issubclass(known, SensitiveMeasure)
    if about and not sensitive:
        raise WrongBound("This measure is about a sensitive column: say which one.")
    Requirement(measure(name, {"sensitive": sensitive} if about else {}), bound)  # refuses what is no bound
    key = "at_least" if known.safer is Safer.HIGHER else "at_most"
    return {"measure": name, **({"sensitive": sensitive} if about else {}), key: bound}
