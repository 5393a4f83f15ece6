"""Other pages in a real browser: the heat maps of risk, and what was lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.proof.report.browser import PAPER, PHONE, SCHEMES
from tests.proof.report.made_up import csv, patients
from tests.show.test_charts import every_chart

from sfumato.attackers.exposure_page import exposure_page
from sfumato.attackers.risk import risk
from sfumato.show.charts.bars_and_lines import Series, bars, lines
from sfumato.show.charts.grids import heat_map, matrix
from sfumato.show.page import page
from sfumato.show.sheet import Sheet
from sfumato.utility.compare import compare
from sfumato.utility.losses_page import losses_page


@pytest.fixture(scope="module")
def pages(tmp_path_factory, browser) -> dict[str, Path]:
    """The page of `sfumato risk --html`, and that of `sfumato compare --html`."""
    folder = tmp_path_factory.mktemp("pages")
    rows = patients(120)
    (folder / "original.csv").write_text(csv(rows), encoding="utf-8")
    coarse = [row | {"age": f"{int(str(row['age'])[0])}0-{int(str(row['age'])[0])}9"} for row in rows]
    (folder / "release.csv").write_text(csv(coarse), encoding="utf-8")
    known = ["age", "sex", "town"]
    found = risk(folder / "original.csv", quasi=known, scenarios={"neighbour": known[:2]}, sets=2, attacks=False)
    lost = compare(folder / "original.csv", folder / "release.csv", quasi=known, by_position=True)
    (folder / "risk.html").write_text(exposure_page(found), encoding="utf-8")
    (folder / "compare.html").write_text(losses_page(lost), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in ("risk", "compare")}


@pytest.mark.parametrize("name", ["risk", "compare"])
def test_a_page_asks_for_nothing_and_axe_finds_nothing_wrong_in_the_light_and_in_the_dark(browser, pages, name):
    for scheme in SCHEMES:
        browser.asked_for(), browser.complaints()
        browser.open(pages[name], scheme=scheme)
        assert browser.asked_for() == [pages[name].as_uri()]
        assert browser.complaints() == []
        browser.unfold()
        assert browser.violations() == []


@pytest.mark.parametrize(("name", "charts"), [("risk", 2), ("compare", 3)])
def test_each_chart_of_a_page_can_be_read_and_has_a_name(any_browser, pages, name, charts):
    browser = any_browser
    for scheme in SCHEMES:
        browser.open(pages[name], scheme=scheme)
        assert len([told for role, told in browser.heard() if role in ("image", "img") and told]) == charts
        letters = browser.letters()
        assert len(letters) > 15
        assert [text for text, contrast, whole in letters if contrast < 4.5 or not whole] == []


def test_labels_as_long_as_they_may_be_are_whole_in_every_kind_of_chart(any_browser, tmp_path):
    name = "hospitalisation of the patient after the transfer till the end"
    charts = every_chart(name) | {
        "bars": bars("Bars", ["3", "11"], [(name, [30.25, None]), ("all", [None, 1e6])], x=name, y=name, note=name * 3),
        "matrix": matrix("Matrix", ["high", name], ["low", name], [["share", "refuse"]] * 2, x=name, y=name),
        "ten columns": heat_map("Heat", [name] * 4, [name] * 10, [[1 / (3 + i) for i in range(10)]] * 4),
        "four series": lines("Curve", [Series(f"{name} {i}", ((0, 1), (10**7, 0.5))) for i in range(4)], x=name, y="y"),
    }
    (tmp_path / "charts.html").write_text(page(Sheet("Charts", "Met.", ()), list(charts.values())), encoding="utf-8")
    any_browser.open(tmp_path / "charts.html")
    letters = any_browser.letters()
    assert len(letters) > 150
    assert [text for text, _, whole in letters if not whole] == []


@pytest.mark.parametrize("name", ["risk", "compare"])
def test_a_page_fits_a_phone_and_paper(any_browser, pages, name):
    browser = any_browser
    browser.open(pages[name], size=PHONE)
    assert browser.overflow() == 0
    browser.open(pages[name], size=PAPER, media="print")
    assert browser.overflow() == 0
