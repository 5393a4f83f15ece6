"""A service while it is served: the process that answers, its workers beside it, and what is done every hour."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from sfumato.errors import MissingExtra, OutputError, SfumatoError
from sfumato.service.local_table import OpenedTable
from sfumato.service.service import Service
from sfumato.service.settings import LOOPBACK

PARENT = "SFUMATO_WORKER_OF"  # names the process that a worker ends with
HOUR, MINUTE = 3600.0, 60.0
QUEUE = 1024  # connections that wait to be taken
LOOK = 0.5  # seconds between two looks at the workers
REST = 2.0  # seconds until a worker that has ended is started anew: one that cannot start must not do so without end
GRACE = 20.0  # seconds in which answers and workers come to an end


@dataclass
class ServiceServer:
    """A service on an address, with its workers."""

    service: Service
    host: str
    port: int
    workers: int
    opened: OpenedTable | None = None  # the table of one person, where it is opened for one
    listening: socket.socket = field(init=False)
    ending: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        # Said to be TCP, so that asyncio sends each part of an answer at once: without it, head and body of an answer
        # are two packets of which the second waits 40 ms for the first to be acknowledged.
        self.listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self.listening.bind((self.host, self.port))
            self.listening.listen(QUEUE)  # from now on whoever comes waits for an answer, and is not turned away
        except OSError as error:
            raise OutputError(f"The service cannot listen on {self.host}:{self.port} ({error.strerror}).") from None
        self.port = self.listening.getsockname()[1]
        settings = self.service.settings
        if "address" not in settings.model_fields_set and self.host in LOOPBACK:
            # Nobody has said where people reach it: then it is here, and links lead to the port that it listens on.
            here = settings.model_copy(update={"address": self.address})
            self.service = replace(self.service, settings=here)

    @property
    def address(self) -> str:
        """Where it is reached on this machine."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.service.settings.certificate else 'http'}://{host}:{self.port}"

    def run(self) -> int:
        """Answer until told to end; then let the workers come to an end, whose runs go back to the queue."""
        server = http_server(self.service, self.opened)

        def end(_number: int, _frame: Any) -> None:
            server.should_exit = True

        own_signals(end)
        beside = threading.Thread(target=self._keep_workers)
        beside.start()
        for chore in self._chores():
            threading.Thread(target=self._repeat, args=chore, daemon=True).start()
        try:
            server.run(sockets=[self.listening])
        finally:
            self.ending.set()
            self.service.live.end()
            beside.join()
        return 0

    def _keep_workers(self) -> None:
        """Keep as many workers alive as there should be, and end them with the service."""
        alive: list[subprocess.Popen[bytes]] = []
        rest = 0.0
        while not self.ending.wait(LOOK):
            alive = [worker for worker in alive if worker.poll() is None]
            if len(alive) < self.workers and time.monotonic() >= rest:
                alive.append(self._started())
                rest = time.monotonic() + (REST if len(alive) >= self.workers else 0)
        for worker in alive:
            worker.send_signal(signal.SIGTERM)
        until = time.monotonic() + GRACE
        for worker in alive:
            try:
                worker.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.kill()  # its run is taken up again

    def _started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "sfumato", "worker", "--root", str(self.service.root)]
        given = self.service.settings.database
        database = {"SFUMATO_SERVICE_DATABASE": given} if given else {}
        # In a session of its own: Ctrl-C at a terminal is for the service, which then tells its workers.
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, env={**os.environ, **database, PARENT: str(os.getpid())},
            start_new_session=True,
        )  # fmt: skip

    @staticmethod
    def _chores() -> list[tuple[float, str, Callable[[Service], int]]]:
        """What is done again and again, how often, and in words."""
        from sfumato.service.retention import sweep
        from sfumato.service.send_notices import send_waiting

        return [(HOUR, "The hourly sweep", sweep), (MINUTE, "Sending notices", send_waiting)]

    def _repeat(self, every: float, words: str, chore: Callable[[Service], int]) -> None:
        """Do something now and every so many seconds, until the service ends; what fails is tried again then."""
        while True:
            try:
                chore(self.service)
            except SfumatoError as error:
                sys.stderr.write(f"{words} could not be done: {error}\n")
            except Exception as error:  # whatever it is, it is tried again; what it says may quote a value
                sys.stderr.write(f"{words} could not be done ({type(error).__name__}).\n")
            if self.ending.wait(every):
                return


def own_signals(end: Callable[[int, Any], None]) -> None:
    """Take SIGTERM and SIGINT from the program, which would cut off what is under way: here they ask for an end."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)


def http_server(service: Service, opened: OpenedTable | None = None) -> Any:
    """The server of HTTP: what it logs of a question is its path, never what stands behind the question mark."""
    try:
        import uvicorn
    except ImportError:
        raise MissingExtra("The service", "service") from None
    settings = service.settings
    config = uvicorn.Config(
        both_doors(service, opened),
        log_config=access_log(),
        # Whoever opens a table on their own machine reads its address in the terminal, not every question of a page.
        log_level="info" if opened is None else "warning",
        proxy_headers=settings.proxy,
        # Not from everybody: then the first address that a client claims would count, and not what the proxy has seen.
        forwarded_allow_ips=settings.proxy_addresses if settings.proxy else None,
        server_header=False,
        date_header=True,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.private_key,
        timeout_graceful_shutdown=int(GRACE),
        timeout_keep_alive=30,
        limit_concurrency=1000,
        h11_max_incomplete_event_size=32_768,
    )
    return uvicorn.Server(config)


def both_doors(service: Service, opened: OpenedTable | None = None) -> Any:
    """The application of a service, its API and its workbench; with `opened`, that of one person at one table."""
    from sfumato.api.app import application
    from sfumato.web.two_doors import TwoDoors
    from sfumato.workbench.app import workbench
    from sfumato.workbench.local_door import let_in_once

    machines = application(service)
    people = workbench(service, machines.state.counts)
    if opened is not None:
        let_in_once(people, service, opened)
    return TwoDoors(machines, people)


def access_log() -> dict[str, Any]:
    """How the server logs: one line for each question, on the second stream."""
    import copy

    from uvicorn.config import LOGGING_CONFIG

    logs = copy.deepcopy(LOGGING_CONFIG)
    logs["filters"] = {"paths": {"()": "sfumato.cli.server.PathsOnly"}}
    logs["handlers"]["access"]["filters"] = ["paths"]
    logs["handlers"]["access"]["stream"] = "ext://sys.stderr"
    return logs


class PathsOnly:
    """Takes what stands behind the question mark out of a line of the access log."""

    def filter(self, record: Any) -> bool:
        """Keep the line, without it."""
        if isinstance(record.args, tuple) and len(record.args) == 5:
            client, method, path, version, status = record.args
            record.args = (client, method, str(path).partition("?")[0], version, status)
        return True
