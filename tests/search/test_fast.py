"""Compiled and plain: the same answers to the last bit."""

from __future__ import annotations

import subprocess
import sys
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.test_arx_optimal import OBJECTIVES as OF_ARX
from tests.search.test_arx_optimal import SLOW, THOROUGH
from tests.search.test_brute_force import OBJECTIVES, REQUIREMENTS, condensed, dataset, policies, tables
from tests.search.wide_tables import wide

from sfumato.errors import PolicyError
from sfumato.privacy.coded import kernels
from sfumato.privacy.coded import table as table_module
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.kernels import NumbaKernels, NumpyKernels
from sfumato.privacy.coded.lattice import Lattice
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.levels import compiled_proof, optimality_proof
from sfumato.search.levels.compiled_proof import CompiledProof
from sfumato.search.levels.examined_nodes import Budget, ExaminedNodes
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.levels.levels_so_far import SearchWatch
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.objectives.average_class_size import ClassSize
from sfumato.search.objectives.discernibility import Discernibility
from sfumato.search.objectives.loss import Loss
from sfumato.search.objectives.non_uniform_entropy import Nue
from sfumato.search.scoring import leaf_entropy

FIVE = Policy((Requirement(KAnonymity(), 5),))
TWICE = ("0", "1")  # SFUMATO_FAST


@pytest.fixture(scope="module")
def compiled() -> NumbaKernels:
    return NumbaKernels(pytest.importorskip("numba"))


def both(search: OptimalSearch, table: CodedTable) -> list[LevelsFound | str]:
    answers: list[LevelsFound | str] = []
    for fast in TWICE:
        with pytest.MonkeyPatch.context() as changed:
            changed.setenv("SFUMATO_FAST", fast)
            try:
                answers.append(search.among(table))
            except PolicyError as error:
                answers.append(str(error))
    return answers


@pytest.mark.parametrize("name", OBJECTIVES)
@settings(max_examples=25)
@given(table=tables(), policy=policies(), limit=st.sampled_from([0.0, 0.1, 0.3, 1.0]))
def test_small_tables_have_the_same_answer(
    compiled: NumbaKernels, name: str, table: Any, policy: list[tuple[str, float]], limit: float
) -> None:
    made, _ = OBJECTIVES[name]("sum", 0.5, [1.0] * len(table.hierarchies))
    rules = Policy(tuple(REQUIREMENTS[rule](bound) for rule, bound in policy))
    plain, fast = both(OptimalSearch(rules, made, limit), condensed(table))
    assert plain == fast


@pytest.mark.parametrize("name", OF_ARX)
def test_the_census_has_the_same_answer(compiled: NumbaKernels, census: dict[str, CodedTable], name: str) -> None:
    """With every k and limit of the oracle where SFUMATO_THOROUGH=1, and with some of them otherwise."""
    quick = [(5, 0.0)] if name in SLOW else [(5, 0.0), (5, 0.02), (10, 1.0)]
    for k, limit in [(k, s) for k in (2, 5, 10) for s in (0.0, 0.02, 0.05, 1.0)] if THOROUGH else quick:
        policy = Policy((Requirement(KAnonymity(), k),))
        plain, fast = both(OptimalSearch(policy, OF_ARX[name], limit), census["nine"])
        assert plain == fast


def test_leaves_that_nobody_has_make_no_difference(
    monkeypatch: pytest.MonkeyPatch, census: dict[str, CodedTable]
) -> None:
    """Of 100 ages that the hierarchy lists, 72 occur; the bits of labels are added up for those that occur only."""
    names = "loss, arithmetic mean", "non-uniform entropy"
    plain = {name: OptimalSearch(FIVE, OF_ARX[name], 0.02).among(census["nine"]) for name in names}
    monkeypatch.setattr(table_module, "MANY_LEAVES", 40)
    monkeypatch.setattr(leaf_entropy, "WIDE", 40)
    assert census["nine"].with_leaves_that_occur().width < census["nine"].width
    for name, levels in plain.items():
        without = OptimalSearch(FIVE, OF_ARX[name], 0.02).among(census["nine"])
        assert (without.levels, without.suppressed) == (levels.levels, levels.suppressed)
        assert without.score == pytest.approx(levels.score, rel=1e-13)


@pytest.mark.parametrize("limit", [0.0, 0.02])
def test_raising_the_lowest_levels_finds_the_same(
    monkeypatch: pytest.MonkeyPatch, census: dict[str, CodedTable], limit: float
) -> None:
    """As on large tables: columns are tried alone first, so that boxes get smaller, and fewer nodes are looked at."""
    lowest, tried = ExaminedNodes.lowest, list[int]()

    def noted(nodes: ExaminedNodes, *given: Any) -> Any:
        tried.append(given[1])
        return lowest(nodes, *given)

    searches = [OptimalSearch(FIVE, OF_ARX[name], limit) for name in ("loss, arithmetic mean", "non-uniform entropy")]
    plain = [search.among(census["nine"]) for search in searches]
    monkeypatch.setattr(ExaminedNodes, "lowest", noted)
    monkeypatch.setattr(optimality_proof, "RAISED", 0)
    raised = [search.among(census["nine"]) for search in searches]
    assert set(tried) == set(range(9))
    for one, other in zip(raised, plain, strict=True):
        assert (one.levels, one.score, one.suppressed, one.optimal) == (
            other.levels, other.score, other.suppressed, True
        )  # fmt: skip


