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
        r"(?:HP|MONDO|UBERON|MP|EFO|CL|GO)[:_]\d{7}|(?:DOID|CHEBI|ORDO|HGNC|MEDDRA)[:_]\d{2,8}|SNOMED(?:CT)?:\d{6,18}"
        r"|ICD(?:9|10|O)(?:CM)?[:_][A-Z]?\d[\w.]+|UMLS:C\d{7}|ORPHA(?:NET)?[:_ ]?\d{1,6}|(?:O?MIM[:_ #]?|[#*+%^])\d{6}"
        r"|NCIT[:_]C\d+|MESH:[A-Z]\d+|ENS[GTP]\d{11}(?:\.\d+)?",
        re.IGNORECASE,
    )
