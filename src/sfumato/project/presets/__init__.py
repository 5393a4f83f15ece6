"""Presets: requirements and settings that come with the package, one YAML file each, found by looking in this folder.

A preset is part of a project file (`project`), with what it is for, the thresholds behind it and where each comes from.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any

from sfumato.errors import ProjectError, did_you_mean
from sfumato.packaged_data import packaged_yaml
from sfumato.show.documents.presets import PresetDocument, ThresholdDocument


class Certainty(StrEnum):
    """How a number of a preset is known."""

    SEED = "seed"
    SECONDARY = "secondary"
    MEMORY = "memory"
    OURS = "ours"

    @property
    def words(self) -> str:
        """The same for people."""
        return {
            Certainty.SEED: "from the source itself",
            Certainty.SECONDARY: "from a secondary source",
            Certainty.MEMORY: "from memory, check before use",
            Certainty.OURS: "our choice",
        }[self]


@dataclass(frozen=True)
class Threshold:
    """One number of a preset: what it is about, its value, its source, and how it is known."""

    about: str
    value: str
    source: str
    known: Certainty

    def content(self) -> ThresholdDocument:
        """The threshold as plain values."""
        return ThresholdDocument(about=self.about, value=self.value, source=self.source, known=self.known.words)


@dataclass(frozen=True)
class Preset:
    """Requirements and settings by name, and where they come from."""

    name: str
    title: str
    description: str
    source: str
    thresholds: tuple[Threshold, ...]
    project: dict[str, Any]  # part of a project file
    then: tuple[str, ...] = ()  # what to run beside `sfumato assess`

    def content(self) -> PresetDocument:
        """The preset as plain values."""
        return PresetDocument(
            name=self.name,
            title=self.title,
            description=self.description,
            source=self.source,
            thresholds=[threshold.content() for threshold in self.thresholds],
            project=self.project,
            then=self.then,
        )


def preset_names() -> tuple[str, ...]:
    """The names of the presets, in order."""
    named = (file.name for file in files(__name__).iterdir() if file.name.endswith(".yaml"))
    return tuple(sorted(name.removesuffix(".yaml") for name in named))


def preset_named(name: str) -> Preset:
    """A preset by its name.

    >>> preset_named("thesis").project["measures"]
    [{'measure': 'k_anonymity', 'at_least': 2}]
    """
    names = preset_names()
    if name not in names:
        raise ProjectError("presets", f"there is no preset {name!r}.{did_you_mean(name, names)}")
    written = packaged_yaml(__name__, f"{name}.yaml")
    return Preset(
        name=name,
        title=written["title"],
        description=_line(written["description"]),
        source=_line(written["source"]),
        thresholds=tuple(
            Threshold(_line(t["about"]), _line(t["value"]), _line(t["source"]), Certainty(t["known"]))
            for t in written["thresholds"]
        ),
        project=written.get("project") or {},
        then=tuple(written.get("then") or ()),
    )


def _line(words: object) -> str:
    return " ".join(str(words).split())
