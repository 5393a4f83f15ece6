"""The workbench: how long a slider waits, what pages weigh, and how soon a large file is open: `make bench`.

`--quick` moves a slider fifty times, opens a smaller file, and writes no page.
"""

import gzip
import html
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import httpx
from report import Bound, Page, publish, table

from service import free_port, p95, until_it_answers

CENSUS = Path(os.environ.get("SFUMATO_DATA", Path(__file__).parents[2] / "shared" / "data")) / "adult"
MOVES, QUICK_MOVES = 300, 50
LEAST, LIKELY = 2, 50  # bounds of k between which the slider is moved
PROJECT = """\
data: {source: adult.csv}
columns:
  sex: {role: quasi}
  age: {role: quasi}
  race: {role: quasi}
  marital-status: {role: quasi}
  education: {role: quasi}
  native-country: {role: quasi}
  workclass: {role: quasi}
  occupation: {role: quasi}
  salary-class: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 5}
anonymise: {suppress: 0.02, hierarchies: .}
"""
BASE = "/projects/census"
# The large file: a column that tells records apart, and numbers, codes and answers of which some are missing.
WIDE_ROWS, QUICK_ROWS, WIDE_COLUMNS, BLOCK = 1_200_000, 60_000, 500, 20_000
SCAN = """
import sys
import duckdb
duckdb.sql("SET threads = 2; SET enable_progress_bar = false")
duckdb.read_csv(sys.argv[1], all_varchar=True).count("*").fetchall()
"""


def census(root: Path) -> str:
    """A service with the census table as the project of one steward; what the cookie of a session holds."""
    from sfumato.service.caller import Caller, Way
    from sfumato.service.doors import open_session
    from sfumato.service.entities import Account, Membership, RegisteredSource, ServiceProject
    from sfumato.service.service import Service
    from sfumato.service.versions import replace_files

    service = Service.at(root)
    content = (CENSUS / "adult.csv").read_bytes()
    with service.database.writing() as session:
        account = Account(name="stella", shown_name="Stella", identity="stella", created=service.clock())
        project = ServiceProject(name="census", title="Census", created=service.clock())
        session.add_all([account, project])
        session.flush()
        session.add(Membership(project=project.handle, account=account.handle, role="steward"))
        session.add(
            RegisteredSource(
                project=project.handle, name="adult.csv", kind="upload", hash=service.storage.keep(content),
                bytes=len(content), author=account.handle, created=service.clock(),
            )
        )  # fmt: skip
        cookie = open_session(session, service, account, address="127.0.0.1", second_factor_passed=True)
    files = {path.name: path.read_bytes() for path in CENSUS.glob("adult_hierarchy_*.csv")}
    caller = Caller(Way.SESSION, account.handle, account.name, account.identity)
    replace_files(service, caller, "census", {"sfumato.yaml": PROJECT.encode(), **files}, require=lambda _hash: None)
    service.database.close()
    return cookie


def nodes(moves: int, heights: list[int]) -> list[str]:
    """Settings as somebody moves sliders: one thing at a time, from one to the next."""
    chance, levels, size, settings = random.Random(1), [0] * len(heights), 5, []
    for _ in range(moves):
        at = chance.randrange(len(levels) + 1)
        if at == len(levels):
            size = chance.randint(LEAST, LIKELY)
        else:
            levels[at] = chance.randint(0, heights[at])
        settings.append(f"{size}~2~{'.'.join(map(str, levels))}")
    return settings


def evaluated(settings: list[str], folder: Path) -> list[float]:
    """Seconds that the search's own evaluation of each of these nodes takes, without any page."""
    from sfumato.project.file import Project
    from sfumato.service.live_evaluator import evaluator_of

    for path in CENSUS.glob("*.csv"):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    os.chdir(folder)
    evaluator = evaluator_of(Project.read("sfumato.yaml"))
    names, took = [column.name for column in evaluator.table.columns], []
    for setting in settings:
        size, share, levels = setting.split("~")
        wanted = dict(zip(names, map(int, levels.split(".")), strict=True))
        began = time.perf_counter()
        evaluator.at(wanted, bounds={"k": float(size)}, suppress=float(share) / 100)
        took.append(time.perf_counter() - began)
    return took


