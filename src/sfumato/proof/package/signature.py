"""Signatures: an Ed25519 key says that a manifest is its owner's, and that no byte of it was changed since."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from sfumato.errors import MissingExtra, OutputError, SecretError, UnreadableFile
from sfumato.outputs import whole, write_text
from sfumato.proof.package.protected_key import is_protected, protected_pem
from sfumato.secrets import SHORTEST, Secrets, private_file, variable_of

SIGNING = "signing_key"  # the name of the secret that opens a private key
LARGEST = 65536  # bytes of a key or a signature, which have some hundred

Ask = Callable[[], bytes]  # asks a person for a passphrase


@dataclass(frozen=True)
class SigningKey:
    """A private key that is open, and the file that it is from. It is shown without the key."""

    path: Path
    private: Any = field(repr=False)

    @classmethod
    def read(cls, path: str | Path, secrets: Secrets | None = None, ask: Ask | None = None) -> SigningKey:
        """The key of a file; `SecretError` when others could read it, when it is none, or when it stays closed.

        The passphrase of one that has any is the secret `signing_key`; where there is none, a person is asked.
        """
        path = Path(path)
        content = private_file(path, "the private key")
        if not is_protected(content):
            return cls(path, _private_key(content, None, path))
        return cls(path, _private_key(content, _passphrase(path, secrets or Secrets(), ask), path))

    def signed(self, content: bytes) -> tuple[bytes, bytes]:
        """The signature of some bytes, as text, and the public key to check it with."""
        return base64.b64encode(self.private.sign(content)) + b"\n", self.public_pem()

    def public_pem(self) -> bytes:
        """The public key, as the text of a file."""
        serialization, _ = _library()
        pem: bytes = self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return pem

    @property
    def name(self) -> str:
        """The fingerprint of its public part."""
        return fingerprint(self.public_pem(), self.path)


def new_key(path: str | Path, passphrase: bytes | None = None) -> Path:
    """Write a new private key that only its owner can read, and beside it the public one, which is returned.

    With a `passphrase` it takes that, too, to sign. A key that exists is never written over: what it signed could not
    be signed again.
    """
    path, public = Path(path), public_path(path)
    for file in (path, public):
        if file.exists():
            raise OutputError(f"{file} exists already, and a key is never written over. Choose another name.")
    if passphrase is not None and len(passphrase) < SHORTEST:
        raise SecretError(f"The passphrase is too short to be one: use {SHORTEST} characters or more.")
    serialization, private = _library()[0], _library()[1].Ed25519PrivateKey.generate()
    encoding = serialization.Encoding.PEM if passphrase is None else serialization.Encoding.DER
    content = private.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    with whole(path.absolute().parent, overwrite=False) as draft:
        write_text(draft / public.name, SigningKey(path, private).public_pem().decode())
        with os.fdopen(os.open(draft / path.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(content if passphrase is None else protected_pem(content, passphrase))
            stream.flush()
            os.fsync(stream.fileno())
    return public


def public_path(path: str | Path) -> Path:
    """Where the public key of a private one is written.

    >>> public_path("hospital.pem").name
    'hospital.pem.pub'
    """
    return Path(path).with_name(Path(path).name + ".pub")


def valid(content: bytes, signature: bytes, public: bytes, name: str | Path = "The public key") -> bool:
    """Whether a signature is that of these bytes by this key; `UnreadableFile` when the key is none.

    It is written in one way only: base64 has several texts for the same bytes, and a changed one is found so.
    """
    key = _public_key(public, name)
    from cryptography.exceptions import InvalidSignature

    try:
        raw = base64.b64decode(signature.strip(), validate=True)
        key.verify(raw, content)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return signature == base64.b64encode(raw) + b"\n"


def fingerprint(public: bytes, name: str | Path = "The public key") -> str:
    """The name of a key that people compare: the first half of the SHA-256 of its 32 bytes."""
    serialization, _ = _library()
    raw = _public_key(public, name).public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return sha256(raw).hexdigest()[:32]


def is_key_of(public: bytes, other: bytes, name: str | Path) -> bool:
    """Whether the text of a public key is that of another one, as it is written here."""
    serialization, _ = _library()
    key = _public_key(other, name)
    pem = key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return bool(public == pem)


def _passphrase(path: Path, secrets: Secrets, ask: Ask | None) -> bytes:
    if secrets.has(SIGNING):
        return secrets(SIGNING)
    if ask is None:
        raise SecretError(
            f"{path}: a passphrase opens this key. Set the environment variable {variable_of(SIGNING)}, or name a file "
            f"with --secret {SIGNING}=FILE."
        )
    return ask()


def _private_key(content: bytes, passphrase: bytes | None, path: Path) -> Any:
    serialization, ed25519 = _library()
    try:
        private = serialization.load_pem_private_key(content, passphrase)
    except (ValueError, TypeError):
        if passphrase is not None:
            raise SecretError(f"{path}: the passphrase does not open this key, or the file is damaged.") from None
        private = None
    if not isinstance(private, ed25519.Ed25519PrivateKey):
        raise SecretError(f"{path}: this is no private Ed25519 key. `sfumato key new FILE` makes one.")
    return private


def _public_key(content: bytes, name: str | Path) -> Any:
    serialization, ed25519 = _library()
    try:
        public = serialization.load_pem_public_key(content)
    except (ValueError, TypeError):
        public = None
    if not isinstance(public, ed25519.Ed25519PublicKey):
        raise UnreadableFile(name, "this is no public Ed25519 key.", hint="It ends in .pub, beside the private one.")
    return public


def _library() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise MissingExtra("A signature", "vault") from None
    return serialization, ed25519
