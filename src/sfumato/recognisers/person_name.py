"""Names of people, by their shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from sfumato.lexicon import Hipaa
from sfumato.lexicon.words import folded
from sfumato.recognisers.recogniser import Recogniser
from sfumato.schema import Role

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MARKED = re.compile(r"[^\W\d_][\w'’ -]+, ?[^\W\d_][\w'’ .-]*|(?:[^\W\d_]\. ?){1,4}(?:[\w'’-]+ ?){1,4}")


@cache
def given_names() -> frozenset[str]:
    """Frequent given names, folded."""
    text = files("sfumato.recognisers").joinpath("given_names.txt").read_text(encoding="utf-8")
    return frozenset(folded(word) for line in text.splitlines() if not line.startswith("#") for word in line.split())


@cache
def name_words(sort: str) -> frozenset[str]:
    """Words that go with names, or that no name holds."""
    import yaml

    listed = yaml.safe_load(files("sfumato.recognisers").joinpath("name_words.yaml").read_text(encoding="utf-8"))
    return frozenset(listed[sort].split())


class PersonName(Recogniser):
    """Two to five words with capitals, some of them given names; or `Family, Given`, initials or a title.

    Towns, drugs and diagnoses are capitalised too, but few are many words, most recur, and none is called Maria.
    """

    concept = "personal name"
    role = Role.DIRECT
    hipaa = Hipaa.NAMES
    strength = 0.75
    needed = 0.75

    def matches(self, value: str) -> bool:
        words = _WORD.findall(value.title() if value.islower() else value)
        if not 2 <= len(words) <= 6 or any(c.isdigit() for c in value) or len(value) > 60:
            return False
        plain = [folded(word) for word in words]
        shaped = all(
            word[0].isupper() or word.istitle() or low in name_words("particles")
            for word, low in zip(words, plain, strict=True)
        )
        proper = _only_names(value) and not any(_other_thing(low) for low in plain)
        return shaped and proper

    def share(self, sample: Sequence[str]) -> float:
        """The share of the right shape; 0 where nothing says that these are people."""
        values = [value.strip() for value in sample[: self.most]]
        matched = [value for value in values if self.matches(value)]
        if len(matched) < 3:
            return 0.0
        called = sum(any(folded(word) in given_names() for word in re.split(r"\W+", value)) for value in matched)
        marked = sum(_marked(value) for value in matched)
        least = 0.1 if len(matched) >= 20 else 0.3  # a handful of labels may hold one such word by chance
        believed = called >= least * len(matched) or marked >= 0.5 * len(matched)
        return len(matched) / len(values) if believed else 0.0


def _only_names(value: str) -> bool:
    """Whether nothing stands between the words that does not belong in a name."""
    return not re.search(r"[^\w\s,.'’()-]|_", value) and value.count(",") <= 1


def _marked(value: str) -> bool:
    """Whether a comma, initials or a title say that this is a person."""
    first = folded(value).split()[0].rstrip(".")
    return first in name_words("titles") or _MARKED.fullmatch(value) is not None


def _other_thing(word: str) -> bool:
    return word.removesuffix("s") in name_words("no_names") or word.endswith(tuple(name_words("no_endings")))
