"""The search where there are too many combinations of levels for a proof: what it reaches in so many seconds."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from math import inf
from statistics import median
from typing import Any

from report import Bound, Comparison, Page, publish, stored, table
from running import ADULT, COLUMNS, PEERS

SEEDS, LIMIT = range(5), 0.02
# The tables of `peers/anytime_tables.py`, and the seconds after which they are looked at.
SECONDS = {"few levels": (10, 60), "many levels": (10, 60), "three people": (10, 60), "more people": (10,)}
AT_MOST = 1.0  # times the loss of the genetic search with the same seed
SAME_LOSS = 1e-9  # sums of the same costs in another order differ by less
GAP = 0.25
OVER = 2.0  # seconds beyond the limit
SAME = 1.15  # times the search without a limit: two runs of the same differ by as much on a busy machine
CAP = 3600  # seconds of wall; the clock that ends a search is that of the processor
RECORDED = "0.586 to 0.594 by the genetic search of ARX 3.9 in 60 s, 0.597 to 0.643 by Sfumato before"
VERB_SECONDS = 10
COMPILED = ("many levels", "three people")
EARLIER = (1, 2, 5)  # seconds after which both are compared as well, without a bound
WHO = {"sfumato": "", "compiled": ", compiled"}  # by contender: how its rows are named

Results = Mapping[tuple[str, ...], Mapping[str, Any]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", nargs="+", choices=SECONDS, default=list(SECONDS))
    options.add_argument("--processes", type=int, default=1, help="contenders at a time")
    options.add_argument("--commands", action="store_true", help="only these; searches are of the last full run")
    options.add_argument("--kept", nargs="*", choices=SECONDS, default=[], help="tables of the last full run")
    given = options.parse_args()
    tasks: dict[tuple[str, ...], dict[str, Any]] = {
        (name, who, str(seed)): {"who": who, "table": name, "seed": seed, "seconds": SECONDS[name], "limit": LIMIT}
        for name in given.tables if name not in given.kept for seed in SEEDS for who in contenders(name)
    }  # fmt: skip
    tasks |= {
        ("verb", method): {
            "who": "verb", "table": "few levels", "method": method, "seconds": [VERB_SECONDS], "limit": LIMIT,
        }
        for method in ("optimal", "auto")
    }  # fmt: skip
    census = {"path": str(ADULT / "adult.csv"), "hierarchies": str(ADULT), "quasi": COLUMNS, "k": 5, "repeats": 7}
    tasks |= {
        ("census", how): {**census, "who": "census", "objective": "loss", "limit": LIMIT, "seconds": limit}
        for how, limit in (("free", None), ("limited", 60))
    }
    before: dict[tuple[str, ...], Mapping[str, Any]] = {}
    told = ""
    if given.commands:
        last = stored()["anytime"]
        before = {tuple(who): result for who, result in last["raw"]}
        tasks = {key: task for key, task in tasks.items() if key[0] == "verb"}
        told = f"The searches by seed, and the census, are of a run before ({on_which(last)}).\n\n"
    elif given.kept:
        before, told = kept_of(stored()["anytime"], given.kept)
    with ThreadPoolExecutor(given.processes) as together:
        results = before | dict(zip(tasks, together.map(measured, tasks.values()), strict=True))
    publish(page(results, given.tables, told), raw=[[list(who), result] for who, result in results.items()],
            quick=given.tables != list(SECONDS))  # fmt: skip


def measured(task: dict[str, Any]) -> dict[str, Any]:
    script = "sfumato_search" if task["who"] == "census" else "anytime_clients"
    # Without the setting, loops are taken that are on disk: as whoever installs `sfumato[fast]` and compiles has them.
    child = subprocess.run(
        [sys.executable, str(PEERS / f"{script}.py"), json.dumps(task)], capture_output=True, text=True, timeout=CAP,
        check=True, env={**os.environ, "SFUMATO_FAST": "" if task["who"] == "compiled" else "0"},
    )  # fmt: skip
    result: dict[str, Any] = json.loads(child.stdout)
    print(task["who"], task.get("table", ""), task.get("seed", task.get("method", "")), result, flush=True)
    return result


def kept_of(last: Mapping[str, Any], names: list[str]) -> tuple[dict[tuple[str, ...], Mapping[str, Any]], str]:
    """The searches of some tables in a run before, and what the page says of it."""
    kept = {tuple(who): result for who, result in last["raw"] if who[0] in names}
    told = f"The searches of {', '.join(f'*{name}*' for name in names)} are of a run before ({on_which(last)})"
    if any("steps" not in result for result in kept.values()):  # measured before every step was noted
        told += ", by the search as it was then; *there* is known for the moments of the table only"
        for who, result in kept.items():
            steps = [[float(at), loss] for at, (loss, _) in result["reached"].items()]
            kept[who] = {**result, "steps": steps, "bounds": {at: b for at, (_, b) in result["reached"].items()}}
    return kept, told + ".\n\n"


def on_which(last: Mapping[str, Any]) -> str:
    """The day and the load of a page that was measured before."""
    return f"{last['measured_on']['date']}, load {last['measured_on']['load']}"


def contenders(name: str) -> tuple[str, ...]:
    """Who searches a table; the compiled loop is about the gap, which is large on two of them."""
    return ("sfumato", "genetic", "compiled") if name in COMPILED else ("sfumato", "genetic")


def loss_after(result: Mapping[str, Any], at: float) -> float:
    """What was lost after so many seconds by the best that was found by then; everything before anything was."""
    return min((loss for seconds, loss in result["steps"] if seconds <= at), default=1.0)


def there(result: Mapping[str, Any]) -> float:
    """The seconds after which a run had the loss that it ended at."""
    last = result["steps"][-1][1]
    return next(seconds for seconds, loss in result["steps"] if loss <= last + SAME_LOSS)


def when(result: Mapping[str, Any]) -> str:
    """The same as a text; what a run had at the first moment that is known it may have had before."""
    seconds = there(result)
    return f"{'at most ' if seconds == result['steps'][0][0] else ''}{seconds:.1f}"


def losses(results: Results, name: str, at: int, who: str = "sfumato") -> list[tuple[float, float]]:
    """Of each seed: what was lost after so many seconds, and what the genetic search lost."""
    of = [[loss_after(results[name, which, str(seed)], at) for seed in SEEDS] for which in (who, "genetic")]
    return list(zip(*of, strict=True))


def gaps(results: Results, name: str, at: int, who: str = "sfumato") -> list[float]:
    """Of each seed: by how much a better node could undercut the loss after so many seconds, as a share of it."""
    runs = [results[name, who, str(seed)] for seed in SEEDS]
    return [1 - run["bounds"][str(at)] / loss_after(run, at) for run in runs]


def outcomes(pairs: list[tuple[float, float]]) -> tuple[int, int, int]:
    """In how many runs it lost less than the genetic search, the same, and more."""
    better = sum(own < other - SAME_LOSS for own, other in pairs)
    worse = sum(own > other + SAME_LOSS for own, other in pairs)
    return better, len(pairs) - better - worse, worse


def page(results: Results, tables: list[str], told: str = "") -> Page:
    bounds = []
    for name in tables:
        for who, words in WHO.items():
            if who not in contenders(name):
                continue
            for at in SECONDS[name]:
                pairs = losses(results, name, at, who)
                unit = "times the genetic search with the same seed"
                bounds += [
                    Bound(f"{name}{words}: loss after {at} s, the worst of five seeds", unit, AT_MOST,
                          max(1.0 if abs(own - other) <= SAME_LOSS else own / other for own, other in pairs)),
                    Bound(f"{name}{words}: runs that are no better after {at} s", "of five", 0,
                          sum(outcomes(pairs)[1:])),
                ]  # fmt: skip
            if max(SECONDS[name]) == 60:
                bounds.append(Bound(f"{name}{words}: gap after 60 s, the worst of five seeds", "of the loss", GAP,
                                    max(gaps(results, name, 60, who))))  # fmt: skip
    bounds += [
        Bound(f"anonymise with a limit of seconds, {method}", "seconds of CPU beyond it, written", OVER,
              results["verb", method]["written"])
        for method in ("optimal", "auto")
    ]  # fmt: skip
    limited, free = results["census", "limited"], results["census", "free"]
    bounds.append(Bound("the census with a limit of 60 s", "times without, CPU", SAME, limited["cpu"] / free["cpu"]))
    same = {name: float(free["found"][name]) for name in ("score", "suppressed", "examined", "optimal")}
    compared = {name: float(limited["found"][name]) for name in same}
    return Page(
        name="anytime",
        title="more combinations than can be ruled out",
        bounds=tuple(bounds),
        comparisons=(Comparison.of("the census, with a limit of time and without", compared, same),),
        body=told + document(results, tables),
    )


def document(results: Results, tables: list[str]) -> str:
    rows, early = [], []
    for name in tables:
        for who, words in WHO.items():
            for at in SECONDS[name] if who in contenders(name) else ():
                pairs = losses(results, name, at, who)
                own, other = ([pair[place] for pair in pairs] for place in (0, 1))
                gap = gaps(results, name, at, who)
                spread = [f"{min(numbers):.5f} to {max(numbers):.5f}" for numbers in (own, other)]
                rows.append([f"{name}{words}", f"{at} s", *spread, *map(str, outcomes(pairs)),
                             f"{min(gap):.1%} to {max(gap):.1%}"])  # fmt: skip
        both = [[results[name, who, str(seed)] for who in ("sfumato", "genetic")] for seed in SEEDS]
        if any(run["steps"][0][0] > EARLIER[0] for pair in both for run in pair):
            continue  # of a run that did not note every step
        first = sum(loss_after(other, inf) > own["steps"][-1][1] + SAME_LOSS or there(own) < there(other)
                    for own, other in both)  # fmt: skip
        early.append([name, *(" / ".join(map(str, outcomes(losses(results, name, at)))) for at in EARLIER),
                      f"{first} of {len(both)}"])  # fmt: skip
    head = ["table", "after", "Sfumato", "genetic", "better", "tied", "worse", "gap"]
    early_head = ["table", *(f"after {at} s" for at in EARLIER), "Sfumato lower, or there first"]
    seeds = []
    for name in tables:
        for seed in SEEDS:
            runs = [results[name, who, str(seed)] for who in contenders(name)]
            own, other = runs[:2]
            seeds.append([
                name, str(seed),
                *(" / ".join(f"{loss_after(run, at):.5f}" for at in SECONDS[name]) for run in (own, other)),
                *(when(run) for run in (own, other)), *(f"{run['looks']:,}" for run in (own, other)),
                *(f"{run['peak_gb']:.2f}" for run in (own, other)),
                *((when(runs[2]), f"{runs[2]['looks']:,}") if len(runs) > 2 else ("", "")),
            ])  # fmt: skip
    seed_head = ["table", "seed", "Sfumato", "genetic", "there, s", "there, genetic", "looks", "looks, genetic", "GB",
                 "GB, genetic", "there, compiled", "looks, compiled"]  # fmt: skip
    verbs = [
        f"| {how} | {VERB_SECONDS} | {own['over']:.1f} | {own['written']:.1f} | "
        f"{own.get('compared', 'done')} | {own.get('explained', 'done')} |"
        for how, own in ((method, results["verb", method]) for method in ("optimal", "auto"))
    ]
    over = median(results[name, "sfumato", str(seed)]["over"] for name in tables for seed in SEEDS)
    return f"""Tables of 24 quasi-identifiers (`benchmarks/peers/anytime_tables.py`), k = 5, at most {LIMIT:.0%}
