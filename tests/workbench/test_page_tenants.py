"""Every page and form of a project, generated from the screens: for whoever is nothing in it there is none."""

from __future__ import annotations

import re

import pytest
from tests.service.test_permission_table import things
from tests.workbench.visitors import visitor

from sfumato.workbench.app import routers

ABSENT = "not-there-at-all"
OTHER_NAMES = {"asked": "request", "of": "source"}  # of things, in the paths of pages


def pages() -> list[tuple[str, str]]:
    """The methods and paths of all pages and forms of a project."""
    routes = [route for router in routers() for route in router.routes if "/projects/{project}" in route.path]
    return sorted((method, route.path) for route in routes for method in route.methods if method != "HEAD")


def address(path: str, project: str, known: dict[str, str]) -> str:
    """A path with things in it that are there, in the project `clinic`."""
    named = path.replace("{project}", project)
    return re.sub(r"{(\w+)(:path)?}", lambda place: known.get(OTHER_NAMES.get(place[1], place[1]), "1"), named)


@pytest.mark.parametrize("who", ["other", "otto"])
def test_a_page_of_a_foreign_project_is_answered_as_one_of_a_project_that_is_not_there(world, who):
    known, door = things(world), visitor(world, who)
    assert len(pages()) > 60
    for method, path in pages():
        foreign, absent = (
            door.request(method, address(path, project, known), follow_redirects=False)
            for project in ("clinic", ABSENT)
        )
        # 422: what the form has to send is looked at first, and was not sent.
        assert foreign.status_code in (404, 422), (method, path, foreign.status_code)
        told = absent.text.replace(ABSENT, "clinic")  # a page says where it is
        assert (absent.status_code, told) == (foreign.status_code, foreign.text), (method, path)


def test_whoever_is_not_signed_in_is_led_to_where_one_signs_in_and_learns_nothing(world):
    known, door = things(world), visitor(world)
    for method, path in pages():
        foreign, absent = (
            door.request(method, address(path, project, known), follow_redirects=False)
            for project in ("clinic", ABSENT)
        )
        assert foreign.status_code in (303, 404, 422), (method, path, foreign.status_code)
        assert absent.status_code == foreign.status_code, (method, path)
        if foreign.status_code == 303:
            assert foreign.headers["location"].startswith("/sign-in")
