"""Methods: ways to find a release that keeps to a policy and loses little."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import ClassVar

from sfumato.errors import PlanError, PolicyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.members import Named
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.policy import Policy, Scenario
from sfumato.progress import Tell
from sfumato.search.objectives.loss import Loss
from sfumato.search.scoring.objective_interface import Objective
from sfumato.search.solution import Solution


@dataclass(frozen=True)
class SearchRequest:
    """What must hold, what is to be small, and how long may be searched."""

    policy: Policy
    objective: Objective
    suppression: float = 0.0  # the largest share of records that may be left out
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # lowest and highest level of some columns
    scenarios: tuple[Scenario, ...] = ()  # where given, the policy holds for each instead of for all columns
    nodes: float = inf
    seconds: float = inf  # from when the request was begun, for all that is searched: also to explain what was found
    begun: float = field(default_factory=monotonic, compare=False, repr=False)
    reserved: float = field(default=0.0, compare=False, repr=False)  # of the seconds, for what follows the search
    for_levels: float = 0.9  # the share of the seconds after which the search of the levels ends
    ordered: tuple[str, ...] = ()  # numbers and dates that have an order rather than a given hierarchy
    heuristic: str | None = None  # for levels: instead of a proof
    original: bool = False  # whether classes are compared with everybody in the original instead of the release

    def __post_init__(self) -> None:
        if not 0 <= self.suppression <= 1:
            raise PlanError("The share of records that may be suppressed lies between 0 and 1: --suppress 0.02 is 2 %.")

    def seconds_left(self, share: float = 1.0) -> float:
        """How long may be searched from now on, until a share of the seconds is over."""
        return max(self.ends(share) - monotonic(), 0.0)

    def ends(self, share: float = 1.0) -> float:
        """When a share of the seconds that may be searched is over."""
        return self.begun + (self.seconds - self.reserved) * share


class Method(Named, ABC):
    """A way to a release, one file each in `methods/`."""

    joint: ClassVar[str] = "-"
    plainly: ClassVar[str]
    leaves_out: ClassVar[bool] = True  # whether it can leave records out, up to the share that is allowed

    def refuse_others(self, request: SearchRequest) -> None:
        """Refuse what only a search for levels can do, of a method that makes the loss small."""
        if request.objective != Loss():
            raise PolicyError(
                f"The method {self.name()} makes the loss small, with all columns alike. Leave out the objective, its "
                f"weights and balance, or choose --method optimal."
            )
        if request.limits or request.heuristic:
            raise PolicyError(f"The method {self.name()} knows no levels of whole columns: choose --method optimal.")

    @abstractmethod
    def solve(
        self, table: CodedTable, hierarchies: Mapping[str, Hierarchy], request: SearchRequest, tell: Tell
    ) -> Solution:
        """The best release that this way leads to; `InfeasiblePolicy` where there is none."""
