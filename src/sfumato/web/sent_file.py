"""A file that a form of a browser sends: its name, its size and its bytes as they come, never all of them at once.

The file is the last field of its form. How large it is follows from the length of the whole and from where it begins,
so that it is known before the file has come, and nothing looks for its end within it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import unquote

from fastapi import Request

from sfumato.errors import ServiceRefusal

MOST_FIELDS = 100_000  # bytes of all that comes before the file
BOUNDARY = re.compile(r'multipart/form-data;.*?boundary="?([^";,\s]{1,200})"?', re.IGNORECASE)
DISPOSITION = re.compile(rb'content-disposition:\s*form-data;\s*name="([^"]*)"(?:;\s*filename="([^"]*)")?', re.I)
LINE_END = b"\r\n"
HEAD_END = b"\r\n\r\n"
NO_FILE = "No file was sent. Choose one, and send the form again."


class WrongForm(ServiceRefusal):
    """What was sent is no form with a file at its end."""

    status, kind = 422, "wrong-form"


@dataclass
class SentFile:
    """The file of a form: what the browser calls it, how many bytes it has, and the fields that came before it."""

    name: str
    size: int
    fields: dict[str, str]
    _held: bytes  # of the file and what follows it, that came with what was before it
    _stream: AsyncIterator[bytes]
    _after: bytes  # what has to follow the file

    async def content(self) -> AsyncIterator[bytes]:
        """The bytes of the file as they come; `WrongForm` where something else follows them."""
        left, tail, chunk = self.size, b"", self._held
        while True:
            piece, tail = chunk[:left], tail + chunk[left:]
            left -= len(piece)
            if piece:
                yield piece
            if len(tail) > len(self._after):
                break
            chunk = await anext(self._stream, b"")
            if not chunk:
                break
        if not left and tail != self._after:
            raise WrongForm("The file has to be the last field of the form.")


async def sent_file(request: Request) -> SentFile:
    """The file of the form that a question is, once it has come as far as where the file begins."""
    boundary = BOUNDARY.match(request.headers.get("content-type", ""))
    length = request.headers.get("content-length", "")
    if boundary is None or not length.isdecimal():
        raise WrongForm(NO_FILE)
    between = b"\r\n--" + boundary[1].encode()
    stream = aiter(request.stream())
    held, fields = LINE_END, dict[str, str]()  # so that the first mark looks like the others
    place = 0
    while len(held) <= MOST_FIELDS:
        chunk = await anext(stream, b"")
        if not chunk:
            raise WrongForm(NO_FILE)
        held += chunk
        while (head := _head(held, place, between)) is not None:
            name, file, begin = head
            if file is not None:
                after = between + b"--\r\n"
                size = int(length) - (begin - len(LINE_END)) - len(after)
                if size < 0 or not file:
                    raise WrongForm(NO_FILE)
                return SentFile(file, size, fields, held[begin:], stream, after)
            end = held.find(between, begin)
            if end < 0:
                break
            fields[name], place = held[begin:end].decode("utf-8", "replace"), end
    raise WrongForm("The fields before the file are too long.")


def _head(held: bytes, place: int, between: bytes) -> tuple[str, str | None, int] | None:
    """The name of the field that begins at a place, that of its file, and where its content begins; None: not yet."""
    end = held.find(HEAD_END, place)
    if not held.startswith(between, place) or end < 0:
        return None
    said = DISPOSITION.search(held, place, end)
    if said is None:
        raise WrongForm(NO_FILE)
    name, file = (None if words is None else unquote(words.decode("utf-8", "replace")) for words in said.groups())
    return name or "", file, end + len(HEAD_END)
