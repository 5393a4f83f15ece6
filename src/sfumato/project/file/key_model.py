"""What the keys of every part of a project file have in common."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
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
