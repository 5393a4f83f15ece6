"""Pages: what holds for every one of them."""

from __future__ import annotations

import re

import pytest
from tests.service.run_world import with_project
from tests.workbench.visitors import served, signed_in, visitor

from sfumato.service.permissions import ServiceRole
from sfumato.workbench.places import screens_for

# Every page that can be opened without a run, and who opens it; a screen adds its addresses here.
ADDRESSES = [
    ("", "/sign-in"),
    ("", "/link/first-start"),
    ("", "/link/invitation"),
    ("stella", "/"),
    ("stella", "/projects/clinic/runs"),
    ("stella", "/projects/clinic/table"),
    ("stella", "/projects/clinic/columns"),
    ("stella", "/projects/clinic/attackers"),
    ("stella", "/projects/clinic/policy"),
    ("stella", "/projects/clinic/versions"),
    ("stella", "/projects/clinic/versions/1"),
    ("rita", "/projects/clinic/table"),
    ("rita", "/projects/clinic/columns"),
    ("rita", "/projects/clinic/policy"),
    ("other", "/projects/elsewhere/table"),
    ("other", "/projects/elsewhere/columns"),
    ("other", "/projects/elsewhere/versions"),
    ("stella", "/projects/clinic/release"),
    ("stella", "/projects/clinic/effects"),
    ("stella", "/projects/clinic/hierarchies"),
    ("rita", "/projects/clinic/release"),
    ("stella", "/projects/clinic/requests"),
    ("quentin", "/projects/clinic/requests"),
    ("quentin", "/projects/clinic/requests/ask"),
    ("stella", "/projects/clinic/requests/ask"),
    ("stella", "/projects/clinic/context"),
    ("rita", "/projects/clinic/context"),
    ("stella", "/projects/clinic/context/about"),
    ("stella", "/projects/clinic/context/recipient"),
    ("rita", "/projects/clinic/context/recipient"),
    ("stella", "/projects/clinic/context/projects"),
    ("stella", "/projects/clinic/context/benefits"),
    ("stella", "/projects/clinic/context/matrix"),
    ("stella", "/projects/clinic/settings"),
    ("rita", "/projects/clinic/settings"),
    ("stella", "/me"),
    ("stella", "/notices"),
    ("ada", "/accounts"),
    ("ada", "/accounts/rita"),
    ("ada", "/administration"),
    ("ada", "/administration/projects/clinic"),
    ("stella", "/tour"),
    ("stella", "/tour/columns"),
    ("otto", "/log"),
    ("otto", "/log/verification"),
]
SIZES = ((1280, 900), (320, 640))


@pytest.mark.parametrize(("name", "address"), ADDRESSES)
def test_a_page_is_answered_in_both_languages_without_a_script_or_a_style_within_it(world, name, address):
    with_project(world)
    for language in ("en", "de"):
        answer = visitor(world, name or None).get(address, headers={"accept-language": language})
        assert answer.status_code == 200
        assert f'<html lang="{language}">' in answer.text
        assert re.search(r"<script(?! src=)|<style| style=| on[a-z]+=|javascript:", answer.text) is None
        assert "unsafe" not in answer.headers["content-security-policy"]
    require_readable(answer.text)


def require_readable(page):
    """Refuse a page on which something is read or sent by a script alone."""
    for tag in re.findall(r"<[a-z]+ [^>]*hx-trigger=\"load[^>]*>", page):
        assert "<noscript>" in page, tag  # with a link that looks again
    for tag in re.findall(r"<form [^>]*hx-(?:get|post)=[^>]*>", page):
        assert "action=" in tag
    for tag in re.findall(r"<a [^>]*hx-get=[^>]*>", page):
        assert "href=" in tag
    for tag in re.findall(r"<button type=\"button\"[^>]*>", page):
        assert "data-copy=" in tag  # what is copied stands beside it, to be marked by hand


def test_nobody_who_is_not_signed_in_sees_a_page_of_a_project(world):
    with_project(world)
    answer = visitor(world).get("/projects/clinic/runs", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/sign-in?next=/projects/clinic/runs"


def test_a_project_of_others_is_not_known(world):
    with_project(world)
    assert visitor(world, "other").get("/projects/clinic/runs").status_code == 404


def test_a_screen_is_shown_to_whoever_may_see_something_there():
    assert "columns" in screens_for(frozenset({ServiceRole.STEWARD}))
    assert screens_for(frozenset({ServiceRole.RECIPIENT})) == ["requests"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_to_say_of_any_page_and_none_is_wider_than_its_window(world, browser, scheme):
    with_project(world)
    with served(world, workers=0) as server:
        for name, address in ADDRESSES:
            if name:
                signed_in(browser, server, world, name)
            for size in SIZES:
                browser.look(size=size, scheme=scheme)
                browser.driver.get(server + address)
                browser.unfold()
                assert browser.violations() == [], (address, size)
                assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), (address, size)
        assert [url for url in browser.asked_for() if url.startswith("http") and not url.startswith(server)] == []
        assert browser.complaints() == []


def test_no_page_is_wider_than_its_window_at_200_per_cent_and_nothing_moves_where_less_motion_is_wanted(world, browser):
    """A window of 1280 points in which everything is twice as large shows 640 of them."""
    less = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    moves = "return document.getAnimations().length + [...document.querySelectorAll('*')].filter(one => "
    moves += (
        "getComputedStyle(one).transitionDuration !== '0s' || getComputedStyle(one).scrollBehavior !== 'auto').length"
    )
    with_project(world)
    try:
        with served(world, workers=0) as server:
            for name, address in ADDRESSES:
                if name:
                    signed_in(browser, server, world, name)
                browser.call(
                    "Emulation.setDeviceMetricsOverride", width=640, height=450, deviceScaleFactor=2, mobile=False
                )
                browser.call("Emulation.setEmulatedMedia", media="screen", features=less)
                browser.driver.get(server + address)
                browser.unfold()
                assert browser.overflow() <= 0, address
                assert browser.run(moves) == 0, address
    finally:
        browser.look()


def test_every_page_is_read_where_scripts_are_off(world, browser):
    with_project(world)
    with served(world, workers=0) as server:
        for name, address in ADDRESSES:
            if name:
                signed_in(browser, server, world, name)
            read_without_scripts(browser, server + address)


# Forms with something to fill in that can be seen and cannot be sent; what is folded opens without a script.
UNSENT = """return [...document.querySelectorAll('main form')].filter(form => form.checkVisibility()
  && [...form.elements].some(one => one.matches(':is(select, textarea, input:not([type=hidden])):enabled'))
  && ![...form.elements].some(one => one.matches('button:not([type=button])'))).map(form => form.outerHTML)"""


def read_without_scripts(browser, address):
    """A page says the same without scripts, has its heading, and every form on it can be sent."""
    browser.driver.get(address)
    words = browser.run("return document.querySelector('main').innerText").split()
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.driver.get(address)
        plain = browser.run("return document.querySelector('main').innerText").split()
        assert browser.run("return document.querySelector('h1')?.innerText"), address
        assert set(words) - set(plain) == set(), address
        assert browser.run(UNSENT) == [], address
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
