"""A release that does not keep to its policy is not found; and where somebody asks for it, it is not written."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.test_brute_force import asked, condensed, dataset
from tests.search.worlds import World
from tests.soak.random_releases import drawn, outcome

from sfumato.errors import InfeasiblePolicy, PolicyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.plans.apply import apply_plan
from sfumato.plans.plan import Plan
from sfumato.plans.steps.drop import Drop
from sfumato.plans.steps.suppress_records import SuppressRecords
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.suppress_until_met import suppressed_until_met
from sfumato.privacy.policy import Policy
from sfumato.search.anonymise import anonymise
from sfumato.search.anonymiser import Anonymiser
from sfumato.search.local.cell_suppression import suppress_cells
from sfumato.search.local.counted_tuples import CountedTuples
from sfumato.search.local.local_recoding import recode_locally
from sfumato.search.local.mondrian import mondrian
from sfumato.search.local.recoding import Recoding

# Releases that were written broken, or not at all, before: with persons of several records, by each method.
BROKEN_BEFORE = {
    126: "levels, after suppression",
    135: "local recoding",
    136: "a population whose numbers became texts in the release",
    156: "cells",
    168: "local recoding, after suppression",
    312: "Mondrian",
    408: "cells, beta",
    526: "levels, with a population",
}
LETTERS = Hierarchy(tuple((letter, "*") for letter in "abc"))


@st.composite
def busy(draw: st.DrawFn) -> World:
    """Persons who have several records each, with different values in different classes."""
    record = st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from("uvw"), st.integers(1, 6))
    records = draw(st.lists(record, min_size=8, max_size=20))
    trees = [LETTERS, Hierarchy((("x", "xy", "*"), ("y", "xy", "*"), ("z", "z", "*")))]
    return World(
        [(one, other) for one, other, _, _ in records], [s for *_, s, _ in records], trees, [who for *_, who in records]
    )


BOUNDS = st.sampled_from([("t", 0.1), ("t", 0.2), ("t", 0.3), ("t", 0.4), ("beta", 0.5), ("beta", 1.0)])


def rare_value() -> pa.Table:
    """Two classes that lie far apart as soon as the one person with the highest value is left out."""
    rows = [("a", 1)] * 3 + [("a", 2)] + [("b", 1)] + [("b", 2)] * 3 + [("c", 9)]
    return pa.table({"letter": [letter for letter, _ in rows], "value": [value for _, value in rows]})


@pytest.mark.parametrize("number", BROKEN_BEFORE)
def test_what_was_written_broken_before_keeps_to_its_policy(number: int, tmp_path: Path) -> None:
    each = outcome(drawn(number), tmp_path)
    assert (each.kind, each.faults) == ("written", [])


def test_a_value_that_nobody_has_any_more_is_no_place_between_others() -> None:
    """Without the 9 there are two values, one step apart, and the classes are a quarter of it from everybody.

    With the 9 in the middle of nowhere it was an eighth, and the two classes were released for a bound of 0.22.
    """
    release = anonymise(
        rare_value(), quasi=["letter"], sensitive=["value"], suppress=0.2, hierarchies={"letter": LETTERS},
        requirements=["k_anonymity >= 2", "t_ordered(value) <= 0.22"], method="optimal",
    )  # fmt: skip
    assert (release.levels, release.met) == ({"letter": 1}, True)


@settings(max_examples=60)
@given(world=busy(), bound=BOUNDS, levels=st.tuples(st.integers(0, 1), st.integers(0, 2)))
def test_those_who_stay_keep_to_the_policy_read_by_the_measures(
    world: World, bound: tuple[str, float], levels: tuple[int, int]
) -> None:
    """Persons of several records count in each of their classes: when classes go, everybody's shares change."""
    policy = [bound]
    node = tuple(min(level, tree.height) for level, tree in zip(levels, world.hierarchies, strict=False))
    rules, classes = PolicyRules.of(asked(policy)), CodedClasses.at(condensed(world), node)
    suppression = rules.suppression(classes, inf)
    assert suppression is not None
    gone = suppressed_until_met(rules, classes, suppression.here)
    kept = {tuple(classes.table.codes[:, row].tolist()) for row in np.flatnonzero(~gone.take(classes.ids)).tolist()}
    places = [{value: i for i, value in enumerate(tree.values)} for tree in world.hierarchies]
    codes = [tuple(at.get(value, len(at)) for at, value in zip(places, row, strict=True)) for row in world.rows]
    stay = [i for i, code in enumerate(codes) if code in kept]
    if not stay:
        return
    labels = [tuple(tree.label(v, level) for tree, v, level in zip(world.hierarchies, world.rows[i], node, strict=True))
              for i in stay]  # fmt: skip
    assert world.persons is not None
    left = replace(
        world, rows=labels, secrets=[world.secrets[i] for i in stay], persons=[world.persons[i] for i in stay]
    )
    assert read(left, asked(policy)) == []


@settings(max_examples=60)
@given(world=busy(), bound=BOUNDS)
def test_every_class_of_its_own_keeps_to_the_policy_read_by_the_measures(
    world: World, bound: tuple[str, float]
) -> None:
    """While groups are formed nobody knows yet in how many of them a person will be."""
    policy = [bound]
    trees = {f"q{j}": tree for j, tree in enumerate(world.hierarchies)}
    tuples = CountedTuples.of_condensed(condensed(world), trees)
    try:
        recodings = [recode_locally(tuples, asked(policy)), mondrian(tuples, asked(policy))]
    except PolicyError:
        return
    for recoding in recodings:
        assert read(released(world, recoding), asked(policy)) == []
    gone = suppress_cells(tuples, asked(policy)).lines().to_pylist()
    labels = {tuple(line[f"k{j + 1}"] for j in range(len(trees))): tuple(line[f"l{j + 1}"] for j in range(len(trees)))
              for line in gone}  # fmt: skip
    assert read(replace(world, rows=[labels[row] for row in world.rows]), asked(policy)) == []


