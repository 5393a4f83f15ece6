"""What the keys of every part of a project file have in common."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError


class FileKeys(BaseModel):
    """Keys and values of one part of the file; a key that is not listed is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def optional_key(description: str, *examples: Any, **limits: Any) -> Any:
    """A key that may be left out, or left empty."""
    return Field(None, description=description, examples=list(examples), **limits)


def wrong(words: str, key: str | int | None = None) -> PydanticCustomError:
    """An error in our own words, at one of the keys inside the thing that is checked."""
    return PydanticCustomError("wrong", "{words}", {"words": words, "key": key})


def _day(text: str) -> str:
    """A day or a moment as ISO 8601 writes it, kept as it is written."""
    problem = wrong_day(text)
    if problem:
        raise wrong(problem)
    return text


def wrong_day(text: str) -> str | None:
    """What is wrong with the text of a day or a moment; None where nothing is."""
    if re.fullmatch(DAY, text) is None:
        return "expected a day, such as 2026-05-31, or a moment, such as 2026-05-31T14:05."
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return "there is no such day or time."
    return None


# A day, and a time of day after it where one is said. `fromisoformat` reads more, such as weeks, that people misread.
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+(Z|[+-][0-9:]+)?)?$"

Day = Annotated[str, AfterValidator(_day), WithJsonSchema({"type": "string", "pattern": DAY})]
