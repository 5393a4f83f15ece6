"""Symbols of genes."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.recognisers.closed_list import telling
from sfumato.columns.recognisers.code_system import hinted
from sfumato.columns.recognisers.genes import SHAPED, gene_symbol, possible_gene
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

FIRST = 12  # values by which a column of other things is left at once


class GeneName(Recogniser):
    """BRCA1, TP53, SLC22A1: most are listed or of a family of symbols, the others have the shape of one."""

    concept = "symbols of genes"
    role = Role.SENSITIVE
    hipaa = None
    strength = 0.92
    unnamed = 0.88
    hints = hinted("gene genes gen symbol hgnc hugo locus marker mutation variant transcript")
    needed = 0.6
    longest = 15

    def matches(self, value: str) -> bool:
        return possible_gene(value)

    def share(self, sample: Sequence[str]) -> float:
        """The share of symbols; 0 where others are no symbols, or where all are usual words."""
        first = self.values(sample[:FIRST])
        if not any(map(self.matches, first)):
            return 0.0
        values = telling(self.values(sample))
        shaped = sum(SHAPED.fullmatch(value) is not None for value in values) >= 0.9 * len(values)
        return sum(map(self.matches, values)) / len(values) if shaped and any(map(gene_symbol, values)) else 0.0

    def weight(self, sample: Sequence[str], said: str) -> float:
        """Without a name for it only where several are no usual words."""
        certain = sum(map(gene_symbol, telling(self.values(sample))))
        return super().weight(sample, said) if certain >= 3 or self.named(said) else 0.0
