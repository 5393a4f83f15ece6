"""The Five Safes: what makes a release safe beside the data themselves, as five checklists.

References: Arbuckle, Ritchie (2019). The five safes of risk-based anonymization. IEEE Security & Privacy 17, 84-89;
the five dimensions are theirs, the controls and their words are ours. Two of them, review by an honest broker and a
log of use, follow Jung et al., A determination scheme for quasi-identifiers.
"""

from __future__ import annotations

from sfumato.project.context.checklist import Checklist, ChecklistQuestion

_PROJECTS = Checklist(
    "projects",
    "Safe projects",
    "Is this use of the data lawful, ethical and needed?",
    (
        ChecklistQuestion(
            "purpose_stated",
            "Is the purpose written down, and agreed by whoever answers for the data?",
            "Whether a column or a record is needed can only be judged against a purpose.",
        ),
        ChecklistQuestion(
            "legal_basis",
            "Is there a legal basis for handing the data on for this purpose?",
            "Protection does not make an unlawful use lawful.",
        ),
        ChecklistQuestion(
            "ethics_review",
            "Did an ethics committee, or the body that stands in for one, agree?",
            "People should not be surprised or harmed by what their data are used for.",
        ),
        ChecklistQuestion(
            "data_flow",
            "Is it known where the data come from, where they go, and who sees them on the way?",
            "Copies on the way are releases too.",
        ),
        ChecklistQuestion(
            "impact_assessment",
            "Was it decided, and recorded, whether a data protection impact assessment is needed?",
            "GDPR article 35 asks for one before processing that is likely to be a high risk.",
        ),
        ChecklistQuestion(
            "protection_by_design",
            "Is it recorded how data protection by design and by default was observed?",
            "GDPR article 25: only what the purpose needs is processed, from the start.",
        ),
        ChecklistQuestion(
            "minimised",
            "Were columns and records that the purpose does not need left out?",
            "What is not released cannot be found in the release.",
        ),
    ),
)

_PEOPLE = Checklist(
    "people",
    "Safe people",
    "Who will have the data, and could they be careless or tempted?",
    (
        ChecklistQuestion(
            "recipients_known",
            "Is it known by name who will have access?",
            "Of somebody unknown everything must be assumed.",
        ),
        ChecklistQuestion(
            "recipient_graded",
            "Was the recipient graded, with `sfumato recipient` or otherwise?",
            "How much protection is enough depends on what the recipient could do.",
        ),
        ChecklistQuestion(
            "honest_broker",
            "Was the grade reviewed by somebody independent of both sides?",
            "Answers about oneself are rarely severe.",
        ),
        ChecklistQuestion(
            "trained",
            "Were the people with access trained in handling personal data?",
            "A curious look for somebody one knows is a disclosure too.",
        ),
        ChecklistQuestion(
            "agreement",
            "Does a contract forbid re-identification, linking and passing the data on?",
            "What is not forbidden will be tried by somebody.",
        ),
        ChecklistQuestion(
            "sanctions",
            "Does breaking that contract have consequences?",
            "A ban without consequences is a request.",
        ),
    ),
)

_SETTINGS = Checklist(
    "settings",
    "Safe settings",
    "Where will the data be, and who could get at them there?",
    (
        ChecklistQuestion(
            "access_control",
            "Can only named people open the data, each with an account of their own?",
            "Everybody else with access is an attacker whom nobody has thought of.",
        ),
        ChecklistQuestion(
            "secure_environment",
            "Do the data stay in an environment that prevents copying them out?",
            "A file that has left cannot be called back.",
        ),
        ChecklistQuestion(
            "encrypted",
            "Are the data encrypted, at rest and on their way?",
            "A lost laptop or a wrong address is enough.",
        ),
        ChecklistQuestion(
            "usage_log",
            "Is every access logged, and does somebody read the log?",
            "Misuse that nobody can see goes on.",
        ),
        ChecklistQuestion(
            "retention",
            "Is there a date by which the data are deleted, and a check that they were?",
            "Each year more becomes known that the data can be linked with.",
        ),
        ChecklistQuestion(
            "breach_plan",
            "Is it settled who does what when data are lost or people are found in them?",
            "GDPR article 33 leaves 72 hours to notify.",
        ),
    ),
)

_DATA = Checklist(
    "data",
    "Safe data",
    "How likely is it that somebody is found in the data themselves?",
    (
        ChecklistQuestion(
            "roles_confirmed",
            "Did a person who knows the data confirm the role of every column?",
            "A quasi-identifier that was overlooked is in no number of this report.",
        ),
        ChecklistQuestion(
            "identifiers_removed",
            "Were direct identifiers removed, or replaced with pseudonyms whose key stays here?",
            "A name needs no attack.",
        ),
        ChecklistQuestion(
            "scenarios_considered",
            "Was it considered what attackers may know: neighbours, colleagues, registers, the press?",
            "The risk is that of the attacker who knows most, not of the average one.",
        ),
        ChecklistQuestion(
            "risk_measured",
            "Was the risk measured before and after the data were changed?",
            "Without both numbers nobody knows what the change has done.",
        ),
        ChecklistQuestion(
            "threshold_met",
            "Was a threshold for the risk set beforehand, and is it met?",
            "A threshold that is chosen afterwards is always met.",
        ),
        ChecklistQuestion(
            "attributes_protected",
            "Was it checked that groups of people alike differ in what is sensitive?",
            "When all in a group share a diagnosis, finding the group is enough.",
        ),
        ChecklistQuestion(
            "utility_checked",
            "Was it checked, after each change, that the data still serve the purpose?",
            "Useless data are a risk without a benefit.",
        ),
    ),
)

_OUTPUTS = Checklist(
    "outputs",
    "Safe outputs",
    "Could what is made of the data reveal somebody?",
    (
        ChecklistQuestion(
            "output_check",
            "Are tables, figures and models checked before they are published?",
            "A small cell in a paper is a release of its own.",
        ),
        ChecklistQuestion(
            "small_cells",
            "Is there a smallest cell that may be shown, and is it enforced?",
            "Counts of one or two point at people.",
        ),
        ChecklistQuestion(
            "misuse_considered",
            "Was it considered how conclusions could be turned against a group of people?",
            "A group can be harmed without anybody in it being found.",
        ),
        ChecklistQuestion(
            "further_use",
            "Is it settled what happens when the recipient wants to use the data for something else?",
            "The purpose is what everything above was judged against.",
        ),
    ),
)

FIVE_SAFES: tuple[Checklist, ...] = (_PROJECTS, _PEOPLE, _SETTINGS, _DATA, _OUTPUTS)