def opened(client: httpx.Client) -> str:
    """The screen Release once it is ready, and its curve has grown."""
    while 'id="opening"' in (answer := client.get(f"{BASE}/release")).text:
        time.sleep(0.5)
    while 'hx-get="/projects/census/release/curve"' in client.get(f"{BASE}/release").text:
        time.sleep(0.5)
    return answer.text


def measured(*, quick: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="sfumato-workbench-") as place:
        folder, port = Path(place), free_port()
        cookie = census(folder / "root")
        command = [Path(sys.executable).with_name("sfumato"), "serve", "--root", folder / "root", "--port", str(port)]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen([*command, "--workers", "0"], **silent)
        url = f"http://127.0.0.1:{port}"
        try:
            until_it_answers(f"{url}/api/v1/ready")
            with httpx.Client(base_url=url, cookies={"sfumato": cookie}, timeout=120) as client:
                began = time.perf_counter()
                page = opened(client)
                ready = time.perf_counter() - began
                heights = [
                    int(part.split('max="')[1].split('"')[0]) for part in page.split('<input type="range" id="l')[1:]
                ]
                settings = nodes(QUICK_MOVES if quick else MOVES, heights)
                slid, near, empty = [], [], []
                for setting in settings:  # in turns, so that a busy machine is busy for both
                    slid.append(asked(client, f"{BASE}/release/live?s={setting}", part=True))
                    near.append(asked(client, f"{BASE}/release/steps?s={setting}", part=True))
                    empty.append(asked(client, f"{BASE}/runs"))
                weights = weighed(client)
        finally:
            server.terminate()
            server.wait(60)
        (folder / "own").mkdir()
        alone = evaluated(settings, folder / "own")
    return {
        "moves": len(slid), "p50": median(slid), "p95": p95(slid), "empty": median(empty), "node": median(alone),
        "near": median(near), "near95": p95(near),
        "ready": ready, **{f"weight {name}": size for name, size in weights.items()},
    }  # fmt: skip


def asked(client: httpx.Client, address: str, *, part: bool = False) -> float:
    began = time.perf_counter()
    answer = client.get(address, headers={"HX-Request": "true"} if part else {})
    took = time.perf_counter() - began
    if answer.status_code != 200:
        sys.exit(f"{address}: {answer.status_code}")
    return took


def weighed(client: httpx.Client) -> dict[str, float]:
    """Kilobytes of each page as it would come compressed, and of what all of them load."""
    addresses = {
        "Release": f"{BASE}/release", "a slider's answer": f"{BASE}/release/live?s=5~2~0.3.0.1.2.1.1.2",
        "Effects": f"{BASE}/effects?s=5~2~0.3.0.1.2.1.1.2", "Hierarchies": f"{BASE}/hierarchies?column=age",
        "style sheet": "/static/workbench.css", "own script": "/static/workbench.js", "htmx": "/assets/htmx.min.js",
    }  # fmt: skip
    answers = {name: client.get(address) for name, address in addresses.items()}
    return {name: len(gzip.compress(one.content)) / 1000 for name, one in answers.items() if one.status_code == 200}


