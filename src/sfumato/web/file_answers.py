"""Files as answers: a browser saves them, and does not show them."""

from __future__ import annotations

from fastapi import Response


def file_answer(content: bytes, media: str, name: str, **headers: str) -> Response:
    """A file as an answer; a browser saves it and does not show it."""
    plain = "".join(letter if letter.isascii() and letter not in '"\\' else "_" for letter in name)
    return Response(
        content, media_type=media, headers={"Content-Disposition": f'attachment; filename="{plain}"', **headers}
    )
