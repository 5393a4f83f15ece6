"""The parsers that are ours answer or refuse whatever they are given; `tests/soak` goes on for as long as is wished."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from tests.hostile.fuzz import PROPERTIES, Property


def fuzzed(held: Property, *, examples: int) -> Any:
    """A test of a property, with the inputs that once showed a fault first."""

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), database=None)
    @given(each=held.inputs)
    def check(each: Any) -> None:
        held.check(each)

    for kept in held.kept:
        check = example(each=kept)(check)
    return check


@pytest.mark.parametrize("name", PROPERTIES)
def test_whatever_it_is_given_a_parser_answers_or_refuses(name: str) -> None:
    fuzzed(PROPERTIES[name], examples=PROPERTIES[name].examples)()
