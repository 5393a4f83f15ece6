"""Release in a real browser: by keyboard alone, readings follow, the curve grows, a choice is kept and built."""

from __future__ import annotations

import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from tests.workbench.live_visits import opened, visits, with_visits
from tests.workbench.visitors import served, signed_in, visitor

ADDRESS = "/projects/clinic/release"


def waited(true, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.1)


def test_release_by_keyboard_alone_from_levels_to_a_package(world, browser):
    with_visits(world, table=visits(900))
    opened(visitor(world, "stella"), ADDRESS)  # so that only the hand is waited for below
    driver = browser.driver
    with served(world) as server:
        signed_in(browser, server, world, "stella")
        browser.look(size=(1280, 900))
        driver.get(f"{server}{ADDRESS}?s=3~0~0.0.0")

        def text(place: str) -> str:
            return str(browser.run("return document.querySelector(arguments[0])?.innerText ?? ''", place))

        def focused() -> str:
            return str(browser.run("return document.activeElement.id"))

        def press(*keys: str) -> None:
            driver.switch_to.active_element.send_keys(*keys)

        for _ in range(80):  # Tab leads to every control, in the order in which they stand
            if focused() == "b0":
                break
            driver.switch_to.active_element.send_keys(Keys.TAB)
        assert focused() == "b0"
        press(*[Keys.ARROW_RIGHT] * 9)
        waited(lambda: "s=12~0~0.0.0" in driver.current_url)
        assert focused() == "b0"  # what the hand is on is never replaced
        assert browser.run("return document.getElementById('nb0').value") == "12"
        before = text("#now")
        waited(lambda: text("#said") != "")
        while focused() != "nl0":
            press(Keys.TAB)
        press(Keys.ARROW_UP, Keys.ARROW_UP)
        waited(lambda: "~2.0.0" in driver.current_url)
        assert browser.run("return document.getElementById('l0').value") == "2"
        waited(lambda: "levels: {age: 2" in text("#written"))
        waited(lambda: "one higher" in text("#steps") or "one lower" in text("#steps"))
        waited(lambda: len(driver.find_elements(By.CSS_SELECTOR, "#curve svg a")) > 3)
        assert before
        address = driver.current_url
        driver.refresh()
        assert driver.current_url == address
        assert browser.run("return document.getElementById('l0').value") == "2"

        driver.find_element(By.ID, "pin-a").send_keys(Keys.ENTER)
        waited(lambda: "a=12~" in driver.current_url)
        driver.find_element(By.CSS_SELECTOR, "#curve svg a").send_keys(Keys.ENTER)
        waited(lambda: "#" not in driver.current_url and "a=12~" in driver.current_url)
        driver.back()
        waited(lambda: "~2.0.0" in driver.current_url.split("&")[0])

        driver.get(f"{server}{ADDRESS}?s=3~10~0.0.0&best=1")
        waited(lambda: text("#now").startswith("Met"))
        driver.find_element(By.CSS_SELECTOR, "#keep button").send_keys(Keys.ENTER)
        waited(lambda: "This is what version 2" in text("#keep"))
        driver.find_element(By.CSS_SELECTOR, "#build button").send_keys(Keys.ENTER)
        waited(lambda: "/package/" in driver.current_url)
        waited(lambda: "Every bound is met." in text("main"), 300)
        assert browser.violations() == []
        assert [url for url in browser.asked_for() if url.startswith("http") and not url.startswith(server)] == []
        assert browser.complaints() == []
