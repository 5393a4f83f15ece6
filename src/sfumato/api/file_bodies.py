"""Questions and answers that are files: read up to a limit, sent as they are, and described as such."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from sfumato.errors import TooLarge

BINARY = {"schema": {"type": "string", "format": "binary"}}


def taking(declared: dict[str, Any], media: str) -> dict[str, Any]:
    """The declaration of a path whose question is a file."""
    body = {"required": True, "content": {media: BINARY}}
    return {**declared, "openapi_extra": {**declared["openapi_extra"], "requestBody": body}}


def giving(declared: dict[str, Any], media: str) -> dict[str, Any]:
    """The declaration of a path whose answer is a file."""
    answer = {"description": "The file", "content": {media: BINARY}}
    return {**declared, "responses": {**declared["responses"], 200: answer}, "response_class": Response}


async def body_of(request: Request, most: int, limit: str) -> bytes:
    """The file that a question is, with no more in memory than it may have; `TooLarge` names the limit."""
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            raise TooLarge(f"This may have {most:,} bytes at the most ({limit}).")
        chunks.append(chunk)
    return b"".join(chunks)
