"""The screen Hierarchies: seen as a tree, edited as a draft, complete before it is kept, and in effect before that."""

from __future__ import annotations

import html
import re
import time

from tests.workbench.live_visits import PROJECT, opened, with_visits
from tests.workbench.visitors import visitor

from sfumato.proof.use_log.chain import Chain
from sfumato.service.versions import version

ADDRESS = "/projects/clinic/hierarchies"
SEX = 'sex, "as told"'


def draft_in(text: str) -> str:
    return html.unescape(re.search(r'<textarea id="text"[^>]*>([^<]*)</textarea>', text)[1])


def test_a_hierarchy_is_edited_completed_seen_in_effect_and_kept(world):
    with_visits(world)
    door = visitor(world, "stella")
    assert "größe" in opened(door, ADDRESS).text
    shown = door.get(ADDRESS, params={"column": "age"})
    assert "Every value has its place." in shown.text
    text, of = draft_in(shown.text), version(world.service, world.caller("stella"), "clinic", 0).hash
    assert text.startswith("20;20-24;20-29;20-39;*\n")

    lacking = door.post(f"{ADDRESS}/draft", data={"column": "age", "of": of, "text": text.split("\n", 2)[2]})
    assert "2 values have no place." in lacking.text
    assert "Keep this hierarchy" not in lacking.text
    refused = door.post(f"{ADDRESS}/keep", data={"column": "age", "of": of, "text": text.split("\n", 2)[2]})
    assert refused.status_code == 409

    built = {"column": "age", "of": of, "text": text, "edit": "build", "kind": "intervals", "edges": "20,30,40,60"}
    edges = door.post(f"{ADDRESS}/draft", data=built).text
    assert '20;"[20, 30)"' in html.unescape(edges)
    assert "sfumato hierarchy --kind=intervals --set=edges=20,30,40,60" in html.unescape(edges)
    wrong = door.post(f"{ADDRESS}/draft", data={**built, "edges": "young"})
    assert "cannot be read" in wrong.text

    one_more = {"column": SEX, "of": of, "text": "", "edit": "add", "level": "0"}
    added = door.post(f"{ADDRESS}/draft", data=one_more, headers={"hx-request": "true"}).text
    assert "<html" not in added
    group = {"column": SEX, "of": of, "text": draft_in(added), "edit": "group", "level": "1", "label": "any", "picked": ["f", "m"]}  # fmt: skip # noqa: E501
    assert draft_in(door.post(f"{ADDRESS}/draft", data=group).text).startswith("f;any;*\nm;any;*\n")

    uploaded = door.post(f"{ADDRESS}/files", data={"column": "age"}, files={"file": ("age.csv", text.encode())})
    assert draft_in(uploaded.text) == text
    broken = door.post(f"{ADDRESS}/files", data={"column": "age"}, files={"file": ("age.csv", b"a;b\na;c\n")})
    assert broken.status_code == 422

    draft, until = draft_in(edges), time.monotonic() + 120
    while "grouped anew" in (told := door.post(f"{ADDRESS}/effect", data={"column": "age", "text": draft}).text):
        assert time.monotonic() < until
        time.sleep(0.2)
    assert "Smallest group" in told

    kept = door.post(f"{ADDRESS}/keep", data={"column": "age", "of": of, "text": draft}, follow_redirects=False)
    assert kept.status_code == 303
    newest = version(world.service, world.caller("stella"), "clinic", 0)
    assert newest.number == 2
    assert "hierarchy_age.csv" in newest.files
    said = world.service.storage.read(newest.files["sfumato.yaml"]).decode()
    assert "age: {role: quasi, hierarchy: hierarchy_age.csv, scale: numeric}" in said
    stale = door.post(f"{ADDRESS}/keep", data={"column": "age", "of": of, "text": draft})
    assert stale.status_code in (409, 412)
    again = opened(door, f"{ADDRESS}?column=age")
    assert draft_in(again.text).startswith('20;"[20, 30)"')
    assert door.get(f"{ADDRESS}/file.csv", params={"column": "age"}).text == draft_in(again.text)
    last = Chain.of(world.service.events.log).uses[-1]
    assert (last["command"]["name"], last["about"]["file"]) == ("rows.view", "hierarchy_age.csv")


def test_a_column_that_is_not_there_and_people_who_may_not(world):
    with_visits(world)
    door = visitor(world, "stella")
    opened(door, ADDRESS)
    assert door.get(ADDRESS, params={"column": "nothing"}).status_code == 422
    assert "stewards" in visitor(world, "rita").get(ADDRESS).text
    assert visitor(world, "other").get(ADDRESS).status_code == 404


def test_of_a_hierarchy_with_many_values_the_upper_levels_are_drawn_and_can_be_ticked(world):
    """Dates of birth are what most tables have, and hardly two people share one."""
    days = [f"19{50 + i // 12 % 40}-{1 + i % 12:02d}-{1 + i // 12 % 28:02d}" for i in range(480)]
    table = "id,born,diagnosis\n" + "".join(f"p{i},{day},flu\n" for i, day in enumerate(days))
    said = PROJECT.partition("columns:\n")[0] + (
        "columns:\n  id: {role: direct, type: text}\n  born: {role: quasi, scale: date}\n"
        "  diagnosis: {role: sensitive}\nmeasures:\n- {measure: k_anonymity, at_least: 3}\n"
    )
    with_visits(world, said, table.encode())
    door = visitor(world, "stella")
    shown = opened(door, f"{ADDRESS}?column=born").text
    tree = re.search(r'<ul class="tree">.*?</section>', shown, re.DOTALL)[0]
    assert "too large" not in shown
    assert "The tree ends at level 2: its 480 values are in the list" in tree
    assert 'name="under" value="2:1950-Q1"' in tree
    assert 'name="picked"' not in tree
    assert "480 → 480 → 160 → 40 → 4 → 1" in shown
    of = version(world.service, world.caller("stella"), "clinic", 0).hash
    group = {
        "column": "born", "of": of, "text": draft_in(shown), "edit": "group", "level": "3", "label": "a year",
        "under": ["2:1950-Q1", "2:1950-Q2", "2:1950-Q3", "2:1950-Q4"],
    }  # fmt: skip
    drawn = door.post(f"{ADDRESS}/draft", data=group).text
    assert 'name="under" value="3:a year"' in drawn
    assert 'value="3:1950"' not in drawn
