"""What every page of results begins with: each bound, what was measured, whether it is met, and what was compared.

A benchmark hands over its bounds, its comparisons and the rest of its page:

    publish(
        Page(
            name="defaults",  # RESULTS-defaults.md
            title="the default method",
            bounds=(Bound("stroke, loss of the default", "times the best single method", at_most=1.02, measured=1.0),),
            comparisons=(Comparison.of("readings, with pandas", ours, theirs),),
            body="...",
        )
    )

Bounds that are not met stand first on the page, and in `RESULTS.md`, which is about all pages. A comparison of nothing
fails, and so does one that differs, and a page that measured nothing: the page says so, and the process ends with 1.
"""

import json
import math
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RAW = "results.json"  # of every page: its summary, so that RESULTS.md can be written without measuring anew
LIBRARIES = ("sfumato", "duckdb", "numpy", "pandas", "pyarrow")


@dataclass(frozen=True)
class Bound:
    """What may be reached at most, and what was; None where it could not be measured, which does not meet it."""

    what: str
    unit: str
    at_most: float
    measured: float | None

    @property
    def met(self) -> bool:
        return self.measured is not None and self.measured <= self.at_most  # no number is at most anything

    @property
    def row(self) -> list[str]:
        shown = "not measured" if self.measured is None else digits(self.measured)
        return [self.what, self.unit, digits(self.at_most), shown, "met" if self.met else "**NOT MET**"]


@dataclass(frozen=True)
class Comparison:
    """How many numbers were compared with somebody else's, and which differ."""

    what: str
    compared: int
    differences: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, what: str, ours: Mapping[str, float], theirs: Mapping[str, float], tolerance: float = 1e-9
    ) -> "Comparison":
        """The numbers that both have a name for; equal up to a share of their size."""
        shared = sorted(ours.keys() & theirs.keys())
        differences = tuple(
            f"{what}, {name}: {ours[name]!r} here, {theirs[name]!r} there"
            for name in shared
            if not math.isclose(ours[name], theirs[name], rel_tol=tolerance, abs_tol=tolerance)
        )
        return cls(what, len(shared), differences)

    @property
    def holds(self) -> bool:
        return self.compared > 0 and not self.differences

    @property
    def plainly(self) -> str:
        if self.compared == 0:
            return f"**FAILED: compared nothing** ({self.what})"
        if self.differences:
            return f"**FAILED: {len(self.differences)} of {self.compared} numbers differ** ({self.what})"
        numbers = "1 number" if self.compared == 1 else f"{self.compared} numbers"
        return f"{numbers} compared, none differs ({self.what})"


