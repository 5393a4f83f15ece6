"""The keys of a project file that say what is assumed of attackers."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Keys(BaseModel):
    """Keys and values of one part of the file; a key that is not listed is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ScenarioKeys(_Keys):
    """What an attacker may know of a person: some columns."""

    name: str = Field(min_length=1, description="What the scenario is called.", examples=["neighbour"])
    columns: list[str] = Field(min_length=1, description="The columns that are known.", examples=[["age", "sex"]])


class SubsetKeys(ScenarioKeys):
    """A scenario in which it is also known whether a condition holds."""

    where: dict[str, Any] = Field(
        description="The condition, as in a plan.", examples=[{"column": "outcome", "equals": "died"}]
    )
    mode: Literal["subset", "as_qi"] | None = Field(
        None,
        description="subset (default): the attacker is certain of it. as_qi: it is one more quasi-identifier.",
        examples=["subset"],
    )


class PopulationKeys(_Keys):
    """The population of which the table is a sample: one of these."""

    fraction: float | None = Field(None, description="The share of it that is in the table.", examples=[0.05])
    size: int | None = Field(None, description="How many people it has.", examples=[1_200_000])
    region: str | None = Field(None, description="The country whose residents it is.", examples=["netherlands"])
    table: str | None = Field(
        None, description="A table of it with the same quasi-identifiers.", examples=["register.parquet"]
    )
