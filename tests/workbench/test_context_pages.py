"""Context on pages: answers become lines of the project file, and nothing else of it changes."""

from __future__ import annotations

import pytest
from tests.service.released_package import PROJECT, Clinic
from tests.workbench.visitors import visitor

from sfumato.project.file import Project
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
