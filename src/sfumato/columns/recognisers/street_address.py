"""Street addresses."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.words import folded
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

STREET = re.compile(
    r"\b(?:street|road|avenue|lane|drive|court|place|square|boulevard|terrace|crescent|close|way|highway|parkway|st|rd|"
    r"ave|blvd|ln|dr|apt|suite|po box|rue|allee|chemin|impasse|quai|rua|avenida|av|travessa|praca|largo|estrada|calle|"
    r"plaza|paseo|alameda|ronda|calzada|travesia|glorieta|carretera|rodovia|vicolo|corso|strada|mews|grove|gardens|"
    r"cours|passage|route|carrer|camino|c/|οδος|λεωφορος|λεωφ|odos|leoforos|leof|via|viale|piazza|postbus|postfach)\b"
    r"|\w{2,}(?:straat|laan|weg|plein|gracht|kade|dijk|steeg|singel|hof|strasse|str|gasse|platz|allee|ring|damm|ufer)\b\.?"
    r"|[가-힣]+(?:로|길|동|읍|면|리)\s*\d|[가-힣]+(?:시|도)\s+[가-힣]+(?:구|군|시)\b"
)


class StreetAddress(Recogniser):
    """A word for a street, and the number of a house."""

    concept = "street address"
    role = Role.DIRECT
    hipaa = Hipaa.PLACES
    strength = 0.87
    needed = 0.5
    varied = 0.05
    longest = 120

    def matches(self, value: str) -> bool:
        numbered = any(c.isdigit() for c in value)
        return numbered and len(value) >= 6 and STREET.search(folded(value)) is not None
