"""Words of the library that pages translate: in English they are the same in both places."""

from __future__ import annotations

from sfumato.attackers.three_attackers import Attackers
from sfumato.hierarchies.catalogue import builders
from sfumato.privacy.catalogue import measures
from sfumato.privacy.sizes import Sizes
from sfumato.project.context.checklist import CHECKLISTS
from sfumato.project.recipient.questions import QUESTIONS, YearsQuestion
from sfumato.proof.report.glossary import find
from sfumato.service.run_commands import COMMANDS
from sfumato.workbench.catalogue import catalogue

ENGLISH = catalogue("en").texts


def under(part: str) -> dict[str, str]:
    return {name.removeprefix(f"{part}."): text for name, text in ENGLISH.items() if name.startswith(f"{part}.")}


def test_the_questions_about_a_recipient_are_those_of_the_questionnaire():
    assert under("requests.asks") == {question.key: question.asks for question in QUESTIONS}


def test_every_answer_about_a_recipient_has_words_in_every_language():
    answers = {word for question in QUESTIONS if not isinstance(question, YearsQuestion) for word in question.words}
    assert set(under("requests.answers")) == answers


def test_a_term_that_opens_in_place_says_what_the_glossary_says():
    terms, means = under("glossary.term"), under("glossary.means")
    assert means == {name: find(term).means for name, term in terms.items()}


def test_the_questions_of_the_context_are_those_of_the_checklists():
    questions = [(checklist.key, question) for checklist in CHECKLISTS for question in checklist.questions]
    assert under("safes.about") == {checklist.key: checklist.about for checklist in CHECKLISTS}
    assert under("safes.asks") == {f"{part}.{question.key}": question.asks for part, question in questions}
    assert under("safes.why") == {f"{part}.{question.key}": question.why for part, question in questions}


def test_what_a_measure_means_is_what_the_measure_says():
    assert under("policy.means") == {name: measure.plainly for name, measure in measures().items()}


def test_a_kind_of_hierarchy_is_what_its_builder_says():
    assert under("hierarchies.kinds") == {
        name: kind.plainly for name, kind in builders().items() if name != "from_file"
    }


def test_what_an_attacker_knows_is_what_the_library_says():
    attackers = Attackers.of(Sizes(((2, 5, 10),))).content()
    assert under("attackers.kind") == {one.name: one.knows for one in attackers}


def test_every_verb_that_is_run_has_words():
    assert set(under("runs.what")) == {one.verb.replace(" ", "_").replace("-", "_") for one in COMMANDS}
