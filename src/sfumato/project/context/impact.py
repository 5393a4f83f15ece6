"""The impact assessment: what makes one (a DPIA) likely to be required.

Reference: Article 29 Working Party (2017). Guidelines on data protection impact assessment, WP 248 rev.01, section
III.B; endorsed by the European Data Protection Board. The nine criteria are theirs, the words of the questions ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.project.context.checklist import AnsweredChecklist, Checklist, ChecklistQuestion, Response
from sfumato.show.sheet import counted

ENOUGH = 2  # criteria that make a DPIA likely to be required

CRITERIA = Checklist(
    "dpia",
    "Does this need a data protection impact assessment?",
    "The nine criteria of WP 248: the more of them hold, the likelier a high risk to people.",
    (
        ChecklistQuestion(
            "scoring",
            "Are people evaluated, scored, profiled or predicted?",
            "A prognosis or a risk score is a judgement about a person.",
        ),
        ChecklistQuestion(
            "automated_decisions",
            "Do automated decisions follow that have legal or similarly serious effects on people?",
            "Nobody may be there to notice that a decision is wrong.",
        ),
        ChecklistQuestion(
            "monitoring",
            "Are people systematically observed, tracked or controlled?",
            "People may not know that they are, and cannot avoid it.",
        ),
        ChecklistQuestion(
            "sensitive_data",
            "Are the data sensitive or highly personal? Health data are.",
            "What becomes known cannot be made unknown.",
        ),
        ChecklistQuestion(
            "large_scale",
            "Is it on a large scale: many people, many data, a long time, or a wide area?",
            "A mistake then harms many at once.",
        ),
        ChecklistQuestion(
            "combined",
            "Are data sets matched or combined that were collected for different purposes?",
            "Together they may say what nobody expected when giving either.",
        ),
        ChecklistQuestion(
            "vulnerable_people",
            "Are the people less able to object: patients, children, employees, the elderly?",
            "Who depends on somebody does not freely refuse.",
        ),
        ChecklistQuestion(
            "new_technology",
            "Is a technology or organisation used in a new way, with effects that are not yet known?",
            "What nobody has tried has risks that nobody has seen.",
        ),
        ChecklistQuestion(
            "rights_prevented",
            "Does the processing itself keep people from using a right, a service or a contract?",
            "Whoever is refused bears the cost of an error.",
        ),
    ),
)


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
        found = f"{counted(len(self.met), 'criterion').replace('criterions', 'criteria')} of 9 met"
        found += f", {len(self.open)} unanswered" if self.open else ""
        if self.likely:
            return f"{found}: an impact assessment (DPIA) is likely to be required."
        if self.likely is None:
            return f"{found}: whether a DPIA is required cannot be said yet."
        if self.met:
            return f"{found}: one can be enough. Record why a DPIA is not needed, or make one."
        return f"{found}: nothing that was answered makes a DPIA likely to be required."

    def document(self) -> dict[str, Any]:
        """The criteria as plain values, with what follows."""
        return {**self.criteria.document(), "met": self.met, "likely_required": self.likely, "sentence": self.words}
