"""The vault: which token stands for which original, in a file that only a passphrase opens."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.bounded_file import file_bytes
from sfumato.errors import MissingExtra, OutputError, PlanError, UnreadableFile
from sfumato.outputs import whole
from sfumato.secrets import COST, for_purpose, key_from, stretched

if TYPE_CHECKING:
    from sfumato.plans.draft import Draft

MAGIC = b"sfumato vault 1\n"
SALT, NONCE = 16, 12  # bytes
COSTS = range(10, 21)  # what a file may ask for
FORMER_TOKENS = b"sfumato tokens 1"  # the salt of the tokens in vaults that do not say theirs, which all had this one
LARGEST = 2**31  # bytes of a vault, of which a million people take 60 MB: what is larger is none


@dataclass(frozen=True)
class Vault:
    """An open vault. It is shown without what is in it.

    The file: `sfumato vault 1`, the cost, a salt and a nonce, then a JSON document encrypted with AES-256 in Galois
    counter mode, which also notices any change to the file. The key comes from the passphrase by scrypt. Each time it
    is written with a new nonce, so two files with the same content differ. The document says by which salt its tokens
    were made, so that they stay the same wherever the vault goes.
    """

    path: Path
    prefix: str
    length: int
    originals: Mapping[str, str] = field(repr=False)  # by token
    salt: bytes = field(repr=False)
    key: bytes = field(repr=False)
    token_salt: bytes | None = field(default=None, repr=False)  # None: tokens of before, with one salt for everybody
    cost: int = COST
    digest: str | None = None  # of the file, when there is one
    written: int = 0  # originals in the file

    @classmethod
    def new(cls, path: Path, passphrase: bytes, *, prefix: str, length: int, token_salt: bytes) -> Vault:
        """An empty vault, not yet written."""
        salt = os.urandom(SALT)
        return cls(
            path=path, prefix=prefix, length=length, originals={}, salt=salt, key=stretched(passphrase, salt),
            token_salt=token_salt,
        )  # fmt: skip

    @classmethod
    def opened(cls, path: Path, passphrase: bytes) -> Vault:
        """The vault in a file; `UnreadableFile` when it is none, or when the passphrase is not its own."""
        try:
            content = file_bytes(path, LARGEST)
        except OSError as error:
            raise UnreadableFile(path, f"the vault cannot be read ({error.strerror}).") from None
        head = len(MAGIC) + 1 + SALT + NONCE
        if not content.startswith(MAGIC) or len(content) <= head or content[len(MAGIC)] not in COSTS:
            raise UnreadableFile(path, "this is not a vault, or not a whole one.", hint="Nothing was changed.")
        cost, salt = content[len(MAGIC)], content[len(MAGIC) + 1 : head - NONCE]
        key = stretched(passphrase, salt, cost)
        document = _decrypted(path, key, content[head - NONCE : head], content[head:], content[:head])
        return cls(
            path=path, prefix=document["prefix"], length=document["length"], originals=document["originals"], salt=salt,
            key=key, token_salt=bytes.fromhex(said) if (said := document.get("token_salt")) is not None else None,
            cost=cost, digest=sha256(content).hexdigest(), written=len(document["originals"]),
        )  # fmt: skip

    def with_originals(self, originals: Mapping[str, str]) -> Vault:
        """The vault with more tokens; `PlanError` when a token would stand for two originals."""
        clashes = sum(self.originals.get(token, original) != original for token, original in originals.items())
        if clashes:
            raise PlanError(f"{clashes} tokens would stand for two originals. Take longer tokens in a new vault.")
        return replace(self, originals={**self.originals, **originals})

    def token_key(self, passphrase: bytes) -> bytes:
        """The key of the tokens of this vault; that of its file is another, and so are those of other purposes."""
        salt = self.token_salt
        if salt is None:
            return stretched(passphrase, FORMER_TOKENS)
        return for_purpose(key_from(passphrase, lambda: salt), "tokens")

    def save(self) -> None:
        """Write the file, whole or not at all, so that only its owner can read it; where nothing is new, it is left."""
        if self.digest is not None and len(self.originals) == self.written:
            return
        document: dict[str, Any] = {"prefix": self.prefix, "length": self.length}
        document |= {"token_salt": self.token_salt.hex()} if self.token_salt is not None else {}
        document["originals"] = dict(sorted(self.originals.items()))
        nonce = os.urandom(NONCE)
        head = MAGIC + bytes([self.cost]) + self.salt + nonce
        plain = json.dumps(document, ensure_ascii=False).encode()
        content = head + _cipher()(self.key).encrypt(nonce, plain, head)
        path = self.path.resolve()
        with whole(path.parent, private=True) as draft:
            file = os.open(draft / path.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            if _digest(path) != self.digest:
                raise OutputError(f"{self.path}: another run has changed the vault meanwhile. Run this one again.")


def keep_vaults(draft: Draft) -> None:
    """Write the vaults of the tokens in a draft: once the whole plan went through, and its release is about to leave.

    A plan that fails, or is only looked at, leaves every vault as it was.
    """
    for vault in draft.vaults:
        vault.save()


def restore(vault: str | Path, passphrase: str | bytes, tokens: Iterable[str | None]) -> list[str | None]:
    """The originals of tokens, as texts and in order; none for none.

    A wrong passphrase is an `UnreadableFile`; a token that the vault does not know is a `PlanError`.
    """
    opened = Vault.opened(Path(vault), passphrase.encode() if isinstance(passphrase, str) else passphrase)
    listed = list(tokens)
    unknown = sum(token is not None and token not in opened.originals for token in listed)
    if unknown:
        raise PlanError(f"{vault}: {unknown} of {len(listed)} tokens are not in this vault. Is it the right one?")
    return [None if token is None else opened.originals[token] for token in listed]


def _cipher() -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError:
        raise MissingExtra("A vault", "vault") from None
    return AESGCM


def _decrypted(path: Path, key: bytes, nonce: bytes, content: bytes, head: bytes) -> dict[str, Any]:
    from cryptography.exceptions import InvalidTag

    try:
        document: dict[str, Any] = json.loads(_cipher()(key).decrypt(nonce, content, head))
    except InvalidTag:
        raise UnreadableFile(
            path, "the passphrase does not open this vault, or the file is damaged.", hint="Nothing was changed."
        ) from None
    return document


def _digest(path: Path) -> str | None:
    return sha256(path.read_bytes()).hexdigest() if path.exists() else None
