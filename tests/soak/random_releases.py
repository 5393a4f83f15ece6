"""Random releases: tables, policies and ways to a release, drawn from a number."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from math import floor
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
from tests.soak.independent_reader import Asked, ReleasedTable, read_rows

from sfumato.errors import InfeasiblePolicy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.search.anonymisation import Anonymised
from sfumato.search.anonymise import anonymise

METHODS = ("optimal", "optimal", "optimal", "heuristic", "local", "local", "mondrian", "mondrian", "cells")
HEURISTICS = ("beam", "bottom-up", "top-down", "genetic")
SENSITIVE = ("illness", "cost", "onset")
NUMERIC = frozenset({"cost"})
# Two labels of different levels are written alike.
AGES = Hierarchy(tuple((str(age), f"{age // 4 * 4}+", f"{age // 8 * 8}+", "*") for age in range(20, 36)))
SEXES = Hierarchy((("f", "*"), ("m", "*"), ("x", "*")))


@dataclass(frozen=True)
class Drawn:
    """A table, what is asked of its release, and how it is sought."""

    number: int
    table: pa.Table
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    subject: str | None
    asked: tuple[Asked, ...]
    options: Mapping[str, Any]
    population: pa.Table | None = None

    @property
    def scenarios(self) -> Mapping[str, Sequence[str]]:
        return self.options.get("scenarios") or {"": self.quasi}

    def anonymised(self) -> Anonymised:
        """What Sfumato finds; nothing is explained or compared, since only the release matters here."""
        return anonymise(
            self.table, quasi=self.quasi, sensitive=self.sensitive, subject=self.subject, non_sensitive=["record"],
            population=self.population,
            requirements=[asked.text for asked in self.asked], compare=False, explain=False, **self.options,
        )  # fmt: skip


@dataclass
class Outcome:
    """What came of a drawn release: what is wrong with it, and what Sfumato said."""

    kind: str  # written, refused (found, but not kept to), infeasible
    faults: list[str] = field(default_factory=list)


def drawn(number: int) -> Drawn:
    """The release of a number: always the same one."""
    chance = Random(number)
    records = chance.choice([6, 10, 16, 24, 40, 70])
    subject = "person" if chance.random() < 0.5 else None
    with_population = chance.random() < 0.08
    quasi = ("age", "sex") if with_population else tuple(
        sorted(chance.sample(["age", "sex", "weight", "visit", "code"], chance.choice([1, 2, 2, 3])))
    )  # fmt: skip
    sensitive = tuple(sorted(chance.sample(SENSITIVE, chance.choice([1, 1, 2]))))
    columns = {"record": list(range(records)), "person": _persons(chance, records)}
    columns |= {name: COLUMNS[name](chance, records) for name in (*quasi, *sensitive)}
    method = "optimal" if with_population else chance.choice(METHODS)
    options = _options(chance, method, quasi)
    population = _population(chance, columns) if with_population else None
    if with_population:
        options |= {"hierarchies": {"age": AGES, "sex": SEXES}}
    asked = _asked(chance, method, sensitive, population=with_population)
    return Drawn(
        number=number,
        table=pa.table(columns),
        quasi=quasi,
        sensitive=sensitive,
        subject=subject,
        asked=asked,
        options=options,
        population=population,
    )


def outcome(each: Drawn, folder: Path) -> Outcome:
    """Seek and write a release, and read it independently."""
    try:
        anonymised = each.anonymised()
    except InfeasiblePolicy:
        return Outcome("infeasible")
    target = folder / f"release_{each.number}"
    try:
        anonymised.write(target)
    except InfeasiblePolicy:
        faults = ["refused, though it keeps to the policy"] * anonymised.met
        faults += ["written, though refused"] * target.exists()
        faults += ["found, though it is refused"] * (each.options.get("against") != "original")
        return Outcome("refused", [*faults, *_read(each, anonymised, _frame_rows(anonymised.release), refused=True)])
    faults = ["written, though not met"] * (not anonymised.met)
    return Outcome("written", [*faults, *_read(each, anonymised, read_rows(target / "released.csv"))])


def _read(
    each: Drawn, anonymised: Anonymised, rows: list[dict[str, str | None]], *, refused: bool = False
) -> list[str]:
    """What is wrong with a release: bounds that it breaks, and readings that differ from Sfumato's."""
    faults = _changed(each, rows)
    if not rows:
        return [*faults, "nothing is released"]
    table = _released_table(each, anonymised, rows)
    broken = []
    for scenario, columns in each.scenarios.items():
        for asked in each.asked:
            reading, said = table.reading(asked, columns), _said(anonymised, scenario, asked)
            if not asked.kept_by(reading):
                broken.append(f"{asked.text} is broken{f' for {scenario}' * bool(scenario)}: {reading}")
            if not _same(said, reading):
                faults.append(f"{asked.text}: Sfumato reads {said}, and the independent reader {reading}")
    if refused:
        return [*faults, *([] if broken else ["refused, and the independent reader sees no reason"])]
    return [*faults, *broken]


