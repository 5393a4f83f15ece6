"""A hierarchy is edited in a real browser by keys alone: in its tree, as a table, seen in effect, and kept."""

from __future__ import annotations

from tests.workbench.hands import BUTTON, Keys, shows, until
from tests.workbench.live_visits import opened, visits, with_visits
from tests.workbench.test_pages import SIZES
from tests.workbench.visitors import served, signed_in, visitor

from sfumato.service.versions import file_of

ADDRESS = "/projects/clinic/hierarchies?column=age"
TICK = "document.querySelector('[name=under][value=\"1:{}\"]')"
TEXT = "#text"


def test_a_hierarchy_is_edited_in_its_tree_completed_seen_in_effect_and_kept_by_keys_alone(world, browser):
    with_visits(world, table=visits(300))
    opened(visitor(world, "stella"), "/projects/clinic/hierarchies")
    hands = Keys(browser)
    with served(world, workers=0) as server:
        signed_in(browser, server, world, "stella")
        browser.look(size=(1280, 900))
        browser.driver.get(server + ADDRESS)
        for label in ("20-24", "25-29"):
            hands.reached(TICK.format(label))
            browser.press(" ")
        hands.writes("#label", "in their twenties")
        hands.presses(BUTTON, "Put together")
        shows(browser, "draft")
        assert "in their twenties" in browser.run("return document.querySelector('ul.tree').innerText")
        shows(browser, "Smallest group")  # with the hierarchy that there is, and with the draft
        browser.unfold()
        text = browser.run("return document.querySelector('#text').value")
        assert text.startswith("20;in their twenties;20-29;20-39;*\n")

        hands.writes(TEXT, text.partition("\n")[2])
        hands.presses(BUTTON, "Read the table")
        shows(browser, "1 value has no place.")
        assert browser.run("return !document.querySelector('form[action$=\"/keep\"]')")
        for size in SIZES:
            for scheme in ("light", "dark"):
                browser.look(size=size, scheme=scheme)
                assert browser.violations() == [], (size, scheme)
                assert browser.overflow() <= 0
        browser.look(size=(1280, 900))
        hands.presses(BUTTON, "Give each a place by itself")
        shows(browser, "Every value has its place.")
        hands.presses(BUTTON, "Keep this hierarchy")
        until(browser, "!document.body.innerText.includes('draft')")
        assert browser.complaints() == []
    kept = file_of(world.service, world.caller("stella"), "clinic", 2, "hierarchy_age.csv").decode()
    assert "21;in their twenties;20-29;20-39;*" in kept
