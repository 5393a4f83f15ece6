"""Every utility model."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from sfumato.errors import PolicyError, did_you_mean
from sfumato.families import members_in, summary_of
from sfumato.show.documents.models import ModelDocument, ModelsDocument
from sfumato.utility import models as family
from sfumato.utility.model_interface import UtilityModel


def utility_models() -> dict[str, type[UtilityModel]]:
    """Every utility model by name: {"loss": Loss, ...}."""
    known = members_in(family, UtilityModel)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=lambda cls: cls.name())}


def utility_model(name: str, parameters: Mapping[str, Any] | None = None) -> UtilityModel:
    """The named utility model, with its parameters."""
    return _known(name)[name](**(parameters or {}))


def chosen_models(names: Iterable[str] = (), *, thorough: bool = False) -> tuple[UtilityModel, ...]:
    """The models by name; without names all of them, those that fit models only if it is to be thorough."""
    named = tuple(utility_model(name) for name in names)
    return named or tuple(cls() for cls in utility_models().values() if thorough or not cls.thorough)


def described_models(name: str | None = None) -> ModelsDocument:
    """Every utility model, or one in full: what it says, between which numbers, of which changes."""
    known = utility_models() if name is None else {name: _known(name)[name]}
    models = [
        ModelDocument(
            name=cls.name(),
            summary=summary_of(cls),
            means=cls.plainly,
            better=cls.better.value,
            bounds=cls.bounds,
            applies_to=cls.applies_to,
            thorough=cls.thorough,
            explanation=inspect.getdoc(cls) or "",
        )
        for cls in known.values()
    ]
    return ModelsDocument(models=models, in_full=name is not None)


def _known(name: str) -> dict[str, type[UtilityModel]]:
    known = utility_models()
    if name not in known:
        raise PolicyError(f"There is no utility model {name!r}.{did_you_mean(name, known)}")
    return known
