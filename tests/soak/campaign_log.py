"""The log of a campaign: what was run and measured, for whoever writes down the figures."""

from __future__ import annotations

import os
from pathlib import Path


def note(words: str) -> None:
    """Add a line to the file that the environment variable SOAK_LOG names, where it names one."""
    if "SOAK_LOG" in os.environ:
        with Path(os.environ["SOAK_LOG"]).open("a", encoding="utf-8") as log:
            log.write(words + "\n")
