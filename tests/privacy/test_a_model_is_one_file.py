"""A privacy model is one file: measures, assess and anonymise know one that nobody has listed anywhere."""

from __future__ import annotations

import ast
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.privacy import models
from sfumato.privacy.catalogue import class_rules, measure, measures
from sfumato.studies.printed_tables import four_anonymous_inpatients

MEASURE = '''
"""A measure that nobody has listed anywhere."""
from dataclasses import dataclass
from sfumato.privacy.coded.rule_interface import SizeRule
from sfumato.privacy.measure_interface import Safer, SizeMeasure

@dataclass(frozen=True)
class OthersInClass(SizeMeasure):
    """Fewest other people who share somebody's quasi-identifiers."""

    safer = Safer.HIGHER
    monotone = True
    family = "k"
    column = "others"
    counts = True
    plainly = "the fewest others who look like somebody"

    def of_size(self):
        return "size - 1"
'''
RULE = '''

class OthersInClassRule(SizeRule):
    """A class needs one member more than others."""

    measure = OthersInClass

    @property
    def least(self):
        return int(self.requirement.bound) + 1

    def readings(self, grouped):
        return grouped.members - 1
'''
DATA = "age,sex\n31,F\n32,F\n33,M\n34,M\n41,F\n42,F\n43,M\n44,M\n"
Run = Callable[..., tuple[int, str]]


def added(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """One more file in privacy/models/, and nothing else; a table beside it."""
    (folder / "others_in_class.py").write_text(text, encoding="utf-8")
    (folder / "data.csv").write_text(DATA, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(models, "__path__", [*models.__path__, str(folder)])
    importlib.invalidate_caches()
    yield folder
    sys.modules.pop("sfumato.privacy.models.others_in_class", None)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from added(MEASURE + RULE, tmp_path, monkeypatch)


@pytest.fixture
def measure_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from added(MEASURE, tmp_path, monkeypatch)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    def ran(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["sfumato", *arguments])
        with pytest.raises(SystemExit) as stopped:
            main()
        return int(stopped.value.code or 0), "".join(capfd.readouterr())

    return ran


@pytest.mark.usefixtures("model")
def test_a_new_file_is_a_new_measure_of_the_catalogue() -> None:
    assert measure("others_in_class").of(four_anonymous_inpatients().classes()) == 3
    assert "others_in_class" in sf.measures()
    assert class_rules()["others_in_class"].measure is measures()["others_in_class"]


@pytest.mark.usefixtures("model")
def test_a_new_file_is_a_new_measure_of_the_command_measures(run: Run) -> None:
    assert "the fewest others who look like somebody" in run("measures")[1]


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    ("bound", "code", "words"), [(3, 0, "Every requirement is met, but 1 question is open."), (4, 1, "8 of 8 records")]
)
def test_a_new_file_is_a_new_measure_of_the_command_assess(run: Run, bound: int, code: int, words: str) -> None:
    ended, printed = run("assess", "data.csv", "--quasi", "sex", "--require", f"others_in_class >= {bound}")
    assert ended == code
    assert words in printed


def test_the_flags_of_a_new_measure_are_written_as_the_whole_numbers_that_it_says_they_are(
    run: Run, model: Path
) -> None:
    run("assess", "data.csv", "--quasi", "age,sex", "--require", "others_in_class >= 1", "--out", "flagged")
    lines = (model / "flagged" / "flagged_others_in_class.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["record,age,sex,others", "1,31,F,0"]


def test_a_search_keeps_to_a_new_measure_by_the_rule_of_its_file(run: Run, model: Path) -> None:
    asked = ("anonymise", "data.csv", "--quasi", "age,sex", "--require", "others_in_class >= 1", "--suppress", "0")
    code, printed = run(*asked, "--json", "found.json")
    assert code == 0, printed
    document = json.loads((model / "found.json").read_text(encoding="utf-8"))
    readings = document["assessments"][0]["readings"] if "assessments" in document else document["readings"]
    assert [(r["measure"], r["met"], r["value"] >= 1) for r in readings] == [("others_in_class", True, True)]


@pytest.mark.usefixtures("measure_alone")
def test_a_measure_without_a_rule_is_assessed_and_a_search_says_that_it_cannot_keep_to_it(run: Run) -> None:
    assert run("assess", "data.csv", "--quasi", "sex", "--require", "others_in_class >= 3")[0] == 0
    code, printed = run("anonymise", "data.csv", "--quasi", "age,sex", "--require", "others_in_class >= 1")
    assert code == 2
    assert "cannot keep to a bound on others_in_class" in " ".join(printed.split())


def test_the_measure_is_gone_when_its_file_is() -> None:
    assert "others_in_class" not in measures()
    assert "others_in_class" not in class_rules()


def test_every_model_has_one_file_and_its_rule_below_it() -> None:
    homes = [cls.__module__ for cls in measures().values()]
    assert len(set(homes)) == len(homes)
    for name, rule in class_rules().items():
        assert rule.__module__ == measures()[name].__module__
        assert rule.measure is measures()[name]


def test_no_other_module_knows_a_measure_by_its_name() -> None:
    """None compares something with the name of a measure, or lists several."""
    source = Path(sf.__file__).parent
    asking = [
        f"{path.relative_to(source)}:{node.lineno}"
        for path in source.rglob("*.py")
        if path.parent.name != "models"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare | ast.Tuple | ast.List | ast.Set | ast.Dict)
        if named(node) > (0 if isinstance(node, ast.Compare) else 1)
    ]
    # What an example of the project file shows, in the JSON Schema.
    assert [place for place in asking if not place.startswith("project/file/keys.py")] == []


def named(node: ast.AST) -> int:
    """How many names of measures are parts of an expression."""
    return sum(isinstance(part, ast.Constant) and part.value in measures() for part in ast.iter_child_nodes(node))
