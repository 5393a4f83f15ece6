"""Charts need an optional part of Sfumato."""

import pytest


@pytest.fixture(autouse=True)
def _drawing():
    pytest.importorskip("altair", reason="charts need sfumato[plots]")
    pytest.importorskip("vl_convert", reason="charts need sfumato[plots]")
