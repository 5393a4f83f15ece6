"""A part of an upload as it comes over HTTP: written piece by piece, and kept as far as it came."""

from __future__ import annotations

from collections.abc import AsyncIterator

from anyio import CancelScope
from fastapi.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from sfumato.service.service import Service
from sfumato.service.uploads import Arrival, end_part

CHUNK = 1 << 20  # bytes that are in memory before they are written


async def arrived(stream: AsyncIterator[bytes], service: Service, handle: str, arrival: Arrival) -> int:
    """Write a part as it comes, with about a megabyte of it in memory; how far the upload is then, also after a cut."""
    try:
        await _written(stream, arrival)
    finally:
        # Also where the question is cancelled: the file has to be let go of.
        with CancelScope(shield=True):
            size = await run_in_threadpool(end_part, service, handle, arrival)
    return size


async def _written(stream: AsyncIterator[bytes], arrival: Arrival) -> None:
    held = bytearray()
    try:
        async for chunk in stream:
            held += chunk
            if len(held) >= CHUNK:
                await run_in_threadpool(arrival.write, bytes(held))
                held.clear()
    except ClientDisconnect:
        pass  # nobody waits for the answer; what came counts
    if held:
        await run_in_threadpool(arrival.write, bytes(held))
