"""Speed and memory of `anonymise` on large tables, beside reading, grouping and writing them, in one run."""

import argparse
from typing import Any

from running import ADULT, COLUMNS, HERE, made, measured

TARGET = 4.0  # times reading, grouping and writing
CASES = {"plain, k = 200": ("plain", 200), "mix, k = 5": ("mix", 5)}  # of the plain table, k = 5 holds by itself


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=1_200_000)
    rows = options.parse_args().rows
    hierarchies = str(ADULT) if ADULT.exists() else None
    found = {}
    for case, (name, k) in CASES.items():
        path = made(name, rows)
        found[case, "read, group, write"] = measured("read_group_write", path, quasi=COLUMNS)
        task: dict[str, Any] = {"quasi": COLUMNS, "k": k, "suppress": 0.02, "hierarchies": hierarchies}
        found[case, "sfumato"] = measured("sfumato_anonymise", path, **task)
    text = document(found, rows)
    print("\n" + text)
    (HERE / "RESULTS-anonymise.md").write_text(text, encoding="utf-8")


def document(found: dict[tuple[str, str], dict[str, Any]], rows: int) -> str:
    lines = [
        "# Results of `make bench`: anonymise",
        "",
        f"On the census table resampled to {rows:,} rows by {len(COLUMNS)} columns (*mix*: one value in ten is",
        "exchanged), 2 % suppression, loss: read Parquet, condense, search, apply, assess anew, write Parquet, against",
        "reading, one GROUP BY by all nine columns and writing with DuckDB alone.",
        "",
        "| case | who | wall s | CPU s | wall ratio | CPU ratio | peak GB | different | looks | target | verdict |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (case, who), m in found.items():
        base = found[case, "read, group, write"]
        wall, cpu = m["wall"] / base["wall"], m["cpu"] / base["cpu"]
        verdict = "" if who != "sfumato" else "met" if cpu <= TARGET else "NOT MET"
        numbers = f"{m['found']['condensed']:,.0f} | {m['found'].get('examined', 0):,.0f}"
        lines.append(
            f"| {case} | {who} | {m['wall']:.2f} | {m['cpu']:.2f} | {wall:.1f} | {cpu:.1f} | {m['peak_gb']:.2f} "
            f"| {numbers} | {TARGET:g} | {verdict} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
