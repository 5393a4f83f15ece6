"""From a table to a policy that was read, in a real browser: by mouse, by keyboard alone, and in two tabs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.service.run_world import TABLE
from tests.workbench.hands import click, pressed, shows, until
from tests.workbench.visitors import served, signed_in

from sfumato.service.project_text import project_text


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "patients.csv"
    file.write_text(TABLE, encoding="utf-8")
    return file


def now(world):
    return project_text(world.service, world.caller("stella"), "clinic")


def test_a_steward_comes_by_mouse_from_a_file_to_who_breaks_the_policy(world, browser, table):
    with served(world) as server:
        signed_in(browser, server, world, "stella")
        browser.look(size=(1280, 900))
        browser.driver.get(f"{server}/projects/clinic/table")
        browser.driver.find_element("css selector", "#file").send_keys(str(table))
        pressed(browser, "Send")
        shows(browser, "every value is a whole number")  # the page comes back by itself when the run is done
        assert browser.violations() == []
        browser.driver.get(f"{server}/projects/clinic/columns")
        pressed(browser, "Confirm the 5 sure ones")
        shows(browser, "5 decided, 1 not yet")
        row = "document.querySelector('li.row input[name=column][value=postcode]').closest('li')"
        until(browser, f"!!{row}")
        browser.driver.execute_script(f"return {row}.querySelector('button')").click()
        shows(browser, "6 decided, 0 not yet")
        assert until(browser, "document.activeElement.innerText").startswith("Change")  # the focus stays in the row
        browser.driver.get(f"{server}/projects/clinic/policy")
        pressed(browser, "Add")
        shows(browser, "Save the bounds")
        pressed(browser, "Read the table against it")
        shows(browser, "✗ broken")
        browser.run(
            """const slider = document.querySelector('input[type=range]'); slider.value = 1;
            slider.dispatchEvent(new Event('input', {bubbles: true}))"""
        )
        shows(browser, "✓ met")  # nothing was saved: the readings follow the hand
        assert "at_least: 5" in now(world).text
        assert browser.violations() == []
        assert browser.complaints() == []


def test_a_steward_decides_by_keyboard_alone(world, browser, table):
    from selenium.webdriver.common.keys import Keys
    from tests.workbench.test_columns_screen import prepared

    prepared(world)
    with served(world, workers=0) as server:
        signed_in(browser, server, world, "stella")
        browser.driver.get(f"{server}/projects/clinic/columns")
        shows(browser, "Proposals that")
        names = "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || ''"
        for _ in range(200):
            browser.press(Keys.TAB)
            if str(browser.run(f"return {names}")).startswith("Role of"):
                break
        column = str(browser.run(f"return {names}")).removeprefix("Role of ")
        browser.press("n", Keys.TAB)  # the role that begins with this letter, then the button beside it
        browser.press(Keys.ENTER)
        shows(browser, "1 decided, 5 not yet")
        assert now(world).project.decisions[column].by == "stella"
        assert "Change" in str(until(browser, names))


def test_the_second_of_two_tabs_is_told_above_the_page_as_it_was(world, browser, table):
    from tests.workbench.test_columns_screen import prepared

    prepared(world)
    with served(world, workers=0) as server:
        signed_in(browser, server, world, "stella")
        browser.driver.get(f"{server}/projects/clinic/columns")
        first = browser.driver.current_window_handle
        browser.driver.switch_to.new_window("tab")
        browser.driver.get(f"{server}/projects/clinic/columns")
        click(browser, "#c1-do")
        shows(browser, "1 decided, 5 not yet")
        browser.driver.close()
        browser.driver.switch_to.window(first)
        click(browser, "#c2-do")
        shows(browser, "Somebody has changed this")
        shows(browser, "0 decided, 6 not yet")
        assert len(now(world).project.decisions) == 1
