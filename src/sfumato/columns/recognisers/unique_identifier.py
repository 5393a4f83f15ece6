"""Identifiers that a computer made up: UUIDs, digests, and the object identifiers of images.

What they identify is said by the name of the column, or by nothing: the evidence of keys reads both.
"""

from __future__ import annotations

import re

MADE_UP = re.compile(
    r"\{?(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?"
    r"|(?=.{0,63}\d)(?=.{0,63}[a-f])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})",
    re.IGNORECASE,
)
# A DICOM UID of a study, a series or an image: the root of whoever made it, and numbers of their own. Those of the
# standard itself (1.2.840.10008, classes of images and transfer syntaxes) name no image.
OBJECT_IDENTIFIER = re.compile(r"[0-2](?!\.2\.840\.10008\.)(?:\.\d{1,39}){4,}")


def made_up(value: str) -> bool:
    """Whether a computer made a value up.

    >>> made_up("f0a195f8-5f12-1b46-fd14-e086acd41d69"), made_up("1.2.840.10008.5.1.4.1.1.2"), made_up("10.0.0.1")
    (True, False, False)
    """
    return MADE_UP.fullmatch(value) is not None or OBJECT_IDENTIFIER.fullmatch(value) is not None
