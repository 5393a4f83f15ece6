"""Nobody who has the published table works out a hidden cell, and no fewer cells would do."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.statistics.independent_attacker import PublishedTable, Rules, Truth, fewest, is_small
from tests.statistics.random_tables import RandomTable, drawn

import sfumato as sf
from sfumato.statistics import cubes
from sfumato.statistics.attack import MarginAttack
from sfumato.statistics.count_cells import CountedCells
from sfumato.statistics.cubes import CubeSearch
from sfumato.statistics.disclosure_rules import DisclosureRules
from sfumato.statistics.fewest import FewestCells
from sfumato.statistics.lattice import with_totals
from sfumato.statistics.ledger import Goal, OtherTable, Problem
from sfumato.statistics.many_cubes import MOST, Advance, reached_apart
from sfumato.statistics.protect import CellProtection
from sfumato.statistics.sensitive_cells import sensitive_cells


def of_counts(counts: list[int] | list[list[int]] | np.ndarray, preset: str = "acro", **rules: object) -> Problem:
    inner = np.array(counts)
    columns = tuple("abcdef"[: inner.ndim])
    labels = tuple(tuple(map(str, range(size))) for size in inner.shape)
    cells = CountedCells(columns, labels, with_totals(inner).ravel(), ())
    return sensitive_cells(cells, [columns], DisclosureRules.of(preset, **rules))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_an_attacker_who_solves_the_margins_gets_no_hidden_cell_closer_than_its_interval(number: int) -> None:
    assert drawn(number, most=70).faults() == []


@pytest.mark.parametrize("number", [5000, 5004, 5013, 5021])
def test_the_hidden_cells_are_as_few_as_a_brute_force_over_all_choices_finds(number: int) -> None:
    case = drawn(number, sums=False, most=60)
    tabulated = case.tabulated()
    assert tabulated.fewest
    assert fewest(tabulated.table_csv(), case.truth(), case.rules) == tabulated.hidden


@settings(max_examples=6, deadline=None)
@given(st.lists(st.integers(0, 16), min_size=4, max_size=4), st.sampled_from([3, 5, 10]), st.booleans())
def test_two_by_two_tables_hide_as_few_cells_as_a_brute_force(counts: list[int], threshold: int, zeros: bool) -> None:
    rows = [{"a": f"a{i // 2}", "b": f"b{i % 2}", "cost": 1.0} for i, count in enumerate(counts) for _ in range(count)]
    if not rows:
        return
    case = RandomTable(rows, (("a", "b"),), Rules(threshold=threshold, zeros_shown=zeros), ())
    tabulated = case.tabulated()
    assert tabulated.fewest
    assert fewest(tabulated.table_csv(), case.truth(), case.rules) == tabulated.hidden


def test_without_a_small_cell_nothing_is_hidden() -> None:
    protection = CellProtection.of(of_counts([[20, 30], [40, 50]]))
    assert not protection.hidden.any()
    assert protection.fewest


def test_one_small_cell_of_a_table_takes_three_others_along() -> None:
    protection = CellProtection.of(of_counts([[4, 30, 60], [40, 50, 70], [80, 90, 99]]))
    hidden = protection.hidden.reshape(4, 4)
    assert int(hidden.sum()) == 4
    assert hidden[0, 0]
    assert not hidden[3].any()  # no total is hidden where cells will do
    assert not hidden[:, 3].any()


def test_two_small_cells_that_are_known_together_take_a_third_along() -> None:
    """4 and 5 are 9 together, which the total tells: neither could be 10."""
    hidden = CellProtection.of(of_counts([4, 5, 50, 60])).hidden
    assert hidden.tolist() == [True, True, True, False, False]


def test_where_everything_is_small_so_is_the_total_and_nothing_is_shown() -> None:
    protection = CellProtection.of(of_counts([[1, 2], [0, 3]]))
    assert protection.hidden.all()
    assert np.isinf(protection.intervals(0).high).all()


def test_ten_persons_in_ten_cells_that_are_known_not_to_be_empty_hide_the_total() -> None:
    """With empty cells shown a hidden cell has somebody in it, so a total of ten would give all ten away."""
    protection = CellProtection.of(of_counts([1] * 10 + [0], zeros="shown"))
    assert protection.hidden[:10].all()
    assert not protection.hidden[10]  # shown as empty
    assert protection.hidden[11]


def test_rounded_totals_leave_room_so_that_fewer_cells_are_hidden() -> None:
    counts = [[3, 12, 20], [21, 30, 33], [40, 50, 61]]
    exact = CellProtection.of(of_counts(counts, "opensafely", base=1)).hidden.sum()
    rounded = CellProtection.of(of_counts(counts, "opensafely")).hidden.sum()
    assert rounded < exact


@pytest.mark.parametrize("number", range(6))
def test_means_of_whole_numbers_tell_what_a_count_was_rounded_from_and_still_no_small_cell(number: int) -> None:
    """20 persons of 51.35 years on average are 20 and not 18, 19, 21 or 22: only 20 times that is whole."""
    draw = random.Random(number)
    rows = [
        {"a": f"a{min(int(draw.expovariate(1.2)), 2)}", "b": f"b{min(int(draw.expovariate(1.2)), 2)}",
         "age": draw.randint(18, 90)}
        for _ in range(draw.randint(20, 150))
    ]  # fmt: skip
    rules, truth = Rules(threshold=8, base=5), Truth(rows, ("a", "b"))
    tabulated = sf.tabulate(pa.Table.from_pylist(rows), ["a", "b"], means="age", preset="opensafely")
    table = PublishedTable(tabulated.table_csv(), truth.columns, rules)
    table.read_means_of_whole_numbers(1)
    assert all(low <= len(truth.members(place)) <= high for place, (low, high) in table.told.items())
    small = [place for place in table.cells if is_small(len(truth.members(place)), rules)]
    assert small
    for place in small:
        low, high = table.interval(place)
        assert (low, high >= rules.threshold) == (0, True), place


@pytest.mark.parametrize("number", [2, 3, 5, 8])
def test_of_persons_in_two_tables_with_sums_below_nothing_no_small_part_is_worked_out(number: int) -> None:
    draw, zeros = random.Random(number), number % 2 == 0
    persons = [
        {"id": i, "a": f"a{min(int(draw.expovariate(1)), 2)}", "b": draw.choice("uv"), "c": draw.choice("xyz")}
        for i in range(draw.choice([40, 80]))
    ]
    rows = [{**each, "x": round(draw.gauss(0, 40), 1)} for each in persons for _ in range(draw.randint(1, 3))]
    tabulated = sf.tabulate(
        pa.Table.from_pylist(rows), [["a", "b"], ["a", "c"]], sums="x", subject="id", threshold=5,
        zeros="shown" if zeros else "hidden",
    )  # fmt: skip
    parts = [{**each, "x": sum(row["x"] for row in rows if row["id"] == each["id"])} for each in persons]
    rules, truth = Rules(threshold=5, zeros_shown=zeros), Truth(parts, ("a", "b", "c"))
    table = PublishedTable(tabulated.table_csv(), truth.columns, rules)
    small = [place for place in table.cells if is_small(len(truth.members(place)), rules)]
    assert small
    for place in small:
        own = [person["x"] for person in truth.members(place)]
        low, high = table.interval(place)
        assert (low <= table.least(place), high >= rules.threshold) == (True, True), place
        low, high = table.interval(place, 1, below_nothing=True)
        need = rules.p / 100 * max(map(abs, own), default=0.0) * (1 - 1e-4)
        assert low <= sum(own) - need, place
        assert high >= sum(own) + need, place


def test_a_small_table_hides_no_more_than_cubes_alone_would() -> None:
    draw = np.random.default_rng(4)
    for _ in range(4):
        problem = of_counts(draw.negative_binomial(1, 0.05, (4, 4)))
        assert CellProtection.of(problem).hidden.sum() <= CubeSearch.of(problem).hidden.sum()


def test_a_large_table_is_protected_by_cubes_and_says_so() -> None:
    draw = np.random.default_rng(5)
    problem = of_counts(draw.poisson(60, (9, 9, 9)) * (draw.random((9, 9, 9)) > 0.01) + 1)
    protection = CellProtection.of(problem)
    assert not protection.fewest
    assert problem.primary.sum() > 3
    assert protection.hidden.sum() < 8 * problem.primary.sum() + 1
    for goal in problem.goals():
        assert any(t.shows(goal) and t.fits(problem, protection.hidden).all() for t in protection.tables)


def test_the_same_table_gives_the_same_cells() -> None:
    draw = np.random.default_rng(6)
    counts = draw.negative_binomial(1, 0.05, (6, 7))
    assert (CellProtection.of(of_counts(counts)).hidden == CellProtection.of(of_counts(counts)).hidden).all()


def test_what_no_other_table_shows_to_be_safe_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a search gives: it is checked, and where the check fails everything is hidden."""
    wrong = OtherTable(0, np.array([0, 1]), np.array([100.0, -100.0]))
    monkeypatch.setattr(FewestCells, "of", lambda problem, *_: (problem.primary.copy(), True, (wrong,)))
    protection = CellProtection.of(of_counts([4, 30, 60]))
    assert protection.hidden.all()
    assert not protection.fewest


