"""An attack and a population model are one file each: found in the folder, tried and shown by `sfumato risk`."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sfumato.attackers.attacks
import sfumato.attackers.population.models
from sfumato.attackers.catalogue import controlled_attacks, linkages, population_models
from sfumato.attackers.population.choice import Dankar
from sfumato.attackers.population.model_interface import SampleSize

ROOT = Path(__file__).parents[2]
ATTACKS = {**linkages(), **controlled_attacks()}

NOBODY = '''
"""A linkage that nobody has listed anywhere."""
from dataclasses import dataclass
from sfumato.attackers.attack_interface import Linkage, LinkageResult

@dataclass(frozen=True)
class NobodyLinkage(Linkage):
    """Names no released record for anybody."""

    plainly = "does not look"

    def of(self, linked):
        return LinkageResult(
            method=self.name(), records=linked.records, released=linked.released, matched=0, own_named=0, expected=0.0,
            linkable=0, rows=linked.engine.query("SELECT 1 AS row WHERE FALSE"), details={"looked": False},
        )
'''
GUESS = '''
"""An attack beside a control, about each sensitive column."""
from dataclasses import dataclass
from sfumato.attackers.attack_interface import AttackResult, ControlledAttack, Trials

@dataclass(frozen=True, kw_only=True)
class BlindGuess(ControlledAttack):
    """Guesses wrongly, as often as it may."""

    sensitive: str
    plainly = "guesses without looking"
    place = 0
    least_columns = 2
    about_sensitive = True

    def of(self, linked):
        assert linked.names[-1] == self.sensitive
        tried = Trials(self.attempts, 0)
        return AttackResult(self.name(), tried, tried, details={"sensitive": self.sensitive})
'''
NONE_AT_ALL = '''
"""A population model that nobody has listed anywhere."""
from dataclasses import dataclass
from sfumato.attackers.population.model_interface import PopulationModel

@dataclass(frozen=True)
class NoneAtAll(PopulationModel):
    """Nobody is unique."""

    plainly = "nobody is unique"
    caveat = "Never true."

    def expected(self, sizes, population):
        return 0.0, self.caveat
'''

Add = Callable[[str, str], None]


@pytest.fixture
def attack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Adds a file to `attacks/`, and nothing else."""
    yield adder(sfumato.attackers.attacks, tmp_path / "attacks", monkeypatch)
    forget("sfumato.attackers.attacks", tmp_path / "attacks")


@pytest.fixture
def population_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Adds a file to `population/models/`, and nothing else."""
    yield adder(sfumato.attackers.population.models, tmp_path / "models", monkeypatch)
    forget("sfumato.attackers.population.models", tmp_path / "models")


def adder(package, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Add:
    folder.mkdir()

    def add(name: str, text: str) -> None:
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])

    return add


def forget(package: str, folder: Path) -> None:
    for file in folder.glob("*.py"):
        sys.modules.pop(f"{package}.{file.stem}", None)


@pytest.fixture
def risk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """`sfumato risk` of six people and their release: what it prints, and its JSON."""
    from sfumato.cli import main

    (tmp_path / "data.csv").write_text("age,sex,dx\n30,f,a\n30,f,b\n41,m,a\n52,m,b\n52,m,a\n60,f,b\n", encoding="utf-8")
    (tmp_path / "release.csv").write_text(
        "age,sex,dx\n3*,f,a\n3*,f,b\n4*,m,a\n5*,m,b\n5*,m,a\n6*,f,b\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)

    def run(*options: str) -> tuple[str, dict]:
        arguments = ["risk", "data.csv", "release.csv", "--by-position", *options, "--json", "risk.json"]
        monkeypatch.setattr(sys, "argv", ["sfumato", *arguments])
        with pytest.raises(SystemExit) as stopped:
            main()
        assert not stopped.value.code
        return capsys.readouterr().out, json.loads((tmp_path / "risk.json").read_text(encoding="utf-8"))

    return run


def test_a_new_file_is_a_new_linkage_of_the_command_line(attack: Add, risk, tmp_path: Path):
    attack("nobody_linkage", NOBODY)
    shown, document = risk("--quasi", "age,sex", "--out", "exposed")
    assert "nobody_linkage" in shown
    assert document["linkage"]["method"] == "exact_linkage"
    assert [method["method"] for method in document["linkage"]["methods"]] == [
        "exact_linkage", "distance_linkage", "probabilistic_linkage", "nobody_linkage",
    ]  # fmt: skip
    assert document["linkage"]["methods"][-1]["looked"] is False
    assert (tmp_path / "exposed" / "linkable_nobody_linkage.csv").read_text(encoding="utf-8") == "record\n"


def test_a_new_file_is_a_new_question_asked_once_for_each_sensitive_column_and_in_its_place(attack: Add, risk):
    attack("blind_guess", GUESS)
    shown, document = risk("--quasi", "age,sex", "--sensitive", "dx", "--attempts", "7")
    assert "blind_guess (dx)" in shown
    assert [question["method"] for question in document["questions"]] == [
        "blind_guess", "singling_out", "linkability", "inference",
    ]  # fmt: skip
    assert document["questions"][0]["attack"]["attempts"] == 7


def test_an_attack_is_not_tried_where_the_release_has_too_few_columns(attack: Add, risk):
    attack("blind_guess", GUESS)
    _, document = risk("--quasi", "age", "--sensitive", "dx")
    assert [question["method"] for question in document["questions"]] == ["singling_out", "inference"]


def test_a_new_file_is_a_new_population_model_which_the_rule_does_not_take(population_model: Add, risk):
    population_model("none_at_all", NONE_AT_ALL)
    for fraction in ("0.05", "0.5"):
        shown, document = risk("--quasi", "age,sex", "--fraction", fraction)
        assert "none_at_all" in shown
        models = document["population"]["uniques"]
        assert list(models) == ["none_at_all", "pitman", "slide_negative_binomial", "zayatz", "dankar"]
        assert models["none_at_all"]["value"] == 0.0
        assert document["population"]["chosen"] != "none_at_all"


def test_attacks_and_models_are_gone_when_their_files_are():
    assert list(linkages()) == ["exact_linkage", "distance_linkage", "probabilistic_linkage"]
    assert list(controlled_attacks()) == ["singling_out", "linkability", "inference"]
    assert list(population_models()) == ["pitman", "slide_negative_binomial", "zayatz"]


@pytest.mark.parametrize("cls", [*ATTACKS.values(), *population_models().values(), Dankar], ids=lambda cls: cls.name())
def test_it_states_its_formula_its_source_and_an_example(cls):
    for part in (".. math::", "References\n", "Examples\n", ">>> "):
        assert part in cls.__doc__
    assert cls.__dataclass_params__.frozen
    assert cls.plainly


@pytest.mark.parametrize("cls", [*ATTACKS.values(), *population_models().values()], ids=lambda cls: cls.name())
def test_it_is_one_file_named_as_it_is_and_the_page_on_risk_names_it(cls):
    assert Path(inspect.getfile(cls)).stem == cls.name()
    page = (ROOT / "docs" / "risk.md").read_text(encoding="utf-8")
    assert cls.name().replace("_", " ") in page.lower()


def test_the_rule_takes_one_model_for_small_samples_and_one_of_two_for_large_and_one_stands_in():
    taken = {size: [name for name, cls in population_models().items() if size in cls.taken_for] for size in SampleSize}
    assert taken == {SampleSize.SMALL: ["pitman"], SampleSize.LARGE: ["slide_negative_binomial", "zayatz"]}
    assert [name for name, cls in population_models().items() if cls.stands_in] == ["zayatz"]
