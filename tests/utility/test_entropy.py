"""Non-uniform entropy, conventional and generic: S1's examples, and what holds for every recoding."""

from __future__ import annotations

import math
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from tests.utility.recodings import Recoding, recodings

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.studies.printed_tables import recoded_ages
from sfumato.tables.engine import Engine
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.model_interface import Figure
from sfumato.utility.models.generic_non_uniform_entropy import GenericNonUniformEntropy
from sfumato.utility.models.non_uniform_entropy import NonUniformEntropy
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing

SEXES = Hierarchy((("Female", "*"), ("Male", "*")))
HELD = DuckDB()


def bits(comparison: type[NonUniformEntropy] | type[GenericNonUniformEntropy], compared: Comparison) -> float:
    found = comparison().of(compared).total
    assert isinstance(found, Figure)
    assert found.value is not None
    return found.value


def sexes(engine: Engine, released: list[str]) -> Comparison:
    before = engine.load(pa.table({"sex": ["Male", "Male", "Male", "Female", "Female", "Female"]}))
    after = engine.load(pa.table({"sex": released}))
    return Comparison.of(Pairing.of(before, after, ["sex"], hierarchies={"sex": SEXES}))


def test_s1_7_conventional_entropy_of_ages(engine: Engine) -> None:
    whole, local = recoded_ages("full-domain", engine), recoded_ages("local", engine)
    assert bits(NonUniformEntropy, whole) == 2
    assert bits(NonUniformEntropy, local) == pytest.approx(1.245112, abs=5e-7)
    found = NonUniformEntropy().of(local).total
    assert isinstance(found, Figure)
    assert found.more["nats"] == pytest.approx(0.863046, abs=5e-7)


def test_s1_9_generic_entropy_of_ages_and_sexes(engine: Engine) -> None:
    assert bits(GenericNonUniformEntropy, recoded_ages("local", engine)) == 4
    recoded = sexes(engine, ["Male", "Male", "*", "*", "Female", "Female"])
    assert bits(NonUniformEntropy, recoded) == pytest.approx(-3.509775, abs=5e-7)
    assert bits(GenericNonUniformEntropy, recoded) == pytest.approx(2)


def test_s1_9_removing_everything_costs_the_same_by_both_methods(engine: Engine) -> None:
    for method in (NonUniformEntropy, GenericNonUniformEntropy):
        assert bits(method, sexes(engine, ["*"] * 6)) == pytest.approx(6)
        found = method().of(recoded_ages("local", engine)).total
        assert isinstance(found, Figure)
        assert found.removed == pytest.approx(10.754888, abs=5e-7)


def test_a_spurious_gain_is_nothing_lost_and_its_per_cent_say_so() -> None:
    found = NonUniformEntropy().of(sexes(DuckDB(), ["Male", "Male", "*", "*", "Female", "Female"])).total
    assert isinstance(found, Figure)
    assert found.normalised == 0
    assert found.more["percent"] == pytest.approx(-3.509775 / 6 * 100, abs=1e-4)


@given(recodings())
@settings(max_examples=25)
def test_both_are_what_their_definitions_say(recoding: Recoding) -> None:
    compared = recoding.compared(HELD)
    assert bits(GenericNonUniformEntropy, compared) == pytest.approx(recoding.generic(), abs=1e-9)
    assert bits(NonUniformEntropy, compared) == pytest.approx(recoding.conventional(), abs=1e-9)


@given(recodings())
@settings(max_examples=25)
def test_s1_11_the_generic_entropy_is_never_negative_nor_more_than_all_there_is(recoding: Recoding) -> None:
    found = GenericNonUniformEntropy().of(recoding.compared(HELD)).total
    assert isinstance(found, Figure)
    assert found.value is not None
    assert -1e-9 <= found.value <= found.removed + 1e-9


@given(recodings(full_domain=True))
@settings(max_examples=25)
def test_s1_10_for_full_domain_generalisation_both_are_equal(recoding: Recoding) -> None:
    compared = recoding.compared(HELD)
    assert bits(GenericNonUniformEntropy, compared) == pytest.approx(bits(NonUniformEntropy, compared), abs=1e-9)


@given(recodings(full_domain=True, missing=False))
@settings(max_examples=25)
def test_s1_11_suppressing_more_records_never_loses_less(recoding: Recoding) -> None:
    lost, levels = 0.0, list(recoding.levels)
    for record in range(len(levels)):
        levels[record] = recoding.hierarchy.height
        found = bits(GenericNonUniformEntropy, replace(recoding, levels=tuple(levels)).compared(HELD))
        assert found >= lost - 1e-9
        lost = found
    counts = [recoding.values.count(value) for value in recoding.values]
    assert lost == pytest.approx(sum(math.log2(len(counts) / n) for n in counts), abs=1e-9)
