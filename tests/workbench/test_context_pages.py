"""Context on pages: answers become lines of the project file, and nothing else of it changes."""

from __future__ import annotations

import pytest
from tests.service.released_package import PROJECT, Clinic
from tests.workbench.visitors import visitor

from sfumato.project.file import Project
from sfumato.project.recipient.answers import read_answers
from sfumato.project.recipient.questions import QUESTIONS
from sfumato.project.recipient.recipient import Recipient
from sfumato.service.context_answers import project_context

HOME = "/projects/clinic/context"
ODD = 'name "with" quotes, and: é'


@pytest.fixture
def clinic(world) -> Clinic:
    return Clinic.of(world)


def known(clinic: Clinic):
    return project_context(clinic.world.service, clinic.world.caller("stella"), "clinic")


def answered(clinic: Clinic, part: str, name: str = "stella", on: str | None = None, **fields: object):
    data = {"on": known(clinic).hash if on is None else on, **fields}
    return visitor(clinic.world, name).post(f"{HOME}/{part}", data=data)


def test_answers_stand_in_a_new_version_and_the_rest_of_the_file_stays(clinic):
    before = known(clinic)
    assert answered(clinic, "projects", purpose_stated="yes", minimised="partly").status_code == 200
    after = known(clinic)
    assert after.version == before.version + 1
    assert after.text.startswith(PROJECT)
    assert Project.parse(after.text).context["projects"] == {"purpose_stated": "yes", "minimised": "partly"}
    assert "purpose_stated: yes" in visitor(clinic.world, "stella").get(f"{HOME}/projects").text


def test_what_is_left_empty_is_unanswered_and_taken_back(clinic):
    answered(clinic, "people", agreement="yes")
    answered(clinic, "people", agreement="unanswered")
    assert not any((known(clinic).answers.get("people") or {}).values())


def test_of_two_tabs_the_second_is_told_and_nothing_is_lost(clinic):
    on = known(clinic).hash
    assert answered(clinic, "about", on=on, purpose="Falls").status_code == 200
    second = answered(clinic, "about", on=on, purpose="Other words")
    assert second.status_code == 412
    assert "Other words" in second.text  # as it was typed
    assert known(clinic).answers["purpose"] == "Falls"


def test_columns_with_odd_names_have_a_benefit_like_others(clinic):
    clinic.version(
        "stella", PROJECT.replace("  sex: {role: quasi}", f"  sex: {{role: quasi}}\n  '{ODD}': {{role: quasi}}")
    )
    answer = answered(clinic, "benefits", column=["age", ODD], **{"need.0": "high", "need.1": "none", "form.1": ODD})
    assert answer.status_code == 200
    assert known(clinic).answers["benefits"] == {"age": {"need": "high"}, ODD: {"need": "none", "form": ODD}}
    assert "The purpose does not need these columns:" in answer.text


def test_a_level_that_people_decide_needs_a_reason(clinic):
    refused = answered(clinic, "matrix", risk="low")
    assert refused.status_code == 422
    assert "needs a reason" in refused.text
    assert answered(clinic, "matrix", risk="low", benefit="high", because="Three analysts.").status_code == 200
    assert "usual <strong>(here)</strong>" in visitor(clinic.world, "stella").get(HOME).text


def test_a_reviewer_reads_and_does_not_answer(clinic):
    page = visitor(clinic.world, "rita").get(f"{HOME}/projects").text
    assert "Answers are written by: steward." in page
    assert answered(clinic, "projects", "rita", purpose_stated="yes").status_code == 403
    assert visitor(clinic.world, "rex").get(HOME).status_code == 403


def test_a_part_that_there_is_not_is_not_known(clinic):
    assert visitor(clinic.world, "stella").get(f"{HOME}/elsewhere").status_code == 404
    assert answered(clinic, "elsewhere").status_code == 404


def test_a_project_without_a_file_says_what_to_do(world):
    answer = visitor(world, "stella").get(HOME)
    assert answer.status_code == 404
    assert "upload a table first" in answer.text


def test_the_answers_of_a_request_are_taken_into_the_project_and_grade_its_recipient(clinic):
    request = clinic.preparing()
    page = visitor(clinic.world, "stella").post(f"/projects/clinic/requests/{request}/take-answers", data={"once": "1"})
    assert page.url.path == f"{HOME}/about"
    assert known(clinic).answers["recipient"] == "recipient.yaml"
    assert known(clinic).document.grade == "Low"
    assert known(clinic).text.startswith(PROJECT)


FIFTEEN = {question.key: question.words[0] for question in QUESTIONS} | {"working_years": "4"}


def fifteen(**changes: str) -> dict[str, str]:
    """The answers about a recipient, as the form sends them."""
    return {f"answer.{key}": value for key, value in {**FIFTEEN, **changes}.items()}


def test_the_fifteen_questions_about_the_recipient_are_answered_here_and_grade_it(clinic):
    """Whoever works alone has no request that would ask them."""
    page = visitor(clinic.world, "stella").get(f"{HOME}/recipient").text
    assert all(f'name="answer.{question.key}"' in page for question in QUESTIONS)
    assert f'href="{HOME}/recipient"' in visitor(clinic.world, "stella").get("/projects/clinic/policy").text
    before = known(clinic)
    assert answered(clinic, "recipient", **fifteen()).status_code == 200
    after = known(clinic)
    assert after.version == before.version + 1
    assert after.answers["recipient"] == "recipient.yaml"
    assert after.document.grade == Recipient.of(FIFTEEN).grade
    assert dict(after.recipient) == read_answers(FIFTEEN)
    assert after.text.startswith(PROJECT)
    again = visitor(clinic.world, "stella").get(f"{HOME}/recipient").text
    assert '<option value="insurer" selected>' in again
    assert 'data-copy="sfumato recipient --answers=recipient.yaml"' in again
    assert "15 of 15 answered" in visitor(clinic.world, "stella").get(HOME).text


def test_an_answer_about_the_recipient_that_lacks_is_named_and_the_others_stay_in_the_form(clinic):
    before = known(clinic)
    refused = answered(clinic, "recipient", **fifteen(shaming=""))
    assert refused.status_code == 422
    assert "this question is not answered" in refused.text
    assert '<option value="insurer" selected>' in refused.text
    assert known(clinic).version == before.version


def test_a_grade_is_chosen_from_a_list_and_a_file_of_answers_stays_in_it(clinic):
    answered(clinic, "recipient", **fifteen())
    page = visitor(clinic.world, "stella").get(f"{HOME}/about").text
    assert '<option value="recipient.yaml" selected>as the fifteen answers say</option>' in page
    answered(clinic, "about", recipient="Low")
    assert known(clinic).document.grade == "Low"


def test_what_is_counted_above_the_parts_is_what_a_report_counts(clinic):
    """Five Safes and the impact assessment are the checklists; the parts beside them are counted by themselves."""
    page = visitor(clinic.world, "stella").get(HOME).text
    assert "0 of 41 questions of the checklists are answered" in page
