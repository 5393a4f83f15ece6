"""Documents: what a verb found, as plain values with names and types.

JSON is written from a document, and sheets, the report and the service read it: so a key is spelt in one place, and a
type checker sees who reads what. One file for each verb in `documents/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, field, fields
from enum import Enum
from typing import Any


class Document:
    """Plain values, as a frozen dataclass: its fields, in their order, are the keys of the JSON."""

    def plain(self) -> dict[str, Any]:
        """The same as a dictionary of dictionaries, lists, texts, numbers and nulls."""
        return {
            part.name: plain_value(getattr(self, part.name))
            for part in fields(self)  # type: ignore[arg-type]
            if not _left_out(part, getattr(self, part.name))
        }


def where_said() -> Any:
    """A field that is None where there is nothing to say, and then has no key."""
    return field(default=None, kw_only=True, metadata={"where_said": True})


def plain_value(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Document):
        return value.plain()
    if isinstance(value, Mapping):
        return {key: plain_value(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(part) for part in value]
    return value.value if isinstance(value, Enum) else value


def _left_out(part: Field[Any], value: Any) -> bool:
    return value is None and bool(part.metadata.get("where_said"))
