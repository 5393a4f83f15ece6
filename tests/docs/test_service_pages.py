"""The pages on the service: their tables are those of the program, and the tests that they name are there."""

from __future__ import annotations

import re

import pytest
from tests.docs.pages import ROOT
from tests.docs.service_tables import MADE

SERVICE, SECURITY = ROOT / "docs" / "service.md", ROOT / "docs" / "security.md"


@pytest.mark.parametrize("name", MADE)
def test_a_table_of_the_page_is_that_of_the_program(name):
    text = SERVICE.read_text(encoding="utf-8")
    _, _, rest = text.partition(f"<!-- {name} -->\n\n")
    assert rest.partition("\n\n<!--")[0] == MADE[name](), f"Write the table anew: tests.docs.service_tables.{name}"


def test_every_test_that_the_page_on_security_names_is_there():
    named = re.findall(r"`(tests/[a-z_/]+\.py)(?:::(test_\w+))?`", SECURITY.read_text(encoding="utf-8"))
    assert len(named) >= 15
    missing = [
        (file, test) for file, test in named
        if not (ROOT / file).is_file() or (test and f"def {test}(" not in (ROOT / file).read_text(encoding="utf-8"))
    ]  # fmt: skip
    assert missing == []
