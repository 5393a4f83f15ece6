"""Hands in a browser: what somebody does with a mouse, and how long they wait for what they see."""

from __future__ import annotations

import time
from typing import Any

PATIENCE = 240  # seconds: on a busy machine a run takes long, and nothing hangs on it


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
