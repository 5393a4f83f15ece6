"""Every builder of hierarchies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sfumato.errors import UnknownKind
from sfumato.families import member_named, members_in
from sfumato.hierarchies import builders as family
from sfumato.hierarchies.builder_interface import Builder


def builders() -> dict[str, type[Builder]]:
    """Every builder of hierarchies by its kind: {"ages": Ages, ...}."""
    known = members_in(family, Builder)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=lambda cls: cls.name())}


def kind_of_builder(kind: str) -> type[Builder]:
    """The builders of a kind. As a rule no file is read but that of theirs."""
    named = member_named(family, Builder, kind)  # type: ignore[type-abstract]
    if named is None:
        raise UnknownKind(kind, builders())
    return named


def builder(kind: str, parameters: Mapping[str, Any] | None = None) -> Builder:
    """The builder of a kind, with its parameters, which may be texts."""
    return kind_of_builder(kind).given(parameters or {})
