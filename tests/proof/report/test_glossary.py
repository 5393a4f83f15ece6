"""The glossary of reports: what it must explain, and how a text finds its terms."""

import pytest

from sfumato.errors import UnusableInput
from sfumato.proof.report.glossary import find, terms, terms_in

ASKED = (
    "identity disclosure", "attribute disclosure", "inferential disclosure", "linking attack", "homogeneity attack",
    "background-knowledge attack", "similarity attack", "skewness attack", "k", "l", "t", "class", "quasi-identifier",
)  # fmt: skip


@pytest.mark.parametrize("term", ASKED)
def test_what_a_report_must_explain_is_explained_in_a_sentence(term):
    assert find(term).term == term
    assert len(find(term).means) > 40
    assert find(term).means.endswith(".")


def test_no_name_means_two_things():
    names = [name.lower() for term in terms() for name in term.names]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(
    ("written", "term"),
    [("Linking attacks", "linking attack"), ("k_anonymity", "k"), ("EQUIVALENCE CLASS", "class"), ("dpia", "DPIA")],
)
def test_a_term_is_found_in_any_spelling(written, term):
    assert find(written).term == term


def test_an_unknown_term_says_the_nearest():
    with pytest.raises(UnusableInput, match="Did you mean 'homogeneity attack'"):
        find("homogenity attack")


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.term)
def test_every_term_is_found_in_a_text_that_names_it(term):
    for name in term.names:
        assert term in terms_in(f"Here is {name}, and more.")


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Classes, hierarchies and quasi-identifiers.", ["quasi-identifier", "class", "hierarchy"]),
        ("k = 5 and t at most 0.3", ["k", "t"]),
        ("we talk, don't we? K-means; classified classroom; recorder; tea-t", []),
        ("distinct_l_diversity(diagnosis)", ["l"]),
        ("T and L are temperatures", []),
        ("", []),
    ],
)
def test_only_whole_words_count_and_single_letters_as_they_are_written(text, spoken):
    assert [term.term for term in terms_in(text)] == spoken
