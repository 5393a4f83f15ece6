"""Speed and memory of `risk`: many scenarios and exact linkage, beside plain SQL, in one run and as ratios."""

import argparse
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from running import COLUMNS, HERE, made, measured

TARGETS = {"scenarios": 3.0, "linkage": 10.0}  # times the yardstick


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=1_200_000)
    rows = options.parse_args().rows
    path = made("plain", rows)
    release = moved(path)
    sets = [names for size in (2, 3, 4) for names in combinations(COLUMNS, size)][:50]
    scenarios = {" + ".join(names): names for names in sets}
    found = {
        ("scenarios", "yardstick"): measured("union_then_groups", path, scenarios=scenarios),
        ("scenarios", "sfumato"): measured("sfumato_scenarios", path, scenarios=scenarios, quasi=COLUMNS),
        ("linkage", "yardstick"): measured("plain_join", path, released=str(release), quasi=COLUMNS),
        ("linkage", "sfumato"): measured("sfumato_linkage", path, released=str(release), quasi=COLUMNS),
    }
    text = document(found, rows)
    print("\n" + text)
    (HERE / "RESULTS-risk.md").write_text(text, encoding="utf-8")


def moved(path: Path) -> Path:
    """The same table with ages moved by up to three years."""
    out = path.with_name(f"{path.stem}-moved.parquet")
    table = pq.read_table(path, columns=list(COLUMNS))
    noise = pa.array(np.random.Generator(np.random.PCG64(3)).integers(-3, 4, len(table)))
    age = table.schema.get_field_index("age")
    pq.write_table(table.set_column(age, "age", pc.add(table["age"].cast(pa.int64()), noise)), out)
    return out


def document(found: dict[tuple[str, str], dict[str, Any]], rows: int) -> str:
    lines = [
        "# Results of `make bench`: risk",
        "",
        f"On the census table resampled to {rows:,} rows by {len(COLUMNS)} columns, Parquet in. Scenarios: 50 sets of",
        "two to four columns, against grouping by their union once and that table 50 times in DuckDB. Linkage:",
        "exact linkage with a release in which ages were moved by up to three years, against one DuckDB join.",
        "",
        "| part | contender | wall s | CPU s | wall ratio | CPU ratio | peak GB | target | verdict |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (part, who), m in found.items():
        base, target = found[part, "yardstick"], TARGETS[part]
        wall, cpu = m["wall"] / base["wall"], m["cpu"] / base["cpu"]
        verdict = "" if who == "yardstick" else "met" if max(wall, cpu) <= target else "NOT MET"
        lines.append(
            f"| {part} | {who} | {m['wall']:.2f} | {m['cpu']:.2f} | {wall:.1f} | {cpu:.1f} | {m['peak_gb']:.2f} "
            f"| {target:g} | {verdict} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
