"""Neighbours: originals that differ only in what is not released, and the packages of their releases.

The strongest thing that can be said of a package is that it is the same for all originals that give the same released
rows: then whoever has it learns nothing but these rows, whatever they know besides and however they compute.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import sfumato as sf
from sfumato.outputs import write_text
from sfumato.proof.package.folder import REPORT, ReleasePackage, report_mark
from sfumato.proof.package.hand_over import ReadRelease, hand_over
from sfumato.proof.report.page import report_page
from sfumato.proof.report.recipient_report import recipient_report

KEY = bytes(range(32))
COLUMNS = ("patient", "age", "sex", "town", "diagnosis")
Row = tuple[str, int, str, str, str]


@dataclass(frozen=True)
class World:
    """People who look alike in threes and fours, and some who look like nobody, of whom there are two versions."""

    alike: tuple[Row, ...]
    alone: tuple[Row, ...]
    others: tuple[Row, ...]


def _rows(number: st.SearchStrategy[int], first: str, ages: st.SearchStrategy[int]) -> st.SearchStrategy[Any]:
    return number.flatmap(
        lambda n: st.tuples(
            *(
                st.tuples(
                    st.just(f"{first}{i}"), ages, st.sampled_from("MF"), st.sampled_from(["Qville", "Xford"]),
                    st.sampled_from(["asthma", "flu", "zoster"]),
                )
                for i in range(n)
            )
        )
    )  # fmt: skip


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Crowds of people aged 30 to 59; and at most ten people of 60 to 99 years, who are too few to be released."""
    alike: list[Row] = []
    for crowd in range(draw(st.integers(1, 3))):
        sex, size = draw(st.sampled_from("MF")), draw(st.integers(6, 9))
        ages = draw(st.lists(st.integers(30 + 10 * crowd, 39 + 10 * crowd), min_size=size, max_size=size))
        alike += [
            (f"P{crowd}{i}", age, sex, "Aton", ["asthma", "flu"][i % 2]) for i, age in enumerate(ages)
        ]  # fmt: skip
    alone, others = (draw(_rows(st.integers(1, 4), "S", st.integers(60, 99))) for _ in range(2))
    return World(tuple(alike), alone, others)


def write(rows: tuple[Row, ...], path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def packed(rows: tuple[Row, ...], folder: Path, name: str = "patients.csv", **asked: Any) -> dict[str, bytes] | None:
    """Every file of the package of a release; None where there is no such release."""
    data = write(rows, folder / name)
    settings: dict[str, Any] = {
        "quasi": ["age", "sex", "town"], "sensitive": ["diagnosis"], "direct": ["patient"], "k": 5, "suppress": 0.9,
        "levels": {"age": 2, "sex": 0, "town": 0}, **asked,
    }  # fmt: skip
    try:
        found = sf.anonymise(data, **settings)
    except sf.SfumatoError:
        return None
    hand_over(found, folder / "package", folder / "evidence", key=KEY, pages=_pages, protect=[data])
    return contents(folder / "package")


def _pages(read: ReadRelease, package: Path, evidence: Path) -> None:
    head = f"{report_mark(ReleasePackage.read(package))}\n"
    write_text(package / REPORT, report_page(recipient_report(read), head=head))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def without_commitments(files: dict[str, bytes]) -> dict[str, Any]:
    """The files, and the manifest without what nobody can read who has no salt."""
    manifest = json.loads(files["manifest.json"])
    committed = manifest["claims"].pop("evidence")
    assert all(re.fullmatch(r"[0-9a-f]{64}", one) for one in (*committed["files"].values(), *committed["kept"]))
    shape = (sorted(committed["files"]), len(committed["kept"]))
    return {**files, "manifest.json": manifest, "commitments": shape}


def hashes(files: dict[str, bytes]) -> set[str]:
    """Every text in some files that may be a hash, and the beginnings of hashes."""
    return {found for content in files.values() for found in re.findall(r"[0-9a-f]{12,64}", content.decode("latin-1"))}
