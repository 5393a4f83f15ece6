"""Answers under an idempotency key: whoever asks the same again gets the same answer, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError

from sfumato.errors import Conflict, ServiceRefusal
from sfumato.service.caller import Caller
from sfumato.service.entities import Answered
from sfumato.service.service import Service

Answer = tuple[int, dict[str, Any]]  # the status and the document


class UnderWay(Conflict):
    """The same is being done at this moment."""


class OtherQuestion(ServiceRefusal):
    """A key that was used for something else."""

    status, kind = 422, "key-of-another-question"


def answer_once(  # noqa: PLR0917
    service: Service,
    caller: Caller,
    key: str,
    question: str,
    answer: Callable[[], Answer],
    require: Callable[[], object] = lambda: None,
) -> Answer:
    """The answer to a question under a key: the one that was given before, or the one that is made now.

    `question` is a hash of everything that was asked. What fails is not kept, so that it can be tried again. `require`
    refuses an answer that was kept to whoever may not ask for it any more, or not through this door.
    """
    if caller.account is None:
        return answer()
    known = _begun(service, caller.account, key, question)
    if known is not None:
        require()
        return known
    try:
        status, body = answer()
    except BaseException:
        with service.database.writing() as session:
            session.execute(delete(Answered).where(Answered.account == caller.account, Answered.key == key))
        raise
    with service.database.writing() as session:
        kept = session.get_one(Answered, (caller.account, key))
        kept.status, kept.body = status, body
    return status, body


def _begun(service: Service, account: str, key: str, question: str) -> Answer | None:
    """The answer that is there; None where the question is new, and is now known to be under way."""
    now = service.clock()
    try:
        with service.database.writing() as session:
            session.execute(
                delete(Answered).where(Answered.created < now - timedelta(hours=service.settings.answers_hours))
            )
            known = session.get(Answered, (account, key))
            if known is None:
                session.add(Answered(account=account, key=key, question=question, created=now))
                return None
    except IntegrityError:  # another was first, in the same moment
        raise UnderWay("The same is being done already under this Idempotency-Key.") from None
    if known.question != question:
        raise OtherQuestion("This Idempotency-Key was used for another question. Use a new one for each.")
    if known.status is None:
        raise UnderWay("The same is being done already under this Idempotency-Key.")
    return known.status, known.body or {}
