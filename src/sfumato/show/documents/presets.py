"""Presets: requirements and settings by name, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class ThresholdDocument(Document):
    """One number of a preset."""

    about: str
    value: str
    source: str
    known: str


@dataclass(frozen=True, kw_only=True)
class PresetDocument(Document):
    """One preset."""

    name: str
    title: str
    description: str
    source: str
    thresholds: Sequence[ThresholdDocument]
    project: Mapping[str, Any]  # part of a project file, whose keys are those of the file
    then: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class PresetsDocument(Document):
    """All of them."""

    presets: Sequence[PresetDocument]
