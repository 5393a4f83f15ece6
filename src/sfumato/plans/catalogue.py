"""Every transformation that a step of a plan can be."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields

from sfumato.errors import PlanError, did_you_mean
from sfumato.families import members_in, summary_of
from sfumato.plans import steps as family
from sfumato.plans.step_interface import Transformation
from sfumato.show.documents.plan import TransformationDocument, TransformationsDocument


def transformations() -> dict[str, type[Transformation]]:
    """Every transformation by name, and by the PHUSE rules that mean the same: {"drop": Drop, ...}."""
    known = sorted(members_in(family, Transformation), key=lambda cls: cls.name())  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in known} | {alias: cls for cls in known for alias in cls.aliases}


def transformations_document(name: str | None = None) -> TransformationsDocument:
    """Every transformation, or one in full."""
    known = transformations()
    if name is not None and name not in known:
        raise PlanError(f"There is no transformation {name!r}.{did_you_mean(name, known)}")
    chosen = [known[name]] if name else list(dict.fromkeys(known.values()))
    return TransformationsDocument(
        transformations=[
            TransformationDocument(
                name=cls.name(),
                aliases=cls.aliases,
                summary=summary_of(cls),
                parameters={p.name: None if p.default is MISSING else str(p.default) for p in fields(cls)},  # type: ignore[arg-type]
                explanation=inspect.getdoc(cls) or "",
            )
            for cls in chosen
        ],
        in_full=name is not None,
    )
