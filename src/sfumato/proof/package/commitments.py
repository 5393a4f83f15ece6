"""Commitments: a package says which evidence belongs to it, without saying anything of what the evidence holds.

A hash of a file tells whoever guesses its content that the guess is right: of four suppressed ages all 10^8 guesses are
tried in a minute. A commitment is an HMAC under a salt of 256 random bits that stays in the evidence: without the salt
it is noise, and with it nobody can put other evidence in the place of the one that was committed to.

References: RFC 2104 (HMAC); Halevi, Micali (1996). Practical and provably-secure commitment schemes. CRYPTO, 201-215.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from sfumato.canonical import CHUNK
from sfumato.errors import UnreadableFile
from sfumato.proof.package.plain_files import plain_bytes

SALT = "salt"  # the file of the evidence that holds it, in hexadecimal digits
LONGEST_SALT = 1024  # bytes of that file, which has 65
FOR = b"sfumato commitments 1|"  # what is made of the key of a project is for commitments only
NAMED = ("anonymisation.json", "comparison.json", "plan.yaml", "report.html", "keys.json", "manifest.json")
BEGINNINGS, ENDINGS = ("assessment",), (".provenance.json",)


def salt_of_release(key: bytes, released: str) -> bytes:
    """The salt of a release: random like the key of the project, and of no use for any other release.

    The same release of the same project gets the same salt, so that the same input gives the same bytes.
    """
    return hmac.new(key, FOR + released.encode(), sha256).digest()


def commitments(folder: str | Path, salt: bytes) -> dict[str, Any]:
    """The commitments to all files of an evidence folder.

    Files that every release has are named. Of the others, lists that are kept, the names tell something as well: they
    are part of what is committed to, and the commitments stand in an order of their own.
    """
    files = {path.name: path for path in sorted(Path(folder).iterdir()) if path.is_file() and path.name != SALT}
    made = {name: commitment(salt, name, path) for name, path in files.items()}
    return {
        "files": {name: made[name] for name in made if is_named(name)},
        "kept": sorted(made[name] for name in made if not is_named(name)),
    }


def commitment(salt: bytes, name: str, content: Path | bytes) -> str:
    """The HMAC-SHA256 of a file, or of what it holds, and of its name, in hexadecimal."""
    made = hmac.new(salt, name.encode() + b"\0", sha256)
    with BytesIO(content) if isinstance(content, bytes) else content.open("rb") as file:
        for chunk in iter(lambda: file.read(CHUNK), b""):
            made.update(chunk)
    return made.hexdigest()


def is_named(name: str) -> bool:
    """Whether every release has such a file, so that its name tells nothing."""
    return name in NAMED or name.startswith(BEGINNINGS) or name.endswith(ENDINGS)


def read_salt(folder: str | Path) -> bytes:
    """The salt in an evidence folder."""
    path = Path(folder) / SALT
    try:
        return bytes.fromhex(plain_bytes(path, LONGEST_SALT).decode("ascii").strip())
    except (OSError, ValueError):
        raise UnreadableFile(
            path, "the salt of the commitments cannot be read.", hint="Is this the evidence of a release?"
        ) from None


def files_said(said: Mapping[str, Any]) -> dict[str, str]:
    """The commitments to named files in a manifest; none where it was damaged."""
    files = said.get("files")
    return {str(k): str(v) for k, v in files.items()} if isinstance(files, Mapping) else {}


def kept_said(said: Mapping[str, Any]) -> list[str]:
    """The commitments to kept files in a manifest; none where it was damaged."""
    kept = said.get("kept")
    return [str(one) for one in kept] if isinstance(kept, list) else []
