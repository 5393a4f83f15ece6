"""Which words are names of drugs: by their stems, and by a list of those that have none."""

from __future__ import annotations

from functools import lru_cache

from sfumato.columns.lexicon.words import folded
from sfumato.columns.recognisers.closed_list import listed, plain
from sfumato.columns.recognisers.code_system import hinted
from sfumato.columns.recognisers.text_words import endings

SHORTEST = 7  # letters of a word of which the stem tells


@lru_cache(maxsize=8192)
def drug_name(word: str) -> bool:
    """Whether a word is the name of a drug, in capitals or not.

    >>> [drug_name(word) for word in ("Ramipril", "aspirin", "Ciprofloxacin", "cefuroxime", "April", "hospital", "sex")]
    [True, True, True, True, False, False, False]
    """
    low = plain(folded(word))
    if low in listed("drugs", "names"):
        return low not in SALTS
    if len(low) < SHORTEST or low in listed("drugs", "otherwise"):
        return False
    return low.endswith(endings("drugs")) or low.startswith(tuple(listed("drugs", "prefixes")))


# Parts of names that also stand alone as analytes or things, and so name no drug by themselves.
SALTS = hinted(
    "sulfate sulphate gluconate citrate hydrochloride hcl succinate tartrate maleate mesylate besylate fumarate "
    "bromide nitrate carbonate bicarbonate phosphate albumin saline iron conjugated omega solu benzoyl ethinyl "
    "dextrose ringer electrolytes adenosine estrogen estradiol testosterone progesterone thyroxine dopamine "
    "glucagon vitamin nicotine insulin cortisone"
)
