"""Every format that a source can have."""

from __future__ import annotations

from sfumato.families import members_in
from sfumato.tables.read import formats as family
from sfumato.tables.source import Format


def formats() -> tuple[Format, ...]:
    """Every format that a source can have."""
    known = members_in(family, Format)  # type: ignore[type-abstract]
    return tuple(cls() for cls in sorted(known, key=lambda cls: cls.__name__))