def test_thirty_columns_have_the_same_answer(compiled: NumbaKernels) -> None:
    plain, fast = both(OptimalSearch(FIVE, Loss(), 0.05, budget=Budget(nodes=400)), wide(people=400))
    assert plain == fast


@settings(max_examples=60)
@given(data=st.data(), space=st.integers(1, 40), count=st.integers(1, 5), left_out=st.booleans())
def test_each_kernel_has_a_twin(compiled: NumbaKernels, data: Any, space: int, count: int, left_out: bool) -> None:
    plain = NumpyKernels()
    some = data.draw(st.lists(st.integers(0, 11), min_size=1, max_size=12, unique=True).map(sorted))
    rows = np.array(some) if left_out else None
    n = len(some) if left_out else 12
    ids = np.array(data.draw(st.lists(st.integers(0, space - 1), min_size=n, max_size=n)))
    codes = np.array(data.draw(st.lists(st.integers(0, 3), min_size=12, max_size=12)))
    places, weights = np.arange(4) % count, np.array(data.draw(st.lists(st.integers(1, 4), min_size=12, max_size=12)))
    slots = np.ascontiguousarray(np.stack([codes, codes[::-1] + 4], axis=1))
    calls = [("refined", (ids, count, places, codes, rows)), ("histogram", (slots, weights * 1.0, rows, 9))]
    calls += [("added_up", (ids, weights[:n] * kind, size)) for kind in (1, 1.0) for size in (space, 1)]
    for name, arguments in calls:
        left, right = (getattr(one, name)(*arguments) for one in (plain, compiled))
        np.testing.assert_array_equal(left, right)
        assert left.dtype == right.dtype
    weighed, small = weights[:n] * 1.0, np.arange(space * count) % 3 == 0
    keys = ids * 2**40 + codes[:n]
    for one in (plain, compiled):
        parts, records = one.counted(ids, count, places, codes, rows, weights=weighed, space=space * count)
        np.testing.assert_array_equal(parts, plain.refined(ids, count, places, codes, rows))
        np.testing.assert_array_equal(records, plain.added_up(parts, weighed, space * count))
        dense, own = one.renumbered(parts, records)
        np.testing.assert_array_equal(own[dense], records[parts])
        assert (records[records > 0] == own).all()
        leaves = one.leaves_of(small, parts, rows, slots=slots, weights=weights * 1.0, width=9)
        held = np.flatnonzero(small[parts])
        np.testing.assert_array_equal(
            leaves, plain.histogram(slots, weights * 1.0, held if rows is None else rows[held], 9)
        )
        assert one.numbered(keys).tolist() == [list(dict.fromkeys(keys.tolist())).index(key) for key in keys.tolist()]
    for room in (space, space + 100_000):  # the second is sorted, and not ticked off
        (left, few), (right, many) = plain.packed(ids, room), compiled.packed(ids, room)
        np.testing.assert_array_equal(left, right)
        assert few == many == len(np.unique(ids))
        assert (left.dtype, right.dtype) == (ids.dtype, ids.dtype)


def test_numba_is_left_alone_until_a_search_needs_it() -> None:
    modules = "sys, sfumato, sfumato.search.levels.optimal, sfumato.privacy.coded.kernels as k"
    words = f"import {modules}; k.kernels(100); print('numba' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "False"


