"""Keys of forms: what is sent twice, by a double click or by going back, is done once.

A page gives each of its forms a new key. The same form with the same words under the same key is the same question.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from sfumato.canonical import canonical
from sfumato.service.caller import Caller
from sfumato.service.kept_answers import UnderWay, answer_once
from sfumato.service.service import Service

PATIENCE, PAUSE = 10.0, 0.05  # seconds: how long the second of two clicks waits for the first, and looks again


def fresh_key() -> str:
    """A key that no other form has."""
    return secrets.token_urlsafe(16)


def done_once(
    service: Service, caller: Caller, key: str, asked: dict[str, Any], act: Callable[[], dict[str, str]]
) -> dict[str, str]:
    """What came of a form; the second of two clicks gets what the first one got."""
    question = sha256(canonical(asked)).hexdigest()
    # Whoever goes back and changes the words asks something else, under the key of an old page.
    whole = sha256(f"form|{key}|{question}".encode()).hexdigest()
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return answer_once(service, caller, whole, question, lambda: (200, act()))[1]
        except UnderWay:
            if time.monotonic() > until:
                raise
            time.sleep(PAUSE)
