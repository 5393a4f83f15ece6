"""The search for the levels that lose least, while it goes on: the best so far, and what none can lose less than."""

from __future__ import annotations

import pytest

from sfumato.workbench.answers import TEMPLATES
from sfumato.workbench.catalogue import catalogue
from sfumato.workbench.places import ScreenPlace
from sfumato.workbench.release_setting import ReleaseSetting

BUSY = {"state": "busy", "done": 30, "total": 120, "bound": 0.104}


@pytest.mark.parametrize(
    ("search", "words"),
    [
        ({**BUSY, "loss": 0.217}, "Best so far: 21.7 % lost; none can lose less than 10.4 %."),
        ({**BUSY, "loss": None}, "Nothing that keeps to the policy yet; none can lose less than 10.4 %."),
        ({"state": "failed", "problem": "No release keeps to it."}, "No release keeps to it."),
    ],
)
def test_a_search_tells_its_best_and_its_bound(search, words):
    setting = ReleaseSetting(bounds=(5.0,), share=2.0, levels=(1, 0))
    page = TEMPLATES.get_template("_release_search.html").render(
        t=catalogue("en"), place=ScreenPlace("release", project="clinic"), search=search, setting=setting, taken=setting
    )
    assert words in page.replace("\u202f", " ").replace("\u00a0", " ")
    assert ('max="120" value="30"' in page) is (search["state"] == "busy")
    assert ("/release/best?s=" in page) is (search["state"] == "busy")  # it asks on
