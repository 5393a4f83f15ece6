"""Where numbers on pages come from: the plain words, the formula and the references of a measure or a model of loss.

They stand beside the code that computes the number, and are the same that a report shows.
"""

from __future__ import annotations

from functools import cache

from sfumato.privacy.catalogue import measures
from sfumato.proof.report.docstrings import explained
from sfumato.show.documents.report import NumberSource
from sfumato.utility.catalogue import utility_models


@cache
def measure_sources() -> dict[str, NumberSource]:
    """Of every privacy measure.

    >>> measure_sources()["k_anonymity"].formula
    'k = min_E |E|'
    """
    return {
        name: explained(name, one, one.plainly, f"{one.bounds}; safer when {one.safer.value}")
        for name, one in measures().items()
    }


@cache
def model_sources() -> dict[str, NumberSource]:
    """Of every model of what is lost.

    >>> model_sources()["loss"].references[0].startswith("Iyengar (2002).")
    True
    """
    return {
        name: explained(name, one, one.plainly, f"{one.bounds}; better when {one.better.value}")
        for name, one in utility_models().items()
    }
