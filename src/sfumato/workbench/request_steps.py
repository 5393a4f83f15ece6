"""Steps of a request: what its page sends, read as the documents of the service, and done there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel
from starlette.datastructures import FormData

from sfumato.service import releases, requests, review_comments, reviews
from sfumato.service.caller import Caller
from sfumato.service.context_answers import take_recipient_answers
from sfumato.service.package_verification import start_verification
from sfumato.service.releases import ReleaseGiven, UseGiven
from sfumato.service.request_documents import ReasonGiven
from sfumato.service.review_comments import CommentGiven
from sfumato.service.reviews import VoteGiven
from sfumato.service.service import Service
from sfumato.workbench.form_fields import text_of, within

Document = TypeVar("Document", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class TakenStep:
    """A step that somebody takes with a request: the form that they sent."""

    service: Service
    caller: Caller
    project: str
    request: str
    given: FormData
    incomplete: str  # what is said of a form that lacks something

    @property
    def place(self) -> tuple[Service, Caller, str, str]:
        """What every act of a request begins with."""
        return self.service, self.caller, self.project, self.request

    @property
    def address(self) -> str:
        """The page of the request."""
        return f"/projects/{self.project}/requests/{self.request}"

    def read(self, document: type[Document]) -> Document:
        """The form as a document of the service, by the names of its fields."""
        fields = {name: text_of(self.given, name) for name in document.model_fields}
        return within(document, fields, self.incomplete)


def _take_up(step: TakenStep) -> None:
    requests.take_up(*step.place)


def _withdraw(step: TakenStep) -> None:
    requests.withdraw(*step.place)


def _reject(step: TakenStep) -> None:
    requests.reject(*step.place, step.read(ReasonGiven).reason)


def _submit(step: TakenStep) -> None:
    reviews.submit(*step.place, text_of(step.given, "run"))


def _vote(step: TakenStep) -> None:
    reviews.vote(*step.place, step.read(VoteGiven))


def _comment(step: TakenStep) -> str:
    review_comments.comment(*step.place, step.read(CommentGiven))
    return f"{step.address}#comments"


def _release(step: TakenStep) -> None:
    releases.release(*step.place, step.read(ReleaseGiven))


def _revoke(step: TakenStep) -> None:
    releases.revoke(*step.place, step.read(ReasonGiven).reason)


def _use(step: TakenStep) -> str:
    releases.report_use(*step.place, step.read(UseGiven))
    return f"{step.address}?done=use"


def _take_answers(step: TakenStep) -> str:
    take_recipient_answers(*step.place)
    return f"/projects/{step.project}/context/about"


def _verify(step: TakenStep) -> str:
    return f"/projects/{step.project}/runs/{start_verification(*step.place)}"


# By the last part of their addresses: each gives the address where one goes on, where that is not the request.
STEPS: dict[str, Callable[[TakenStep], str | None]] = {
    "take-up": _take_up, "withdraw": _withdraw, "reject": _reject, "submit": _submit, "vote": _vote,
    "comment": _comment, "release": _release, "revoke": _revoke, "use": _use, "verify": _verify,
    "take-answers": _take_answers,
}  # fmt: skip
