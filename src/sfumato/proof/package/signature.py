"""Signatures: an Ed25519 key says that a manifest is its owner's, and that no byte of it was changed since."""

from __future__ import annotations

import base64
import binascii
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from sfumato.errors import MissingExtra, OutputError, SecretError, UnreadableFile
from sfumato.outputs import whole, write_text


def new_key(path: str | Path) -> Path:
    """Write a new private key that only its owner can read, and beside it the public one, which is returned.

    A key that exists is never written over: what it signed could not be signed again.
    """
    path, public = Path(path), public_path(path)
    for file in (path, public):
        if file.exists():
            raise OutputError(f"{file} exists already, and a key is never written over. Choose another name.")
    serialization, private = _library()[0], _library()[1].Ed25519PrivateKey.generate()
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with whole(path.absolute().parent) as draft:
        write_text(draft / public.name, public_pem(private).decode())
        with os.fdopen(os.open(draft / path.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(pem)
            stream.flush()
            os.fsync(stream.fileno())
    return public


def public_path(path: str | Path) -> Path:
    """Where the public key of a private one is written.

    >>> public_path("hospital.pem").name
    'hospital.pem.pub'
    """
    return Path(path).with_name(Path(path).name + ".pub")


def private_key(path: str | Path) -> Any:
    """The private key of a file; `SecretError` when others could read it, or when it is none."""
    path = Path(path)
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise SecretError(f"{path}: others can read the private key. Run: chmod 600 {path}")
        content = path.read_bytes()
    except OSError as error:
        raise SecretError(f"{path}: the private key cannot be read ({error.strerror}).") from None
    serialization, ed25519 = _library()
    try:
        private = serialization.load_pem_private_key(content, None)
    except (ValueError, TypeError):
        private = None
    if not isinstance(private, ed25519.Ed25519PrivateKey):
        raise SecretError(f"{path}: this is no private Ed25519 key. `sfumato key new FILE` makes one.")
    return private


def signed(content: bytes, key: str | Path) -> tuple[bytes, bytes]:
    """The signature of some bytes, as text, and the public key to check it with."""
    private = private_key(key)
    return base64.b64encode(private.sign(content)) + b"\n", public_pem(private)


def signer(key: str | Path) -> str:
    """The name of the key that a file holds: the fingerprint of its public part."""
    return fingerprint(public_pem(private_key(key)), key)


def valid(content: bytes, signature: bytes, public: bytes, name: str | Path = "The public key") -> bool:
    """Whether a signature is that of these bytes by this key; `UnreadableFile` when the key is none."""
    key = _public_key(public, name)
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(base64.b64decode(signature.strip(), validate=True), content)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


def fingerprint(public: bytes, name: str | Path = "The public key") -> str:
    """The name of a key that people compare: the first half of the SHA-256 of its 32 bytes."""
    serialization, _ = _library()
    raw = _public_key(public, name).public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return sha256(raw).hexdigest()[:32]


def public_pem(private: Any) -> bytes:
    """The public key of a private one, as the text of a file."""
    serialization, _ = _library()
    pem: bytes = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return pem


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
