"""Names of columns that were made to hurt, in a real browser: nothing of them runs, and all of it is shown."""

from __future__ import annotations

from tests.service.run_world import with_project
from tests.workbench.results_of_runs import with_identification
from tests.workbench.visitors import served, signed_in

SCREENS = ("table", "columns", "attackers", "policy")
NAMES = (
    "<script>window.hurt = 1</script>",
    "<img src=x onerror=window.hurt=1>",
    "</td><svg onload=window.hurt=1>",
    "javascript:window.hurt=1",
    "{{ 7 * 7 }}",
)
TABLE = ",".join(f'"{name}"' for name in NAMES) + "\n" + "\n".join(",".join("12345") for _ in range(6)) + "\n"


def test_no_name_of_a_column_runs_anything_in_a_browser(world, browser):
    with_project(world)
    with_identification(world, TABLE)
    with served(world, workers=0) as server:
        signed_in(browser, server, world, "stella")
        browser.asked_for()
        for screen in SCREENS:
            browser.driver.get(f"{server}/projects/clinic/{screen}")
            assert browser.run("return window.hurt ?? null") is None, screen
            if screen in ("table", "columns"):
                shown = browser.run("return document.body.textContent")
                assert [name for name in NAMES if name not in shown] == [], screen
        asked = [address for address in browser.asked_for() if not address.startswith((server, "data:"))]
    assert asked == []
    assert browser.complaints() == []  # nothing was even tried that the policy for scripts would stop
