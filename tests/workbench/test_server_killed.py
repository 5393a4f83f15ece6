"""A server that is killed while somebody waits: the page says so, asks on, and shows the end of the run by itself."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.service.run_world import with_project
from tests.workbench.hands import pressed, shows, until
from tests.workbench.visitors import signed_in

READING = "The table is being read"
AWAY = "The server does not answer."


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def serving(world, port, *, workers) -> Iterator[subprocess.Popen[bytes]]:
    """`sfumato serve` as an administrator starts it."""
    words = ["serve", f"--root={world.service.root}", f"--port={port}", f"--workers={workers}"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "-m", "sfumato", *words], **streams)
    try:
        assert b"listens on" in process.stdout.readline()
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()


def test_a_run_that_was_left_is_come_back_to_though_the_server_was_killed_meanwhile(world, browser):
    with_project(world)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with serving(world, port, workers=0) as server:  # so that the run is not done before all of this is
        signed_in(browser, address, world, "stella")
        browser.look()
        browser.driver.get(f"{address}/projects/clinic/table")
        pressed(browser, "Read the table")
        shows(browser, READING)
        browser.driver.get(address)  # somebody looks elsewhere, and comes back
        shows(browser, "clinic: What each column says of a person")
        browser.driver.back()
        shows(browser, READING)
        server.kill()
        server.wait(60)
        shows(browser, AWAY)
    with serving(world, port, workers=1):
        until(browser, "!document.body.innerText.includes(arguments[0])", READING)  # nobody has loaded the page again
        shows(browser, "How each column was read")
        assert AWAY not in browser.run("return document.body.innerText")
    browser.complaints()  # that the server was away is told on the console too
