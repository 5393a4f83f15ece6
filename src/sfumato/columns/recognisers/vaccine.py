"""Vaccines."""

from __future__ import annotations

from sfumato.columns.recognisers.code_system import hinted
from sfumato.columns.recognisers.text_words import TextWords


class Vaccine(TextWords):
    """MMR, Tdap, influenza seasonal: what somebody was vaccinated with."""

    concept = "vaccines"
    strength = 0.86
    file = "vaccine"
    hints = hinted("vaccin immuni vax impf vacuna vacina szczep εμβολι")