def _changed(each: Drawn, rows: list[dict[str, str | None]]) -> list[str]:
    """What a release has that it must not have: more left out than may be, records twice, other sensitive values."""
    numbers, most = _numbers(rows), floor(each.options.get("suppress", 0) * each.table.num_rows + 1e-9)
    faults = ["the subject is released"] * bool(rows and each.subject and "person" in rows[0])
    faults += ["a record is released twice"] * (len(set(numbers)) < len(numbers))
    faults += ["more records are left out than may be"] * (each.table.num_rows - len(rows) > most)
    original = _frame_rows(each.table)
    for row, number in zip(rows, numbers, strict=True):
        faults += [f"{name} of a record changed" for name in each.sensitive if row[name] != original[number][name]]
    return faults


def _released_table(each: Drawn, anonymised: Anonymised, rows: list[dict[str, str | None]]) -> ReleasedTable:
    whose = each.table["person"].to_pylist() if each.subject else [None] * each.table.num_rows
    persons: list[Hashable] = [("record", i) if whose[i] is None else whose[i] for i in _numbers(rows)]
    return ReleasedTable(rows, persons, NUMERIC, _inhabitants(each, anonymised))


def _numbers(rows: list[dict[str, str | None]]) -> list[int]:
    return [int(row["record"] or -1) for row in rows]


def _said(anonymised: Anonymised, scenario: str, asked: Asked) -> float | None:
    """What Sfumato reads."""
    for reading in anonymised.assessments[scenario].readings:
        measure = reading.requirement.measure
        if measure.name() == asked.measure and getattr(measure, "sensitive", None) == asked.sensitive:
            return reading.value
    raise AssertionError(f"{asked.text} was not read")


def _same(said: float | None, reading: float | None) -> bool:
    if said is None or reading is None:
        return said is None and reading is None
    return said == reading or abs(said - reading) <= 1e-9 * max(1.0, abs(reading))


def _frame_rows(table: pa.Table) -> list[dict[str, str | None]]:
    return [{name: None if v is None else str(v) for name, v in row.items()} for row in table.to_pylist()]


