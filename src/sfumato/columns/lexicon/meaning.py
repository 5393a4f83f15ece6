"""What a column name says: its head decides, and the words beside it may take the meaning away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sfumato.columns.lexicon.concept import Concept
from sfumato.columns.lexicon.hipaa import Hipaa
from sfumato.columns.lexicon.phrases import Phrase, phrases
from sfumato.columns.lexicon.vocabulary import vocabulary
from sfumato.schema import Role

ADMINISTRATIVE = Concept("the running of the study, not a person", Role.NON_SENSITIVE)
# How plainly names speak. What counts is their order, also among the strengths of the recognisers, since the strongest
# finding decides: it was set by hand on the development columns of docs/detection-quality.md, and judged on those held
# out. The numbers themselves were not fitted.
WHOLE, PARTLY = 0.9, 0.65  # every word is understood; some are not
ADMINISTERED, SAID_ABOUT, THING = 0.85, 0.8, 0.5  # of the study; about something; a thing that may be anybody's
ALONE, KEY = 0.7, 0.6  # a word that may mean more beside others; a key of nobody knows what
FROM_LABEL = 0.9  # a sentence holds more words than it is about
NUMBERS = ("nummer", "nr", "번호", "beonho")  # how one word says the number of a thing: `ordernr`


@dataclass(frozen=True)
class Meaning:
    """What a name says, where that is written, and how plainly it says so (0 to 1)."""

    concept: Concept
    sure: float
    guideline: str = "common"
    others: tuple[Concept, ...] = ()  # what else the name holds, for values that are not what the head says


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
    if all(phrase.tagged("placeholder") or phrase.bare for phrase in read):
        return None
    concepts = [phrase for phrase in read if phrase.entry and phrase.entry.concept]
    if concepts and (place := _of_residence(concepts, read)):
        return place
    return _of_concepts(concepts, read) if concepts else _of_words(read)


def meaning_of(name: str, label: str | None) -> Meaning | None:
    """What the name says, or the label where it says so more plainly. A label is a sentence, read less surely."""
    by_name, by_label = meaning(name), meaning(label) if label else None
    if by_label is None or (by_name is not None and by_name.sure >= by_label.sure):
        return by_name
    return replace(by_label, sure=by_label.sure * FROM_LABEL)


def _of_concepts(concepts: Sequence[Phrase], read: Sequence[Phrase]) -> Meaning:
    """A name that holds concepts. Its head decides, unless what stands beside it takes the meaning away."""
    head = _head(concepts)
    concept = _concept(head)
    others = [phrase for phrase in read if not (phrase.entry and phrase.entry.concept)]
    personal = any(phrase.tagged("person", "staff") for phrase in others)
    if _said_about(concept, head, read):
        return Meaning(Concept(f"something said about {_article(concept.name)}", Role.NON_SENSITIVE), SAID_ABOUT)
    if concept.hipaa and concept.role is Role.QUASI and any(phrase.tagged("system", "file") for phrase in others):
        return Meaning(ADMINISTRATIVE, ADMINISTERED)
    if concept.role is Role.DIRECT and concept.form != "prose" and not personal:
        facility = next((phrase for phrase in concepts if _concept(phrase).facility), None)
        if facility and facility.entry:
            return Meaning(_concept(facility), SAID_ABOUT, facility.entry.guideline)
        if any(phrase.tagged("thing") and not _holds(phrase, concept) for phrase in others):
            return Meaning(ADMINISTRATIVE, THING)
    sure = PARTLY if head.guessed or any(phrase.entry is None for phrase in others) else WHOLE
    beside = tuple(_concept(phrase) for phrase in reversed(concepts) if phrase.place != head.place)
    return Meaning(concept, sure, head.entry.guideline if head.entry else "common", beside)


def _head(concepts: Sequence[Phrase]) -> Phrase:
    """The date or the coordinates if there are any, else the last; a residence only says whose place another is."""
    placed = [phrase for phrase in concepts if not phrase.tagged("residence")] or concepts
    return next((phrase for phrase in concepts if _concept(phrase).leading), placed[-1])


def _of_residence(concepts: Sequence[Phrase], read: Sequence[Phrase]) -> Meaning | None:
    """A word that means a place when alone, beside a residence, which only says whose: `cp_domicilio`."""
    alone = [p.entry for p in read if p.entry and p.entry.alone and not p.tagged("person", "staff", "noise")]
    if all(phrase.tagged("residence") for phrase in concepts) and alone and (concept := alone[-1].alone):
        return Meaning(concept, ALONE, alone[-1].guideline)
    return None


def _holds(phrase: Phrase, concept: Concept) -> bool:
    """Whether a word is of the file that a photograph is kept in, or of the device that a serial number is on."""
    filed = concept.form == "own" and phrase.tagged("file")
    return filed or (concept.hipaa is Hipaa.DEVICE and phrase.tagged("device"))


def _of_words(read: Sequence[Phrase]) -> Meaning | None:
    """A name without a concept of its own: `name`, `subject_no`, `order_id`, `has_x`."""
    if any(phrase.entry is None for phrase in read):
        return _of_unknown_words(read)
    if any(phrase.tagged("thing", "system", "edition") for phrase in read):
        return Meaning(ADMINISTRATIVE, ADMINISTERED)
    if _headed(read):
        return Meaning(ADMINISTRATIVE, SAID_ABOUT)
    alone = [phrase for phrase in read if phrase.entry and phrase.entry.alone]
    named = [phrase for phrase in alone if not phrase.tagged("person", "staff", "noise") and not _numbers(phrase, read)]
    if not named and any(phrase.tagged("key", "number") for phrase in read):
        return _of_a_number(read)
    rest = [phrase for phrase in read if phrase not in alone and not phrase.silent]
    head = (named or alone)[-1].entry if alone else None
    if head and head.alone and all(phrase.tagged("person", "staff", "key", "number") for phrase in rest):
        return Meaning(head.alone, ALONE, head.guideline)
    return None


def _of_unknown_words(read: Sequence[Phrase]) -> Meaning | None:
    """A name with words that are not known may still number a thing, or make a statement: `acme_order_id`."""
    if any(phrase.tagged("edition") for phrase in read) or read[-1].tagged("metadata"):
        return Meaning(ADMINISTRATIVE, SAID_ABOUT)
    things = [phrase for phrase in read if phrase.tagged("thing")]
    numbered = any(phrase.tagged("key", "number") for phrase in read)
    numbers = any(phrase.text.endswith(NUMBERS) for phrase in things)
    if things and (numbered or numbers) and not any(phrase.tagged("person") for phrase in read):
        return Meaning(ADMINISTRATIVE, SAID_ABOUT if numbers else PARTLY)
    return Meaning(ADMINISTRATIVE, PARTLY) if _headed(read) else None


def _of_a_number(read: Sequence[Phrase]) -> Meaning | None:
    """A number: of a subject, of who gave care, or of nobody knows what."""
    known, key = vocabulary().entries, any(phrase.tagged("key") for phrase in read)
    if any(phrase.tagged("people") for phrase in read) and not key:
        return Meaning(ADMINISTRATIVE, SAID_ABOUT)
    if any(phrase.tagged("person") for phrase in read):
        return Meaning(known["subjectidentifier"].concept or ADMINISTRATIVE, WHOLE, "HIPAA")
    if any(phrase.tagged("staff") for phrase in read):
        return Meaning(known["providerid"].concept or ADMINISTRATIVE, WHOLE)
    return Meaning(known["recordid"].concept or ADMINISTRATIVE, KEY, "HIPAA") if key else None


def _said_about(concept: Concept, head: Phrase, read: Sequence[Phrase]) -> bool:
    """Whether the name is of something else than the concept: how many, whether known, which version."""
    loud = [phrase for phrase in read if not phrase.silent or phrase.tagged("metadata")]
    if loud[-1].place != head.place and loud[-1].tagged("metadata"):
        return True
    if any(phrase.tagged("edition") for phrase in read if phrase.place != head.place):
        return True
    return concept.identifying and _headed(read, head)


def _headed(read: Sequence[Phrase], head: Phrase | None = None) -> bool:
    """Whether the first or the last word makes a statement about the others."""
    loud = [p for p in read if not p.silent or p.tagged("about", "about_first", "metadata")]
    at = None if head is None else head.place
    while len(loud) > 1 and loud[-1].place != at and loud[-1].tagged("key", "number"):
        loud.pop()  # the code of a status is still a status
    ends = [phrase for phrase in loud if phrase.place != at and not (phrase.entry and phrase.entry.concept)]
    if not ends:
        return False
    happens = head is not None and _concept(head).dated and ends[-1].tagged("happening")
    last = loud[-1].place == ends[-1].place and ends[-1].tagged("about", "metadata") and not happens
    return last or (loud[0].place == ends[0].place and ends[0].tagged("about_first"))


def _numbers(phrase: Phrase, read: Sequence[Phrase]) -> bool:
    """Whether a word that has a meaning when alone numbers what stands beside it: `cod`, a cause of death or a code."""
    return phrase.tagged("number") and len(read) > 1


def _concept(phrase: Phrase) -> Concept:
    assert phrase.entry is not None
    assert phrase.entry.concept is not None
    return phrase.entry.concept


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiouAEIO' else 'a'} {noun}"