def test_a_table_that_shows_a_goal_is_as_far_off_as_it_must_be() -> None:
    table = OtherTable(0, np.array([2, 5]), np.array([6.0, -6.0]))
    assert table.shows(Goal(0, 2, 1, 6.0))
    assert not table.shows(Goal(0, 2, 1, 7.0))
    assert not table.shows(Goal(0, 2, -1, 1.0))
    assert not table.shows(Goal(1, 2, 1, 1.0))
    assert not table.shows(Goal(0, 3, 1, 1.0))


def test_the_intervals_of_the_audit_are_those_of_an_independent_attacker() -> None:
    for number in (1, 3, 7, 12):
        case = drawn(number, sums=False, most=60)
        tabulated = case.tabulated()
        table = PublishedTable(tabulated.table_csv(), case.columns, case.rules)
        for cell in tabulated.places():
            if not tabulated.protection.hidden[cell]:
                continue
            values = tabulated._values(cell)
            place = tuple(None if values[c] == tabulated.total_label else values[c] for c in case.columns)
            intervals = tabulated.intervals[0]
            low, high = table.interval(place)
            assert intervals.low[cell] <= low + 1e-6
            assert intervals.high[cell] >= high - 1e-6
            if len(case.columns) < 3:  # in two columns the solutions are whole by themselves
                assert (intervals.low[cell], intervals.high[cell]) == pytest.approx((low, high))


