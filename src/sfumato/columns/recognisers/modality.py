"""Imaging modalities."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Modality(ClosedList):
    """MRI, CT, ultrasound: how somebody was looked into."""

    concept = "imaging modalities"
    role = Role.SENSITIVE
    strength = 0.8
    file = "modality"
    unnamed = 0.7
    hints = hinted("modality modalit imaging image scan")
