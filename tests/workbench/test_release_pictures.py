"""Pictures of releases: where things stand in them."""

from __future__ import annotations

import re

from sfumato.workbench.catalogue import catalogue
from sfumato.workbench.release_pictures import NAME_HIGH, NAME_WIDE, CurvePoint, curve

ENDS = {0.0: (0.2, 0.21), 0.01: (0.2, 0.11), 0.02: (0.2, 0.10), 0.05: (0.5, 0.045)}  # risk and loss by what is left out


def test_the_name_of_a_line_stands_at_its_end_unless_another_name_does():
    points = [
        CurvePoint(share, risk, loss, "#", "", front=True, knee=False)
        for share, end in ENDS.items()
        for risk, loss in ((0.02, 0.5), end)
    ]
    drawn = str(curve(catalogue("en"), points, None, {}))
    names = [(float(x), float(y)) for x, y in re.findall(r'<text class="name" x="([\d.]+)" y="([\d.]+)"', drawn)]
    ends = [
        (float(x), float(y))
        for x, y in re.findall(r'<polyline class="way[^"]*" points="[^"]* ([\d.]+),([\d.]+)"', drawn)
    ]
    assert len(names) == len(ends) == len(ENDS)
    moved = [abs(y - 4 - end) for (_, y), (_, end) in zip(names, ends, strict=True)]
    assert [round(one) > 0 for one in moved] == [False, True, False, False]  # 1 % would lie on 2 %
    assert max(moved) < NAME_HIGH
    here = names[:3]  # those that end at one risk stand in the order of their lines
    assert here == sorted(here, key=lambda one: one[1])
    for place, (x, y) in enumerate(names):
        assert not [1 for across, down in names[:place] if abs(x - across) < NAME_WIDE and abs(y - down) < NAME_HIGH]
