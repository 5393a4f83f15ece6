"""Hands in a browser: what somebody does with a mouse or with keys alone, and how long they wait for what they see."""

from __future__ import annotations

import time
from typing import Any

PATIENCE = 600  # seconds: on a busy machine a run takes long, and nothing hangs on it


def until(browser: Any, script: str, *arguments: Any) -> Any:
    """Wait until a script returns something true; what it returned."""
    begun = time.monotonic()
    while True:
        value = browser.run(f"return document.readyState === 'complete' && ({script})", *arguments)
        if value:
            return value
        assert time.monotonic() - begun < PATIENCE, script
        time.sleep(0.1)


def shows(browser: Any, words: str) -> None:
    """Wait until the page says something."""
    until(browser, "document.body.innerText.includes(arguments[0])", words)


def click(browser: Any, selector: str) -> None:
    """Click what is there, once it is."""
    until(browser, "!!document.querySelector(arguments[0])", selector)
    browser.driver.find_element("css selector", selector).click()


def pressed(browser: Any, words: str) -> None:
    """Press the button that says something."""
    find = "[...document.querySelectorAll('main button')].find(one => one.innerText.includes(arguments[0]))"
    until(browser, f"!!{find}", words)
    browser.driver.execute_script(f"return {find}", words).click()


BUTTON = "[...document.querySelectorAll('main button')].find(one => one.innerText.includes(arguments[0]))"
# What Tab stops at between what has the focus and something else, as the browser orders it: how often Tab is pressed.
STOPS = """
const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  .filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({checkVisibilityCSS: true}));
return (stops.indexOf(TARGET) - stops.indexOf(document.activeElement) + stops.length) % stops.length || stops.length
"""


class Mouse:
    """Somebody who points at things."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def presses(self, target: str, *arguments: Any) -> None:
        """Press what an expression of JavaScript names, once it is there."""
        until(self.browser, f"!!({target})", *arguments)
        self.reached(target, *arguments).click()

    def reached(self, target: str, *arguments: Any) -> Any:
        """The element that an expression names, as this hand comes to it."""
        return self.browser.driver.execute_script(f"return {target}", *arguments)

    def writes(self, selector: str, text: str) -> None:
        """Write into a field in the place of what stands there."""
        until(self.browser, "!!document.querySelector(arguments[0])", selector)
        field = self.reached("document.querySelector(arguments[0])", selector)
        field.clear()
        field.send_keys(text)

    def chooses(self, target: str, letter: str) -> None:
        """Choose the option of a list that begins with a letter."""
        self.reached(target).send_keys(letter)

    def goes_to(self, screen: str) -> None:
        """Go to a screen of the project by the links above the page."""
        self.presses(f"document.querySelector('nav.screens a[href$=\"/{screen}\"]')")
        until(self.browser, "location.pathname.endsWith(arguments[0])", f"/{screen}")


class Keys(Mouse):
    """Somebody without a mouse: whatever is done is reached by Tab, and done by the keys."""

    def presses(self, target: str, *arguments: Any) -> None:
        until(self.browser, f"!!({target})", *arguments)
        self.reached(target, *arguments)
        self.browser.press("\ue007")

    def reached(self, target: str, *arguments: Any) -> Any:
        browser = self.browser
        for _ in range(20):  # the page may change on the way: then on from where the focus is
            if browser.run(f"return document.activeElement === {target}", *arguments):
                return browser.driver.switch_to.active_element
            browser.press("\ue004" * int(browser.run(STOPS.replace("TARGET", target), *arguments)))
        raise AssertionError(f"{target} is not reached by Tab")

    def writes(self, selector: str, text: str) -> None:
        until(self.browser, "!!document.querySelector(arguments[0])", selector)
        self.reached("document.querySelector(arguments[0])", selector).send_keys("\ue009a\ue000", text)

    def chooses(self, target: str, letter: str) -> None:
        self.reached(target)
        self.browser.press(letter)
