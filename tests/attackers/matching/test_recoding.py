"""Released labels: an attacker knows how values were coded."""

from __future__ import annotations

import pytest

from sfumato.attackers.attack_interface import LinkedRecords
from sfumato.attackers.attacks.distance_linkage import DistanceLinkage
from sfumato.attackers.attacks.exact_linkage import ExactLinkage
from sfumato.attackers.attacks.probabilistic_linkage import ProbabilisticLinkage

LINKAGES = [ExactLinkage(), DistanceLinkage(), ProbabilisticLinkage()]


@pytest.mark.parametrize("attack", LINKAGES)
def test_an_age_is_found_in_its_interval(link, attack):
    pairs = [((21, "f"), ("20-29", "f")), ((29, "f"), ("20-29", "f")), ((34, "m"), ("30-39", "m"))]
    found = attack.of(link(pairs, ["age", "sex"], recoded=None))
    assert found.recoded == ("age",)
    assert (found.expected, found.linkable) == (2.0, 1)


def test_texts_that_become_other_texts_are_recoded_and_swapped_texts_are_not(link):
    coarser = [(("J45.0",), ("J45",)), (("J45.1",), ("J45",)), (("K20",), ("K20",))]
    swapped = [(("a",), ("b",)), (("b",), ("a",)), (("c",), ("c",))]
    assert link(coarser, ["code"], recoded=None).recoded == ("code",)
    assert ExactLinkage().of(link(coarser, ["code"], recoded=None)).expected == 2.0
    assert link(swapped, ["code"], recoded=None).recoded == ()
    assert ExactLinkage().of(link(swapped, ["code"], recoded=None)).expected == 1.0


@pytest.mark.parametrize("attack", LINKAGES)
def test_a_column_that_is_suppressed_throughout_hides_nobody_on_the_others(link, attack):
    """Who compared ages with nothing would find nobody, and the release would seem safe."""
    pairs = [((age, place), (None, place)) for age, place in [(30, "a"), (40, "b"), (50, "c")]]
    found = attack.of(link(pairs, ["age", "place"], recoded=None))
    assert (found.true_match_rate, found.linkable) == (1.0, 3)


def test_a_value_with_several_labels_is_looked_for_under_the_commonest(link):
    pairs = [((21,), ("20-29",)), ((21,), ("20-29",)), ((21,), ("*",))]
    found = ExactLinkage().of(link(pairs, ["age"], recoded=None))
    assert (found.matched, found.own_named, found.expected) == (3, 2, 1.0)


def test_numbers_with_noise_are_compared_as_they_are(link):
    pairs = [((i * 10,), (i * 10 + 1,)) for i in range(5)]
    linked = link(pairs, ["age"], recoded=None)
    assert linked.recoded == ()
    assert ExactLinkage().of(linked).matched == 0
    assert ExactLinkage().of(link(pairs, ["age"], recoded=["age"])).linkable == 5


def test_rows_are_known_by_the_numbers_they_came_with(link):
    linked = link([((1,), (1,)), ((2,), (3,))])
    renumbered = linked.engine.query(f"SELECT row + 100 AS row, o1, r1, kept FROM {linked.table}")
    found = ExactLinkage().of(LinkedRecords.of(renumbered, ["age"]))
    assert found.rows.engine.fetch(f"SELECT row FROM {found.rows}") == [(101,)]
