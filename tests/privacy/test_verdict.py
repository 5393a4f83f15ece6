"""The three states of a verdict: green only where everything is met and decided."""

from __future__ import annotations

import pytest

from sfumato.privacy.verdict import Verdict
from sfumato.show.sheet import State


@pytest.mark.parametrize(
    ("met", "questions", "state"),
    [
        (True, (), State.MET),
        (True, ("Who reads it?",), State.OPEN),
        (False, (), State.NOT_MET),
        (False, ("Who reads it?",), State.NOT_MET),
        (None, (), None),
        (None, ("Who reads it?",), None),
    ],
)
def test_a_policy_is_met_only_where_nothing_is_open(met, questions, state):
    assert Verdict(met, questions).state is state


def test_a_question_is_open_once_however_often_it_is_raised():
    assert Verdict(True, ("a",)).with_open("b", "a", "b").open == ("a", "b")