def wide(path: Path, rows: int) -> None:
    """Write a CSV file of so many rows and 500 columns: one block of rows, again and again."""
    chance = random.Random(1)
    kinds = (
        lambda: str(chance.randrange(100)), lambda: chance.choice(("yes", "no", "")),
        lambda: f"{chance.random() * 100:.1f}", lambda: f"C{chance.randrange(10, 99)}",
        lambda: str(chance.randrange(10)),
    )  # fmt: skip
    pools = [[kind() for _ in range(1_000)] for kind in kinds]
    lines = (
        ",".join([f"p{row}", *(chance.choice(pools[place % len(pools)]) for place in range(1, WIDE_COLUMNS))])
        for row in range(BLOCK)
    )
    block = ("\n".join(lines) + "\n").encode()
    with path.open("wb") as file:
        file.write((",".join(["patient", *(f"item_{place:03}" for place in range(1, WIDE_COLUMNS))]) + "\n").encode())
        for _ in range(rows // BLOCK):
            file.write(block)


def large(rows: int) -> dict[str, float]:
    """Seconds from `sfumato open` of a large file to its first page of rows, and those of one scan of the file."""
    with tempfile.TemporaryDirectory(prefix="sfumato-wide-") as place:
        folder = Path(place)
        wide(folder / "wide.csv", rows)
        opening = opened_at_last(folder)
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", SCAN, str(folder / "wide.csv")], check=True)
        scan = time.perf_counter() - began
        size = (folder / "wide.csv").stat().st_size
    return {"rows": rows, "gigabytes": size / 1e9, "scan": scan, **opening}


def opened_at_last(folder: Path) -> dict[str, float]:
    """Seconds until the screen Table is there, and until a first and a second page of rows are.

    The run that reads all of the table goes on meanwhile, as it does for whoever opens a file.
    """
    command = [Path(sys.executable).with_name("sfumato"), "open", folder / "wide.csv", "--no-browser"]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "kept")}
    began = time.perf_counter()
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    try:
        address = next(line for line in server.stdout if line.startswith("Opened at")).split()[-1]
        base = "/".join(address.split("/")[:3])
        with httpx.Client(base_url=base, follow_redirects=True, timeout=600) as client:
            shown = client.get(address).text
            there = time.perf_counter() - began
            rows = html.unescape(re.search(r'href="(/projects/[^"]+/table/rows[^"]+)"', shown)[1])
            asked(client, rows)
            first = time.perf_counter() - began
            return {"table": there, "first": first, "second": asked(client, f"{rows}&after=25")}
    finally:
        server.terminate()
        server.wait(60)


def page(result: dict[str, float]) -> Page:
    ratio = result["p50"] / (result["node"] + result["empty"])
    weights = {name.removeprefix("weight "): size for name, size in result.items() if name.startswith("weight ")}
    shared = sum(weights.get(name, 0) for name in ("style sheet", "own script", "htmx"))
    heaviest = max(size for name, size in weights.items()) + shared
    rows = [
        ["answer to a slider", f"{result['p50'] * 1000:.1f}", f"{result['p95'] * 1000:.1f}"],
        [
            "every column one level away, after 300 ms of rest",
            f"{result['near'] * 1000:.1f}",
            f"{result['near95'] * 1000:.1f}",
        ],
        ["a page with nothing on it, signed in", f"{result['empty'] * 1000:.1f}", ""],
        ["the search's own evaluation of a node", f"{result['node'] * 1000:.2f}", ""],
    ]
    return Page(
        name="workbench",
        title="the workbench",
        bounds=(
            Bound("a slider moved on the census table", "times a node evaluated plus an empty page", 3, ratio),
            Bound("a slider moved on the census table, 95th percentile", "ms", 300, result["p95"] * 1000),
            Bound("the heaviest page with all that it loads, compressed", "KB", 200, heaviest),
            Bound(
                "the first rows of 1.2 million by 500 columns, from the command that opens them",
                "times one scan of the file",
                1,
                result["first"] / result["scan"],
            ),
        ),
        body=f"""
The census table of 30,162 records, 8 columns that identify, 12,960 combinations of levels. One thing is moved at a
time, {result["moves"]:.0f} times; each answer holds the reading, the loss by column, the curve with 36 points and
more, what is side by side, and what is kept. The page with nothing on it is the list of runs of a project without
any: it costs the sign-in, the permission and the frame of every page. Both are asked in turns, of a server in a process
of its own. To make the table ready took {result["ready"]:.1f} s, the curve included.

{table(["", "median, ms", "95th percentile, ms"], rows)}

{table(["page, compressed", "KB"], [[name, f"{size:.1f}"] for name, size in weights.items()])}

A CSV file of {result["rows"]:,.0f} rows by {WIDE_COLUMNS} columns, {result["gigabytes"]:.1f} GB, opened by
`sfumato open`: the screen Table is there after {result["table"]:.1f} s, in which the file is hashed, its first rows
after {result["first"]:.1f} s, and the rows after them within {result["second"]:.1f} s. Meanwhile the run that reads
the whole table is at work. One scan, in which DuckDB counts the rows on two threads with every cell as text, and
nothing else of ours is at work, takes {result["scan"]:.1f} s.
""",
    )


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    made = page({**measured(quick=quick), **large(QUICK_ROWS if quick else WIDE_ROWS)})
    if quick:
        print(*(bound.row for bound in made.bounds), made.body, sep="\n")
    else:
        publish(made)
