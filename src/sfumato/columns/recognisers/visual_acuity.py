"""Visual acuities."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class VisualAcuity(CodeSystem):
    """6/12, 20/40, and fingers, hand movements and light where letters are not read."""

    concept = "visual acuities"
    strength = 0.9
    unnamed = 0.8
    hints = hinted("acuity va vaod vaos bcva ucva visus snellen vision agudeza acuite visual")
    fewest = 3
    pattern = re.compile(
        r"(?:20/(?:1[05]|[2-9]\d|[1-8]00|1[2-9]\d)|6/(?:[4-9](?:\.5)?|12|15|18|24|30|36|48|60))[+-]?\d?"
        r"|CF|HM|LP|NLP|PL|NPL|counting fingers|hand movements?|light perception|no light perception",
        re.IGNORECASE,
    )