def test_a_person_hidden_in_one_table_is_hidden_in_the_other_that_shares_a_column() -> None:
    counts = {("x", "u", "p"): 40, ("y", "v", "q"): 40, ("x", "v", "q"): 30, ("y", "u", "q"): 3}
    rows = [dict(zip("abc", values, strict=True)) for values, count in counts.items() for _ in range(count)]
    assert len(Truth(rows, ("a", "b", "c")).members(("y", "u", None))) == 3
    assert RandomTable(rows, (("a", "b"), ("a", "c")), Rules(), ()).faults() == []


def sparse(shape: tuple[int, ...], persons: int, seed: int, **rules: object) -> Problem:
    """Uneven columns, and few persons a cell."""
    draw = np.random.default_rng(seed)
    inner = np.zeros(shape, dtype=np.int64)
    np.add.at(inner, tuple(draw.choice(n, persons, p=draw.dirichlet(np.full(n, 3.0))) for n in shape), 1)
    return of_counts(inner, **rules)


@pytest.mark.parametrize("zeros", ["hidden", "shown"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_intervals_of_all_cells_are_those_of_two_programmes_for_each(seed: int, zeros: str) -> None:
    problem = sparse((5, 4, 5), 900, seed, zeros=zeros)
    hidden = CubeSearch.of(problem).hidden
    attack, values = MarginAttack(problem, 0, hidden), problem.ledgers[0].values
    low, high = attack.intervals(values, values)
    cells = np.flatnonzero(hidden)
    assert len(cells) > 20
    assert [(low[cell], high[cell]) for cell in cells] == [attack.interval(int(cell)) for cell in cells]


@pytest.mark.parametrize(("direction", "way"), [(1, 1), (-1, 0)])
def test_goals_that_are_shown_together_have_tables_that_look_the_same_and_go_as_far_as_they_must(
    direction: int, way: int
) -> None:
    problem = sparse((9, 8, 9), 4000, 4)
    room = CubeSearch(problem).rooms[0].free
    goals = problem.goals_of(0, direction)
    for tables in (
        reached_apart(problem.lattice, room, goals),
        Advance(problem.lattice, room, goals, MOST).go(room),
    ):
        assert len(tables) > 200
        assert tables.fit(problem, problem.primary).all()
        assert tables.add_up(problem.lattice).all()
        furthest = np.zeros((2, problem.lattice.cells))
        np.maximum.at(furthest, ((tables.changes > 0).astype(int), tables.cells), abs(tables.changes))
        needs = np.zeros(problem.lattice.cells)
        needs[goals.cells] = goals.needs
        reached = (needs > 0) & (furthest[way] >= needs)
        assert reached.sum() >= len(tables)


@pytest.mark.parametrize(("persons", "zeros"), [(1500, "hidden"), (600, "hidden"), (600, "shown")])
def test_where_most_cells_are_small_an_attacker_gets_none_closer_than_its_interval(
    persons: int, zeros: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where cells are hidden for many goals at once, as in large tables."""
    monkeypatch.setattr(cubes, "MANY", 50)
    monkeypatch.setattr(cubes, "ENOUGH", 20)
    problem = sparse((9, 8, 9), persons, 6, zeros=zeros)
    protection = CellProtection.of(problem)
    assert not protection.hidden.all()
    attack = MarginAttack(problem, 0, protection.hidden)
    goals = list(problem.goals())
    assert len(goals) > 500
    for goal in goals[::12]:
        assert attack.furthest(goal.cell, goal.direction, goal.need)[0] >= goal.need * (1 - 1e-6), goal
