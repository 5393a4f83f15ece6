"""Speed and memory of `assess`, beside its yardstick and its peers, in one run and as ratios: `make bench`."""

import argparse
import json
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from assess_document import page
from report import publish
from running import TURNS

HERE = Path(__file__).parent
DATA, PEERS, PYCANON = HERE / "data", HERE / "peers", HERE / ".venv-pycanon"
CENSUS = HERE.parents[1] / "shared" / "data" / "adult" / "adult.csv"
CAP = 300  # seconds that a contender may take
HEAVY = ("duckdb", "pyarrow", "pydantic", "pandas", "polars", "numpy", "sqlglot", "pyspark", "rich.console", "yaml")

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")
MEASURES = {
    "k_anonymity": "k_anonymity >=",
    "distinct_l_diversity_occupation": "distinct_l_diversity(occupation) >=",
    "t_closeness_occupation": "t_closeness(occupation) <=",
    "t_ordered_occupation": "t_ordered(occupation) <=",
    "t_wasserstein_cost": "t_wasserstein(cost) <=",
    "t_ordered_cost": "t_ordered(cost) <=",
}
CONTENDERS = {
    "GROUP BY": ("group_by.py", sys.executable),
    "sfumato": ("sfumato_assess.py", sys.executable),
    "pandas": ("plain_pandas.py", sys.executable),
    "pyCANON": ("pycanon_readings.py", str(PYCANON / "bin" / "python")),
}


@dataclass(frozen=True)
class Sample:
    """A table of the benchmark; its bounds, one per measure, flag a few per cent of the records each."""

    name: str
    kind: str
    rows: int
    seed: int
    bounds: tuple[float, ...]
    repeats: int = 3

    @property
    def path(self) -> Path:
        return DATA / f"{self.name.replace(' ', '-')}.parquet"


@dataclass(frozen=True)
class Part:
    """What is asked: the columns, the measures, flags of every record or files of the flagged, and what it may cost."""

    name: str
    sensitive: tuple[str, ...]
    measures: int
    target: float | None
    flags: bool = False
    files: bool = False
    everything: bool = False  # all columns read together, which is done when somebody looks


@dataclass(frozen=True)
class Measurement:
    """What one contender took, and what it found."""

    sample: str
    part: str
    contender: str
    rows: int
    wall: float | None = None
    cpu: float | None = None
    peak_gb: float | None = None
    found: dict[str, float] = field(default_factory=dict)
    note: str = ""
    stopped: bool = False
    runs: int = 0


SAMPLES = (
    Sample("census", "census", 30_162, 1, (2, 1, 0.967, 0.4585, 3443, 0.453), repeats=25),
    Sample("plain 1.2M", "plain", 1_200_000, 20240601, (34, 1, 0.967, 0.4585, 695, 0.0725)),
    Sample("mix 1.2M", "mix", 1_200_000, 20240602, (3, 2, 0.9, 0.42, 1500, 0.24)),
    Sample("plain 12M", "plain", 12_000_000, 20240601, (375, 1, 0.967, 0.4585, 220, 0.023), repeats=2),
)
CLASSES = Part("classes", ("occupation",), 4, target=3)
FULL = Part("full", ("occupation", "cost"), 6, target=6, flags=True)
FILES = Part("full, with files", ("occupation", "cost"), 6, target=None, files=True)
EVERYTHING = Part("classes, everything", ("occupation",), 4, target=None, everything=True)
PARTS = (CLASSES, FULL, FILES, EVERYTHING)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="leave out 12 million rows and the peers")
    options.add_argument("--no-peers", action="store_true", help="leave out pandas and pyCANON")
    chosen = options.parse_args()
    left_out = chosen.quick or chosen.no_peers
    contenders = list(CONTENDERS)[:2] if left_out else list(CONTENDERS)
    if "pyCANON" in contenders and not pycanon_installed():
        contenders.remove("pyCANON")
    samples = [sample for sample in SAMPLES if not (chosen.quick and sample.rows > 2_000_000)]
    for sample in samples:
        make(sample)
    found: list[Measurement] = []
    for sample in samples:
        for part in PARTS:
            # Files are ours to write, and nobody else reads everything: beside the yardstick only.
            named = contenders[:2] if part in (FILES, EVERYTHING) else contenders
            found += in_turns(sample, part, contenders[:2])
            found += [measured(sample, part, c) for c in named[2:] if not given_up(c, part, found)]
    targets = {part.name: part.target for part in PARTS}
    start, raw = startup(), [asdict(m) for m in found]
    publish(page(found, start, targets), raw={"startup": start, "measurements": raw}, quick=left_out)


