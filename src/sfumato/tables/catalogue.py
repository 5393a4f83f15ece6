"""Every format that a source can have."""

from __future__ import annotations

from sfumato.families import members_in, members_in_file
from sfumato.tables.read import formats as family
from sfumato.tables.source import Format


def formats() -> tuple[Format, ...]:
    """Every format that a source can have."""
    known = members_in(family, Format)  # type: ignore[type-abstract]
    return tuple(cls() for cls in sorted(known, key=lambda cls: cls.__name__))


def formats_of(ending: str) -> tuple[Format, ...]:
    """The format whose file is named after an ending, such as csv."""
    return tuple(cls() for cls in members_in_file(family, Format, ending))  # type: ignore[type-abstract]
