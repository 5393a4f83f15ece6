"""The report in a real browser: nothing leaves the machine, everything is there, for every eye and ear and on paper."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from tests.proof.report.browser import PAPER, PHONE, SCHEMES, Browser
from tests.proof.report.made_up import ANSWERS, WHOLE, csv, visits

from sfumato.privacy.verdict import Verdict
from sfumato.proof.report.make_report import report
from sfumato.proof.report.page import report_page

PARTS = (
    "Context", "Data", "Identifiability", "Transformations", "Utility", "Governance", "For the supervisory authority",
    "HIPAA Safe Harbor", "Glossary",
)  # fmt: skip
FIRST = ("What leaves", "What does not leave", "What could be found", "What was lost")
SECTIONS = (
    "The release and its grounds", "Measures taken", "The risk that is left", "Who decided",
    "The 18 identifiers of Safe Harbor",
    "The release", "Risk-benefit matrix", "Five Safes", "Safe projects", "Safe people", "Safe settings", "Safe data",
    "Safe outputs", "Does this need a data protection impact assessment?", "Benefit of each column",
    "Columns, their roles and the evidence", "Values and missing values",
    "Readings", "Risk ladder", "Records in classes with one sensitive value",
    "Everything that is released, apart from the policy", "Scenarios: what an attacker may know",
    "Subsets: what an attacker is certain of besides", "Attackers", "Population: how many are unique in it (estimates)",
    "What drives the risk", "Sets of columns that single out most",
    "Special uniques: the fewest columns that single out", "Several records of a person",
    "The three questions of WP216", "Record linkage between original and release", "Attacks that were tried",
    "Steps", "Risk and utility after each step", "What becomes of the columns", "Why not less: what keeps the loss up",
    "Whom suppression hits", "Risk against loss: other releases that were possible",
    "Column by column", "The table as a whole", "Distributions before and after", "Every model by column, lost",
    "Not applicable", "Decisions", "What the report was made from", "Versions", "What this report hides, and notes",
)  # fmt: skip
CHARTS = (
    "Risk and benefit of the release", "Records by the size of their class",
    "Risk ladder: records in classes that are too small", "Records at risk, by scenario and class size (%)",
    "Records singled out by pairs of columns (%)", "Risk against loss", "age: density, before and after",
    "sex: records by value, before and after", "town: records by value, before and after",
)  # fmt: skip
FOCUS = """
window.reached = [];
document.addEventListener('focusin', event => {
  const style = getComputedStyle(event.target), box = event.target.getBoundingClientRect();
  window.reached.push([[...document.querySelectorAll(arguments[0])].indexOf(event.target),
    style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.width > 0 && box.right > 0]);
});
"""
SCREEN = (1280, 800)
STOPS = "a[href], summary, [tabindex='0']"


@pytest.fixture(scope="module")
def page(tmp_path_factory, browser) -> Path:
    """The report of a made-up project that has every section and chart."""
    folder = tmp_path_factory.mktemp("report")
    files = {"patients.csv": csv(visits()), "sfumato.yaml": WHOLE, "answers.yaml": ANSWERS}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "r.html").write_text(report_page(report(project=folder / "sfumato.yaml")), encoding="utf-8")
    return folder / "r.html"


@pytest.fixture(scope="module")
def short_pages(tmp_path_factory, browser) -> dict[str, Path]:
    """Reports without a release, with nearly everything hidden: nothing required, met, met with questions, not met."""
    folder = tmp_path_factory.mktemp("short")
    table = pa.table({"age": [30] * 40 + [41] * 7 + [52, 53], "sex": ["f", "m"] * 24 + ["f"]})
    wanted = {"": {}, "amber": {"k": 1}, "bad": {"k": 3, "released": table, "by_position": True}}
    made = {
        name: report(table, quasi=["age", "sex"], attacks=False, curve=False, **given) for name, given in wanted.items()
    }
    made["good"] = replace(made["amber"], verdict=Verdict(True))
    for name, found in made.items():
        (folder / f"{name}.html").write_text(report_page(found), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


@pytest.fixture(scope="module")
def twelve(tmp_path_factory) -> dict[str, Path]:
    """Reports of twelve columns, everything decided and answered, and nearly nothing; and one of two hundred."""
    folder = tmp_path_factory.mktemp("twelve")
    columns = {f"measured_{i}": [i + j % 3 for j in range(90)] for i in range(8)}
    people = {"age": [30 + j % 5 for j in range(90)], "sex": ["f", "m", "f"] * 30, "town": ["Aba", "Bex", "Cul"] * 30}
    table = pa.table({"patient_number": [f"P{j}" for j in range(90)], **people, **columns})
    asked = {"quasi": list(people), "direct": "patient_number", "k": 3, "attacks": False, "curve": False}
    amber = report(table, sensitive=["measured_0", "measured_1"], release_rest=True, charts=False, **asked)
    many = table.select(["patient_number", *people])
    for i in range(197):
        many = many.append_column(f"item {i}", pa.array([j % 2 for j in range(90)]))
    wide = report(many, release_rest=True, charts=False, **asked)
    made = {"amber": amber, "green": replace(amber, verdict=Verdict(True)), "many": wide}
    for name, found in made.items():
        (folder / f"{name}.html").write_text(report_page(found), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


def written(folder: Path, body: str) -> Path:
    (folder / "page.html").write_text(f"<!DOCTYPE html><html lang='en'><title>t</title>{body}", encoding="utf-8")
    return folder / "page.html"


def test_no_request_leaves_the_machine_and_the_console_stays_empty(browser, page):
    browser.asked_for(), browser.complaints()
    for scheme in SCHEMES:
        browser.open(page, scheme=scheme)
        assert browser.asked_for() == [page.as_uri()]
        assert browser.complaints() == []


def test_a_request_that_left_would_be_seen(browser, tmp_path):
    browser.asked_for()
    browser.open(written(tmp_path, "<img src='http://127.0.0.1:9/seen.png' alt='x'>"))
    assert "http://127.0.0.1:9/seen.png" in browser.asked_for()
    assert browser.complaints() != []


def test_every_part_section_and_chart_is_there_and_can_be_seen(browser, page):
    browser.open(page)
    seen = (
        "return [...document.querySelectorAll('h2, h3')].filter(e => e.checkVisibility({contentVisibilityAuto: true})"
        " && e.getClientRects().length).map(e => e.innerText)"
    )
    folded = browser.run(seen)
    assert [name for name in FIRST if name not in folded] == []
    assert [name for name in SECTIONS if name in folded] == []
    browser.unfold()
    shown = browser.run(seen)
    assert [name for name in shown if re.match(r"\d\. ", name)] == [f"{i}. {p}" for i, p in enumerate(PARTS, 1)]
    assert [name for name in SECTIONS if name not in shown] == []
    boxes = browser.run(
        "return [...document.querySelectorAll('figure svg')].map(e => e.getBoundingClientRect())"
        ".map(box => [box.width, box.height])"
    )
    assert len(boxes) == len(CHARTS)
    assert min(width for width, _ in boxes) > 400
    assert min(height for _, height in boxes) > 80


def test_a_screen_reader_hears_every_chart_table_and_landmark_by_its_name(browser, page):
    browser.open(page)
    browser.unfold()
    heard = browser.heard()
    assert [name for role, name in heard if role in ("image", "img")] == list(CHARTS)
    tables = [name for role, name in heard if role == "table"]
    assert {"Readings", "Risk ladder", "Attackers", "Steps", "Column by column", "Versions"} <= set(tables)
    assert all(tables)
    assert {"banner", "main", "contentinfo"} <= {role for role, _ in heard}
    assert ("navigation", "Parts of the report") in heard
    described = browser.run("return [...document.querySelectorAll('svg > desc')].map(e => e.textContent)")
    assert len(described) == len(CHARTS)
    assert min(map(len, described)) > 60


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_wrong_in_the_light_and_in_the_dark(browser, page, scheme):
    browser.open(page, scheme=scheme)
    browser.unfold()
    assert browser.violations() == []


@pytest.mark.parametrize("name", ["", "good", "amber", "bad"])
def test_axe_finds_nothing_wrong_with_a_short_report_whatever_its_verdict(browser, short_pages, name):
    for scheme in SCHEMES:
        browser.open(short_pages[name], scheme=scheme)
        assert browser.violations(within="header") == []
    assert browser.run("return document.querySelector('.verdict').className") == f"verdict {name}".strip()
    browser.unfold()
    assert "<11" in browser.run("return document.querySelector('main').innerText")


def test_axe_finds_nothing_wrong_with_a_report_that_hides_nearly_everything(browser, short_pages):
    browser.open(short_pages[""], scheme="dark")
    assert browser.violations() == []
    browser.unfold()
    assert browser.violations() == []


def test_axe_would_find_what_is_wrong(browser, tmp_path):
    browser.open(
        written(tmp_path, "<main><h1>T</h1><p style='color:#999;background:#fff'>faint</p><img src=''></main>")
    )
    assert {rule for rule, _ in browser.violations()} == {"color-contrast", "image-alt"}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_text_in_a_chart_is_whole_and_stands_out_from_what_is_drawn_under_it(any_browser, page, scheme):
    any_browser.open(page, scheme=scheme)
    any_browser.unfold()
    letters = any_browser.letters()
    assert len(letters) > 150
    assert [text for text, contrast, _ in letters if contrast < 4.5] == []
    assert [text for text, _, whole in letters if not whole] == []


def test_each_set_of_fonts_is_all_that_a_browser_has(any_browser, request, tmp_path):
    """Digits are 0.556 of their size wide in Liberation Sans, as in Arial, and 0.636 in DejaVu Sans, as in Verdana."""
    texts = "".join(f"<p><span style='font:500px {name}'>000</span>" for name in ("Arial", "sans-serif"))
    any_browser.open(written(tmp_path, texts))
    widths = any_browser.run("return [...document.querySelectorAll('span')].map(e => e.getBoundingClientRect().width)")
    expected = {"wide": 954, "usual": 834}[request.node.callspec.params["any_browser"]]
    assert widths == pytest.approx([expected] * 2, abs=2)


def test_a_text_that_is_cut_off_or_lies_on_another_would_be_seen(any_browser, tmp_path):
    texts = [(5, 20, "whole"), (92, 50, "cut"), (5, 80, "lies on"), (12, 82, "another"), (5, 120, "below the edge")]
    drawn = "".join(f'<text x="{x}" y="{y}">{text}</text>' for x, y, text in texts)
    any_browser.open(written(tmp_path, f'<svg width="100" height="118" viewBox="0 0 100 118">{drawn}</svg>'))
    assert [whole for *_, whole in any_browser.letters()] == [True, False, False, False, False]


def test_the_keyboard_reaches_everything_in_order_and_one_sees_where_it_is(browser, page):
    from selenium.webdriver.common.keys import Keys

    browser.open(page)
    browser.unfold()
    browser.run(FOCUS, STOPS)
    stops = browser.run("return document.querySelectorAll(arguments[0]).length", STOPS)
    browser.press(*[Keys.TAB] * stops)
    reached = browser.run("return window.reached")
    assert [place for place, _ in reached] == list(range(stops))
    assert all(visible for _, visible in reached)
    assert browser.run("return document.querySelectorAll('summary').length") > 40


def test_the_first_key_leads_past_the_contents_and_enter_opens_every_explanation(browser, page):
    from selenium.webdriver.common.keys import Keys

    browser.open(page)
    browser.press(Keys.TAB)
    assert browser.run("return document.activeElement.innerText") == "Skip to the report"
    browser.press(Keys.ENTER)
    assert browser.run("return document.activeElement.id") == "main"
    browser.press(
        *[Keys.TAB, Keys.ENTER] * browser.run("return document.querySelectorAll('main summary, .wide').length")
    )
    folded = browser.run("return [...document.querySelectorAll('details')].map(found => found.open)")
    assert all(folded)
    assert len(folded) > 40


def test_a_part_that_is_jumped_to_unfolds_and_its_title_is_in_view(browser, page):
    browser.open(page)
    browser.run("location.hash = 'utility'")
    title, unfolded = browser.run(
        "const part = document.querySelector('#utility').closest('details');"
        "return [part.querySelector('h2').getBoundingClientRect().top, part.open]"
    )
    assert unfolded
    assert 0 <= title < 300


def test_twelve_columns_take_two_screens_while_all_else_is_folded(any_browser, twelve):
    browser = any_browser
    for name in ("green", "amber"):
        browser.open(twelve[name], size=SCREEN)
        assert browser.run("return document.documentElement.scrollHeight") <= 2 * SCREEN[1], name
        assert browser.overflow() == 0


def test_two_hundred_columns_leave_the_first_page_as_long_as_a_dozen_do(browser, twelve):
    browser.open(twelve["many"], size=SCREEN)
    assert browser.run("return document.documentElement.scrollHeight") <= 2 * SCREEN[1]
    rows = "return [...document.querySelectorAll('.summary table')].map(e => e.rows.length - 1)"
    assert max(browser.run(rows)) == 200 - 12
    assert browser.run("return document.querySelector('.summary table').rows.length - 1") == 12


def test_on_a_phone_tables_scroll_and_the_page_does_not(any_browser, page):
    browser = any_browser
    browser.open(page, size=PHONE)
    browser.unfold()
    assert browser.overflow() == 0
    wide = "return [...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).length"
    assert browser.run(wide) > 5
    assert browser.run("return document.querySelector('figure svg').getBoundingClientRect().width") > 500


def test_on_paper_everything_is_unfolded_and_nothing_is_wider_than_the_page(any_browser, page):
    browser = any_browser
    browser.open(page, size=PAPER, media="print", scheme="dark")
    hidden = (
        "return [...document.querySelectorAll('details > :not(summary)')].filter(e =>"
        " !e.checkVisibility({contentVisibilityAuto: true}) || e.getBoundingClientRect().height < 5).length"
    )
    assert browser.run(hidden) == 0
    assert browser.overflow() == 0
    assert browser.run("return getComputedStyle(document.querySelector('nav')).display") == "none"
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_the_report_prints_to_pdf_of_many_pages(browser: Browser, page):
    browser.open(page, media="print")  # as paper shows it: what is folded on a screen is unfolded
    printed = browser.printed()
    assert printed.startswith(b"%PDF-")
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 15 < pages < 50
    assert b"/StructTreeRoot" in printed  # tagged: headings and tables can be read by ear
