"""What a column name says: its head decides, and the words beside it may take the meaning away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sfumato.lexicon.concept import Concept
from sfumato.lexicon.phrases import Phrase, phrases
from sfumato.lexicon.vocabulary import vocabulary
from sfumato.schema import Role

ADMINISTRATIVE = Concept("the running of the study, not a person", Role.NON_SENSITIVE)
WHOLE, PARTLY = 0.9, 0.65  # every word is understood; some are not
SAID_ABOUT, ADMINISTERED, THING = 0.8, 0.85, 0.5
ALONE, KEY = 0.7, 0.6
FROM_LABEL = 0.9


@dataclass(frozen=True)
class Meaning:
    """What a name says, where that is written, and how plainly it says so (0 to 1)."""

    concept: Concept
    sure: float
    guideline: str = "common"


def meaning(name: str) -> Meaning | None:
    """What a column name says; None where it says nothing.

    >>> for name in ("DM__BRTHDTC", "tel2", "drug_name", "email_count", "Vorname", "order_no", "v12"):
    ...     said = meaning(name)
    ...     print(name, "->", said and said.concept.name)
    DM__BRTHDTC -> date of birth
    tel2 -> telephone
    drug_name -> medication
    email_count -> something said about an e-mail address
    Vorname -> personal name
    order_no -> the running of the study, not a person
    v12 -> None
    """
    read = phrases(name)
    concepts = [phrase for phrase in read if phrase.entry and phrase.entry.concept]
    return _of_concepts(concepts, read) if concepts else _of_words(read)


def said(name: str, label: str | None) -> Meaning | None:
    """What the name says, or the label where it says so more plainly. A label is a sentence, read less surely."""
    by_name, by_label = meaning(name), meaning(label) if label else None
    if by_label is None or (by_name is not None and by_name.sure >= by_label.sure):
        return by_name
    return replace(by_label, sure=by_label.sure * FROM_LABEL)


def _of_concepts(concepts: Sequence[Phrase], read: Sequence[Phrase]) -> Meaning:
    """A name that holds concepts: a date if one of them is a date, else the last of them."""
    head = next((phrase for phrase in concepts if _concept(phrase).dated), concepts[-1])
    concept = _concept(head)
    others = [phrase for phrase in read if not (phrase.entry and phrase.entry.concept)]
    personal = any(phrase.tagged("person", "staff") for phrase in others)
    if _said_about(concept, head, read):
        return Meaning(Concept(f"something said about {_article(concept.name)}", Role.NON_SENSITIVE), SAID_ABOUT)
    if concept.hipaa and concept.role is Role.QUASI and any(phrase.tagged("system") for phrase in others):
        return Meaning(ADMINISTRATIVE, ADMINISTERED)
    if concept.role is Role.DIRECT and concept.form != "prose" and not personal:
        facility = next((phrase for phrase in concepts if _concept(phrase).facility), None)
        if facility and facility.entry:
            return Meaning(_concept(facility), SAID_ABOUT, facility.entry.guideline)
        if any(phrase.tagged("thing") for phrase in others):
            return Meaning(ADMINISTRATIVE, THING)
    sure = PARTLY if any(phrase.entry is None for phrase in others) else WHOLE
    return Meaning(concept, sure, head.entry.guideline if head.entry else "common")


def _of_words(read: Sequence[Phrase]) -> Meaning | None:
    """A name without a concept of its own: `name`, `subject_no`, `order_id`, `has_x`."""
    if any(phrase.entry is None for phrase in read):
        return _of_unknown_words(read)
    if any(phrase.tagged("thing", "system") for phrase in read):
        return Meaning(ADMINISTRATIVE, ADMINISTERED)
    if _headed(read):
        return Meaning(ADMINISTRATIVE, SAID_ABOUT)
    alone = [phrase for phrase in read if phrase.entry and phrase.entry.alone]
    named = [phrase for phrase in alone if not phrase.tagged("person", "staff", "noise")]
    if not named and any(phrase.tagged("key", "number") for phrase in read):
        return _of_a_number(read)
    rest = [phrase for phrase in read if phrase not in alone and not phrase.silent]
    head = (named or alone)[-1].entry if alone else None
    if head and head.alone and all(phrase.tagged("person", "staff", "key", "number") for phrase in rest):
        return Meaning(head.alone, ALONE, head.guideline)
    return None


def _of_unknown_words(read: Sequence[Phrase]) -> Meaning | None:
    """A name with words that are not known may still number a thing, or make a statement: `acme_order_id`."""
    numbered = any(phrase.tagged("key", "number") for phrase in read)
    thing = any(phrase.tagged("thing") for phrase in read) and not any(phrase.tagged("person") for phrase in read)
    return Meaning(ADMINISTRATIVE, PARTLY) if (thing and numbered) or _headed(read) else None


def _of_a_number(read: Sequence[Phrase]) -> Meaning | None:
    """A number: of a subject, of who gave care, or of nobody knows what."""
    known = vocabulary().entries
    if any(phrase.tagged("person") for phrase in read):
        return Meaning(known["subjectidentifier"].concept or ADMINISTRATIVE, WHOLE, "HIPAA")
    if any(phrase.tagged("staff") for phrase in read):
        return Meaning(known["providerid"].concept or ADMINISTRATIVE, WHOLE)
    if any(phrase.tagged("key") for phrase in read):
        return Meaning(known["recordid"].concept or ADMINISTRATIVE, KEY, "HIPAA")
    return None


def _said_about(concept: Concept, head: Phrase, read: Sequence[Phrase]) -> bool:
    """Whether the name is of something else than the concept: how many, whether known, which version."""
    loud = [phrase for phrase in read if not phrase.silent or phrase.tagged("metadata")]
    if loud[-1] is not head and loud[-1].tagged("metadata"):
        return True
    return concept.identifying and _headed(read, head)


def _headed(read: Sequence[Phrase], head: Phrase | None = None) -> bool:
    """Whether the first or the last word makes a statement about the others."""
    loud = [p for p in read if not p.silent or p.tagged("about", "about_first", "metadata")]
    while len(loud) > 1 and loud[-1] is not head and loud[-1].tagged("key", "number"):
        loud.pop()  # the code of a status is still a status
    ends = [phrase for phrase in loud if phrase is not head and not (phrase.entry and phrase.entry.concept)]
    if not ends:
        return False
    last = loud[-1] is ends[-1] and ends[-1].tagged("about", "metadata")
    return last or (loud[0] is ends[0] and ends[0].tagged("about_first"))


def _concept(phrase: Phrase) -> Concept:
    assert phrase.entry is not None
    assert phrase.entry.concept is not None
    return phrase.entry.concept


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiouAEIO' else 'a'} {noun}"
