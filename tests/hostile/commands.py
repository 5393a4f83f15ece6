"""The commands that are run on a case: first the one that its kind is for, then every other."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.hostile.case import Case, text

Arguments = Callable[[Case, Path, Path], Sequence[object]]  # of a case, what it is given, and a folder for output

PLAN = "steps:\n  - drop: {columns: [name]}\n"


def _beside(out: Path, name: str, content: str) -> Path:
    """A harmless file that a command needs beside the hostile one; in a folder next to that of the output."""
    path = out.parent / "harmless" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def _good(out: Path) -> Path:
    return _beside(out, "good.csv", text())


def _plan(out: Path) -> Path:
    return _beside(out, "plan.yaml", PLAN)


def _project(case: Case, given: Path, out: Path) -> Path:
    """A project of which only the table is hostile."""
    import json

    if given.exists() and not given.is_dir() and given.suffix in (".yaml", ".yml"):
        return given
    columns = {
        "sex": {"role": "non-sensitive"},
        "cost": {"role": "non-sensitive"},
        case.quasi: {"role": "quasi"},
        "dx": {"role": "sensitive"},
        "name": {"role": "direct"},
    }
    document = {
        "data": {"source": str(given)},
        "columns": columns,
        "measures": [{"measure": "k_anonymity", "at_least": 2}],
    }
    return _beside(out, "sfumato.yaml", json.dumps(document))


# Given a table.
TABLE: dict[str, Arguments] = {
    "assess": lambda c, given, out: (
        "assess", given, "--quasi", c.quasi, "--k", 2, "--out", out / "flagged", "--json", out / "assess.json"),
    "identify": lambda c, given, out: ("identify", given, "--json", out / "identify.json"),
    "columns": lambda c, given, out: ("columns", given, "--json", out / "columns.json"),
    "init": lambda c, given, out: ("init", given, "--out", out / "sfumato.yaml"),
    "confirm": lambda c, given, out: ("confirm", given, "--all", "-p", out / "sfumato.yaml", "--by", "a tester"),
    "sensitive": lambda c, given, out: (
        "assess", given, "--quasi", c.quasi, "--sensitive", "dx", "--k", 2, "--l", 2, "--t", 0.5),
    "risk": lambda c, given, out: ("risk", given, "--quasi", c.quasi, "--attempts", 20, "--json", out / "risk.json"),
    "hierarchy": lambda c, given, out: ("hierarchy", given, c.quasi, "-o", out / "h.csv"),
    "apply": lambda c, given, out: ("apply", _plan(out), given, "-o", out / "released.csv", "--release-rest"),
    "apply-xlsx": lambda c, given, out: ("apply", _plan(out), given, "-o", out / "released.xlsx", "--release-rest"),
    "safe-harbor": lambda c, given, out: ("safe-harbor", given, "-o", out / "released.csv"),
    "anonymise": lambda c, given, out: (
        "anonymise", given, "--quasi", c.quasi, "--k", 2, "--suppress", 0.2, "--release-rest", "--out", out / "release",
    ),
    "explore": lambda c, given, out: ("explore", given, "--quasi", c.quasi, "--k", "2", "--suppress", "0.1"),
    "compare": lambda c, given, out: ("compare", given, _good(out), "--by-position"),
    "compare-release": lambda c, given, out: ("compare", _good(out), given, "--by-position"),
    "dimension": lambda c, given, out: (
        "dimension", given, "--original", _good(out), "--quasi", "age", "--by-position"),
    "tabulate": lambda c, given, out: (
        "tabulate", given, "--by", c.quasi, "-o", out / "table.csv", "--json", out / "table.json"),
    "report": lambda c, given, out: (
        "report", given, "--quasi", c.quasi, "--released", given, "--by-position", "--k", 2, "--no-curve",
        "--no-charts", "--html", out / "report.html", "--json", out / "report.json"),
    "release": lambda c, given, out: (
        "release", "-p", _project(c, given, out), "-o", out / "package", "--no-report", "--allow", given.parent),
    "population": lambda c, given, out: ("risk", _good(out), "--quasi", "age", "--population", given, "--attempts", 20),
    "dictionary": lambda c, given, out: ("identify", _good(out), "--dictionary", given),
    "effects": lambda c, given, out: ("plan", "effects", _plan(out), given, "--quasi", c.quasi),
}  # fmt: skip

# Given a project file, or something in its place.
PROJECT: dict[str, Arguments] = {
    "project-assess": lambda c, given, out: ("assess", "-p", given, "--json", out / "assess.json"),
    "project-release": lambda c, given, out: ("release", "-p", given, "-o", out / "package", "--no-report"),
    "project-identify": lambda c, given, out: ("identify", "-p", given),
    "project-risk": lambda c, given, out: ("risk", "-p", given, "--attempts", 20),
    "project-context": lambda c, given, out: ("context", "-p", given),
    "project-anonymise": lambda c, given, out: ("anonymise", "-p", given, "--out", out / "release"),
    "project-report": lambda c, given, out: (
        "report", "-p", given, "--no-curve", "--no-charts", "--html", out / "report.html",
        "--json", out / "report.json"),
    "project-safe-harbor": lambda c, given, out: ("safe-harbor", _good(out), "-p", given, "-o", out / "released.csv"),
    "project-confirm": lambda c, given, out: (
        "confirm", "-p", _copied(given, out), "--all", "--by", "a tester", "--on", "2026-05-31"),
    "project-write": lambda c, given, out: ("identify", "-p", _copied(given, out), "--write"),
}  # fmt: skip

# Given a plan, a hierarchy, a package, a log, or something in its place.
PLANS: dict[str, Arguments] = {
    "apply-plan": lambda c, given, out: ("apply", given, _good(out), "-o", out / "released.csv", "--release-rest"),
    "plan-show": lambda c, given, out: ("plan", "show", given),
    "plan-effects": lambda c, given, out: ("plan", "effects", given, _good(out), "--quasi", "age"),
    "compare-plan": lambda c, given, out: ("compare", _good(out), "--plan", given, "--quasi", "age"),
    "risk-plan": lambda c, given, out: ("risk", _good(out), "--plan", given, "--quasi", "age", "--attempts", 20),
}  # fmt: skip
HIERARCHY: dict[str, Arguments] = {
    "level": lambda c, given, out: ("assess", _good(out), "--quasi", "age", "--hierarchy", f"age={given}@1", "--k", 2),
    "from-file": lambda c, given, out: (
        "hierarchy", _good(out), "age", "--kind", "from_file", "--set", f"path={given}", "-o", out / "h.csv"),
    "folder": lambda c, given, out: (
        "anonymise", _good(out), "--quasi", "age", "--k", 2, "--hierarchies", _only(given, out), "--release-rest",
        "--out", out / "release"),
}  # fmt: skip
PACKAGE: dict[str, Arguments] = {
    "verify": lambda c, given, out: ("verify", given, "--json", out / "verify.json"),
    "verify-key": lambda c, given, out: ("verify", given, "--key", given.parent / "signer.pem.pub"),
    "verify-evidence": lambda c, given, out: ("verify", given, "--evidence", given.parent / "evidence"),
    "verify-original": lambda c, given, out: (
        "verify", given, "--evidence", given.parent / "evidence", "--original", _good(out)),
    "as-evidence": lambda c, given, out: ("verify", given, "--evidence", given),
}  # fmt: skip
LOG: dict[str, Arguments] = {
    "log-verify": lambda c, given, out: ("log", given, "--verify"),
    "log": lambda c, given, out: ("log", given, "--json", out / "log.json"),
}
ANSWERS: dict[str, Arguments] = {
    "recipient": lambda c, given, out: ("recipient", "--answers", given),
    "identify-recipient": lambda c, given, out: ("identify", _good(out), "--recipient", given),
}
SECRET: dict[str, Arguments] = {
    "key-file": lambda c, given, out: (
        "apply", _beside(out, "noise.yaml", "steps:\n  - add_noise: {column: age, range: [-3, 3]}\n"), _good(out),
        "-o", out / "released.csv", "--release-rest", "--key-file", given),
    "secret": lambda c, given, out: (
        "apply", _beside(out, "names.yaml", "steps:\n  - pseudonymise: {columns: [name], secret: study}\n"), _good(out),
        "-o", out / "released.csv", "--release-rest", "--secret", f"study={given}"),
    "signing-key": lambda c, given, out: (
        "release", "-p", _project(c, _good(out), out), "-o", out / "package", "--no-report", "--key", given),
}  # fmt: skip
BY_KIND = {
    "table": TABLE, "project": PROJECT, "plan": PLANS, "hierarchy": HIERARCHY, "package": PACKAGE, "log": LOG,
    "answers": ANSWERS, "secret": SECRET,
}  # fmt: skip
EVERY: dict[str, Arguments] = {name: made for group in BY_KIND.values() for name, made in group.items()}
SLICE = {"package": 2, "log": 1, "answers": 1, "secret": 2}  # how many commands of its kind a case gets in `make test`


def commands(case: Case, *, every: bool) -> dict[str, Arguments]:
    """The commands for a case: all there are, its own first; or the first of its own."""
    own = BY_KIND[case.kind]
    if every:
        return own | EVERY
    return dict(list(own.items())[: SLICE.get(case.kind, 1)])


def _copied(given: Path, out: Path) -> Path:
    """A copy of a project file, since the command writes into it; what is no file is given as it is."""
    if not given.is_file() or given.is_symlink():
        return given
    return Path(shutil.copy(given, out.parent / "harmless" / "copied.yaml")) if _good(out) else given


def _only(given: Path, out: Path) -> Path:
    """A folder of hierarchies in which this one is that of the column."""
    folder = out.parent / "harmless" / "levels"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "age.csv").unlink(missing_ok=True)
    (folder / "age.csv").symlink_to(given)
    return folder
