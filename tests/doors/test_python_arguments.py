"""What somebody passes to the functions who has not read the page: answered, and never with a number that misleads."""

from __future__ import annotations

from typing import Any

import pytest

import sfumato as sf

pa = pytest.importorskip("pyarrow")
PEOPLE = pa.table({"age": [30, 30, 41, 41], "sex": ["f", "f", "m", "m"], "illness": ["flu", "cold", "flu", "flu"]})


def assessed(**given: Any) -> sf.Assessment:
    return sf.assess(PEOPLE, **{"quasi": ["age", "sex"], "sensitive": "illness", **given})


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "3", float("nan"), float("inf"), [3]])
def test_k_is_a_whole_number_from_one_on(k: Any) -> None:
    with pytest.raises(sf.SfumatoError, match="k is a whole number from 1 on"):
        assessed(k=k)


@pytest.mark.parametrize("given", [{"l": 0}, {"l": "x"}, {"l": True}, {"t": -1}, {"t": "x"}, {"t": float("nan")}])
def test_l_and_t_are_numbers(given: dict[str, Any]) -> None:
    with pytest.raises(sf.SfumatoError, match="is a number from"):
        assessed(**given)


def test_a_number_of_numpy_is_a_number() -> None:
    numpy = pytest.importorskip("numpy")
    found = assessed(k=numpy.int64(3), l=numpy.int32(2), t=numpy.float32(0.5))
    assert [reading.met for reading in found.readings] == [False, False, True]


@pytest.mark.parametrize("given", [{"quasi": 3}, {"quasi": [1]}, {"quasi": [None]}, {"sensitive": [1]}])
def test_columns_are_named_as_text(given: dict[str, Any]) -> None:
    with pytest.raises(sf.SfumatoError, match="takes names of columns, as text"):
        assessed(**given)


@pytest.mark.parametrize("subject", ["", ["sex"], 3])
def test_a_subject_is_one_column(subject: Any) -> None:
    with pytest.raises(sf.SfumatoError, match="subject takes the name of one column"):
        assessed(subject=subject, k=2)


def test_no_quasi_identifiers_are_none() -> None:
    with pytest.raises(sf.SfumatoError, match="at least one column with the role 'quasi'"):
        assessed(quasi=None)


def test_one_requirement_needs_no_list() -> None:
    assert assessed(requirements="k_anonymity >= 2").met is True
    assert assessed(requirements="k_anonymity >= 3").met is False
    with pytest.raises(sf.SfumatoError, match="Did you mean 'k_anonymity'"):
        assessed(requirements="k_anonimity >= 2")


@pytest.mark.parametrize("requirements", [5, [5], {"k": 5}])
def test_what_is_no_requirement_is_answered_with_what_one_is(requirements: Any) -> None:
    with pytest.raises(sf.SfumatoError, match="A requirement is a text such as"):
        assessed(requirements=requirements)


@pytest.mark.parametrize("given", [{"bins": [30, 40]}, {"distance": 3, "t": 0.2}, {"scales": "nominal"}])
def test_settings_of_columns_are_given_by_column(given: dict[str, Any]) -> None:
    with pytest.raises(sf.SfumatoError, match="is given by column"):
        assessed(**given)
