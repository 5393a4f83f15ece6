"""The whole API asked with many questions of schemathesis: no error that nobody foresaw, no undocumented answer."""

from __future__ import annotations

import pytest
from tests.service.conftest import a_world
from tests.service.test_openapi import asked_as


@pytest.mark.soak
@pytest.mark.parametrize("who", ["ada", "stella", "rita", "quentin", "rex", "otto"])
def test_the_api_does_what_its_document_says_in_many_examples(tmp_path, who):
    assert asked_as(a_world(tmp_path / "root"), who, 100) == []
