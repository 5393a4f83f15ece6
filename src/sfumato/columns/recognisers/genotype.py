"""Genotypes at one place: two bases."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class Genotype(CodeSystem):
    """AA, AG, GG or A/G: two or three that share their bases, under a name of a variant or with bars between."""

    concept = "genotypes"
    strength = 0.9
    unnamed = 0.6
    hints = hinted("rs snp genotype genotyp allele allel polymorphism variant mutation gt haplotype")
    pattern = re.compile(r"[ACGT-][/|]?[ACGT-]|[01.][/|][01.]")

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 where there are more than the three or four genotypes of one place."""
        values = set(self.values(sample))
        bases = {letter for value in values for letter in value if letter.isalpha()}
        return super().weight(sample, said) if 2 <= len(values) <= 6 and len(bases) <= 3 else 0.0
