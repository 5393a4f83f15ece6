"""Whether a column is named after a gene."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.genes import SHAPED, gene_of, gene_symbol, possible_gene
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role

FAMILY = 5  # columns named after genes, from which on a word that is also a gene is one
PANEL = 15  # the same, from which on whatever has the shape of a symbol is one, listed or not


@dataclass(frozen=True)
class GeneNames(Evidence):
    """The name of the column is the symbol of a gene, perhaps with what was found: `kmt2d_mut`, `BRCA1`, `TP53 status`.

    Examples
    --------
    >>> from sfumato.tables.engine import Kind
    >>> mutated = ColumnProfile("brca2_mut", Kind.INTEGER, 4, 0, 2, 0, 1, 2, sample=("0", "1"))
    >>> GeneNames().of(mutated).sentence
    'The name is the symbol of a gene.'
    """

    method = "gene names"

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        symbol, followed = gene_of(column.name)
        if not SHAPED.fullmatch(symbol):
            return None
        family = beside.gene_columns
        if gene_symbol(symbol):
            return self._finding("The name is the symbol of a gene.", 0.9 if followed or family >= FAMILY else 0.75)
        if possible_gene(symbol) and (followed or family >= FAMILY):
            return self._finding("The name is the symbol of a gene, as others beside are.", 0.85)
        if family >= PANEL and (followed or any(map(str.isdigit, symbol))):
            return self._finding(f"The name has the form of a gene's symbol, beside {family} of genes.", 0.75)
        return None

    def _finding(self, sentence: str, weight: float) -> Finding:
        return Finding(self.method, Role.SENSITIVE, None, sentence, weight)
