"""Secrets: the key of a project, and keys and passphrases that a plan names; from the environment or from a file."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
import re
import stat
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from sfumato.bounded_file import opened_file
from sfumato.errors import SecretError

KEY_FILE = "sfumato.key"  # beside the project file, or beside the plan where there is none
KEY_VARIABLE = "SFUMATO_KEY"
KEY_BYTES = 32
SHORTEST = 8  # characters of a passphrase: less can be tried out, however slow each try is
# Of 32 random bytes fewer than 16 are different less often than once in 10^12 keys: such a key was typed, not drawn.
DIFFERENT = 16
COST = 17  # scrypt takes 2^17 blocks of a kilobyte: 128 MB and a part of a second for each guess
LARGEST = 65536  # bytes of a file with a secret: a key has 65, a passphrase is what somebody remembers


class KeyMade(Warning):
    """A key was made: where it is, and that it must be kept."""


@dataclass(frozen=True)
class Secrets:
    """The key of the project, and secrets by the names under which a plan asks for them. Nothing of either is shown.

    `files` are the files that were named for some of the secrets; any other comes from the environment, where the
    secret `study_key` is called `SFUMATO_SECRET_STUDY_KEY`.

    The key is 64 hexadecimal digits: in `key_file`, in the environment as `SFUMATO_KEY`, or else in `sfumato.key` in
    the `folder` of the project, or beside the plan where there is none. Where there is no key, the first step that
    needs one makes it at random, unless `lasting` says that what is not there must not be made.
    """

    files: Mapping[str, str | Path] = field(default_factory=dict)
    key_file: str | Path | None = None
    folder: Path | None = None
    lasting: bool = False

    @classmethod
    def of(
        cls,
        given: Secrets | Mapping[str, str | Path] | None = None,
        *,
        key_file: str | Path | None = None,
        folder: str | Path | None = None,
    ) -> Secrets:
        """Secrets as a caller gives them: files by name, and the file of the key; those that are there stay."""
        known = given if isinstance(given, Secrets) else cls(given or {})
        known = replace(known, key_file=key_file) if key_file is not None else known
        return replace(known, folder=Path(folder)) if folder is not None and known.folder is None else known

    def __call__(self, name: str) -> bytes:
        """The secret of a name, as it is; `SecretError` when there is none, or when others could read it."""
        if name in self.files:
            secret = private_file(Path(self.files[name]), f"the secret {name!r}").rstrip(b"\r\n")
        else:
            secret = self._from_environment(name)
        if len(secret) < SHORTEST:
            raise SecretError(f"The secret {name!r} is too short to be one: use {SHORTEST} characters or more.")
        return secret

    def has(self, name: str) -> bool:
        """Whether a secret was named in a file, or is in the environment."""
        return name in self.files or bool(os.environ.get(variable_of(name)))

    def key_of(self, name: str, salt: Callable[[], bytes]) -> bytes:
        """The key of 256 bits that a secret is, or that is made of it: what a person chose is stretched first.

        The `salt` is asked for only then.
        """
        return key_from(self(name), salt, f"the secret {name!r}")

    def is_passphrase(self, name: str) -> bool:
        """Whether a secret is what a person chose, so that it takes a salt to make a key of it."""
        return _written_key(self(name)) is None

    def key(self, beside: Path) -> bytes:
        """The key of the project; `beside` is the folder of the plan. It is made where there is none yet."""
        known = self._known_key(beside)
        return known if known is not None else self._made(beside)

    def has_key(self, beside: Path) -> bool:
        """Whether there is a key already; `SecretError` where there is one that is none, or that others can read."""
        return self._known_key(beside) is not None

    def lacking(self, beside: Path) -> str:
        """Where a key was looked for, in words."""
        return f"neither --key-file nor {KEY_VARIABLE} gives it, and {(self.folder or beside) / KEY_FILE} is not there."

    def _known_key(self, beside: Path) -> bytes | None:
        if self.key_file is not None:
            return _key_in(Path(self.key_file))
        if os.environ.get(KEY_VARIABLE):
            return _parsed(os.environ[KEY_VARIABLE], f"The environment variable {KEY_VARIABLE}")
        usual = (self.folder or beside) / KEY_FILE
        return _key_in(usual) if usual.exists() else None

    def _made(self, beside: Path) -> bytes:
        path = (self.folder or beside) / KEY_FILE
        if self.lasting:
            raise SecretError(f"There is no key: {self.lacking(beside)}")
        draft = path.with_name(f".{KEY_FILE}-{os.getpid()}-{os.urandom(4).hex()}")
        try:
            try:
                file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(file, "wb") as stream:
                    stream.write(os.urandom(KEY_BYTES).hex().encode() + b"\n")
                    stream.flush()
                    os.fsync(stream.fileno())
                with suppress(FileExistsError):  # another run was first: its key is the key
                    os.link(draft, path)
                    warnings.warn(
                        f"A key was made: {path}. What is random in the releases of this project comes from it. Keep "
                        "it, or no release can be made or checked again; and keep it to yourself: who has it can undo "
                        "what was done at random.",
                        KeyMade,
                        stacklevel=2,
                    )
            finally:
                draft.unlink(missing_ok=True)
        except OSError as error:
            raise SecretError(
                f"{path}: a key cannot be made here ({error.strerror}). Name the file of one with --key-file, or set "
                f"{KEY_VARIABLE}."
            ) from None
        return _key_in(path)

    def _from_environment(self, name: str) -> bytes:
        variable = variable_of(name)
        if not os.environ.get(variable):
            raise SecretError(
                f"There is no secret {name!r}: set the environment variable {variable}, or name a file with "
                f"--secret {name}=FILE."
            )
        return os.environ[variable].encode()


def key_from(secret: bytes, salt: Callable[[], bytes], what: str = "the secret") -> bytes:
    """A key of 256 bits from a secret: the one that is written there, in hexadecimal digits or base64, or by scrypt.

    A key that is written is the same everywhere, so that several projects can share it on purpose. What comes from a
    passphrase depends on the `salt`, which is the project's own: two projects that chose the same words share nothing.

    >>> key_from(bytes(range(32)).hex().encode(), bytes) == bytes(range(32))
    True
    >>> len(key_from(b"chosen by a person", lambda: b"of a project"))
    32
    """
    written = _written_key(secret)
    if written is None:
        return stretched(secret, salt())
    if len(set(written)) < DIFFERENT:
        raise SecretError(f"{what[0].upper()}{what[1:]} is no random key: make one with: openssl rand -hex 32")
    return written


@lru_cache(maxsize=16)  # a plan asks for the same one in several steps
def stretched(passphrase: bytes, salt: bytes, cost: int = COST) -> bytes:
    """A key of 256 bits from a passphrase, by scrypt (RFC 7914)."""
    return hashlib.scrypt(passphrase, salt=salt, n=2**cost, r=8, p=1, maxmem=2 ** (cost + 11), dklen=KEY_BYTES)


def for_purpose(key: bytes, *purpose: str) -> bytes:
    """The key of one purpose, made of another key: neither the other key nor those of other purposes follow from it."""
    return hmac.new(key, json.dumps(["sfumato 1", *purpose]).encode(), "sha256").digest()


def variable_of(name: str) -> str:
    """The environment variable of a secret.

    >>> variable_of("study key")
    'SFUMATO_SECRET_STUDY_KEY'
    """
    return "SFUMATO_SECRET_" + re.sub(r"\W", "_", name).upper()


def private_file(path: Path, what: str) -> bytes:
    """What a file holds that only its owner can read; `SecretError` for any other."""
    try:
        with os.fdopen(opened_file(path), "rb") as stream:
            mode = os.fstat(stream.fileno()).st_mode
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise SecretError(f"{path}: others can read {what}. Run: chmod 600 {path}")
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise SecretError(f"{path}: {what} cannot be read ({error.strerror}).") from None
    if len(content) > LARGEST:
        raise SecretError(f"{path}: this is too large for {what}: {LARGEST} bytes at the most.")
    return content


def _written_key(secret: bytes) -> bytes | None:
    """The key that a text is, where it is one."""
    text = secret.strip()
    if re.fullmatch(rb"[0-9A-Fa-f]{64}", text):
        return bytes.fromhex(text.decode())
    if re.fullmatch(rb"[A-Za-z0-9+/_-]{43}=?", text):
        with suppress(binascii.Error, ValueError):
            return base64.b64decode(text.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/") + b"=", validate=True)
    return None


def _key_in(path: Path) -> bytes:
    try:
        return _parsed(private_file(path, "the key").decode("ascii"), str(path))
    except UnicodeDecodeError:
        raise _no_key_form(str(path)) from None


def _parsed(text: str, what: str) -> bytes:
    if not re.fullmatch(r"[0-9A-Fa-f]{64}", text.strip()):
        raise _no_key_form(what)
    key = bytes.fromhex(text.strip())
    if len(set(key)) < DIFFERENT:
        raise SecretError(f"{what} holds no random key: make one with: openssl rand -hex 32")
    return key


def _no_key_form(what: str) -> SecretError:
    return SecretError(f"{what} holds no key: a key is 64 hexadecimal digits, as openssl rand -hex 32 writes them.")
