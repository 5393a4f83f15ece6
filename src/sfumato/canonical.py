"""Canonical JSON and fingerprints: equal values have equal bytes and equal hashes, and so have equal files."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

CHUNK = 1024 * 1024  # bytes of a file that are in memory at a time


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


def sha256_of(path: str | Path) -> str:
    """The SHA-256 of a file in hexadecimal, read piece by piece."""
    hashed = sha256()
    with Path(path).open("rb") as file:
        for chunk in iter(lambda: file.read(CHUNK), b""):
            hashed.update(chunk)
    return hashed.hexdigest()


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number")
