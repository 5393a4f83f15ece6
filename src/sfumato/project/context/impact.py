"""The impact assessment: what makes one (a DPIA) likely to be required.

Reference: Article 29 Working Party (2017). Guidelines on data protection impact assessment, WP 248 rev.01, section
III.B: in most cases, processing that meets two criteria requires one. The criteria are in `impact_criteria.yaml`.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.project.context.checklist import CRITERIA, AnsweredChecklist, Response
from sfumato.show.documents.context import ImpactDocument

ENOUGH = 2  # criteria that make a DPIA likely to be required, as WP 248 has it


@dataclass(frozen=True)
class Impact:
    """What the criteria say: evidence on whether an impact assessment is required, not a determination.

    A criterion that holds partly counts as one that holds. One that is unanswered counts neither way, so that nothing
    follows from silence: as long as the open ones could make two, the question stays open.

    >>> Impact(CRITERIA.answered({"sensitive_data": "yes", "vulnerable_people": "partly"})).likely
    True
    >>> print(Impact(CRITERIA.answered({"sensitive_data": "yes"})).likely)
    None
    """

    criteria: AnsweredChecklist

    @property
    def met(self) -> list[str]:
        """The criteria that hold, wholly or partly."""
        return self.criteria.keys(Response.YES, Response.PARTLY)

    @property
    def open(self) -> list[str]:
        """The criteria that nobody has answered."""
        return self.criteria.keys(Response.UNANSWERED)

    @property
    def likely(self) -> bool | None:
        """Whether two or more hold; None while the unanswered ones could still decide it."""
        if len(self.met) >= ENOUGH:
            return True
        return None if len(self.met) + len(self.open) >= ENOUGH else False

    @property
    def words(self) -> str:
        """What follows, in a sentence."""
        noun = "criterion" if len(self.met) == 1 else "criteria"
        met = f"{len(self.met)} {noun} of {len(CRITERIA.questions)} met"
        met += f", {len(self.open)} unanswered" if self.open else ""
        if self.likely:
            return f"{met}: an impact assessment (DPIA) is likely to be required."
        if self.likely is None:
            return f"{met}: whether a DPIA is required cannot be said yet."
        if self.met:
            return f"{met}: one can be enough. Record why a DPIA is not needed, or make one."
        return f"{met}: nothing that was answered makes a DPIA likely to be required."

    def content(self) -> ImpactDocument:
        """The criteria as plain values, with what follows."""
        checklist = vars(self.criteria.content())
        return ImpactDocument(**checklist, met=self.met, likely_required=self.likely, sentence=self.words)
