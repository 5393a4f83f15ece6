"""A gigabyte over a real socket, while the memory of the server is watched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

SIZE = int(os.environ.get("SFUMATO_UPLOAD_MB", "1024")) * 2**20
SERVE = """
import sys
from pathlib import Path
import uvicorn
from sfumato.api.app import application
from tests.service.conftest import a_world
world = a_world(Path(sys.argv[1]) / "root")
server = uvicorn.Config(application(world.service), port=0, log_level="error")
socket = server.bind_socket()
print(socket.getsockname()[1], world.token("stella"), flush=True)
uvicorn.Server(server).run([socket])
"""


def memory_of(process: subprocess.Popen[str], what: str) -> int:
    """Megabytes that a process has, or had at the most."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(what))


@pytest.mark.soak
def test_the_memory_of_a_server_stays_flat_while_a_gigabyte_arrives(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=environment
    ) as server:
        try:
            port, token = server.stdout.readline().split()
            base = f"http://127.0.0.1:{port}/api/v1/projects/clinic/uploads"
            with httpx.Client(headers={"Authorization": f"Bearer {token}"}, timeout=600) as door:
                peaks = [_peak(door, base, server, size) for size in (2**20, SIZE)]
        finally:
            server.kill()
    print(f"{SIZE // 2**20} MB: {peaks[0]} MB of memory after 1 MB, {peaks[1]} MB at the most")  # noqa: T201
    assert peaks[1] - peaks[0] < 60


def _peak(door: httpx.Client, base: str, server: subprocess.Popen[str], size: int) -> int:
    chunk = bytes(2**18)
    begun = door.post(base, json={"name": f"{size}.csv", "bytes": size}).json()["handle"]
    sent = door.patch(
        f"{base}/{begun}/parts", content=(chunk for _ in range(size // len(chunk))), headers={"Upload-Offset": "0"}
    )
    assert sent.json()["received"] == size
    assert door.post(f"{base}/{begun}/source", json={}).status_code == 201
    return memory_of(server, "VmHWM")
