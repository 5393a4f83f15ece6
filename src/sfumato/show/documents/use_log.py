"""The document of `sfumato log`: the uses of a project, and whether their log is whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.show.document import Document

START = "0" * 64  # what the first line has for the hash of the line before it


@dataclass(frozen=True)
class Head(Document):
    """How many lines a log has, and the hash of the last one: whoever knows it notices any change to them."""

    lines: int = 0
    hash: str = START


@dataclass(frozen=True, kw_only=True)
class LogDocument(Document):
    """The lines of a log as they stand in its file, which may have been changed: each a mapping that may lack keys."""

    log: str
    uses: tuple[Mapping[str, Any], ...]
    head: Head
    problems: tuple[str, ...] | None  # None: nobody asked
    remarks: tuple[str, ...] = ()  # uses that have no end, and what older versions did not write
    deliveries: tuple[Mapping[str, Any], ...] = ()  # what was handed to whom, as the uses say
    reported: tuple[Mapping[str, Any], ...] = ()  # what recipients reported of the use