def _persons(chance: Random, records: int) -> list[int | None]:
    """A few records each, of some of whom it is not known whose they are."""
    people, unknown = max(records // chance.choice([1, 2, 3]), 2), chance.choice([0, 0, 0.1])
    return [None if chance.random() < unknown else chance.randrange(people) for _ in range(records)]


def _some(chance: Random, records: int, values: Sequence[Any]) -> list[Any]:
    """Values of which some are commoner than others, and some are missing."""
    missing, weights = chance.choice([0, 0, 0.05, 0.2]), [chance.choice([1, 1, 2, 5]) for _ in values]
    return [None if chance.random() < missing else chance.choices(values, weights)[0] for _ in range(records)]


COLUMNS = {
    "age": lambda chance, n: _some(chance, n, range(20, 36)),
    "sex": lambda chance, n: _some(chance, n, ["f", "m"]),
    "weight": lambda chance, n: _some(chance, n, [chance.choice([51, 60, 72]) + i / 4 for i in range(9)]),
    "visit": lambda chance, n: _some(chance, n, [date(2024, 1, 28) + timedelta(days=i * 3) for i in range(14)]),
    "code": lambda chance, n: _some(chance, n, ["0012", "0013", "0112", "0120", "00120", "0999"]),
    "illness": lambda chance, n: _some(chance, n, ["flu", "cold", "cancer", "asthma"][: chance.choice([2, 3, 4])]),
    "cost": lambda chance, n: _some(chance, n, [0.1, 0.2, 0.3, 12, 17.25, 40][: chance.choice([2, 4, 6])]),
    "onset": lambda chance, n: _some(chance, n, [date(2023, 12, 30), date(2024, 1, 2), date(2024, 3, 1)]),
}


def _options(chance: Random, method: str, quasi: Sequence[str]) -> dict[str, Any]:
    options: dict[str, Any] = {"method": method, "suppress": chance.choice([0, 0.05, 0.1, 0.25, 0.5])}
    if method == "heuristic":
        options |= {"method": "optimal", "heuristic": chance.choice(HEURISTICS)}
    if method in ("optimal", "heuristic"):
        options["objective"] = chance.choice(["loss", "loss", "nue", "precision", "discernibility", "class-size"])
        options["against"] = chance.choice(["release", "release", "release", "original"])
    if method in ("optimal", "heuristic", "cells") and len(quasi) > 1 and chance.random() < 0.3:
        known = [chance.sample(quasi, chance.choice([1, len(quasi) - 1])) for _ in range(2)]
        options["scenarios"] = {f"attacker {i}": columns for i, columns in enumerate(known, 1)}
    return options


def _asked(chance: Random, method: str, sensitive: Sequence[str], *, population: bool) -> tuple[Asked, ...]:
    """One requirement or several, at most one of each measure and column."""
    about_everybody = ["k_anonymity", "maximum_risk", *(["average_risk"] if method in ("optimal", "heuristic") else [])]
    if population:
        about_everybody += ["k_map", "delta_presence", "least_presence"] * 2
    asked = {}
    for _ in range(chance.choice([1, 2, 2, 3, 4])):
        if chance.random() < 0.3:
            name, column = chance.choice(about_everybody), None
        else:
            name, column = chance.choice(sorted(BOUNDS.keys() - NOT_SENSITIVE)), chance.choice(sensitive)
            if "wasserstein" in name and column not in NUMERIC:
                name = "t_closeness"
        missing = column is not None and name not in ORDERED and chance.random() < 0.2
        asked[name, column] = Asked(
            name, chance.choice(BOUNDS[name]), column, count_missing=missing, l=chance.choice([2, 3]),
            k=chance.choice([1, 2, 3]),
        )  # fmt: skip
    return tuple(asked.values())


ORDERED = frozenset({"t_ordered", "t_wasserstein", "t_wasserstein_normalised"})  # a missing value has no place there
NOT_SENSITIVE = frozenset({"k_anonymity", "maximum_risk", "average_risk", "k_map", "delta_presence", "least_presence"})
BOUNDS: dict[str, Sequence[float]] = {
    "k_anonymity": [2, 3, 5],
    "maximum_risk": [0.5, 0.34, 0.2],
    "average_risk": [0.4, 0.25, 0.15],
    "k_map": [3, 5, 8],
    "delta_presence": [0.9, 0.6],
    "least_presence": [0.05, 0.2],
    "distinct_l_diversity": [2, 3],
    "entropy_l_diversity": [1.5, 2, 2.5],
    "recursive_l_diversity": [2, 3, 4],
    "alpha_k_anonymity": [0.5, 0.7, 0.9],
    "t_closeness": [0.1, 0.2, 0.3, 0.4, 0.5],
    "t_ordered": [0.05, 0.1, 0.2, 0.25, 0.3],
    "t_wasserstein": [1, 2, 5, 8],
    "t_wasserstein_normalised": [0.05, 0.1, 0.2, 0.3],
    "basic_beta_likeness": [0.5, 1, 2],
    "enhanced_beta_likeness": [0.4, 0.8, 1.2],
    "delta_disclosure": [0.4, 0.8, 1.5],
}


def _population(chance: Random, columns: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Everybody: the records, and others beside them."""
    records, others = len(columns["record"]), chance.choice([5, 40, 100])
    known = [i for i in range(records) if columns["age"][i] is not None]
    age = [*columns["age"], *(columns["age"][chance.choice(known)] for _ in range(others))]
    sex = [*columns["sex"], *(chance.choice(["f", "m"]) for _ in range(others))]
    return pa.table({"age": age, "sex": sex, "person": [*columns["person"], *range(1000, 1000 + others)]})


def _inhabitants(each: Drawn, anonymised: Anonymised) -> list[tuple[dict[str, str | None], Hashable]]:
    """The population at the levels of the release, by the hierarchies that were given."""
    if each.population is None or anonymised.levels is None:
        return []
    levels, trees = anonymised.levels, {"age": AGES, "sex": SEXES}
    whose = each.population["person"].to_pylist() if each.subject else [None] * each.population.num_rows
    return [
        (
            {name: _label(trees[name], row[name], levels[name]) for name in trees},
            ("resident", i) if whose[i] is None else whose[i],
        )
        for i, row in enumerate(_frame_rows(each.population))
    ]


def _label(tree: Hierarchy, value: str | None, level: int) -> str | None:
    line = tree.missing if value is None else next(line for line in tree.lines if line[0] == value)
    return line[level]
