"""Parts of the body."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class BodySite(ClosedList):
    """Scalp, lower extremity, Lunge: where something was found, done or grew."""

    concept = "parts of the body"
    role = Role.SENSITIVE
    strength = 0.87
    plainly = 0.9
    unnamed = 0.78
    file = "body_site"
    hints = hinted("body bodysite anatom locali topograph organ lesion tumor tumour injection quadrant lokalis")
