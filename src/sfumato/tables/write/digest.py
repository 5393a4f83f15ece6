"""The fingerprint of a file, by which a reader knows that it is the one that was released."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

CHUNK = 1024 * 1024


def sha256_of(path: str | Path) -> str:
    """The SHA-256 of a file in hexadecimal, read piece by piece."""
    digest = sha256()
    with Path(path).open("rb") as file:
        for chunk in iter(lambda: file.read(CHUNK), b""):
            digest.update(chunk)
    return digest.hexdigest()
