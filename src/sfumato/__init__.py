"""Sfumato: blur the individual, keep the picture.

A *measure* reads a number off the *equivalence classes* of a *dataset*; a *policy* says which numbers are
good enough. `import sfumato as sf; sf.assess(frame, quasi=[...], sensitive=[...], k=5)`.

Names are imported when they are first used, so that `import sfumato` and `sfumato --help` are instant.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.anonymise_flow import anonymise
    from sfumato.anonymised import Anonymised
    from sfumato.anonymiser import Anonymiser
    from sfumato.assessment import Assessment, Reading
    from sfumato.catalogue import measures
    from sfumato.classes import EquivalenceClasses
    from sfumato.compare_flow import compare
    from sfumato.dataset import Dataset
    from sfumato.dimension import Dimensions
    from sfumato.dimension_flow import dimension
    from sfumato.errors import SfumatoError
    from sfumato.explore_flow import explore
    from sfumato.explored import Explored
    from sfumato.exposure import Exposure
    from sfumato.flagged import write_flagged
    from sfumato.flow import assess, assess_project
    from sfumato.identification import Identification, Identifications
    from sfumato.identify_flow import identify
    from sfumato.loading import load
    from sfumato.losses import Losses
    from sfumato.plan import Plan
    from sfumato.plan_file import read_plan
    from sfumato.plan_flow import apply_plan
    from sfumato.policy import Policy, Requirement
    from sfumato.project import Project
    from sfumato.recipient import Recipient, recipient
    from sfumato.release_flow import release
    from sfumato.report import Report
    from sfumato.report_flow import report
    from sfumato.risk_flow import risk
    from sfumato.schema import Missing, Role, Scale, Schema
    from sfumato.source import Extract, ReadOptions
    from sfumato.vault import restore
    from sfumato.verifying import verify

__version__ = "0.1.0"

_HOMES = {
    "anonymise": "anonymise_flow", "Anonymised": "anonymised", "Anonymiser": "anonymiser",
    "release": "release_flow",
    "report": "report_flow", "Report": "report", "verify": "verifying",
    "explore": "explore_flow", "Explored": "explored",
    "Assessment": "assessment", "Reading": "assessment",
    "measures": "catalogue",
    "EquivalenceClasses": "classes", "Dataset": "dataset", "SfumatoError": "errors",
    "compare": "compare_flow", "Losses": "losses",
    "Dimensions": "dimension", "dimension": "dimension_flow",
    "write_flagged": "flagged", "risk": "risk_flow", "Exposure": "exposure",
    "Identification": "identification", "Identifications": "identification", "identify": "identify_flow",
    "Recipient": "recipient", "recipient": "recipient",
    "assess": "flow", "assess_project": "flow", "load": "loading",
    "Plan": "plan", "read_plan": "plan_file", "apply_plan": "plan_flow",
    "Policy": "policy", "Requirement": "policy", "Project": "project",
    "Missing": "schema", "Role": "schema", "Scale": "schema", "Schema": "schema",
    "Extract": "source", "ReadOptions": "source", "restore": "vault",
}  # fmt: skip

__all__ = [
    "Anonymised",
    "Anonymiser",
    "Assessment",
    "Dataset",
    "Dimensions",
    "EquivalenceClasses",
    "Explored",
    "Exposure",
    "Extract",
    "Identification",
    "Identifications",
    "Losses",
    "Missing",
    "Plan",
    "Policy",
    "Project",
    "ReadOptions",
    "Reading",
    "Recipient",
    "Report",
    "Requirement",
    "Role",
    "Scale",
    "Schema",
    "SfumatoError",
    "anonymise",
    "apply_plan",
    "assess",
    "assess_project",
    "compare",
    "dimension",
    "explore",
    "identify",
    "load",
    "measures",
    "read_plan",
    "recipient",
    "release",
    "report",
    "restore",
    "risk",
    "verify",
    "write_flagged",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
    return getattr(importlib.import_module(f"sfumato.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _verb(name: str) -> property:
    return property(lambda self: __getattr__(name), lambda self, module: None)


class _Package(ModuleType):
    """The package itself: a verb goes before the module of the same name, which an import would put in its place."""

    dimension = _verb("dimension")
    identify = _verb("identify")
    recipient = _verb("recipient")
    report = _verb("report")


sys.modules[__name__].__class__ = _Package
