"""Sfumato: blur the individual, keep the picture.

A *measure* reads a number off the *equivalence classes* of a *dataset*; a *policy* says which numbers are
good enough. `import sfumato as sf; sf.assess(frame, quasi=[...], sensitive=[...], k=5)`.

Names are imported when they are first used, so that `import sfumato` and `sfumato --help` are instant.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.attackers.exposure import Exposure
    from sfumato.attackers.risk import risk
    from sfumato.client.remote_service import RemoteService, connect
    from sfumato.columns.confirm import Confirmed, confirm
    from sfumato.columns.identification import Identification, Identifications
    from sfumato.columns.identify import identify
    from sfumato.columns.triage import Triage, triage
    from sfumato.errors import SfumatoError
    from sfumato.plans.apply import apply_plan
    from sfumato.plans.assess_project import assess_project
    from sfumato.plans.plan import Plan
    from sfumato.plans.plan_file import read_plan
    from sfumato.plans.vault import restore
    from sfumato.privacy.assess import assess
    from sfumato.privacy.assessment import Assessment, Reading
    from sfumato.privacy.catalogue import measures
    from sfumato.privacy.classes import EquivalenceClasses
    from sfumato.privacy.dataset import Dataset
    from sfumato.privacy.flagged_files import write_flagged
    from sfumato.privacy.policy import Policy, Requirement
    from sfumato.project.file import Project
    from sfumato.project.places import allowing
    from sfumato.project.recipient.recipient import Recipient, recipient
    from sfumato.proof.deliver import deliver, report_use
    from sfumato.proof.release import release
    from sfumato.proof.report.document import Report
    from sfumato.proof.report.make_report import report
    from sfumato.proof.verify import verify
    from sfumato.schema import Missing, Role, Scale, Schema
    from sfumato.search.anonymisation import Anonymised
    from sfumato.search.anonymise import anonymise
    from sfumato.search.anonymiser import Anonymiser
    from sfumato.search.dimension.choose import dimension
    from sfumato.search.dimension.result import Dimensions
    from sfumato.search.evaluate import evaluate
    from sfumato.search.evaluation import Evaluation
    from sfumato.search.evaluator import Evaluator
    from sfumato.search.exploration import Explored
    from sfumato.search.explore import explore
    from sfumato.statistics.tabulate import tabulate
    from sfumato.statistics.tabulation import Tabulation
    from sfumato.tables.load import load
    from sfumato.tables.source import Extract, ReadOptions
    from sfumato.utility.compare import compare
    from sfumato.utility.losses import Losses

__version__ = "0.1.0"

_ROOMS = {
    "anonymise": "search.anonymise", "Anonymised": "search.anonymisation", "Anonymiser": "search.anonymiser",
    "release": "proof.release", "deliver": "proof.deliver", "report_use": "proof.deliver",
    "report": "proof.report.make_report", "Report": "proof.report.document", "verify": "proof.verify",
    "explore": "search.explore", "Explored": "search.exploration",
    "Assessment": "privacy.assessment", "Reading": "privacy.assessment",
    "measures": "privacy.catalogue",
    "EquivalenceClasses": "privacy.classes", "Dataset": "privacy.dataset", "SfumatoError": "errors",
    "compare": "utility.compare", "Losses": "utility.losses",
    "evaluate": "search.evaluate", "Evaluation": "search.evaluation", "Evaluator": "search.evaluator",
    "Dimensions": "search.dimension.result", "dimension": "search.dimension.choose",
    "Tabulation": "statistics.tabulation", "tabulate": "statistics.tabulate",
    "write_flagged": "privacy.flagged_files", "risk": "attackers.risk", "Exposure": "attackers.exposure",
    "Confirmed": "columns.confirm", "confirm": "columns.confirm",
    "Identification": "columns.identification", "Identifications": "columns.identification",
    "identify": "columns.identify", "triage": "columns.triage", "Triage": "columns.triage",
    "Recipient": "project.recipient.recipient", "recipient": "project.recipient.recipient",
    "assess": "privacy.assess", "assess_project": "plans.assess_project", "load": "tables.load",
    "Plan": "plans.plan", "read_plan": "plans.plan_file", "apply_plan": "plans.apply",
    "Policy": "privacy.policy", "Requirement": "privacy.policy", "Project": "project.file",
    "Missing": "schema", "Role": "schema", "Scale": "schema", "Schema": "schema",
    "allowing": "project.places",
    "connect": "client.remote_service", "RemoteService": "client.remote_service",
    "Extract": "tables.source", "ReadOptions": "tables.source", "restore": "plans.vault",
}  # fmt: skip

__all__ = [
    "Anonymised",
    "Anonymiser",
    "Assessment",
    "Confirmed",
    "Dataset",
    "Dimensions",
    "EquivalenceClasses",
    "Evaluation",
    "Evaluator",
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
    "RemoteService",
    "Report",
    "Requirement",
    "Role",
    "Scale",
    "Schema",
    "SfumatoError",
    "Tabulation",
    "Triage",
    "allowing",
    "anonymise",
    "apply_plan",
    "assess",
    "assess_project",
    "compare",
    "confirm",
    "connect",
    "deliver",
    "dimension",
    "evaluate",
    "explore",
    "identify",
    "load",
    "measures",
    "read_plan",
    "recipient",
    "release",
    "report",
    "report_use",
    "restore",
    "risk",
    "tabulate",
    "triage",
    "verify",
    "write_flagged",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
    return getattr(importlib.import_module(f"sfumato.{_ROOMS[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
