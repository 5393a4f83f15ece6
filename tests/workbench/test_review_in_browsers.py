"""A review in real browsers: two reviewers, the steward and the recipient, each where they are; one by keyboard."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.proof.report.browser import Browser
from tests.service.released_package import Clinic
from tests.workbench.test_pages import SIZES
from tests.workbench.visitors import served, signed_in

import sfumato as sf

HOME = "/projects/clinic/requests"
ENTER, SPACE, TAB = "\ue007", " ", "\ue004"


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Another Chromium, with a profile of its own."""
    opened = Browser(tmp_path_factory.mktemp("second-browser"))
    yield opened
    opened.driver.quit()


def part(browser: Browser, selector: str):
    return browser.driver.find_element("css selector", selector)


def text(browser: Browser) -> str:
    """What a page says now, in one question: between two, another page may come."""
    return str(browser.run("return document.querySelector('main, body')?.innerText ?? ''"))


def until(browser: Browser, words: str) -> None:
    """Wait until a page says something."""
    begun = time.monotonic()
    while words not in text(browser):
        assert time.monotonic() - begun < 60, text(browser)
        time.sleep(0.05)


def focused(browser: Browser) -> str:
    return str(browser.run("const e = document.activeElement; return `${e.tagName} ${e.name || ''} ${e.value || ''}`"))


def tab_to(browser: Browser, wanted: str) -> None:
    """Press Tab until something has the focus, as somebody without a mouse does."""
    for _ in range(200):
        if focused(browser).startswith(wanted):
            return
        browser.press(TAB)
    raise AssertionError(f"{wanted} is not reached by Tab")


def test_two_reviewers_vote_blind_the_steward_releases_and_the_recipient_has_a_package_that_verifies(
    world, browser, second, tmp_path
):
    clinic = Clinic.of(world)
    request = clinic.submitted()
    with served(world, workers=0) as server:
        signed_in(browser, server, world, "rita")
        signed_in(second, server, world, "ruth")
        browser.driver.get(f"{server}{HOME}/{request}")
        second.driver.get(f"{server}{HOME}/{request}")
        _voted_by_keyboard(browser)
        second.driver.refresh()
        assert "has voted" in text(second)
        assert "By the keys alone." not in text(second)
    # The server ends and is started again: both are still signed in.
    with served(world, workers=0) as server:
        second.driver.get(f"{server}{HOME}/{request}")
        part(second, "input[name=verdict][value=approve]").click()
        part(second, "#vote-reason").send_keys("As read, too.")
        part(second, "#vote button").click()
        until(second, "By the keys alone.")
        second.driver.back()
        until(second, "By the keys alone.")  # the page as it is now: no form for a second vote
        assert second.driver.find_elements("css selector", "#vote") == []
        _released(browser, server, world, request)
        package = _downloaded(second, server, world, request, tmp_path)
        assert sf.verify(package).agrees
        said = browser.complaints() + second.complaints()
        assert [one for one in said if "status of 422" not in one] == []  # the confirmation that was refused


def _voted_by_keyboard(browser: Browser) -> None:
    tab_to(browser, "INPUT verdict")
    browser.press(SPACE)
    tab_to(browser, "TEXTAREA reason")
    browser.press("By the keys alone.")
    browser.press(TAB)
    browser.press(ENTER)
    until(browser, "You have voted.")


def _released(browser: Browser, server: str, world, request: str) -> None:
    signed_in(browser, server, world, "stella")
    browser.driver.get(f"{server}{HOME}/{request}")
    words = part(browser, "#confirm-this").text
    part(browser, "#confirmation").send_keys("yes")
    part(browser, "form[action$=release] button").click()
    until(browser, "A release is confirmed with what leaves and to whom")
    part(browser, "#confirmation").clear()
    part(browser, "#confirmation").send_keys(words)
    part(browser, "form[action$=release] button").click()
    until(browser, "Revoke")


def _downloaded(browser: Browser, server: str, world, request: str, folder: Path) -> Path:
    signed_in(browser, server, world, "rex")
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    browser.driver.get(f"{server}{HOME}/{request}")
    part(browser, "a[href$='/package']").click()
    begun = time.monotonic()
    while not (archives := list(folder.glob("clinic-*.zip"))):
        assert time.monotonic() - begun < 60
        time.sleep(0.05)
    with zipfile.ZipFile(archives[0]) as archive:
        archive.extractall(folder / "package")
    return next((folder / "package").glob("*/manifest.json")).parent


def test_a_report_opens_by_its_link_and_runs_nothing(world, browser):
    clinic = Clinic.of(world)
    request = clinic.released()
    with served(world, workers=0) as server:
        signed_in(browser, server, world, "rita")
        browser.driver.get(f"{server}{HOME}/{request}")
        part(browser, "a[href$='documents/evidence/report.html']").click()
        until(browser, "k_anonymity")  # as the report calls it
        assert browser.run("return window.origin") == "null"
        browser.driver.back()
        until(browser, "What leaves")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_to_say_of_a_request_in_any_state(world, browser, scheme):
    clinic = Clinic.of(world)
    asked, preparing, submitted = clinic.asked(), clinic.preparing(), clinic.submitted()
    clinic.vote("rita", submitted)
    approved = clinic.approved()
    released = clinic.released()
    with served(world, workers=0) as server:
        for name, request in (
            ("stella", asked), ("stella", preparing), ("ruth", submitted), ("rita", submitted), ("stella", approved),
            ("rex", released), ("stella", released), ("quentin", submitted),
        ):  # fmt: skip
            signed_in(browser, server, world, name)
            for size in SIZES:
                browser.look(size=size, scheme=scheme)
                browser.driver.get(f"{server}{HOME}/{request}")
                browser.unfold()
                assert browser.violations() == [], (name, size)
                assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), (name, size)