def make(sample: Sample) -> None:
    """Make the table in a child process, so that this one stays small: a child's peak starts at its parent's."""
    if sample.path.exists():
        return
    if not CENSUS.exists():
        print(f"{CENSUS} is absent: {sample.name} is made from a generated stand-in of the same shape.")
    DATA.mkdir(exist_ok=True)
    arguments = [sample.kind, str(sample.rows), str(sample.seed), str(sample.path)]
    subprocess.run([sys.executable, str(HERE / "tables.py"), *arguments], check=True)


def pycanon_installed() -> bool:
    """pyCANON in an environment of its own, since it needs older libraries."""
    pip = [str(PYCANON / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    wanted = ["pycanon==1.3.6", "pandas<3", "numpy<2.1", "pyarrow"]
    try:
        if not (PYCANON / "bin" / "pip").exists():
            subprocess.run([sys.executable, "-m", "venv", str(PYCANON)], check=True, capture_output=True)
        subprocess.run([*pip, *wanted], check=True, capture_output=True, timeout=CAP)
    except (subprocess.SubprocessError, OSError) as error:
        print(f"pyCANON could not be installed ({type(error).__name__}): it is left out.")
        return False
    return True


def in_turns(sample: Sample, part: Part, contenders: list[str]) -> list[Measurement]:
    """The yardstick and ours by turns, and of each the medians: whether a bound is met hangs on both."""
    rounds = [[measured(sample, part, contender) for contender in contenders] for _ in range(TURNS)]
    return [typical(list(results)) for results in zip(*rounds, strict=True)]


def typical(results: list[Measurement]) -> Measurement:
    """Several measurements of one contender as one; where one of them did not end, it."""
    unfinished = [one for one in results if one.wall is None]
    if unfinished:
        return unfinished[0]
    walls, processors, peaks = zip(*((one.wall, one.cpu, one.peak_gb) for one in results), strict=True)
    return replace(results[-1], wall=statistics.median(walls), cpu=statistics.median(processors), peak_gb=max(peaks))


def given_up(contender: str, part: Part, found: list[Measurement]) -> bool:
    """Whether a contender was stopped before on no more than this; tables come in order of size."""
    return any(m.contender == contender and m.stopped and m.part in (part.name, CLASSES.name) for m in found)


def measured(sample: Sample, part: Part, contender: str) -> Measurement:
    """One contender on one table, in a process of its own, for five minutes at most."""
    script, python = CONTENDERS[contender]
    names = list(MEASURES)[: part.measures]
    task = {
        "path": str(sample.path), "repeats": sample.repeats, "quasi": QUASI, "sensitive": part.sensitive,
        "flags": part.flags, "files": part.files, "everything": part.everything, "measures": MEASURES,
        "bounds": dict(zip(names, sample.bounds, strict=False)),
    }  # fmt: skip
    about = (sample.name, part.name, contender)
    print(f"{' / '.join(about)} ...", end=" ", flush=True)
    try:
        child = subprocess.run(
            [python, str(PEERS / script), json.dumps(task)], capture_output=True, text=True, timeout=CAP, check=True
        )
        result = Measurement(*about, sample.rows, **json.loads(child.stdout))
        print(f"{result.wall:.2f} s, {result.cpu:.2f} s of processor, {result.peak_gb:.2f} GB")
    except subprocess.TimeoutExpired:
        result = Measurement(*about, sample.rows, note=f"stopped after {CAP} s", stopped=True)
        print(result.note)
    except subprocess.CalledProcessError as error:
        result = Measurement(*about, sample.rows, note="failed: " + (error.stderr.strip().splitlines() or ["?"])[-1])
        print(result.note)
    return result


def startup() -> dict[str, Any]:
    """How long `sfumato --help` takes (median of seven), and which heavy modules it imports."""
    command, walls = [str(Path(sys.executable).parent / "sfumato"), "--help"], []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        walls.append(time.perf_counter() - start)
    code = "import atexit, json, sys; sys.argv = ['sfumato', '--help']; from sfumato.cli import main;"
    code += (
        f"atexit.register(lambda: print(json.dumps([m for m in {HEAVY} if m in sys.modules]), file=sys.stderr)); main()"
    )
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return {"seconds": statistics.median(walls), "heavy": json.loads(child.stderr.strip().splitlines()[-1])}


if __name__ == "__main__":
    main()
