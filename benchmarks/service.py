"""The service under load: a hundred people who read while two runs compute, and a large upload: `make bench`.

`--quick` reads for ten seconds and sends 100 MB, and writes no page.
"""

import asyncio
import json
import os
import random
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from statistics import median

import httpx
from report import Bound, Page, publish, table

PEOPLE, RUNS, WORKERS = 100, 2, 2
QUEUED = 40  # runs, of which two are at work at a time: on an idle machine one takes some seconds
SECONDS, QUICK_SECONDS = 60, 10
MEGABYTES, QUICK_MEGABYTES = 1000, 100
PAUSE = (0.5, 1.5)  # seconds between two pages of one reader
ROWS = 400_000  # of the table that the runs are about: they compute for the whole minute
PAGES = ("projects", "projects/clinic/versions", "projects/clinic/runs", "projects/clinic/sources", "me/notices")
PROJECT = """\
data: {source: people.csv}
columns:
  age: {role: quasi}
  postcode: {role: quasi}
  day: {role: quasi}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 5}
"""
EMPTY = """
import sys
import uvicorn
from fastapi import FastAPI

app = FastAPI()


@app.get("/empty")
def empty() -> dict[str, str]:
    return {}


uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False)
"""


def peopled(root: Path) -> list[str]:
    """A project with a hundred stewards; the token of each."""
    from sfumato.service.doors import issue_token
    from sfumato.service.entities import Account, Membership, ServiceProject
    from sfumato.service.permissions import Act
    from sfumato.service.service import Service

    service = Service.at(root)
    now, tokens = service.clock(), []
    with service.database.writing() as session:
        project = ServiceProject(name="clinic", title="Clinic", created=now)
        session.add(project)
        session.flush()
        for number in range(PEOPLE):
            name = f"person{number}"
            account = Account(name=name, shown_name=name, identity=name, created=now)
            session.add(account)
            session.flush()
            session.add(Membership(project=project.handle, account=account.handle, role="steward"))
            expires = now + timedelta(days=1)
            _, secret = issue_token(session, service, account.handle, label="load", scopes=tuple(Act), expires=expires)
            tokens.append(secret)
    service.database.close()
    return tokens


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def memory(process: int, what: str = "VmRSS") -> float:
    """Megabytes of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1]) / 1024


def until_it_answers(url: str) -> None:
    for _ in range(600):
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    sys.exit(f"{url} does not answer.")


async def read(url: str, pages: list[str], tokens: list[str], seconds: float) -> dict[str, list[float]]:
    """Everybody reads a page, thinks, and reads the next; how long each answer took, and what was no answer."""
    took, errors = [], []
    until = time.monotonic() + seconds

    async def person(client: httpx.AsyncClient, token: str) -> None:
        chance = random.Random(token)
        await asyncio.sleep(chance.uniform(0, PAUSE[1]))
        while time.monotonic() < until:
            began = time.perf_counter()
            try:
                path = f"{url}/{chance.choice(pages)}"
                answer = await client.get(path, headers={"Authorization": f"Bearer {token}"})
                (took if answer.status_code == 200 else errors).append(time.perf_counter() - began)
            except httpx.HTTPError:
                errors.append(time.perf_counter() - began)
            await asyncio.sleep(chance.uniform(*PAUSE))

    async with httpx.AsyncClient(timeout=30, limits=httpx.Limits(max_connections=PEOPLE)) as client:
        await asyncio.gather(*(person(client, token) for token in tokens))
    return {"took": took, "errors": errors}


def loaded(url: str, pages: list[str], tokens: list[str], seconds: float) -> dict[str, list[float]]:
    """The same, from a process of its own."""
    task = json.dumps({"url": url, "pages": pages, "tokens": tokens, "seconds": seconds})
    done = subprocess.run([sys.executable, __file__, "--load"], input=task, capture_output=True, text=True, check=True)
    answers: dict[str, list[float]] = json.loads(done.stdout)
    return answers


def p95(took: list[float]) -> float:
    return sorted(took)[int(0.95 * (len(took) - 1))]


def prepared(url: str, token: str, folder: Path) -> list[str]:
    """The table at the service, and two runs on it."""
    import sfumato as sf

    rows = (f"{n * 7919 % 90},{n * 104729 % 99991:05},{n % 365},{'FM'[n % 2]},d{n % 40}" for n in range(ROWS))
    (folder / "people.csv").write_text("age,postcode,day,sex,diagnosis\n" + "\n".join(rows) + "\n")
    with sf.connect(url, token) as service:
        project = service.project("clinic")
        project.upload(folder / "people.csv")
        project.save({"sfumato.yaml": PROJECT})
        return [project.start("anonymise").handle for _ in range(QUEUED)]


def sent(url: str, token: str, folder: Path, megabytes: int, server: int) -> dict[str, float]:
    """Send a large file; how much memory the server took for it at the most."""
    import sfumato as sf

    with (folder / "large.csv").open("wb") as file:
        file.write(b"a\n")
        for _ in range(megabytes):
            file.write(secrets.token_hex(499_999).encode() + b"\n")
    before, began, peaks = memory(server), time.perf_counter(), []

    def tell(_words: str, done: int = 0, total: int = 0) -> None:
        peaks.append(memory(server))

    with sf.connect(url, token) as service:
        service.project("clinic").upload(folder / "large.csv", tell=tell)
    return {"more_mb": max(peaks) - before, "seconds": time.perf_counter() - began, "mb": megabytes}


def measured(*, quick: bool) -> dict[str, float]:
    seconds, megabytes = (QUICK_SECONDS, QUICK_MEGABYTES) if quick else (SECONDS, MEGABYTES)
    with tempfile.TemporaryDirectory(prefix="sfumato-load-") as place:
        folder, port, empty_port = Path(place), free_port(), free_port()
        tokens = peopled(folder / "root")
        command = [Path(sys.executable).with_name("sfumato"), "serve", "--root", folder / "root", "--port", str(port)]
        environment = {**os.environ, "SFUMATO_SERVICE_RUNS_PER_PERSON": str(RUNS)}
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen([*command, "--workers", str(WORKERS)], env=environment, **silent)
        empty = subprocess.Popen([sys.executable, "-c", EMPTY, str(empty_port)], **silent)
        url, api = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{port}/api/v1"
        try:
            until_it_answers(f"{api}/ready")
            until_it_answers(f"http://127.0.0.1:{empty_port}/empty")
            runs = prepared(url, tokens[0], folder)
            loaded(api, list(PAGES), tokens, seconds / 6)  # so that everything is loaded that ever is
            at_first = memory(server.pid)
            ours = {"took": [], "errors": []}
            theirs: list[float] = []
            for _ in range(3):  # in turns, so that a busy machine is busy for both
                part = loaded(api, list(PAGES), tokens, seconds / 3)
                ours = {name: ours[name] + part[name] for name in ours}
                theirs += loaded(f"http://127.0.0.1:{empty_port}", ["empty"], tokens, seconds / 3)["took"]
            at_last = memory(server.pid)
            states = [state_of(api, tokens[0], run) for run in runs]
            upload = sent(url, tokens[0], folder, megabytes, server.pid)
        finally:
            for process in (server, empty):
                process.terminate()
                process.wait(60)
    return {
        "reads": len(ours["took"]), "errors": len(ours["errors"]), "p95": p95(ours["took"]), "empty": p95(theirs),
        "median": median(ours["took"]), "empty_median": median(theirs), "at_first": at_first, "at_last": at_last,
        "running": states.count("running"), "done": states.count("done"),
        **{f"upload_{name}": value for name, value in upload.items()},
    }  # fmt: skip


def state_of(api: str, token: str, run: str) -> str:
    answer = httpx.get(f"{api}/projects/clinic/runs/{run}", headers={"Authorization": f"Bearer {token}"})
    return str(answer.json()["state"])


def page(result: dict[str, float]) -> Page:
    flat = result["at_last"] / result["at_first"]
    ratio = result["p95"] / result["empty"]
    rows = [
        ["a page of the service", f"{result['median'] * 1000:.1f}", f"{result['p95'] * 1000:.1f}"],
        ["an empty path of FastAPI", f"{result['empty_median'] * 1000:.1f}", f"{result['empty'] * 1000:.1f}"],
    ]
    return Page(
        name="service",
        title="the service under load",
        bounds=(
            Bound(f"{PEOPLE} people read for a minute while {RUNS} runs compute", "answers that are errors", 0,
                  result["errors"]),
            Bound("95th percentile of page-sized reads", "times an empty FastAPI path", 5, ratio),
            Bound("memory of the server after that", "MB", 300, result["at_last"]),
            Bound("memory of the server after that", "times that before", 1.1, flat),
            Bound(f"an upload of {result['upload_mb']:,.0f} MB", "MB of memory more", 50, result["upload_more_mb"]),
        ),
        body=f"""
A hundred people with a token each read lists of projects, versions, runs, sources and notices, with a second's pause
after each page, from a process of their own: {result['reads']:,.0f} reads. Of the runs of `anonymise` on {ROWS:,}
records, {result['running']:.0f} computed when the reading ended, and {result['done']:.0f} were done. The empty path is
a FastAPI application that does nothing, asked in the same way and in turns. Runs, readers and both servers share the
processors of one machine with whatever else is at work there (the load above). Where that is much, the ratio is of two
queues for a processor, and differs from run to run: look at the medians too.

{table(['', 'median, ms', '95th percentile, ms'], rows)}

The upload went in parts of 8 MB, in {result['upload_seconds']:.0f} s.
""",
    )  # fmt: skip


if __name__ == "__main__":
    if "--load" in sys.argv:
        asked = json.loads(sys.stdin.read())
        print(json.dumps(asyncio.run(read(asked["url"], asked["pages"], asked["tokens"], asked["seconds"]))))
    else:
        short = "--quick" in sys.argv
        publish(page(measured(quick=short)), quick=short)
