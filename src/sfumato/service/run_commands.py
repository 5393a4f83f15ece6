"""Commands of runs: every verb that can be run, the options that a client may give, and the names of what it writes.

Nothing a client says is a path, a URL, a file or a key: a source and an earlier run are named by their handles, a plan
is a file of the project's version, and whatever is written has a fixed name in the folder of the run.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.service.run_options import OptionKind, RunOption, WrongOption

PROJECT_FILE = "sfumato.yaml"
DOCUMENT = "result.json"
SIGNING_KEY = "signing.pem"  # the key of the server, in the folder of a run that signs
PUBLIC_KEY = "signing.pem.pub"
EARLIER, EARLIER_EVIDENCE = "earlier", "earlier-evidence"  # what an earlier run released, and its evidence

FLAG, WHOLE, NUMBER, CHOICE, TEXT, TEXTS, NAMES, NUMBERS, PAIRS, PLAN = OptionKind


@dataclass(frozen=True)
class RunOutput:
    """Something that a verb writes: its option and its fixed name; `rows` where it shows records of people."""

    option: str
    name: str
    rows: bool = False


@dataclass(frozen=True)
class RunCommand:
    """A verb as a run: what it may be told, where its table stands, and what it writes."""

    verb: str
    options: tuple[RunOption, ...]
    outputs: tuple[RunOutput, ...] = (RunOutput("json", DOCUMENT),)
    data: str = ""  # where its table has to be typed: "argument", or the name of an option; else the project names it
    project: bool = True  # whether it takes a project file
    earlier: str = ""  # what it takes of an earlier run: its "table" or its "package"
    fixed: tuple[str, ...] = ()  # options that every run of it has
    before_table: str = ""  # an option that stands before the table, as an argument without its name
    after_table: str = ""  # and one that stands after it
    shows_values: bool = False  # of a column, in all that it writes: then all of that counts as rows
    also_writes: tuple[RunOutput, ...] = ()  # without an option of its own, such as the evidence beside a package
    signs: bool = False

    def checked(self, options: Mapping[str, Any], files: Collection[str]) -> dict[str, Any]:
        """The options as they were given, where the verb takes all of them."""
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                raise WrongOption(f"Runs of {self.verb} do not take an option of that name: {', '.join(known)}.")
        if self.after_table and self.after_table not in options:
            raise WrongOption(f"A run of {self.verb} needs the option {self.after_table!r}.")
        return {name: known[name].checked(value, files) for name, value in options.items()}

    def arguments(
        self, options: Mapping[str, Any], *, table: str | None, more: Sequence[str] = (), released: str | None = None
    ) -> list[str]:
        """What is typed after the name of the program.

        `table` is the source where it has to be typed, `more` are its options, `released` the file of an earlier run.
        """
        known = {option.name: option for option in self.options}
        words = [*self.verb.split(), *([f"--project={PROJECT_FILE}"] if self.project else []), *self.fixed, *more]
        named = {name: value for name, value in options.items() if name not in (self.before_table, self.after_table)}
        words += [word for name, value in named.items() for word in known[name].typed(value)]
        if self.data not in ("", "argument") and table is not None:
            words.append(f"--{self.data}={table}")
        words += [f"--{output.option}={output.name}" for output in self.outputs]
        words += [f"--key={SIGNING_KEY}"] if self.signs else []
        typed = [table] if table is not None and self.data in ("", "argument") and self.verb != "release" else []
        first = [options.get(self.before_table, PROJECT_FILE)] if self.before_table else []
        last = [options[self.after_table]] if self.after_table else self._of_earlier(released)
        return [*words, *(["--", *rest] if (rest := [*first, *typed, *last]) else [])]

    def _of_earlier(self, released: str | None) -> list[str]:
        if self.earlier == "package":
            return [EARLIER]
        return [released] if self.earlier == "table" and released is not None else []

    @property
    def written(self) -> tuple[RunOutput, ...]:
        """Everything that it writes."""
        return (*self.outputs, *self.also_writes)


def shown(arguments: Sequence[str]) -> str:
    """The command as somebody would type it, quoted for a shell."""
    return shlex.join(["sfumato", *arguments])


def _flags(*names: str) -> tuple[RunOption, ...]:
    return tuple(RunOption(name, FLAG) for name in names)


def _of(kind: OptionKind, *names: str) -> tuple[RunOption, ...]:
    return tuple(RunOption(name, kind) for name in names)


def _choice(name: str, *choices: str) -> RunOption:
    return RunOption(name, CHOICE, choices=choices)


def _json(*more: RunOutput) -> tuple[RunOutput, ...]:
    return (RunOutput("json", DOCUMENT), *more)


READING = (
    *_of(TEXT, "delimiter", "encoding", "decimal"), _choice("header", "yes", "no"),
    *_of(TEXTS, "missing-token", "also-missing"), *_of(PAIRS, "type", "date-format"),
)  # fmt: skip
ENGINE = (_choice("engine", "duckdb", "spark"),)
COLUMNS = (
    *_of(NAMES, "quasi", "sensitive", "direct", "non-sensitive"), *_flags("release-rest"), *_of(TEXT, "subject"),
)  # fmt: skip
BOUNDS = (RunOption("k", WHOLE, 1), RunOption("l", NUMBER, 1), RunOption("t", NUMBER, 0))
REQUIRE = _of(TEXTS, "require")
SEED = RunOption("seed", WHOLE, 0)
PAIRING = (*_of(TEXT, "key"), *_flags("by-position"))
OBJECTIVES = ("loss", "nue", "precision", "class-size", "discernibility", "ambiguity", "divergence", "height")
FORMATS = _choice("format", "csv", "parquet", "xpt", "sav", "dta", "xlsx")
# Every kind of hierarchy but the one that is read from a file that a client would name.
HIERARCHIES = (
    "ages", "atc", "dates", "density", "groups", "icd10", "intervals", "masks", "priority", "quantiles", "tree",
)  # fmt: skip
METHODS = ("optimal", "local", "mondrian", "cells")

COMMANDS = (
    RunCommand("columns", READING, data="argument", project=False),
    RunCommand(
        "identify",
        (
            *_of(NAMES, "direct", "quasi", "sensitive", "non-sensitive"), _choice("method", "evidence", "risk-rate"),
            RunOption("alpha", NUMBER, 0, 100), RunOption("beta", NUMBER, 0, 100), _choice("scope", "primary", "all"),
            _choice("missing-values", "own_value", "never_matches"), RunOption("combinations", WHOLE, 0, 10),
            *_flags("write", "confirm-sure", "triage", "every-column"), *ENGINE, *READING,
        ),
    ),
    RunCommand(
        "assess",
        (
            *COLUMNS, *BOUNDS, *_of(TEXTS, "distance"), *REQUIRE,
            *_of(PAIRS, "bins", "sensitive-bins", "order", "scale"),
            _choice("missing-values", "own_value", "wildcard", "never_matches"), *_flags("count-missing"),
            *ENGINE, *READING,
        ),
        _json(RunOutput("out", "flagged", rows=True)),
    ),
    RunCommand(
        "risk",
        (
            *_of(NAMES, "quasi", "sensitive"), *_of(TEXT, "subject", "region"), *_of(TEXTS, "scenario", "mark"),
            *_of(PAIRS, "bins"), *_of(PLAN, "plan"), RunOption("fraction", NUMBER, 0, 1),
            RunOption("population-size", WHOLE, 1), RunOption("uniques", WHOLE, 0, 10), RunOption("sets", WHOLE, 0, 10),
            *_flags("patterns", "no-attacks"), RunOption("attempts", WHOLE, 1, 1_000_000), SEED, *PAIRING,
            *ENGINE, *READING,
        ),
        _json(RunOutput("html", "result.html"), RunOutput("out", "scores", rows=True)),
        earlier="table",
    ),
    RunCommand(
        "compare",
        (
            *_of(PLAN, "plan"), *_of(NAMES, "quasi"), *PAIRING, *_of(TEXTS, "mark", "model"), *_of(TEXT, "target"),
            *_flags("thorough"), SEED, *ENGINE, *READING,
        ),
        _json(RunOutput("html", "result.html")),
        data="argument", project=False, earlier="table",
    ),
    RunCommand(
        "explore",
        (
            *COLUMNS, *_of(NUMBERS, "k", "l", "t", "suppress"), *_of(NAMES, "method"), *REQUIRE,
            _choice("objective", *OBJECTIVES), *ENGINE, *READING,
        ),
        _json(RunOutput("html", "result.html"), RunOutput("out", "curve")),
    ),
    RunCommand(
        "anonymise",
        (
            *COLUMNS, *BOUNDS, *_of(TEXTS, "distance", "scenario"), *REQUIRE, RunOption("suppress", NUMBER, 0, 1),
            _choice("objective", *OBJECTIVES), _choice("aggregate", "sum", "arithmetic", "geometric", "maximum"),
            _choice("method", "auto", *METHODS), *_of(PAIRS, "level", "weight"), RunOption("balance", NUMBER, 0, 1),
            RunOption("seconds", NUMBER, 0), RunOption("nodes", WHOLE, 1),
            _choice("heuristic", "beam", "bottom-up", "top-down", "genetic", "restarts"),
            _choice("against", "release", "original"),
            *_of(PLAN, "plan"), FORMATS, *_flags("no-compare"), *ENGINE, *READING,
        ),
        _json(RunOutput("out", "anonymised", rows=True)),
    ),
    RunCommand(
        "apply",
        (*_of(PLAN, "plan"), *COLUMNS, *ENGINE, *READING),
        _json(RunOutput("out", "released.csv", rows=True)),
        data="argument", project=False, before_table="plan",
        also_writes=(RunOutput("", "released.csv.provenance.json"),),
    ),
    RunCommand(
        "plan effects",
        (*_of(PLAN, "plan"), *_of(NAMES, "quasi"), *_of(TEXT, "subject"), *ENGINE, *READING),
        data="argument", project=False, before_table="plan",
    ),
    RunCommand(
        "hierarchy",
        (
            *_of(TEXT, "column"), _choice("kind", *HIERARCHIES), *_of(PAIRS, "set"), _choice("unknown", "error", "top"),
            *_flags("tree"), *READING,
        ),
        _json(RunOutput("out", "hierarchy.csv")),
        data="argument", project=False, after_table="column", shows_values=True,
    ),
    RunCommand(
        "release",
        (FORMATS, *_flags("no-report"), *ENGINE, *READING),
        _json(RunOutput("out", "package"), RunOutput("evidence", "package-evidence")),
        signs=True,
    ),
    RunCommand(
        "report",
        (
            *COLUMNS, *BOUNDS, *REQUIRE, RunOption("mask", WHOLE, 1, 1000),
            *_flags("no-attacks", "no-curve", "no-charts"), *ENGINE, *READING,
        ),
        _json(RunOutput("html", "report.html"), RunOutput("markdown", "report.md")),
    ),
    RunCommand(
        "verify",
        (*ENGINE, *READING),
        data="original", earlier="package", fixed=(f"--evidence={EARLIER_EVIDENCE}", f"--key={PUBLIC_KEY}"),
    ),
    RunCommand(
        "tabulate",
        (
            *_of(TEXTS, "by"), *_of(NAMES, "sum", "mean"), _choice("preset", "acro", "opensafely", "datashield"),
            RunOption("threshold", WHOLE, 1), RunOption("round", WHOLE, 1), _choice("zeros", "hidden", "shown"),
            RunOption("p", NUMBER, 0, 100), *_of(TEXT, "dominance", "subject"), *_of(PAIRS, "bins"), *ENGINE, *READING,
        ),
        _json(RunOutput("out", "table.csv")),
        also_writes=(RunOutput("", "table.csv.audit.json"),),
    ),
    RunCommand(
        "dimension",
        (
            *_of(NAMES, "quasi", "sensitive", "order"), *_of(PLAN, "plan"), *_of(TEXT, "subject"), *PAIRING,
            _choice("rule", "pareto", "figure5", "last-feasible"), *_flags("no-count-missing"), *ENGINE, *READING,
        ),
        data="original", project=False,
    ),
    RunCommand("context", (*_flags("no-data"), *ENGINE, *READING), _json(RunOutput("html", "result.html"))),
    RunCommand(
        "safe-harbor",
        (*_of(NAMES, "keep", "drop"), RunOption("year", WHOLE, 1000, 9999), *READING),
        _json(RunOutput("out", "released.csv", rows=True)),
        data="argument", also_writes=(RunOutput("", "released.csv.provenance.json"),),
    ),
)  # fmt: skip
BY_VERB = {command.verb: command for command in COMMANDS}