@dataclass(frozen=True)
class Page:
    """One page of results: RESULTS-NAME.md. Without bounds it says why it has none."""

    name: str
    title: str
    body: str
    bounds: tuple[Bound, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    unbounded: str = ""

    @property
    def failures(self) -> list[str]:
        """Why the run is worth nothing; bounds that are not met are no such reason, they are its result."""
        empty = [] if self.bounds or self.unbounded else ["**FAILED: no bound was measured**"]
        return empty + [one.plainly for one in self.comparisons if not one.holds]

    @property
    def summary(self) -> str:
        """The first lines of the page."""
        missed = [bound for bound in self.bounds if not bound.met]
        told = [*self.failures, counted(len(missed), len(self.bounds)) if self.bounds else self.unbounded]
        told += [one.plainly for one in self.comparisons if one.holds]
        lines = [". ".join(part.rstrip(".") for part in told if part) + "."]
        if self.bounds:
            kept = [bound for bound in self.bounds if bound.met]
            rows = [bound.row for bound in (*missed, *kept)]
            lines += ["", table(["bound on", "in", "at most", "measured", "verdict"], rows)]
        differences = [f"- {text}" for one in self.comparisons for text in one.differences]
        return "\n".join([*lines, *(["", *differences] if differences else [])])

    def text(self, measured_on: Mapping[str, Any]) -> str:
        about = ", ".join(f"{name} {value}" for name, value in measured_on.items())
        return (
            f"# Results of `make bench`: {self.title}\n\n{self.summary}\n\nMeasured: {about}.\n\n{self.body.strip()}\n"
        )


def publish(page: Page, *, folder: Path = HERE, raw: Any = None, quick: bool = False) -> None:
    """Print a page, write it, bring RESULTS.md up to date, and end with 1 where the run is worth nothing.

    A quick run leaves something out, so that it is only printed.
    """
    now = machine()
    text = page.text(now)
    print("\n" + text)
    if quick:
        print("A quick run: no page of results was written.")
    else:
        (folder / f"RESULTS-{page.name}.md").write_text(text, encoding="utf-8")
        kept = stored(folder) | {page.name: entry(page, now, raw)}
        (folder / RAW).write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        (folder / "RESULTS.md").write_text(overview(stored(folder)), encoding="utf-8")  # in the order that is kept
    if page.failures:
        sys.exit("; ".join(failure.strip("*") for failure in page.failures))


def stored(folder: Path = HERE) -> dict[str, Any]:
    """What was measured last, by page."""
    path = folder / RAW
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def entry(page: Page, measured_on: Mapping[str, Any], raw: Any = None) -> dict[str, Any]:
    """A page as it is kept for the overview."""
    return {**asdict(page), "body": "", "measured_on": dict(measured_on), "raw": raw}


def page_of(kept: Mapping[str, Any]) -> Page:
    """A page as it was kept, without its body."""
    bounds = tuple(Bound(**bound) for bound in kept["bounds"])
    compared = tuple(Comparison(c["what"], c["compared"], tuple(c["differences"])) for c in kept["comparisons"])
    return Page(kept["name"], kept["title"], "", bounds, compared, kept["unbounded"])


def overview(kept: Mapping[str, Mapping[str, Any]]) -> str:
    """RESULTS.md: what is not met or failed on any page, every page with its counts, and every bound that is met."""
    pages = {page_of(one): one["measured_on"] for one in kept.values()}
    bounds = [(page, bound) for page in pages for bound in page.bounds]
    missed, reached = ([[page.name, *one.row[:-1]] for page, one in bounds if one.met is met] for met in (False, True))
    head = ["page", "bound on", "in", "at most", "measured"]
    failed = [f"- [{page.name}](RESULTS-{page.name}.md): {text}" for page in pages for text in page.failures]
    rows = [
        [
            f"[{page.name}](RESULTS-{page.name}.md)",
            page.title,
            str(on.get("date", "")),
            str(on.get("load", "not noted")),
            str(len(page.bounds)),
            str(sum(not bound.met for bound in page.bounds)),
            "**FAILED**" if page.failures else str(sum(one.compared for one in page.comparisons) or "none"),
        ]
        for page, on in sorted(pages.items(), key=lambda item: item[0].name)
    ]
    lines = [
        "# Results of `make bench`",
        "",
        f"{counted(len(missed), len(bounds))}. {len(failed)} comparisons or pages failed.",
        "",
        "Ratios within one run; seconds are for orientation. Each page is of the day that it says; where the load was",
        "more than the processors had to spare, measure it again before you believe it.",
        "",
        *(["**FAILED**:", "", *failed, ""] if failed else []),
        *(["**NOT MET**:", "", table(head, missed), ""] if missed else []),
        table(["page", "about", "measured on", "load", "bounds", "NOT MET", "numbers compared"], rows),
        *(["", "**Met**:", "", table(head, reached)] if reached else []),
    ]
    return "\n".join(lines) + "\n"


def counted(missed: int, bounds: int) -> str:
    if missed:
        return f"**{missed} of {bounds} bounds {'is' if missed == 1 else 'are'} NOT MET**"
    return f"All {bounds} bounds are met"


def times(ours: Mapping[str, Any], base: Mapping[str, Any]) -> tuple[float, str]:
    """The larger of the ratios of wall and processor time, and which it is: a bound on time is a bound on both."""
    wall, cpu = ours["wall"] / base["wall"], ours["cpu"] / base["cpu"]
    return (wall, "wall") if wall > cpu else (cpu, "CPU")


def machine() -> dict[str, Any]:
    """When and on what a run was measured; on a busy machine even ratios differ."""
    return {
        "date": str(date.today()), "processors": os.cpu_count(), "machine": platform.machine(),
        "load": round(os.getloadavg()[0], 1), "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }  # fmt: skip


def digits(number: float) -> str:
    """Four digits, or all of a larger whole number."""
    return f"{number:.4g}" if abs(number) < 1000 else f"{number:,.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[i]) for line in [head, *rows]) for i in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join(
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) + " |" for line in lines
    )
