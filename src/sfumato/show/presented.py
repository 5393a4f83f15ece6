"""Results that present themselves: as JSON for machines, as a sheet on a terminal and in a notebook."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Any

from sfumato.show.document import Document
from sfumato.show.sheet import Sheet


class Presented(ABC):
    """What was found, for machines and for people. Dataclasses that inherit from it have `repr=False`."""

    @abstractmethod
    def content(self) -> Document:
        """Everything, as plain values with names and types."""

    def document(self) -> dict[str, Any]:
        """The same as dictionaries and lists."""
        return self.content().plain()

    @abstractmethod
    def sheet(self) -> Sheet:
        """The same for people: titled tables."""

    def to_json(self) -> str:
        """The document as JSON."""
        return json.dumps(self.document(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def __str__(self) -> str:
        return self.sheet().text()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.sheet().html()
