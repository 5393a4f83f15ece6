"""What a project file asks of a pilot, in the keys of the BIO-STREAMS configuration: one file for study and release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sfumato.errors import ProjectError
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.models.t_wasserstein import TWasserstein
from sfumato.project.file import Project
from sfumato.project.file.project import MeasureEntry
from sfumato.schema import Attribute, Role
from sfumato.studies.bio_streams.configuration import Configuration
from sfumato.studies.bio_streams.configuration_file import ConfigurationFile
from sfumato.studies.sdtm.domain import SUBJECT

SIZE, DIVERSITY = KAnonymity.name(), DistinctLDiversity.name()
CLOSENESS = (TWasserstein.name(), TCloseness.name())  # of numbers in their unit, and of categories or bins
READ = (SIZE, DIVERSITY, *CLOSENESS)


@dataclass(frozen=True)
class ProjectSettings:
    """A project file as a study reads it: roles, bins, and the bounds on k, l and t."""

    project: Project

    def configuration(self, combination: Configuration) -> Configuration:
        """What is asked, by the project; how domains become one table is taken from another configuration."""
        if self.project.subject not in (None, SUBJECT):
            raise self.wrong(f"the subject of a study is {SUBJECT}, by which its domains are joined.", "subject")
        quasi, sensitive = self._of(Role.QUASI), tuple(one.name for one in self._of(Role.SENSITIVE))
        if not quasi or not sensitive:
            raise self.wrong(
                "a study needs columns with the role quasi, and at least one that is sensitive.", "columns"
            )
        diversity = {name: self._entry((DIVERSITY,), name) for name in sensitive}
        closeness = {name: self._entry(CLOSENESS, name) for name in sensitive}
        return replace(
            combination,
            categorical_qis=tuple(one.name for one in quasi if not one.bins),
            continuous_qis=tuple(one.name for one in quasi if one.bins),
            sensitive_features=sensitive,
            K=self._whole(self._entry((SIZE,)), "at_least"),
            L=self._whole(self._same(list(diversity.values()), "at_least"), "at_least"),
            T=self._bound(self._same(list(closeness.values()), "at_most"), "at_most"),
            binning_config={one.name: one.bins for one in quasi if one.bins},
            sensitive_binning_config_for_L=_bins(diversity),
            sensitive_binning_config=_bins(closeness),
            closeness={name: entry.measure for name, entry in closeness.items()},
            document=ConfigurationFile({}, self.project.path),
        )

    def notes(self) -> tuple[str, ...]:
        """What of the project the study does not read."""
        others = sorted({entry.measure for entry in self.project.measures if entry.measure not in READ})
        return (f"WARNING: the study does not read {', '.join(others)}, which the project asks for.",) if others else ()

    def wrong(self, problem: str, *place: str | int) -> ProjectError:
        """An error that names the project file and the line."""
        return ProjectError(self.project.path, problem, line=self.project.line_of(*place))

    def _of(self, role: Role) -> list[Attribute]:
        columns = [attribute for attribute in self.project.attributes if attribute.role is role]
        for attribute in columns:
            if attribute.level:
                problem = f"a study reads {attribute.name!r} in bins, not at a level of a hierarchy."
                raise self.wrong(problem, "columns", attribute.name)
        return columns

    def _entry(self, measures: Sequence[str], sensitive: str | None = None) -> MeasureEntry:
        """The one requirement on a measure and a sensitive column."""
        about = [
            entry
            for entry in self.project.measures
            if entry.measure in measures and sensitive in (None, entry.parameters.get("sensitive"))
        ]
        of = f" of {sensitive!r}" if sensitive else ""
        if len(about) != 1:
            how_many = "several bounds" if about else "no bound"
            raise self.wrong(f"there is {how_many} on {' or '.join(measures)}{of}; a study needs one.", "measures")
        return about[0]

    def _same(self, entries: Sequence[MeasureEntry], bound: str) -> MeasureEntry:
        """One of several requirements with the same bound."""
        if len({getattr(entry, bound) for entry in entries}) > 1:
            raise self.wrong(
                "the sensitive columns of a study have one bound in common; give them the same.", "measures"
            )
        return entries[0]

    def _bound(self, entry: MeasureEntry, bound: str) -> float:
        value: float | None = getattr(entry, bound)
        if value is None:
            raise ProjectError(self.project.path, f"{entry.measure} needs `{bound}` in a study.", line=entry.line)
        return value

    def _whole(self, entry: MeasureEntry, bound: str) -> int:
        value = self._bound(entry, bound)
        if value != int(value):
            problem = f"{entry.measure}: a study counts, so `{bound}` is a whole number."
            raise ProjectError(self.project.path, problem, line=entry.line)
        return int(value)


def _bins(entries: dict[str, MeasureEntry]) -> dict[str, tuple[float, ...]]:
    given = {name: entry.parameters.get("bins", ()) for name, entry in entries.items()}
    return {name: tuple(edges) for name, edges in given.items() if edges}
