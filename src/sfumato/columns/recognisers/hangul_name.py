"""Korean names in Hangul."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

FAMILY = frozenset(
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반라왕금옥육인맹제모탁국어은편용"
)
MOST_FREQUENT = frozenset("김이박최정강조윤장임")
OTHER_ENDINGS = ("염", "병", "증", "암", "시", "도", "구", "군", "동", "약", "정", "액", "과", "원", "사", "형")


class HangulName(Recogniser):
    """Three syllables, the first a family name. Half of all Koreans share ten of these, and so must the column."""

    concept = "personal name"
    role = Role.DIRECT
    hipaa = Hipaa.NAMES
    strength = 0.75
    needed = 0.85
    varied = 0.05
    longest = 20

    def matches(self, value: str) -> bool:
        bare = value.replace(" ", "").removesuffix("님").removesuffix("씨")
        return 2 <= len(bare) <= 4 and bare[0] in FAMILY and all("가" <= c <= "힣" for c in bare)

    def share(self, sample: Sequence[str]) -> float:
        """The share of the right shape; 0 where family names are not as frequent as they are in Korea."""
        values = self.values(sample)
        if len(values) < 5:
            return 0.0
        frequent = sum(value[:1] in MOST_FREQUENT for value in values)
        three = sum(len(value.replace(" ", "")) == 3 for value in values)
        ended = sum(value.endswith(OTHER_ENDINGS) for value in values)
        believed = frequent >= 0.35 * len(values) and three >= 0.7 * len(values) and ended <= 0.5 * len(values)
        return super().share(values) if believed else 0.0
