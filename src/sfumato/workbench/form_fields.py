"""Fields of forms: what a browser sends, read as texts, lines and documents of the service."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData

from sfumato.errors import ServiceRefusal

MOST_FIELDS = 5000  # of one form: a question for each of many columns
Document = TypeVar("Document", bound=BaseModel)


async def form_of(request: Request) -> FormData:
    """The fields of a form that was sent; files are none of these."""
    return await request.form(max_files=0, max_fields=MOST_FIELDS)


TheForm = Annotated[FormData, Depends(form_of)]


def text_of(given: FormData, name: str) -> str:
    """A field as a text, with the ends of lines that everybody but forms has; empty where it was not sent."""
    value = given.get(name)
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def answers_given(given: FormData) -> dict[str, str]:
    """What was answered to questions about a recipient; what was left empty is no answer."""
    answers = {name.removeprefix("answer."): value for name, value in given.items() if name.startswith("answer.")}
    return {name: value for name, value in answers.items() if isinstance(value, str) and value.strip()}


def whole_number(given: FormData, name: str, instead: int) -> int:
    """A field as a whole number; where it is none, a number that stands instead."""
    typed = text_of(given, name).strip()
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 10 else instead


def several_lines(text: str) -> list[str]:
    r"""The lines of a text that say something, each once.

    >>> several_lines("age\n\n diagnosis \nage")
    ['age', 'diagnosis']
    """
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def within(document: type[Document], fields: dict[str, Any], problem: str) -> Document:
    """A document of the service from fields; a refusal in plain words where it is not one."""
    try:
        return document.model_validate(fields)
    except ValidationError as error:
        # What was typed is not repeated: only which field it was.
        names = dict.fromkeys(str(one["loc"][0]) for one in error.errors() if one["loc"])
        raise ServiceRefusal(f"{problem} ({', '.join(names)})") from None
