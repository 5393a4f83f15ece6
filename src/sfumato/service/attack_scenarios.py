"""What attackers may know: the scenarios and the population of a project, what was read of each, and edits of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.attackers.population.country_populations import residents
from sfumato.errors import ServiceRefusal
from sfumato.privacy.policy import Scenario
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

VERB = "risk"  # the run that reads who is singled out in each scenario
FRACTION, SIZE, REGION, TABLE = "fraction", "size", "region", "table"  # ways to say what the population is


class WrongScenario(ServiceRefusal):
    """A scenario or a population that cannot be one."""

    status, kind = 422, "wrong-scenario"


@dataclass(frozen=True)
class Exposed:
    """The last reading of risks: its run and its document, as `risk --json` writes it."""

    run: Run
    told: Mapping[str, Any]


@dataclass(frozen=True)
class ScenarioStanding:
    """A scenario as it is written, and what was read of it last; nothing where it had other columns then."""

    place: int
    name: str
    columns: Sequence[str]
    reading: Mapping[str, Any] | None


def last_exposure(service: Service, caller: Caller, project: str) -> Exposed | None:
    """The last reading of risks; None where there is none."""
    run = newest_runs(service, caller, project, VERB).done
    return Exposed(run, document(service, caller, project, run.handle)) if run is not None else None


def scenario_standings(written: ProjectText, exposed: Exposed | None) -> list[ScenarioStanding]:
    """The scenarios of the project file with their last readings."""
    told = exposed.told["scenarios"] if exposed else ()
    read = {(one["name"], frozenset(one["quasi_identifiers"])): one for one in told}
    return [
        ScenarioStanding(place, one["name"], one["columns"], read.get((one["name"], frozenset(one["columns"]))))
        for place, one in enumerate(_section(written.text, "scenarios") or [])
    ]


def alone_on(evidence: ColumnEvidence | None, columns: Sequence[str]) -> int | None:
    """Records that are alone on some columns as they stand, where the last identification counted them together."""
    listed = (evidence.combinations or {}).get("found", ()) if evidence else ()
    wanted = set(columns)
    return next((one["unique_records"] for one in listed if set(one["columns"]) == wanted), None)


def change_scenario(
    service: Service, caller: Caller, project: str, place: int | None, scenario: Scenario, *, since: str
) -> ProjectVersion:
    """Write a scenario: in the place of one that is there, or as a new one."""

    def edit(text: str) -> str:
        known = list(_section(text, "scenarios") or [])
        entry = {"name": scenario.name, "columns": list(scenario.quasi_identifiers)}
        others = [one["name"] for at, one in enumerate(known) if at != place]
        if not scenario.name or scenario.name in others:
            raise WrongScenario("Give the scenario a name of its own.")
        if place is None:
            return with_section(text, "scenarios", [*known, entry], PROJECT_FILE)
        known[place : place + 1] = [entry]
        return with_section(text, "scenarios", known, PROJECT_FILE)

    return edit_project_text(service, caller, project, edit, since=since, message=f"Scenario: {scenario.name}")


def remove_scenario(service: Service, caller: Caller, project: str, place: int, *, since: str) -> ProjectVersion:
    """Take a scenario out."""

    def edit(text: str) -> str:
        known = list(_section(text, "scenarios") or [])
        left = [one for at, one in enumerate(known) if at != place]
        return with_section(text, "scenarios", left or None, PROJECT_FILE)

    return edit_project_text(service, caller, project, edit, since=since, message="A scenario less")


def population_of(written: ProjectText) -> tuple[str, str]:
    """How the project file says what the population is, and what it says; two empty texts where it says nothing."""
    said = _section(written.text, "population") or {}
    return next(((kind, f"{value}") for kind, value in said.items() if value is not None), ("", ""))


def change_population(
    service: Service, caller: Caller, project: str, kind: str, value: str, *, since: str
) -> ProjectVersion:
    """Say what the population is of which the table is a sample, or that nobody knows."""
    said = {kind: _population(kind, value.strip())} if kind else None
    return edit_project_text(
        service, caller, project, lambda text: with_section(text, "population", said, PROJECT_FILE), since=since,
        message="The population",
    )  # fmt: skip


def _population(kind: str, value: str) -> float | int | str:
    try:
        if kind == FRACTION:
            share = float(value.replace(",", "."))
            if not 0 < share <= 1:
                raise ValueError
            return share
        if kind == SIZE:
            return int(value.replace(" ", ""))
    except ValueError:
        raise WrongScenario("Give a share between 0 and 1, or a whole number of people.") from None
    if kind == REGION:
        residents(value)  # refuses what is no region, and suggests one
    if kind not in (REGION, TABLE) or not value:
        raise WrongScenario("Say which population is meant.")
    return value


def _section(text: str, section: str) -> Any:
    said = read_yaml(text, PROJECT_FILE).value if text.strip() else None
    return (said or {}).get(section)
