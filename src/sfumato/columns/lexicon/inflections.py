"""The forms that a word takes in its language: plural, genitive, feminine."""

from __future__ import annotations

from collections.abc import Iterator

# Ending -> endings of the form that is listed; folded, so Greek has no final sigma. Facts of grammar, not of any list.
# Greek genitive, since `of a thing` is said so.
GREEK = {"ου": ("ο", "οσ"), "ησ": ("η",), "ασ": ("α",), "εωσ": ("η",), "ων": ("ο", "α", "οσ", "η")}
# The same transliterated, as in names of columns without Greek letters.
GREEK_LATIN = {"ou": ("o", "os"), "is": ("i",), "as": ("a",), "eos": ("i",), "on": ("o", "a", "os", "i")}
# Spanish, Portuguese, French, Italian: plural, and feminine of what is listed as masculine.
ROMANCE = {
    "es": ("", "e"), "oes": ("ao",), "ais": ("al",), "eis": ("el",), "aux": ("al", "au"), "eux": ("eu",),
    "ns": ("m",), "as": ("o", "a"), "a": ("o", ""), "i": ("o", "e", "a"), "ie": ("ia",), "he": ("a",), "hi": ("o",),
    "e": ("a", ""), "ee": ("e",), "ees": ("e",), "trice": ("tore",), "ora": ("or",), "oras": ("or",),
}  # fmt: skip
# German, Dutch, Swedish: plural, and the article that Swedish puts behind.
GERMANIC = {
    "en": ("", "e"), "n": ("",), "e": ("",), "er": ("",), "et": ("",), "ar": ("e", ""), "or": ("a",), "na": ("",),
    "erna": ("",), "arna": ("",), "orna": ("a",), "innen": ("",), "in": ("",), "ens": ("",), "ets": ("",),
}  # fmt: skip
# Polish: genitive and plural.
POLISH = {
    "a": ("", "o"), "u": ("",), "y": ("a", ""), "i": ("a", "", "ia"), "ia": ("ie",), "ii": ("ia",), "ji": ("ja",),
    "ow": ("", "a"), "ego": ("y", "e", "i"), "ej": ("a", "y"), "ych": ("y", "a"), "owi": ("",), "em": ("",),
    "osci": ("osc",), "eci": ("ec",), "iu": ("ie",),
}  # fmt: skip
ENGLISH = ("ity",)  # `severity` is no Polish genitive of `severita`
SHORTEST_GREEK = 3  # letters of the stem
SHORTEST = 5  # of a Latin one: among short ones the ending of one language is part of the word of another


def listed_forms(word: str) -> Iterator[str]:
    """What an inflected word may be listed as.

    >>> "pacjent" in listed_forms("pacjenta"), "hospitalizado" in listed_forms("hospitalizada")
    (True, True)
    >>> list(listed_forms("date"))
    []
    """
    if word.endswith(ENGLISH):
        return
    for endings, shortest in _FAMILIES:
        for length in range(1, min(5, len(word) - shortest) + 1):
            stem, ending = word[:-length], word[-length:]
            yield from (stem + listed for listed in endings.get(ending, ()))


_FAMILIES = (
    (GREEK, SHORTEST_GREEK),
    *((family, SHORTEST) for family in (ROMANCE, GERMANIC, POLISH, GREEK_LATIN)),
)
