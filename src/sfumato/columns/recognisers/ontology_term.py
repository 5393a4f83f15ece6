"""Terms of ontologies: phenotypes, diseases, anatomy, trial vocabularies."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem


class OntologyTerm(CodeSystem):
    """A prefix that names the ontology, and a number: HP:0001250, ORPHA:558, OMIM:154700, MONDO:0007947."""

    concept = "terms of an ontology of diseases or phenotypes"
    strength = 0.95
    fewest = 1
    pattern = re.compile(
        r"(?:HP|MONDO|DOID|UBERON|MP|EFO|ORDO|CL|GO|CHEBI|SNOMEDCT?|ICD(?:9|10)(?:CM)?|UMLS|MEDDRA|HGNC|ENSEMBL)[:_]\w[\w.]+"
        r"|ORPHA(?:NET)?[:_ ]?\d{1,6}|(?:O?MIM[:_ #]?|[#*+%^])\d{6}|NCIT[:_]C\d+|C[0-9]{7}|MESH:[A-Z]\d+"
        r"|ENS[GTP]\d{11}(?:\.\d+)?",
        re.IGNORECASE,
    )
