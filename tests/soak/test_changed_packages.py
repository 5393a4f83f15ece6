"""Documents of a package, changed at random places: every change is named, and nothing breaks."""

from __future__ import annotations

import os

import pytest
from tests.proof.conftest import Made, made, once
from tests.proof.test_verify import DOCUMENTS, check_changes

__all__ = ["made", "once"]  # fixtures
CAMPAIGN = 100  # changes of each document in `make soak`: some minutes. A slice is in tests/proof


@pytest.mark.soak
@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_change_of_a_document_goes_unnoticed(made: Made, name: str) -> None:
    """SOAK_FROM begins with another number and so draws other changes."""
    first = int(os.environ.get("SOAK_FROM", "1000"))
    check_changes(made, name, range(first, first + CAMPAIGN))
