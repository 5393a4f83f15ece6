"""Pseudonymise: the same other name for the same person, wherever the key is the same."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from sfumato.plans.blocks.added_columns import released, set_aside
from sfumato.plans.blocks.parameters import choice, column_names, whole, words_or_none
from sfumato.plans.blocks.pseudonyms import (
    FORMATS,
    LONGEST,
    PseudonymFormat,
    different,
    identifier,
    marked,
    same_format,
)
from sfumato.plans.blocks.record_numbers import places
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import literal

WORDS = {"hex": "hexadecimal digits", "digits": "digits", "letters": "letters"}
EXAMPLE = b"example".ljust(32)  # a key for examples only
CERTAIN = 1e-12  # a clash that is less likely is not looked for


@dataclass(frozen=True)
class Pseudonymise(Transformation):
    r"""A keyed hash in place of an identifier.

    .. math::
        x' = \text{prefix} \,\Vert\, \text{format}(
        \mathrm{HMAC\text{-}SHA256}_{\text{key}}(\text{domain} \,\Vert\, x))

    The same identifier gets the same pseudonym in every column and table with the same key and `domain`, so tables
    still join; under another key all are others. Nobody without the key can compute or try out pseudonyms; who has it
    can, so the data stay personal data (GDPR, article 4(5)) while it exists. To go back without trying, `tokenise`.

    Identifiers are compared as text: `0012` and `12` differ, the numbers 12 and 12.0 do not. The column becomes text.
    Missing stays missing.

    secret
        The name of a secret to use instead of the key of the project, for tables of several projects that shall join:
        256 bits in hexadecimal digits or base64 (`openssl rand -hex 32`). A passphrase is stretched by scrypt first,
        with a salt that comes from the key of the project: each guess is slow, and the same passphrase gives other
        pseudonyms in another project.
    domain
        Separates what should not join: the number 12 of a ward and of a patient get the same pseudonym under one key
        unless the steps have different domains.
    format, length
        `hex`, `digits` or `letters` (16 consonants) of a length; or `same`: digits stay digits and letters become
        consonants of the same case, character by character. Two identifiers may meet in one pseudonym, the more
        easily the shorter it is: of a thousand with six digits, two do with probability 0.4. This is looked for in
        the data, unless it is less likely than 1 in 10^12, and is an error.

    References
    ----------
    Krawczyk, Bellare, Canetti (1997). HMAC: keyed-hashing for message authentication. RFC 2104.
    ENISA (2019). Pseudonymisation techniques and best practices.

    Examples
    --------
    With a key that everybody knows:

    >>> Pseudonymise("patient", format="same").examples()
    (('AB-1042', 'DD-8437'), ('AB-1043', 'CF-5007'))
    """

    columns: tuple[str, ...]
    secret: str | None = None
    prefix: str = ""
    length: int = 16
    format: str = "hex"
    domain: str = ""

    aliases = ("recode_id",)

    replaces_values = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        choice(self, "format", self.format, FORMATS)
        whole(self, "length", self.length, 1)
        for name in ("prefix", "domain"):
            if not isinstance(getattr(self, name), str):
                raise self.wrong(f"{name} must be a text: put it in quotes.")
        if words_or_none(self, "secret", self.secret) == "":
            raise self.wrong("name the secret that holds the key, or leave it out for the key of the project.")
        if self.length > LONGEST:
            raise self.wrong(f"length must be {LONGEST} or less.")
        if self.format == "same" and self.length != 16:
            raise self.wrong("with `format: same` a pseudonym is as long as the original; leave `length` out.")

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        key = resources.secret_key(self.secret, "pseudonyms") if self.secret else resources.purpose_key("pseudonyms")
        if draft.count() ** 2 / 2 / self.form.capacity() > CERTAIN:
            self._check(draft, key)
        return self._pseudonymised(draft, self.columns, key)

    @property
    def form(self) -> PseudonymFormat:
        """How the hash is written."""
        return PseudonymFormat(self.format, self.length)

    def explained(self) -> str:
        form = "in the format of the original" if self.format == "same" else f"of {self.length} {WORDS[self.format]}"
        before = f", after {self.prefix!r}" if self.prefix else ""
        return (
            f"Replaces {', '.join(self.columns)} by pseudonyms {form}{before}, computed with "
            f"{f'the secret {self.secret!r}' if self.secret else 'the key of the project'}: the same for the same "
            f"identifier wherever that {'secret' if self.secret else 'key'}"
            f"{f' and the domain {self.domain!r} are' if self.domain else ' is'} used."
        )

    def examples(self) -> tuple[tuple[str, str], ...]:
        pairs = []
        for text in ("AB-1042", "AB-1043"):
            hashed = hmac.new(EXAMPLE, f"{self._mark}{text}".encode(), "sha256").hexdigest()
            pairs.append((text, self.prefix + self.form.of(hashed, text)))
        return tuple(pairs)

    def secrets(self) -> tuple[str, ...]:
        return (self.secret,) if self.secret else ()

    def keyed(self) -> bool:
        return not self.secret

    @property
    def _mark(self) -> str:
        return marked("pseudonym", self.domain)

    def _pseudonymised(self, draft: Draft, columns: tuple[str, ...], key: bytes) -> Draft:
        changing, pseudonyms = draft, {}
        for column in columns:
            changing, text = set_aside(changing, identifier(draft, column))
            hashed = draft.engine.keyed_hash(key, f"concat({literal(self._mark)}, {text})")
            changing, hashed = set_aside(changing, hashed)
            changing, written = self._written(changing, column, hashed, text)
            pseudonyms[column] = f"CASE WHEN {text} IS NOT NULL THEN concat({literal(self.prefix)}, {written}) END"
        return released(changing.changed(pseudonyms), draft)

    def _written(self, draft: Draft, column: str, hashed: str, text: str) -> tuple[Draft, str]:
        """A draft with all that the pseudonym is made of, and the pseudonym."""
        if self.format != "same":
            return draft, self.form.sql(draft.engine, hashed)
        longest = self._longest(draft, column, text)
        draft, digits = set_aside(draft, PseudonymFormat("digits", max(longest, 1)).sql(draft.engine, hashed))
        draft, letters = set_aside(draft, PseudonymFormat("letters", LONGEST).sql(draft.engine, hashed))
        return draft, same_format(text, digits, letters, longest)

    def _check(self, draft: Draft, key: bytes) -> None:
        """Every identifier has a pseudonym to itself."""
        if self.format == "same":
            for column in self.columns:
                self._longest(draft, column, identifier(draft, column))
        originals = different(draft, self.columns)
        pseudonyms = self._pseudonymised(originals, ("original",), key)
        ((many, few),) = draft.engine.fetch(
            f"SELECT count(*) AS many, count(DISTINCT original) AS few FROM {pseudonyms.table} AS record"
        )
        draft.engine.drop(pseudonyms.table, originals.table)
        if few < many:
            raise self._clash(int(many - few))

    def _longest(self, draft: Draft, column: str, text: str) -> int:
        """The length of the longest identifier. Letters beyond A to Z would be left as they are: an error."""
        records, where = places(draft, f"{text} IS NOT NULL AND NOT regexp_full_match({text}, '[ -~]*')")
        if records:
            raise self.wrong(
                f"the column {column!r} holds characters other than the plain ones of ASCII in {where}, and they have "
                "no digit or letter to stand for them. Take another format."
            )
        ((longest,),) = draft.engine.fetch(f"SELECT max(length({text})) AS n FROM {draft.table} AS record")
        if (longest or 0) > LONGEST:
            raise self.wrong(f"the column {column!r} holds identifiers of more than {LONGEST} characters.")
        return int(longest or 0)

    def _clash(self, lost: int) -> Exception:
        advice = "Take another `format`" if self.format == "same" else f"Take a larger `length` than {self.length}"
        return self.wrong(
            f"{lost} identifier{'s' * (lost != 1)} of {', '.join(self.columns)} would get the pseudonym of another "
            f"one. {advice}, so that different persons stay different."
        )
