"""Whoever has a written package and the whole original, and lacks only the key, cannot follow its plan again.

The strongest prior there is: the attacker knows every true value and every step, and asks which noise, which shift and
which answer was drawn for whom. Whatever stands in a file of the package is tried as the key.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.plans.apply import apply_plan
from sfumato.secrets import KEY_FILE, KEY_VARIABLE, KeyMade

N = 200
PROJECT = """\
data: {source: people.csv}
subject: person
columns:
  person: {role: direct}
  sex: {role: quasi}
  income: {role: sensitive}
  seen: {role: non-sensitive}
  smokes: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 5}
plan:
  steps:
    - add_noise: {column: income, range: [-500, 500]}
    - shift_dates: {columns: [seen], days: 365}
    - post_randomise: {column: smokes, keep: 0.5}
"""
ROWS = [
    (f"P{i:03}", "mf"[i % 2], 1000 + (i * 7919) % 10_007, date(2020, 1, 1) + timedelta(days=(i * 53) % 700),
     ("no", "yes", "former")[(i * i + i // 7) % 3])
    for i in range(N)
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("drawn")
    with (folder / "people.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("person", "sex", "income", "seen", "smokes"), *ROWS])
    (folder / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(KEY_VARIABLE, raising=False)
        with pytest.warns(KeyMade, match="A key was made"):
            sf.release(folder / "sfumato.yaml", folder / "package")
        yield folder


def candidates(package: Path) -> set[bytes]:
    """Everything in the package that could be a key, or that one could be made of."""
    texts = [file.read_text(encoding="utf-8") for file in sorted(package.iterdir())]
    hashes = {found for text in texts for found in re.findall(r"\b[0-9a-f]{64}\b", text)}
    words = {word for text in texts for word in re.findall(r'"([^"]{4,40})"', text)}
    return {bytes.fromhex(each) for each in hashes} | {sha256(word.encode()).digest() for word in sorted(words)[:20]}


def drawn(path: Path) -> Counter[tuple[str, ...]]:
    with path.open(encoding="utf-8", newline="") as file:
        return Counter((row["income"], row["seen"], row["smokes"]) for row in csv.DictReader(file))


def test_nothing_in_a_package_is_the_key_of_its_draws(folder: Path, tmp_path: Path) -> None:
    released = drawn(folder / "package" / "released.csv")
    keys = candidates(folder / "package")
    assert len(keys) > 10
    for number, key in enumerate(sorted(keys)):
        (tmp_path / f"{number}.key").write_text(key.hex() + "\n", encoding="utf-8")
        (tmp_path / f"{number}.key").chmod(0o600)
        again = tmp_path / f"{number}.csv"
        apply_plan(folder / "sfumato.yaml", folder / "people.csv", again, key_file=tmp_path / f"{number}.key")
        # 200 rows among some 10,000 incomes, 1,400 days and 3 answers: a row agrees by chance in one try of a thousand.
        assert (released & drawn(again)).total() <= 1


def test_the_key_of_the_steward_follows_it_again(folder: Path, tmp_path: Path) -> None:
    """So that the test above would fail if the key, or something as good, were in the package."""
    released = drawn(folder / "package" / "released.csv")
    apply_plan(folder / "sfumato.yaml", folder / "people.csv", tmp_path / "again.csv", key_file=folder / KEY_FILE)
    assert (released & drawn(tmp_path / "again.csv")).total() == N


def test_the_key_stands_in_no_file_but_its_own(folder: Path) -> None:
    key = (folder / KEY_FILE).read_text(encoding="utf-8").strip()
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != KEY_FILE]
    assert len(files) > 10
    assert [file.name for file in files if key in file.read_text(encoding="utf-8", errors="replace")] == []
