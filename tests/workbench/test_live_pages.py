"""Live pages once they are ready: axe has nothing to say of them, in light and dark, wide and narrow."""

from __future__ import annotations

from tests.workbench.live_visits import PROJECT, opened, visits, with_visits, worked
from tests.workbench.test_pages import SIZES, read_without_scripts
from tests.workbench.visitors import served, signed_in, visitor

from sfumato.service.versions import version

KEPT = PROJECT.replace(
    "  suppress: 0.1\n", "  suppress: 0.1\n  method: optimal\n  levels: {age: 2, 'sex, \"as told\"': 0, größe: 2}\n"
)
BASE = "/projects/clinic"


def test_axe_has_nothing_to_say_of_live_pages_and_none_is_wider_than_its_window(world, browser):
    with_visits(world, KEPT, visits(300))
    door = visitor(world, "stella")
    opened(door, f"{BASE}/release")
    of = version(world.service, world.caller("stella"), "clinic", 0).hash
    package = door.post(f"{BASE}/release/package", data={"of": of}, follow_redirects=False).headers["location"]
    worked(world)
    run = package.rpartition("/")[2]
    effects = door.get(f"{BASE}/effects?run={run}").text
    assert "average_class_size" in effects  # every model of the comparison is there
    assert "Of the package that was built of version 1" in effects
    addresses = [
        f"{BASE}/release?s=3~1~1.0.1&a=3~1~2.0.2&b=3~1~0.0.0", f"{BASE}/effects?s=9~20~1.0.1",
        f"{BASE}/effects?run={run}", f"{BASE}/hierarchies?column=age", package,
    ]  # fmt: skip
    with served(world, workers=0) as server:
        signed_in(browser, server, world, "stella")
        for scheme in ("light", "dark"):
            for address in addresses:
                for size in SIZES:
                    browser.look(size=size, scheme=scheme)
                    browser.driver.get(server + address)
                    browser.unfold()
                    assert browser.violations() == [], (address, size, scheme)
                    assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), (address, size)
        assert [url for url in browser.asked_for() if url.startswith("http") and not url.startswith(server)] == []
        assert browser.complaints() == []
        for address in addresses:
            read_without_scripts(browser, server + address)
