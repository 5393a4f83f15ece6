"""Canonical JSON: one way to write plain values, so that equal values have equal bytes and equal hashes."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any


def canonical(document: Any) -> bytes:
    """Plain values as JSON in UTF-8, with sorted keys and without blanks.

    >>> canonical({"b": [1, 2.5], "a": None})
    b'{"a":null,"b":[1,2.5]}'
    """
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode(errors="backslashreplace")  # the name of a file may hold what is no letter


def parsed(content: bytes) -> Any:
    """The plain values of JSON; `ValueError` where it is none, or holds what JSON has no number for."""
    try:
        return json.loads(content, parse_constant=_refused)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def digest(document: Any) -> str:
    """The SHA-256 of plain values in hexadecimal."""
    return sha256(canonical(document)).hexdigest()


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number")
