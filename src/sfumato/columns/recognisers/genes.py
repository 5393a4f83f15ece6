"""Which words are symbols of genes: by a list, and by families of symbols that end in numbers."""

from __future__ import annotations

import re
from functools import lru_cache

from sfumato.columns.recognisers.closed_list import listed, plain

# How symbols are made: a root of letters, a number, and letters or numbers of a member: `KMT2D`, `SLC22A1`, `CDKN2A`.
SYMBOL = re.compile(r"([a-z]{2,7}?\d{0,2}[a-z]{0,2}?)(\d{1,3})([a-z]{0,3}\d{0,2})")
SHAPED = re.compile(r"[a-z][a-z0-9]{1,9}(?: ?[a-z0-9]{1,5})?")


@lru_cache(maxsize=16384)
def gene_symbol(word: str) -> bool:
    """Whether a word is the symbol of a gene, in capitals or not; not one that is a usual word as well.

    >>> [gene_symbol(word) for word in ("BRCA1", "kmt2d", "SLC22A1", "HLA-B", "MET", "covid19", "q12", "visit2")]
    [True, True, True, True, False, False, False, False]
    """
    low = plain(word)
    return low not in listed("genes", "words_too") and possible_gene(low)


@lru_cache(maxsize=16384)
def possible_gene(word: str) -> bool:
    """Whether a word is listed, or belongs to a family of genes; also one that is a usual word as well."""
    low = plain(word)
    if low in listed("genes"):
        return True
    shaped = SYMBOL.fullmatch(low)
    return shaped is not None and len(shaped[1]) >= 2 and shaped[1] in listed("genes", "roots")


def gene_of(name: str) -> tuple[str, bool]:
    """The word of a column's name that may be a gene, and whether a word follows that goes with genes.

    >>> gene_of("kmt2d_mut"), gene_of("BRCA1"), gene_of("TP53 Mutation Status"), gene_of("mut_count")
    (('kmt2d', True), ('brca1', False), ('tp53', True), ('mut', False))
    """
    first, *others = plain(name).split() or [""]
    followed = bool(others) and all(word in listed("genes", "suffixes") for word in others)
    return (first, True) if followed else (first if not others or first == "mut" else plain(name), False)
