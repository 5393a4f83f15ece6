"""Genetic variants, genotypes and alleles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import CodeSystem, hinted

ACIDS = "Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val|Ter|Sec"
BARE = re.compile(r"[A-Z]\d{2,4}[A-Z]")  # V600E, and rooms and shelves


class Variant(CodeSystem):
    """rs numbers, HGVS (c.68_69del, p.Gly12Asp, V600E), places on a chromosome, HLA and star alleles."""

    concept = "genetic variants"
    strength = 0.93
    hints = hinted("mutation mut variant hgvs protein aa aachange amino snp allele hotspot genotype")
    fewest = 2
    needed = 0.8
    longest = 80
    pattern = re.compile(
        rf"rs\d{{3,10}}|(?:N[CMGP]_\d+(?:\.\d+)?(?:\(\w+\))?:)?(?:[cgnmr]\.[-*]?\d\S*|p\.\(?(?:(?:{ACIDS})|[A-Z*])\d+\S*)"
        rf"|(?:{ACIDS})\d+(?:{ACIDS}|fs|del|dup|\*)\S*"
        r"|[ACDEFGHIKLMNPQRSTVWY]\d{2,4}(?:[ACDEFGHIKLMNPQRSTVWY]|fs\S*|del|dup|\*)(?!\d)"
        r"|chr(?:[0-9]{1,2}|[XYM]|MT)[:_-]\d{3,}\S*|(?:chr)?(?:[0-9]{1,2}|[XY]):g?\.?\d{5,}\S*"
        r"|(?:HLA-)?[A-Z]{1,4}\d?\*\d{2,4}(?::\d{2,3})*[NLSCAQ]?|\*\d{1,3}[A-Z]?/\*\d{1,3}[A-Z]?|[ε]\d/[ε]\d",
    )

    def weight(self, sample: Sequence[str], said: str) -> float:
        """Less where all are two letters round a number, as rooms are, and no name says what they are."""
        values = self.values(sample)
        bare = sum(BARE.fullmatch(value) is not None for value in values) > 0.5 * len(values)
        return 0.45 if bare and not self.named(said) else super().weight(sample, said)
