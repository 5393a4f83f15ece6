"""The page: valid, whole in itself, and good for those who see it, hear it or use no mouse."""

from __future__ import annotations

import re

import pytest
from tests.show.parsed_page import Page

from sfumato.show.charts.bars_and_lines import bars
from sfumato.show.page import page, verdict
from sfumato.show.sheet import Section, Sheet, State

NASTY = "<script>alert(\"1\")</script> & 'x'\n\x00"


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return Sheet(
        f"What was lost in {NASTY}",
        "Not met: 1 requirement of 2.",
        (
            Section("Columns", ("name", "loss", "met"), (("age", "0.25", "yes"), (NASTY, "1", "NO")), ("So.",), (1,)),
            Section("Remarks only", remarks=(NASTY,)),
            Section("No rows", ("a", "b")),
        ),
        State.NOT_MET,
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole(sheet) -> str:
    charts = [bars("Classes", ["1"], [(name, [20])], x="size", y="classes") for name in (NASTY, "release")]
    return page(sheet, charts=charts)


def test_every_element_is_closed_in_its_place_and_ids_are_there_once(whole):
    found = Page(whole)
    ids = [attributes["id"] for _, _, attributes in found.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for attributes in found.all("a"):
        assert attributes["href"].removeprefix("#") in ids
    for _, _, attributes in found.elements:
        assert attributes.get("aria-labelledby", ids[0]) in ids
    assert whole.startswith('<!DOCTYPE html>\n<html lang="en">')


def test_headings_go_down_one_step_at_a_time_and_there_is_one_title(whole):
    levels = [int(tag[1]) for tag, _, _ in Page(whole).elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels == [1, 2, 2, 2, 2, 3, 3]


def test_every_table_has_a_caption_and_headers_for_its_columns_and_rows(whole):
    found = Page(whole)
    assert len(found.all("table")) == len(found.all("caption")) == 2
    assert [a["scope"] for a in found.all("th")] == ["col"] * 3 + ["row"] * 2 + ["col"] * 2
    heads = [parents for tag, parents, _ in found.elements if tag == "th"]
    assert all(parents[-3:-1] in (("table", "thead"), ("table", "tbody")) for parents in heads)
    assert len(found.all("td")) == 4


def test_there_are_landmarks_and_a_way_past_the_contents(whole):
    found = Page(whole)
    for landmark in ("header", "nav", "main", "footer"):
        assert len(found.all(landmark)) == 1
    assert found.all("a")[0] == {"class": "skip", "href": "#main"}
    assert found.all("main")[0]["id"] == "main"
    assert all(attributes.get("tabindex") == "0" for attributes in found.all("div"))


def test_nothing_runs_and_nothing_is_fetched(whole):
    found = Page(whole)
    assert not {"script", "link", "img", "iframe", "object", "embed", "form"} & {tag for tag, _, _ in found.elements}
    assert not any(name.startswith("on") for _, _, attributes in found.elements for name in attributes)
    assert set(re.findall(r"\w+://[^\"'<) ]+", whole)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in found.all("meta")[1]["content"]
    assert not re.search(r"url\(|@import", whole)


def test_names_from_the_data_are_texts(whole, sheet):
    assert "<script" not in whole
    told = [text for _, text in Page(whole).words]
    assert sum('<script>alert("1")</script>' in text for text in told) >= 4
    assert "\x00" not in whole


def test_each_chart_is_an_image_with_the_same_in_words(whole):
    found = Page(whole)
    assert [attributes["role"] for attributes in found.all("svg")] == ["img", "img"]
    told = " ".join(text for tag, text in found.words if tag == "p")
    assert "release: 1 20." in told
    assert told.count("1 20.") == 2


def test_a_page_is_for_dark_screens_and_for_paper_too(whole):
    assert "prefers-color-scheme: dark" in whole
    assert "@media print" in whole


def test_a_verdict_that_is_not_met_looks_it_and_cells_say_so(whole, sheet):
    assert '<p class="verdict bad">' in whole
    assert '<td class="bad">NO</td>' in whole
    assert '<p class="verdict">' in page(Sheet("Title", "Met.", ()))


def test_only_what_is_met_with_nothing_open_is_green(sheet):
    looks = {state: page(Sheet("Title", "Met.", (), state)) for state in State}
    assert [state for state, text in looks.items() if '<p class="verdict good">' in text] == [State.MET]
    assert '<p class="verdict amber">' in looks[State.OPEN]


def test_what_is_open_is_said_in_words_below_the_banner():
    banner = verdict("Every requirement is met, but 1 question is open.", State.OPEN, ["Who reads <it>?"])
    assert "but 1 question is open." in banner
    assert "<li>Who reads &lt;it&gt;?</li>" in banner


def test_a_page_without_charts_needs_no_library_for_them(sheet, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    assert "Charts" not in page(sheet)
