"""Every utility model."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from sfumato.errors import PolicyError, did_you_mean
from sfumato.families import members_in, summary_of
from sfumato.utility import models
from sfumato.utility.comparison_interface import Comparison


def comparisons() -> dict[str, type[Comparison]]:
    """Every utility model by name: {"loss": Loss, ...}."""
    known = members_in(models, Comparison)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=lambda cls: cls.name())}


def comparison(name: str, parameters: Mapping[str, Any] | None = None) -> Comparison:
    """The named utility model, with its parameters."""
    return _known(name)[name](**(parameters or {}))


def described_comparisons(name: str | None = None) -> dict[str, Any]:
    """Every utility model, or one in full, as plain values: what it says, between which numbers, of which changes."""
    known = comparisons() if name is None else {name: _known(name)[name]}
    described = [
        {
            "name": cls.name(),
            "summary": summary_of(cls),
            "means": cls.plainly,
            "better": cls.better.value,
            "bounds": cls.bounds,
            "applies_to": cls.applies_to,
            "thorough": cls.thorough,
            "explanation": inspect.getdoc(cls) or "",
        }
        for cls in known.values()
    ]
    return {"models": described, "in_full": name is not None}


def _known(name: str) -> dict[str, type[Comparison]]:
    known = comparisons()
    if name not in known:
        raise PolicyError(f"There is no utility model {name!r}.{did_you_mean(name, known)}")
    return known
