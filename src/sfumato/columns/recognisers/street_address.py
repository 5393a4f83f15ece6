"""Street addresses."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.words import folded
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

# Words for a street, folded, in the order of English, French, Portuguese, Spanish, Italian, Polish, Greek; then what
# street names end in, in Dutch, German and Swedish; then Korean.
STREET = re.compile(
    r"\b(?:street|road|avenue|lane|drive|court|place|square|boulevard|terrace|crescent|close|way|highway|parkway|st|rd|"
    r"ave|blvd|ln|dr|apt|suite|po box|mews|grove|gardens|"
    r"rue|allee|chemin|impasse|quai|cours|passage|route|sentier|faubourg|lotissement|lieu dit|bd|chem|"
    r"rua|avenida|av|travessa|praca|praceta|largo|estrada|rodovia|beco|quadra|ladeira|"
    r"calle|plaza|paseo|alameda|ronda|calzada|travesia|glorieta|carretera|carrer|camino|c/|avda|carrera|cra|transversal|"
    r"diagonal|jiron|pasaje|pje|urbanizacion|callejon|"
    r"via|viale|piazza|piazzale|vicolo|corso|strada|lungomare|contrada|borgo|"
    r"ul\.|ulica|aleja|aleje|al\.|osiedle|os\.|plac|pl\.|"
    r"οδος|λεωφορος|λεωφ|πλατεια|παροδος|odos|leoforos|leof|plateia|postbus|postfach|skrytka)(?!\w)"
    r"|\w{2,}(?:straat|laan|weg|plein|gracht|kade|dijk|steeg|singel|hof|strasse|str|gasse|platz|allee|ring|damm|ufer|"
    r"gatan|gata|vagen|vag|grand|torget|stigen|allen|backen)\b\.?"
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
