"""A server that is killed while somebody waits: the page says so, asks on, and shows the end of the run by itself."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

from tests.workbench.hands import pressed, shows, until
from tests.workbench.live_visits import visits


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def opened(folder, port):
    """`sfumato open` of a table as somebody types it; the process and the address."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "sfumato", "open", "visits.csv", "--no-browser", f"--port={port}"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=folder, env=environment, **streams)
    try:
        yield process, re.search(rb"http://127\.0\.0\.1:\d+/\S+", process.stdout.readline())[0].decode()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()


def test_a_run_that_was_left_is_come_back_to_though_the_server_was_killed_meanwhile(browser, tmp_path):
    (tmp_path / "visits.csv").write_bytes(visits())
    port = free_port()
    browser.look()
    with opened(tmp_path, port) as (server, address):
        browser.driver.get(address)
        table = browser.driver.current_url
        browser.driver.get(address.partition("/open/")[0])  # somebody looks elsewhere while it is read, and comes back
        shows(browser, "Projects")
        browser.driver.back()
        shows(browser, "How each column was read")
        pressed(browser, "Read it again")
        shows(browser, "The table is being read")
        server.kill()
        server.wait(60)
        shows(browser, "The server does not answer.")
    with opened(tmp_path, port):
        until(browser, "!document.body.innerText.includes(arguments[0])", "The table is being read")
        shows(browser, "How each column was read")  # nobody has loaded the page again
        assert "The server does not answer." not in browser.run("return document.body.innerText")
        browser.driver.get(table.replace("/table", "/runs"))
        shows(browser, "done")
    browser.complaints()  # that the server was away is told on the console too
