"""The keys of a project file that say why and to whom data are released: Five Safes, impact, benefits, matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import ConfigDict, PlainValidator, WithJsonSchema, create_model, model_validator

from sfumato.errors import did_you_mean
from sfumato.project.context.benefit import Likelihood, Need
from sfumato.project.context.checklist import CHECKLISTS, FIVE_SAFES, ContextChecklist, Response
from sfumato.project.context.risk_benefit import Level
from sfumato.project.file.key_model import Day, FileKeys, optional_key, wrong

AUDIENCES = ("public", "restricted", "internal")
LEVELS = tuple(level.value for level in Level)
NEEDS = tuple(need.value for need in Need)
LIKELIHOODS = tuple(likelihood.value for likelihood in Likelihood)


def _response(given: Any) -> str:
    response = Response.read(given)
    if response is None:
        raise wrong(f"expected yes, partly, no or unanswered.{_near(given, [answer.value for answer in Response])}")
    return response.value


def _near(given: Any, options: list[str]) -> str:
    """The nearest of the answers, where what was given is near to one."""
    words = did_you_mean(given, options) if isinstance(given, str) else ""
    return words if words.startswith(" Did you mean") else ""


def _one_of(options: tuple[str, ...]) -> PlainValidator:
    """Reads a text that is one of these."""

    def read(given: Any) -> str:
        word = " ".join(given.lower().replace("_", " ").split()) if isinstance(given, str) else ""
        if word not in options:
            expected = f"{', '.join(options[:-1])} or {options[-1]}"
            raise wrong(f"expected {expected}.{_near(given, list(options))}")
        return word

    return PlainValidator(read)


def _listed(options: tuple[str, ...]) -> WithJsonSchema:
    return WithJsonSchema({"enum": list(options)})


Answer = Annotated[
    str,
    PlainValidator(_response),
    # Other readers of YAML take a bare yes for true.
    WithJsonSchema({"enum": [*(answer.value for answer in Response), True, False]}),
]
Audience = Annotated[str, _one_of(AUDIENCES), _listed(AUDIENCES)]
LevelWord = Annotated[str, _one_of(LEVELS), _listed(LEVELS)]
NeedWord = Annotated[str, _one_of(NEEDS), _listed(NEEDS)]
LikelihoodWord = Annotated[str, _one_of(LIKELIHOODS), _listed(LIKELIHOODS)]


class _PartKeys(FileKeys):
    """Keys and answers of one part of the context; a key that is not listed is said to be none, with the nearest."""

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            raise wrong(f"expected keys and answers, such as `{next(iter(cls.model_fields))}: ...`.")
        for key in given:
            if key not in cls.model_fields:
                raise wrong(f"there is no such key here.{did_you_mean(str(key), cls.model_fields)}", str(key))
        return given


def _answered(checklist: ContextChecklist) -> Any:
    """The keys of a checklist: a question each."""
    fields: dict[str, Any] = {
        question.key: (Answer | None, optional_key(f"{question.asks} {question.why}", "yes"))
        for question in checklist.questions
    }
    name = f"{checklist.title.title().replace(' ', '')}Keys" if checklist in FIVE_SAFES else "ImpactKeys"
    return create_model(name, __base__=_PartKeys, __doc__=f"{checklist.title}: {checklist.about}", **fields) | None


def _or_need(schema: dict[str, Any]) -> None:
    """A benefit may be written as the need alone."""
    whole = dict(schema)
    schema.clear()
    schema["anyOf"] = [{"enum": [*NEEDS, None]}, whole]


class BenefitKeys(_PartKeys):
    """What one column is good for: the need alone, or with more on it."""

    model_config = ConfigDict(json_schema_extra=_or_need)

    need: NeedWord | None = optional_key("How much the purpose needs the column: none, low, medium or high.", "high")
    likelihood: LikelihoodWord | None = optional_key(
        "How likely the benefit comes about: low, medium or high.", "medium"
    )
    form: str | None = optional_key("In which form the column is useful.", "five-year bands")
    recipients: str | None = optional_key("To whom it is useful.", "epidemiologists")
    effect: str | None = optional_key("What good it does to people.", "earlier treatment")
    exempt: str | None = optional_key(
        "Why the column stays in the release although the purpose does not need it (`need: none`).",
        "The key to the biobank; agreed with the ethics committee.",
        min_length=1,
    )
    unsearchable: str | None = optional_key(
        "Why the column stays although the purpose does not need it (`need: none`), with a token of its own in every "
        "cell, so that no value can be looked for.",
        "The programs of the recipient expect the column.",
        min_length=1,
    )
    as_it_is: str | None = optional_key(
        "Why a column that the purpose needs is released as it is, while the others are protected more strongly.",
        "Doses are found by the exact age.",
        min_length=1,
    )
    instead: str | None = optional_key(
        "What must hold more strictly while the column is `exempt` or stays `as_it_is`, as --require takes it.",
        "k_anonymity >= 10",
        min_length=1,
    )

    @model_validator(mode="before")
    @classmethod
    def _short(cls, given: Any) -> Any:
        return {"need": given} if isinstance(given, str) or given is None else given

    @model_validator(mode="after")
    def _exempt_of_need(self) -> BenefitKeys:
        if self.exempt is not None and self.need != Need.NONE.value:
            raise wrong("only a column that the purpose does not need is exempt. Expected `need: none`.", "exempt")
        return self

    @model_validator(mode="after")
    def _one_of_the_ways_to_stay(self) -> BenefitKeys:
        if self.unsearchable is not None and self.need != Need.NONE.value:
            raise wrong("only a column that the purpose does not need is made unsearchable. Expected `need: none`.",
                        "unsearchable")  # fmt: skip
        if self.unsearchable is not None and self.exempt is not None:
            raise wrong("a column either stays or is made unsearchable. Expected one of the two.", "unsearchable")
        if self.as_it_is is not None and self.need in (None, Need.NONE.value):
            raise wrong("only a column that the purpose needs stays as it is. Expected `need: high`.", "as_it_is")
        if self.instead is not None and self.exempt is None and self.as_it_is is None:
            raise wrong("it says what is done in the place of a column. Expected `exempt` or `as_it_is` beside it.",
                        "instead")  # fmt: skip
        return self


class MatrixKeys(_PartKeys):
    """What people decided on the levels, where they know better than the rules."""

    model_config = ConfigDict(
        json_schema_extra={"dependentRequired": {"risk": ["because"], "benefit": ["because"]}},
    )

    risk: LevelWord | None = optional_key("The level of risk: low, moderate, high or very high.", "moderate")
    benefit: LevelWord | None = optional_key("The level of benefit: low, moderate, high or very high.", "high")
    because: str | None = optional_key("Why. Must be given with a level.", "Only three named analysts see the data.")

    @model_validator(mode="after")
    def _explained(self) -> MatrixKeys:
        if (self.risk or self.benefit) and not (self.because or "").strip():
            raise wrong("a level that people decide needs a reason. Add `because: ...`.")
        return self


class DecisionKeys(_PartKeys):
    """Who decided something, when and why."""

    decided_by: str | None = optional_key("Who decided: a person or a body.", "Data access committee", min_length=1)
    decided_on: Day | None = optional_key("When: a day, or a moment, as ISO 8601 writes it.", "2026-05-31")
    reason: str | None = optional_key("Why.", "The bound is the one of the registry.")


class DecisionsKeys(_PartKeys):
    """Who decided on the release as a whole; on the role of a column its own keys say so."""

    policy: DecisionKeys | None = optional_key("What must hold: the measures and their bounds.", {"decided_by": "DPO"})
    release: DecisionKeys | None = optional_key(
        "That the data are handed on.", {"decided_by": "Data access committee", "decided_on": "2026-05-31"}
    )


_SECTIONS: dict[str, Any] = {
    checklist.key: (
        _answered(checklist),
        optional_key(f"{checklist.title}. {checklist.about}", {checklist.questions[0].key: "yes"}),
    )
    for checklist in CHECKLISTS
}


class _ReleaseKeys(_PartKeys):
    """Why and to whom data are released."""

    purpose: str | None = optional_key("What the data are released for.", "Research into the course of COVID-19")
    release: Audience | None = optional_key(
        "Who may have them. public: everybody. restricted: named recipients. internal: the same organisation.",
        "restricted",
    )
    recipient: str | None = optional_key(
        "The recipient: a file of answers for `sfumato recipient`, or the grade itself: High, Middle or Low.",
        "hospital.yaml",
        "Middle",
    )
    handed_to: str | None = optional_key("Who gets the data, by name.", "The asthma registry, University of Aba")
    controller: str | None = optional_key("Who answers for the data: the controller.", "Hospital of Aba")
    officer: str | None = optional_key("Whom to ask: the data protection officer.", "privacy@hospital.example")
    legal_basis: str | None = optional_key(
        "On which legal basis the data are handed on.", "GDPR article 6(1)(e) and 9(2)(j)"
    )
    decisions: DecisionsKeys | None = optional_key(
        "Who decided on the policy and on the release, when and why.",
        {"release": {"decided_by": "Data access committee", "decided_on": "2026-05-31"}},
    )
    benefits: dict[str, BenefitKeys] | None = optional_key(
        "What each column is good for, by name.", {"age": "high", "postcode": {"need": "low", "form": "the province"}}
    )
    matrix: MatrixKeys | None = optional_key(
        "Levels that people decided, and why.", {"risk": "moderate", "because": "Access is supervised."}
    )


ContextKeys: Any = create_model(
    "ContextKeys", __base__=_ReleaseKeys, __doc__="Why and to whom data are released, answered.", **_SECTIONS
)
