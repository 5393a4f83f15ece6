"""TNM and stages of tumours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import CodeSystem, hinted

PLAIN = re.compile(r"[TGV]\d|[IV]{1,3}|\d[AB]?", re.IGNORECASE)  # also the points in time of a trial


class TumourStage(CodeSystem):
    """T2N0M0, pT1c, N2b, Tis, Stage IIIA, FIGO IB, AJCC. T1 to T4 and I to IV alone need a name that says tumour."""

    concept = "stages of tumours"
    strength = 0.9
    unnamed = 0.8
    hints = hinted(
        "stage stag tnm ajcc figo tumor tumour tumeur tumore uicc ann arbor dukes path clinical t n m pt pn pm ct "
        "cn cm ypt ypn grade grading stadium stade stadio estadio"
    )
    needed = 0.85
    pattern = re.compile(
        r"(?:[yramcp]{0,3}[TNM](?:[0-4X]|is|1mi|1mic)(?:[a-e]\d?|mi|mic|mol|sn|\(.{1,6}\)|[i]?[+-])*[ ,;/]*){1,3}"
        r"(?:[GRLV][0-4X]\s*)*"
        r"|(?:clinical |pathologic(?:al)? |ajcc |figo |uicc |ann arbor )?(?:stage|stadium|stade|stadio|estadio) ?"
        r"(?:0|is|x|[1-4]|I{1,3}|IV)[ABCES]?\d?|(?:I{1,3}|IV)[ABCES]\d?|I{1,3}|IV|0|X",
        re.IGNORECASE,
    )

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 without a name for it where all are a letter and a digit."""
        values = self.values(sample)
        plain = sum(PLAIN.fullmatch(value) is not None for value in values) > 0.5 * len(values)
        said_nothing = all(value in ("0", "X", "x") for value in values)
        return 0.0 if said_nothing or (plain and not self.named(said)) else super().weight(sample, said)