suppressed, loss, NumPy where nothing else is said. Seconds are of the processor, for the limits as well: both searches
are ended by that clock, so that a busy machine changes little of what is compared. *Genetic* is a search of two
populations after what is published of the one of ARX, over the same looks; it is not ARX, which is not on this machine
and, in studies, makes far fewer.
Recorded, not measured here, on another table of the shape of the first: {RECORDED}.

- *few levels*: made-up clients of a bank, 30,000 records, two to five levels in a column; all runs end alike.
- *many levels*: the same clients, up to eight levels in a column.
- *three people*: three people of the census in a row, eight columns of each, 30,162 records, hierarchies of studies.
- *more people*: the same with 120,000 people who are drawn from the census; after 10 s only.

The last three were chosen, before the search had been run on any, because the genetic runs of five seeds differ from
each other on them after 10 s (*many levels* 0.666 to 0.679, *three people* 0.712 and once 0.718, *more people* 0.649 to
0.665). A fourth, 1,432 people of a national survey, was left out because they did not (0.74075 with each seed).
The search was then made better on the first three, with some of these seeds: they are no tables that it had never seen.

*Better* is lower by more than {SAME_LOSS:g}. Where all runs of both end at one number, that is very likely the best
there is, which neither has proved; nobody is better there, and the bound on runs that are no better is not met.
*Compiled* is the search with `sfumato[fast]` after `python -m sfumato.search.levels.compiled_proof`: only the searches
of groups of columns are compiled, which the gap follows from. The genetic search is the same run in both rows.

{table(head, rows)}

Earlier, NumPy: in how many runs Sfumato is better / tied / worse; and in how many it ends lower, or had the loss at
which it ends before the genetic search had the one at which that ends:

{table(early_head, early)}

By seed; *there* is the second of CPU after which a run had the loss that it ends at. Losses after
{" / ".join(map(str, SECONDS["few levels"]))} s:

{table(seed_head, seeds)}

The search itself ends {over:.2f} s after its limit (median). `anonymise` with a limit, on *few levels*, from the table
to the files; below nothing, the command ended before the limit:

| method | limit, s | beyond it when the release is made, s | and written, s | comparison | explanation |
| --- | --- | --- | --- | --- | --- |
{chr(10).join(verbs)}"""


if __name__ == "__main__":
    main()
