"""Choices of a release: what somebody settled on by looking at risk and loss, as lines of the project file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.privacy.assess import policy_of
from sfumato.privacy.measure_interface import Safer
from sfumato.privacy.requirement_text import read
from sfumato.project.file import Project
from sfumato.project.file.release_choice import MEASURES, SEARCH, ReleaseChoice, sections_of, with_release_choice
from sfumato.project.file.yaml_file import read_yaml
from sfumato.search.methods.optimal import Optimal
from sfumato.service.caller import Caller
from sfumato.service.entities import ProjectVersion
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.service import Service
from sfumato.service.versions import Require, file_of, put_file


@dataclass(frozen=True)
class ChosenLevels:
    """A level for each column, bounds by the name of their requirement, and the share that may be left out."""

    levels: Mapping[str, int]
    bounds: Mapping[str, float]
    suppress: float

    def written(self, text: str) -> str:
        """The text of a project file that says so."""
        settings = {"method": Optimal.name(), "suppress": _plain(self.suppress), "levels": dict(self.levels)}
        return with_release_choice(text, ReleaseChoice(tuple(self._measures(text)), settings), PROJECT_FILE)

    def lines(self, text: str) -> str:
        """The lines of the project file in which it says so, as they will stand there."""
        return sections_of(self.written(text), PROJECT_FILE, MEASURES, SEARCH)

    def _measures(self, text: str) -> Iterator[dict[str, Any]]:
        """The requirements whose bound is another, as the file writes them; those of a preset are written out."""
        project = Project.parse(text)
        own = (read_yaml(text, PROJECT_FILE).value or {}).get(MEASURES) or []
        for requirement in policy_of(project).requirements:
            bound = self.bounds.get(requirement.name)
            if bound is None or bound == requirement.bound:
                continue
            side = "at_least" if requirement.measure.safer is Safer.HIGHER else "at_most"
            entry = next((one for one in own if read(one).measure == requirement.measure), None)
            listed = {key: list(v) if isinstance(v, tuple) else v for key, v in requirement.parameters.items()}
            said = dict(entry) if entry is not None else {"measure": requirement.measure.name(), **listed}
            yield {**said, side: _plain(bound)}


def current_text(service: Service, caller: Caller, project: str) -> str:
    """The project file as it is now."""
    return file_of(service, caller, project, 0, PROJECT_FILE).decode("utf-8-sig")


def keep_levels(
    service: Service, caller: Caller, project: str, chosen: ChosenLevels, *, require: Require
) -> ProjectVersion:
    """Write a choice into the project file, as a new version."""
    text = chosen.written(current_text(service, caller, project))
    return put_file(
        service, caller, project, PROJECT_FILE, text.encode(), require=require, message="Levels of a release chosen"
    )


def _plain(number: float) -> float:
    return int(number) if float(number).is_integer() else number
