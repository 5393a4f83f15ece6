"""Canonical JSON and fingerprints: equal values have equal bytes and equal hashes, and so have equal files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from sfumato.bounded_file import opened_file

CHUNK = 1024 * 1024  # bytes of a file that are in memory at a time
DEEPEST = 64  # lists and objects in each other: no document of ours has a dozen, and any walk bears that
LARGEST = 2**127  # of whole numbers: what is beyond no engine holds, and no float
HALF = re.compile("[\ud800-\udfff]")  # of a character that takes two; alone it is none, and no file can hold it


def canonical(document: Any) -> bytes:
    """Plain values as JSON in UTF-8, with sorted keys and without blanks.

    >>> canonical({"b": [1, 2.5], "a": None})
    b'{"a":null,"b":[1,2.5]}'
    """
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # The name of a file may hold what is no letter: it is written as the text that stands for it in Python.
    return HALF.sub(lambda half: f"\\\\u{ord(half[0]):04x}", text).encode()


def parsed(content: bytes) -> Any:
    """The plain values of JSON that may come from anybody; `ValueError` where they are not `plain_values`.

    It is UTF-8 without a mark at its beginning, no key stands twice in an object, and every number is one: what two
    readers could understand in two ways is refused.

    >>> parsed(b'{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    try:
        read = json.loads(
            content.decode("utf-8"), parse_constant=_no_number, parse_float=_number, object_pairs_hook=_without_doubles
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return plain_values(read)


def plain_values(document: Any) -> Any:
    """Values as they are, where JSON can write all of them; `ValueError` for any others.

    They are not nested too deeply, numbers are finite and of a size that engines hold, and texts are whole.
    """
    level: list[Any] = [document]
    for _ in range(DEEPEST):
        level = [part for value in level for part in _parts(value)]
        if not level:
            return document
    raise ValueError("nested too deeply")


def digest(document: Any) -> str:
    """The SHA-256 of plain values in hexadecimal."""
    return sha256(canonical(document)).hexdigest()


def sha256_of(path: str | Path) -> str:
    """The SHA-256 of a file in hexadecimal, read piece by piece; `OSError` of a pipe or a device, which may not end."""
    hashed = sha256()
    with os.fdopen(opened_file(path), "rb") as file:
        for chunk in iter(lambda: file.read(CHUNK), b""):
            hashed.update(chunk)
    return hashed.hexdigest()


def is_whole_text(text: str) -> bool:
    """Whether a text can be written to a file: JSON may name one half of a character that takes two."""
    return HALF.search(text) is None


def _parts(value: Any) -> Iterable[Any]:
    """What a value is made of; nothing of one that has no parts, and is as it should be."""
    if isinstance(value, Mapping):
        return (*value, *value.values())
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, str) and not is_whole_text(value):
        raise ValueError("half of a character")
    if isinstance(value, int) and abs(value) >= LARGEST:
        raise ValueError("a number that is too large")
    if isinstance(value, float) and not isfinite(value):
        raise ValueError("no number")
    if not isinstance(value, str | int | float | None):
        raise ValueError("no plain value")
    return ()


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a key stands twice")
    return values


def _number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("a number that is too large")
    return number


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")
