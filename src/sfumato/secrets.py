"""Secrets: keys and passphrases, from the environment or from a file that only its owner can read."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sfumato.errors import SecretError

SHORTEST = 8  # characters: less can be tried out


@dataclass(frozen=True)
class Secrets:
    """Secrets by the names under which a plan asks for them. Nothing of a secret is ever shown.

    `files` are the files that were named for some of them; any other comes from the environment, where the secret
    `study_key` is called `SFUMATO_SECRET_STUDY_KEY`.
    """

    files: Mapping[str, str | Path] = field(default_factory=dict)

    def __call__(self, name: str) -> bytes:
        """The secret of a name; `SecretError` when there is none, or when others could read it."""
        secret = self._from_file(name, Path(self.files[name])) if name in self.files else self._from_environment(name)
        if len(secret) < SHORTEST:
            raise SecretError(f"The secret {name!r} is too short to be one: use {SHORTEST} characters or more.")
        return secret

    def _from_environment(self, name: str) -> bytes:
        variable = variable_of(name)
        if not os.environ.get(variable):
            raise SecretError(
                f"There is no secret {name!r}: set the environment variable {variable}, or name a file with "
                f"--secret {name}=FILE."
            )
        return os.environ[variable].encode()

    def _from_file(self, name: str, path: Path) -> bytes:
        try:
            mode = path.stat().st_mode
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise SecretError(f"{path}: others can read the secret {name!r}. Run: chmod 600 {path}")
            return path.read_bytes().rstrip(b"\r\n")
        except OSError as error:
            raise SecretError(f"{path}: the secret {name!r} cannot be read ({error.strerror}).") from None


def variable_of(name: str) -> str:
    """The environment variable of a secret.

    >>> variable_of("study key")
    'SFUMATO_SECRET_STUDY_KEY'
    """
    return "SFUMATO_SECRET_" + re.sub(r"\W", "_", name).upper()
