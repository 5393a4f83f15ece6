"""The archive of a backup: a tar file of plain members, and at its end a manifest with the hash of each.

manifest.json          what made it, the form of the tables, and hash and size of every other member
database/TABLE.jsonl   the rows of a table, one a line, all tables as of one moment
files/ab/cdef...       what is kept, by its hash
log.jsonl, log.head    the log as far as its head
service.yaml           the settings
keys.sealed            the keys of the server under a passphrase, where that was asked for
"""

from __future__ import annotations

import io
import json
import os
import re
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from sfumato.canonical import CHUNK, canonical, parsed
from sfumato.errors import SecretError, UnreadableFile
from sfumato.secrets import stretched

FORMAT = 1
MANIFEST, LOG, HEAD, SETTINGS, KEYS = "manifest.json", "log.jsonl", "log.head", "service.yaml", "keys.sealed"
TABLES, FILES = "database", "files"
MEMBER = re.compile(
    rf"{MANIFEST}|{re.escape(LOG)}|{re.escape(HEAD)}|{re.escape(SETTINGS)}|{re.escape(KEYS)}"
    rf"|{TABLES}/[a-z_]{{1,63}}\.jsonl|{FILES}/[0-9a-f]{{2}}/[0-9a-f]{{62}}"
)
SALT, NONCE = 16, 12  # bytes before keys that are sealed
PURPOSE = b"sfumato backup: keys of the server"


@dataclass
class ArchiveWriter:
    """An archive while it is written: what is added is hashed on its way."""

    tar: tarfile.TarFile
    members: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def to(cls, path: Path, **about: Any) -> Iterator[ArchiveWriter]:
        """A new archive, for its owner's eyes only; its manifest is written at the end of the block."""
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar:
                writer = cls(tar)
                yield writer
                content = canonical({"format": FORMAT, **about, "members": writer.members})
                writer.add_bytes(MANIFEST, content)
            stream.flush()
            os.fsync(stream.fileno())

    def add_bytes(self, name: str, content: bytes) -> None:
        """Add some bytes under a name."""
        self.add(name, io.BytesIO(content), len(content))

    def add(self, name: str, content: IO[bytes], size: int) -> None:
        """Add as many bytes of a stream as `size` says."""
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, 0o600
        hashing = _Hashing(content)
        self.tar.addfile(member, hashing)
        self.members[name] = {"bytes": size, "hash": hashing.hash.hexdigest()}


class _Hashing:
    """A stream that hashes what is read of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream, self.hash = stream, sha256()

    def read(self, size: int = -1) -> bytes:
        content = self.stream.read(size)
        self.hash.update(content)
        return content


def extracted(archive: Path, folder: Path) -> dict[str, Any]:
    """Write the members of an archive to a folder, and check each of them; the manifest.

    `UnreadableFile` where the archive is cut off, has a member too many or too few, or one that is not as it was.
    """
    hashes: dict[str, str] = {}
    try:
        with tarfile.open(archive, mode="r:") as tar:
            for member in tar:
                if not member.isreg() or not MEMBER.fullmatch(member.name) or member.name in hashes:
                    raise damaged(archive, "it holds something that no backup has")
                hashes[member.name] = _written(tar.extractfile(member), folder / member.name, member.size)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise damaged(archive, f"it cannot be read to its end ({type(error).__name__})") from None
    if MANIFEST not in hashes:
        raise damaged(archive, "its manifest is missing")
    manifest = _manifest(archive, folder / MANIFEST)
    members = manifest["members"]
    if hashes.keys() - {MANIFEST} != members.keys():
        raise damaged(archive, "it has other members than its manifest")
    for name, member in members.items():
        if hashes[name] != member["hash"] or (name.startswith(FILES) and hashes[name] != _named_hash(name)):
            raise damaged(archive, f"{name} is not as it was")
    return manifest


def has_keys(archive: Path) -> bool:
    """Whether a backup holds keys under a passphrase."""
    try:
        with tarfile.open(archive, mode="r:") as tar:
            return any(member.name == KEYS for member in tar)
    except FileNotFoundError:
        raise UnreadableFile(archive, "there is no such file.") from None
    except (tarfile.TarError, OSError):
        raise damaged(archive, "it is no archive") from None


def damaged(archive: Path, problem: str) -> UnreadableFile:
    """What to say of an archive that is not whole."""
    return UnreadableFile(
        archive, f"this backup is damaged: {problem}.", hint="Nothing was restored. Take another one."
    )


def _named_hash(name: str) -> str:
    return name.removeprefix(FILES).replace("/", "")


def _manifest(archive: Path, path: Path) -> dict[str, Any]:
    try:
        manifest = parsed(path.read_bytes())
        if manifest["format"] != FORMAT:
            raise UnreadableFile(archive, "this backup is of a newer version of Sfumato.", hint="Restore it with that.")
        if not all(isinstance(member["hash"], str) for member in manifest["members"].values()):
            raise ValueError
        return manifest  # type: ignore[no-any-return]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise damaged(archive, "its manifest cannot be read") from None


def _written(content: IO[bytes] | None, path: Path, size: int) -> str:
    """Write a member to a file; its hash."""
    hashed, written = sha256(), 0
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        for chunk in iter(lambda: content.read(CHUNK) if content else b"", b""):
            hashed.update(chunk)
            written += stream.write(chunk)
    if written != size:
        raise EOFError
    return hashed.hexdigest()


def sealed_keys(folder: Path, passphrase: bytes) -> bytes:
    """The files of a folder, which nobody opens without the passphrase."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    files = {
        str(path.relative_to(folder)): path.read_bytes().decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }
    salt, nonce = os.urandom(SALT), os.urandom(NONCE)
    return salt + nonce + AESGCM(stretched(passphrase, salt)).encrypt(nonce, json.dumps(files).encode(), PURPOSE)


def unseal_keys(sealed: bytes, passphrase: bytes, folder: Path) -> None:
    """Write the files that were sealed to a folder; `SecretError` where the passphrase is another."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce = sealed[:SALT], sealed[SALT : SALT + NONCE]
    try:
        opened = AESGCM(stretched(passphrase, salt)).decrypt(nonce, sealed[SALT + NONCE :], PURPOSE)
    except (InvalidTag, ValueError):
        raise SecretError("The passphrase does not open the keys of this backup.") from None
    for name, content in json.loads(opened).items():
        _written(io.BytesIO(content.encode()), folder / name, len(content.encode()))
