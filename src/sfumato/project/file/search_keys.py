"""The keys that say how a release is searched."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.project.file.key_model import FileKeys


class SearchKeys(FileKeys):
    """How the release is searched that keeps to the measures and loses least."""

    method: str | None = Field(
        None,
        min_length=1,
        description="auto (default: what loses least of the others), optimal, local, mondrian or cells.",
        examples=["auto"],
    )
    suppress: float | None = Field(
        None,
        ge=0,
        le=1,
        description="The share of records that may be left out; if not said, 0.05 with auto and 0 with others.",
        examples=[0.02],
    )
    objective: str | None = Field(
        None,
        min_length=1,
        description="What is made small: loss (default), nue, precision, class-size, discernibility, ambiguity, "
        "divergence or height.",
        examples=["loss"],
    )
    aggregate: Literal["sum", "arithmetic", "geometric", "maximum"] | None = Field(
        None, description="How columns count together; arithmetic if not said.", examples=["arithmetic"]
    )
    balance: float | None = Field(
        None,
        ge=0,
        le=1,
        description="0: only generalisation counts; 1: only suppression; 0.5 (default): both.",
        examples=[0.5],
    )
    weights: dict[str, float] | None = Field(
        None, description="How much a column matters, in comparison with the others.", examples=[{"age": 2}]
    )
    levels: dict[str, int | list[int]] | None = Field(
        None,
        description="The level of a column, or its lowest and highest.",
        examples=[{"age": [1, 3], "sex": 0}],
    )
    hierarchies: str | None = Field(
        None,
        min_length=1,
        description="A folder with a hierarchy file for each column. Relative to this file.",
        examples=["hierarchies/"],
    )
    for_scenarios: bool | None = Field(
        None,
        description="true: the measures hold for the columns of each scenario, instead of for all quasi-identifiers.",
        examples=[True],
    )
    heuristic: Literal["beam", "bottom-up", "top-down", "genetic", "restarts"] | None = Field(
        None, description="Takes the place of the proof, for very many combinations.", examples=["beam"]
    )
    against: Literal["release", "original"] | None = Field(
        None,
        description="Whom t and others compare a class with: everybody in the release (default), or in the original.",
        examples=["release"],
    )
    seconds: float | None = Field(None, gt=0, description="The search stops then, with the best so far.", examples=[60])
    nodes: int | None = Field(
        None, gt=0, description="How many combinations of levels are looked at, at the most.", examples=[100_000]
    )
