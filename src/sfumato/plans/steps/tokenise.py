"""Tokenise: identifiers that can be brought back, by who has the vault and its passphrase."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from pathlib import Path

from sfumato.plans.blocks.added_columns import released, set_aside
from sfumato.plans.blocks.parameters import one_column, whole
from sfumato.plans.blocks.pseudonyms import identifier, marked
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.plans.vault import Vault
from sfumato.tables.engine import literal

LONGEST = 64  # the hexadecimal digits of the hash
MARK = marked("token", "")


@dataclass(frozen=True)
class Tokenise(Transformation):
    r"""A token in place of an identifier, and the pair of them in an encrypted file.

    .. math:: x' = \text{prefix} \,\Vert\, \mathrm{HMAC\text{-}SHA256}_{\kappa}(x), \quad
        \kappa = \mathrm{HMAC}_{\mathrm{scrypt}(\text{passphrase}, \text{salt})}(\text{tokens})

    The same identifier gets the same token under the same passphrase, in every run and table of a project, and
    wherever the vault is extended; without the passphrase a token says nothing. The salt comes from the key of the
    project and is in the vault. `sfumato.plans.vault.restore(vault, passphrase, tokens)` gives the originals back, as
    text. Missing stays missing; the column becomes text.

    vault
        The file, relative to the plan. An existing one is opened with the passphrase and extended; with a wrong one
        nothing is changed. It can be read by its owner only, and is written whole or not at all, once the whole plan
        went through and just before the release appears. Keep it apart from the release: vault and passphrase together
        undo the step.
    secret
        The name of the passphrase.
    length
        Hexadecimal digits of a token. The tokens of one vault have one length and one prefix.

    The release is the same bytes in each run. The vault is not, since each encryption begins with a new random number;
    a run that adds nothing leaves it as it is.

    References
    ----------
    Percival, Josefsson (2016). The scrypt password-based key derivation function. RFC 7914.
    Dworkin (2007). Recommendation for block cipher modes of operation: Galois/Counter Mode. NIST SP 800-38D.
    """

    column: str
    vault: str
    secret: str
    prefix: str = ""
    length: int = 16

    replaces_values = True

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        for name in ("vault", "secret", "prefix"):
            value = getattr(self, name)
            if not isinstance(value, str) or not (value or name == "prefix"):
                raise self.wrong(f"{name} must be a text.")
        if whole(self, "length", self.length, 8) > LONGEST:
            raise self.wrong(f"length must be {LONGEST} or less.")

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(self.column)
        passphrase = resources.secrets(self.secret)
        vault = self._vault(draft, resources, passphrase)
        changing, text = set_aside(draft, identifier(draft, self.column))
        hashed = draft.engine.keyed_hash(vault.token_key(passphrase), f"concat({literal(MARK)}, {text})")
        token = f"concat({literal(self.prefix)}, substr({hashed}, 1, {self.length}))"
        changing, token = set_aside(changing, f"CASE WHEN {text} IS NOT NULL THEN {token} END")
        extended = vault.with_originals(self._pairs(changing, text, token))
        others = tuple(other for other in draft.vaults if other.path != vault.path)
        return replace(released(changing.changed({self.column: token}), draft), vaults=(*others, extended))

    def explained(self) -> str:
        return (
            f"Replaces {self.column} by tokens of {self.length} hexadecimal digits, and keeps the originals in the "
            f"vault {self.vault}, which the secret {self.secret!r} opens."
        )

    def examples(self) -> tuple[tuple[str, str], ...]:
        hashed = hmac.new(b"example", f"{MARK}AB-1042".encode(), "sha256").hexdigest()
        return (("AB-1042", f"{self.prefix}{hashed[: self.length]}"),)

    def places(self) -> tuple[str, ...]:
        return (self.vault,)

    def secrets(self) -> tuple[str, ...]:
        return (self.secret,)

    def _vault(self, draft: Draft, resources: Resources, passphrase: bytes) -> Vault:
        path = self._place(resources)
        earlier = next((vault for vault in draft.vaults if vault.path == path), None)  # of a step before this one
        if earlier is None and not path.exists():
            salt = resources.salt() if resources.secrets.is_passphrase(self.secret) else b""
            return Vault.new(path, passphrase, prefix=self.prefix, length=self.length, token_salt=salt)
        vault = earlier or Vault.opened(path, passphrase)
        if (vault.prefix, vault.length) != (self.prefix, self.length):
            raise self.wrong(
                f"the vault has tokens with the prefix {vault.prefix!r} and the length {vault.length}. Write the same "
                "in the plan, or name another vault."
            )
        return vault

    def _pairs(self, draft: Draft, text: str, token: str) -> dict[str, str]:
        """The originals by token; two originals with one token are an error."""
        rows = draft.engine.fetch(f"""
            SELECT DISTINCT {text} AS original, {token} AS token
            FROM {draft.table} AS record
            WHERE {text} IS NOT NULL""")
        pairs = {token: original for original, token in rows}
        lost = len(rows) - len(pairs)
        if lost:
            raise self.wrong(f"{lost} identifiers would get the token of another one. Take a larger `length`.")
        return pairs

    def _place(self, resources: Resources) -> Path:
        """Where the vault is: beside the plan; beside the key where a plan lies elsewhere, as in the evidence."""
        beside, home = resources.folder / self.vault, resources.secrets.folder
        return (
            home / self.vault if home is not None and not beside.exists() and (home / self.vault).exists() else beside
        )
