"""The exposure as a page: the sheet, and heat maps of scenarios and of pairs of columns."""

from __future__ import annotations

from sfumato.attackers.exposure import Exposure
from sfumato.show.page import page


def exposure_page(exposure: Exposure) -> str:
    """One file of HTML with every number and the heat maps."""
    return page(exposure.sheet(), list(exposure.charts))
