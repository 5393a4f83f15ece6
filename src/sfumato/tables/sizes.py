"""Sizes as people write them."""

from __future__ import annotations

import re


def size_in_bytes(text: str) -> int | None:
    """A size as people write it, in bytes; None where it is none.

    >>> size_in_bytes("4GB"), size_in_bytes("1.5 MiB"), size_in_bytes("much")
    (4000000000, 1572864, None)
    """
    said = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(I?)B?\s*", text.upper())
    if said is None:
        return None
    return int(float(said[1]) * (1024 if said[3] else 1000) ** " KMGT".index(said[2] or " "))
