"""Seal: a column stays in the table, and none of its values can be looked for."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from typing import ClassVar

from sfumato.plans.blocks import draws
from sfumato.plans.blocks.added_columns import released, set_aside
from sfumato.plans.blocks.parameters import column_names
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation

# Hexadecimal digits of a token: among a hundred million records two are the same with a chance of 3 in ten thousand
# (n^2 / 2 / 16^16), and nothing comes of it.
LENGTH = 16


@dataclass(frozen=True)
class Seal(Transformation):
    r"""A token of its own in place of every cell, whatever it holds.

    .. math:: x_i' = \mathrm{HMAC\text{-}SHA256}_{\text{key}}(\text{step} \,\Vert\, \text{column} \,\Vert\, i)

    for the record i. Unlike a pseudonym it does not depend on the value: equal values do not look alike, so that nobody
    finds a rare or a frequent one by counting, and missing values have a token as well. To the recipient the column
    says nothing, and keeps its place in the table; a sealed column is no quasi-identifier. Who has the key and the
    original can tell from a token which record it stands in, to answer a question about it.

    References
    ----------
    Jung et al., A determination scheme for quasi-identifiers, section 4: what the purpose does not need is to be made
    unsearchable.

    Examples
    --------
    >>> Seal("shoe size").explained()
    'Replaces every cell of shoe size by a token of its own, so that no value can be looked for, nor counted.'
    """

    columns: str | tuple[str, ...]

    aliases: ClassVar[tuple[str, ...]] = ()
    replaces_values = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        draft.require(*self.columns)
        sealing, unit = draws.with_units(draft)
        tokens = {}
        for column in self.columns:
            key = resources.purpose_key("seal", resources.step, column)
            sealing, hashed = set_aside(sealing, draft.engine.keyed_hash(key, unit))
            tokens[column] = f"substr({hashed}, 1, {LENGTH})"
        sealed = released(sealing.changed(tokens), draft)
        return replace(
            sealed, columns=tuple(replace(c, sealed=c.sealed or c.name in self.columns) for c in sealed.columns)
        )

    def explained(self) -> str:
        return (
            f"Replaces every cell of {', '.join(self.columns)} by a token of its own, so that no value can be looked "
            "for, nor counted."
        )

    def examples(self) -> tuple[tuple[str, str], ...]:
        tokens = [hmac.new(b"example", place, "sha256").hexdigest()[:LENGTH] for place in (b"1", b"2")]
        return (("44", tokens[0]), ("44", tokens[1]))

    def keyed(self) -> bool:
        return True
