"""Live pages once they are ready: axe has nothing to say of them, in light and dark, wide and narrow."""

from __future__ import annotations

from tests.workbench.hands import BUTTON, Keys, until
from tests.workbench.live_visits import PROJECT, opened, visits, with_visits, worked
from tests.workbench.test_pages import SIZES, read_without_scripts
from tests.workbench.visitors import served, signed_in, visitor

from sfumato.service.project_text import project_text
from sfumato.service.runs import RunWanted, start
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
    assert "average class size" in effects  # every model of the comparison is there
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


# Two records for each person, and more days of birth than a tree is drawn of.
SEVERAL = "patient_id,born,diagnosis\n" + "".join(
    f"{i:04d},19{50 + i // 12 % 40}-{1 + i % 12:02d}-{1 + i // 12 % 28:02d},flu\n" for i in range(480) for _ in range(2)
)
OF_PEOPLE = """\
data:
  source: visits.csv
columns:
  patient_id: {role: direct, type: text}
  born: {role: quasi, scale: date}
  diagnosis: {role: sensitive}
measures:
- {measure: k_anonymity, at_least: 3}
"""


def test_people_with_several_records_are_counted_by_one_press_of_a_key_where_the_release_is_chosen(world, browser):
    with_visits(world, OF_PEOPLE, SEVERAL.encode())
    start(world.service, world.caller("stella"), "clinic", RunWanted("identify", {}))
    worked(world)
    assert "--subject" not in opened(visitor(world, "stella"), f"{BASE}/release").text
    hands = Keys(browser)
    with served(world, workers=0) as server:
        signed_in(browser, server, world, "stella")
        for address in (f"{BASE}/hierarchies?column=born", f"{BASE}/policy", f"{BASE}/release"):
            for size, scheme in zip(SIZES, ("light", "dark"), strict=True):
                browser.look(size=size, scheme=scheme)
                browser.driver.get(server + address)
                browser.unfold()
                assert browser.violations() == [], (address, size)
                assert browser.overflow() <= 0, (address, size)
        browser.look()
        hands.presses(BUTTON, "Count people, by patient_id")
        until(browser, "!document.querySelector('#several-records')")
        until(browser, "location.pathname.endsWith('/release') && !!document.querySelector('#sliders')")
        assert browser.complaints() == []
    assert "subject: patient_id" in project_text(world.service, world.caller("stella"), "clinic").text
