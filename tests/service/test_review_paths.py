"""The paths of requests, reviews, releases and notices: each is an act, and takes no more than it says."""

from __future__ import annotations

from tests.service.released_package import Clinic

from sfumato.api.app import application
from sfumato.service.permissions import ROWS

OURS = {"requests", "reviews", "releases", "notices"}


def test_every_path_says_which_act_it_is_and_limits_what_it_takes(world):
    document = application(world.service).openapi()
    ours = [
        one for path in document["paths"].values() for one in path.values() if set(one.get("tags", ())) & OURS
    ]  # fmt: skip
    assert len(ours) == 25
    assert {one["x-act"] for one in ours} <= set(ROWS)
    for one in ours:
        given = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if "$ref" in given:
            schema = document["components"]["schemas"][given["$ref"].rpartition("/")[2]]
            assert schema["additionalProperties"] is False


def test_handles_that_are_none_are_not_known(world):
    clinic = Clinic.of(world)
    for handle in ("'; DROP TABLE request; --", "..%2f..%2fetc%2fpasswd", "%00", "0" * 26, "x" * 500):
        answers = (
            clinic.get("stella", f"/requests/{handle}"),
            clinic.get("quentin", f"/own-requests/{handle}"),
            clinic.door("stella").post(f"/api/v1/me/notices/{handle}/read"),
        )
        # What can be no handle at all is not right; what might be one is not known.
        assert {answer.status_code for answer in answers} <= {404, 422}
        assert handle != "0" * 26 or {answer.status_code for answer in answers} == {404}