def test_numba_is_loaded_when_many_rows_have_been_gone_through(
    compiled: NumbaKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SFUMATO_FAST", raising=False)
    so_far = kernels.RowsSoFar()
    monkeypatch.setattr(kernels, "_so_far", lambda: so_far)
    monkeypatch.setattr(kernels, "_ready", lambda: compiled)
    monkeypatch.setattr(kernels, "WORTH_LOADING", 250_000)
    small = kernels.WORTH_COMPILING - 1
    taken = [type(kernels.kernels(rows)) for rows in (100_000, small, 100_000, small, 100_000, small)]
    assert taken == [*[NumpyKernels] * 4, NumbaKernels, NumpyKernels]
    assert kernels.fastest_kernels(100_000) is compiled


def test_the_loop_is_taken_where_many_nodes_of_many_rows_are_to_be_looked_at_and_k_is_all_that_is_asked(
    compiled: NumbaKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line compares classes with everybody in the release: for k alone that changes nothing."""
    monkeypatch.delenv("SFUMATO_FAST", raising=False)
    monkeypatch.setattr(compiled_proof, "fastest_kernels", lambda rows: compiled)
    monkeypatch.setattr(compiled_proof, "_loop_is_kept", lambda: True)
    table = wide(columns=4, people=200)
    search = OptimalSearch(FIVE, Loss(), 0.2, settled=True)
    task = search.task(table)
    nodes = ExaminedNodes(task, Lattice.of(table, search.limits), search.objective.ready(task), search.budget)
    rows = nodes.lattice.size * table.rows
    taken = []
    for worth in (rows * compiled_proof.LOOKED_AT, rows * compiled_proof.LOOKED_AT - 1):
        monkeypatch.setattr(compiled_proof, "WORTH_LOADING", worth)
        taken.append(compiled_proof.can_be_compiled(nodes))
    assert taken == [False, True]


def test_a_search_works_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setenv("SFUMATO_FAST", "1")
    kernels._fastest.cache_clear()
    try:
        assert type(kernels.kernels(10**6)) is NumpyKernels
    finally:
        kernels._fastest.cache_clear()


def test_a_folder_that_cannot_be_written_to_only_costs_time() -> None:
    """numba refuses to decorate with a cache where it finds no place for it."""

    class Numba:
        def njit(self, loop: Any, cache: bool = False, nogil: bool = False) -> Any:
            if cache:
                raise RuntimeError("cannot cache function: no locator available")
            return loop

    plain, slow = NumpyKernels(), NumbaKernels(Numba())
    ids = np.array([3, 0, 3])
    assert slow.packed(ids, 5)[1] == plain.packed(ids, 5)[1] == 2
    np.testing.assert_array_equal(slow.added_up(ids, np.ones(3), 4), [1, 0, 0, 2])


def test_the_variable_switches_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_FAST", "0")
    assert type(kernels.kernels(10**6)) is NumpyKernels


@pytest.mark.parametrize("objective", [Loss(), Loss(aggregate="sum"), Nue(), Nue(normalised=True),
                                       ClassSize(), ClassSize(balance=0.3), Discernibility()])  # fmt: skip
@settings(max_examples=40)
@given(
    table=tables(), k=st.integers(2, 4), limit=st.sampled_from([0.0, 0.2, 0.5, 1.0]), rolled=st.sampled_from([2, 48]),
    raised=st.booleans(), nodes=st.sampled_from([1, 2, 5, 20, inf]),
)  # fmt: skip
def test_the_loop_takes_the_same_walk(
    compiled: NumbaKernels, objective: Any, table: Any, k: int, limit: float, rolled: int, raised: bool, nodes: float
) -> None:
    """Every number of the answer, how many nodes were looked at among them, also where the walk is broken off."""
    search = OptimalSearch(Policy((Requirement(KAnonymity(), k),)), objective, limit, budget=Budget(nodes=nodes))
    begun = list[CompiledProof]()

    def noted(proof: CompiledProof) -> None:
        begun.append(proof)
        go_on(proof)

    go_on, made = CompiledProof.go_on, condense(dataset(table), [])
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(optimality_proof, "ROLLED", rolled)
        changed.setattr(optimality_proof, "ROLLED_BY_COLUMN", rolled)
        changed.setattr(optimality_proof, "RAISED", 0 if raised else inf)
        changed.setattr(CompiledProof, "go_on", noted)
        plain, fast = both(search, made)
    assert plain == fast
    assert begun or isinstance(fast, str)


@pytest.mark.parametrize(
    "name", ["loss, arithmetic mean", "non-uniform entropy", "discernibility", "average class size"]
)
def test_the_loop_finds_the_best_of_the_census_whatever_is_rolled_up_or_raised(
    compiled: NumbaKernels, monkeypatch: pytest.MonkeyPatch, census: dict[str, CodedTable], name: str
) -> None:
    monkeypatch.setenv("SFUMATO_FAST", "1")
    search, answers = OptimalSearch(FIVE, OF_ARX[name], 0.02), set()
    for rolled, raised in ((2, inf), (48, 0), (inf, 0), (inf, inf)):
        monkeypatch.setattr(optimality_proof, "ROLLED", rolled)
        monkeypatch.setattr(optimality_proof, "ROLLED_BY_COLUMN", rolled)
        monkeypatch.setattr(optimality_proof, "RAISED", raised)
        levels = search.among(census["nine"])
        answers.add((tuple(levels.levels.values()), levels.score, levels.suppressed, levels.classes, levels.optimal))
    assert len(answers) == 1


def test_the_loop_is_stopped_between_looks(
    compiled: NumbaKernels, monkeypatch: pytest.MonkeyPatch, census: dict[str, CodedTable]
) -> None:
    """By whoever watches: with the best so far, and a bound that holds."""
    monkeypatch.setenv("SFUMATO_FAST", "1")
    monkeypatch.setattr(compiled_proof, "BETWEEN_WATCHES", 1)
    search, asked = OptimalSearch(FIVE, OF_ARX["non-uniform entropy"], 0.02), list[int]()
    whole = search.among(census["nine"])
    told = SearchWatch(cancelled=lambda: len(asked) > 50 or bool(asked.append(1)))
    stopped = search.among(census["nine"], watch=told)
    assert stopped.examined < whole.examined
    assert stopped.bound <= whole.score <= stopped.score