def released(world: World, recoding: Recoding) -> World:
    """The world with the labels of a recoding."""
    count = len(world.hierarchies)
    labels = {tuple(line[f"k{j + 1}"] for j in range(count)): tuple(line[f"l{j + 1}"] for j in range(count))
              for line in recoding.lines().to_pylist()}  # fmt: skip
    return replace(world, rows=[labels[row] for row in world.rows])


def read(world: World, policy: Policy) -> list[str]:
    """The requirements that a table of labels breaks, by the measures themselves."""
    classes = replace(dataset(world), hierarchies={}).classes()
    return [r.text for r in policy.requirements if r.met_by(r.measure.of(classes)) is False]


def against_the_original() -> dict[str, object]:
    """Compared with everybody in the original both classes keep to 0.22, and among themselves they do not."""
    return {"quasi": ["letter"], "sensitive": ["value"], "suppress": 0.2, "against": "original", "method": "optimal",
            "requirements": ["k_anonymity >= 2", "t_ordered(value) <= 0.22"],
            "hierarchies": {"letter": LETTERS}}  # fmt: skip


def test_python_does_not_write_a_release_that_breaks_its_policy(tmp_path: Path) -> None:
    release = anonymise(rare_value(), **against_the_original())
    assert not release.met
    with pytest.raises(InfeasiblePolicy, match=r"Nothing was written: t_ordered\(value\) <= 0.22 .* 0.25"):
        release.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_anonymiser_does_not_keep_what_breaks_its_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its search compares with the release; were there ever a fault in it, nothing would come of it."""
    broken = anonymise(rare_value(), **against_the_original())
    monkeypatch.setattr("sfumato.search.anonymiser.anonymise", lambda *_, **__: broken)
    blur = Anonymiser(quasi=["letter"], k=2)
    with pytest.raises(InfeasiblePolicy, match="Nothing can be released"):
        blur.fit_transform(rare_value())
    with pytest.raises(Exception, match="call fit first"):
        blur.transform(rare_value())


def test_the_command_line_writes_nothing_that_breaks_its_policy_and_says_which_reading_does(tmp_path: Path) -> None:
    source, out = tmp_path / "letters.csv", tmp_path / "out"
    pc.write_csv(rare_value(), source)
    (tmp_path / "hierarchies").mkdir()
    (tmp_path / "hierarchies" / "letter.csv").write_text("".join(f"{letter};*\n" for letter in "abc"))
    command = [
        sys.executable, "-c", "from sfumato.cli import main; main()", "anonymise", str(source),
        "--quasi", "letter", "--sensitive", "value", "--suppress", "0.2", "--method", "optimal",
        "--require", "k_anonymity >= 2", "--require", "t_ordered(value) <= 0.22",
        "--hierarchies", str(tmp_path / "hierarchies"), "--out", str(out),
    ]  # fmt: skip
    refused = subprocess.run([*command, "--against", "original"], capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "Nothing was written: t_ordered(value) <= 0.22 is required, and it reads 0.25." in refused.stderr
    assert not out.exists()
    written = subprocess.run(command, capture_output=True, text=True, check=False)
    assert written.returncode == 0, written.stderr
    assert (out / "released.csv").is_file()


@pytest.mark.parametrize(("against", "bound", "written"), [("original", 0.22, False), ("original", 0.3, True),
                                                            ("release", 0.3, True)])  # fmt: skip
def test_a_plan_with_requirements_writes_only_what_keeps_to_them(
    against: str, bound: float, written: bool, tmp_path: Path
) -> None:
    """Also where the subject, by whom members are counted, is dropped after the step that requires something."""
    plan = Plan().then(
        SuppressRecords(
            requirements=["k_anonymity >= 2", f"t_ordered(value) <= {bound}"], columns=("letter",), against=against
        ),
        Drop(("who",)),
    )
    table, out = rare_value().append_column("who", pa.array(range(9))), tmp_path / "out.csv"
    if not written:
        with pytest.raises(InfeasiblePolicy, match=r"Nothing was written: t_ordered\(value\) <= 0.22 .* 0.25"):
            apply_plan(plan, table, out, subject="who", non_sensitive=["value"])
        assert not out.exists()
        return
    apply_plan(plan, table, out, subject="who", non_sensitive=["value"])
    assert out.is_file()


def test_a_plan_whose_later_steps_undo_what_a_step_requires_writes_nothing(tmp_path: Path) -> None:
    """Each letter has two records, until the last step leaves out one of them."""
    table = pa.table({"letter": ["a", "a", "b", "b"], "half": ["x", "y", "x", "x"]})
    plan = Plan().then(
        SuppressRecords(requirements=["k_anonymity >= 2"], columns=("letter",)),
        SuppressRecords(where={"column": "half", "equals": "y"}),
    )
    with pytest.raises(InfeasiblePolicy, match="k_anonymity >= 2 is required, and it reads 1"):
        apply_plan(plan, table, tmp_path / "out.csv", non_sensitive=["half"])
    assert list(tmp_path.iterdir()) == []
