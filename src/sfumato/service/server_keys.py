"""Keys of the server: 256 bits each, made at random, in files that only it can read; never in the database.

The newest of each kind is used; older ones still open and verify what was made with them, and make nothing new.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import SecretError
from sfumato.proof.package.signature import SigningKey, new_key
from sfumato.secrets import KEY_BYTES, private_file

SEAL, SIGNING, PROJECTS = "server-{:04}.key", "signing-{:04}.pem", "projects"
NUMBER, NONCE = 4, 12  # bytes before what is sealed: the number of the key, and what makes each sealing another


@dataclass(frozen=True)
class ServerKeys:
    """The folder of the keys."""

    folder: Path

    def prepare(self) -> None:
        """Make the first keys where there are none."""
        for folder in (self.folder, self.folder / PROJECTS):  # `parents` would make the first one for everybody
            folder.mkdir(mode=0o700, exist_ok=True)
        if not self._numbers(SEAL):
            self._new_secret(SEAL.format(1))
        if not self._numbers(SIGNING):
            new_key(self.folder / SIGNING.format(1))

    def rotate(self) -> None:
        """Make a new key of each kind of the server; what was made with the older ones stays readable."""
        self._new_secret(SEAL.format(self._numbers(SEAL)[-1] + 1))
        new_key(self.folder / SIGNING.format(self._numbers(SIGNING)[-1] + 1))

    def seal(self, plain: bytes, purpose: str) -> bytes:
        """What only the server opens again, and only for the same purpose."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        number, nonce = self._numbers(SEAL)[-1], os.urandom(NONCE)
        sealed = AESGCM(self._secret(number)).encrypt(nonce, plain, purpose.encode())
        return number.to_bytes(NUMBER, "big") + nonce + sealed

    def unseal(self, sealed: bytes, purpose: str) -> bytes:
        """What was sealed; `SecretError` where it was changed, or its key is gone."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        number, nonce = int.from_bytes(sealed[:NUMBER], "big"), sealed[NUMBER : NUMBER + NONCE]
        try:
            return AESGCM(self._secret(number)).decrypt(nonce, sealed[NUMBER + NONCE :], purpose.encode())
        except (InvalidTag, ValueError):
            raise SecretError("What the server keeps under its key was changed, or is of another server.") from None

    def signing(self) -> Path:
        """The file of the key that signs packages."""
        return self.folder / SIGNING.format(self._numbers(SIGNING)[-1])

    def public(self) -> Sequence[bytes]:
        """The public keys by which packages of this server are verified, the newest first."""
        files = (self.folder / SIGNING.format(number) for number in reversed(self._numbers(SIGNING)))
        return [SigningKey.read(file).public_pem() for file in files]

    def of_project(self, handle: str) -> Path:
        """The file of the key by which a project draws at random; it is made when it is first asked for."""
        path = self.folder / PROJECTS / f"{handle}.key"
        if not path.exists():
            self._new_secret(f"{PROJECTS}/{path.name}")
        return path

    def projects(self) -> frozenset[str]:
        """The handles of the projects that have a key here."""
        return frozenset(path.stem for path in (self.folder / PROJECTS).glob("*.key"))

    def _numbers(self, pattern: str) -> list[int]:
        before, after = pattern.split("{:04}")
        return sorted(int(path.name[len(before) : -len(after)]) for path in self.folder.glob(f"{before}*{after}"))

    def _secret(self, number: int) -> bytes:
        return bytes.fromhex(private_file(self.folder / SEAL.format(number), "the key of the server").decode())

    def _new_secret(self, name: str) -> None:
        """Write 256 random bits whole, or nothing; one that is there stays."""
        path, draft = self.folder / name, self.folder / f".{name.replace('/', '-')}-{os.urandom(4).hex()}"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(os.urandom(KEY_BYTES).hex().encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:  # another process was first: its key is the key
            return
        finally:
            draft.unlink()
