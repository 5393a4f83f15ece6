"""What a column name says: its head decides, and the words beside it may take the meaning away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sfumato.columns.lexicon.concept import Concept
from sfumato.columns.lexicon.hipaa import Hipaa
from sfumato.columns.lexicon.phrases import Phrase, phrases
from sfumato.columns.lexicon.vocabulary import CODES, vocabulary
from sfumato.schema import Role

ADMINISTRATIVE = Concept("the running of the study, not a person", Role.NON_SENSITIVE)
# What ends in `_id` is the key of a record where it is different throughout; else it is the code of what it names.
KEY_OF_A_RECORD = Concept("record key", Role.DIRECT, Hipaa.OTHER, form="key")
# How plainly names speak. What counts is their order, also among the strengths of the recognisers, since the strongest
# finding decides: it was set by hand on the development columns of docs/detection-quality.md, and judged on those held
# out. The numbers themselves were not fitted.
WHOLE, PARTLY = 0.9, 0.65  # every word is understood; some are not
ADMINISTERED, SAID_ABOUT, THING = 0.85, 0.8, 0.4  # of the study; about something; a thing that may be anybody's
ALONE, KEY = 0.7, 0.6  # a word that may mean more beside others; a key of nobody knows what
AGREED = 0.6  # two words that hint at the same
HINT, FAINT = 0.45, 0.35  # a word that means other things as well; the same, beside words that are not known
SOME = "some measurement"  # what is only known to be measured
FROM_LABEL = 0.9  # a sentence holds more words than it is about
NUMBERS = ("nummer", "nr", "번호", "beonho")  # how one word says the number of a thing: `ordernr`
SHORT = 3  # letters of abbreviations that are too many things: `mac_score`
COUNTS = frozenset({"count", "counts", "cnt"})
REFERENCES = frozenset({"reference", "ref", "referenz", "referencia", "referência", "référence"})  # to one record
ORDERS = frozenset({"order", "orders"})  # numbered by who sells; those of a physician have keys
PLACED = frozenset({"site", "sites", "location"})  # of the body after a clinical word: `biopsy_site`
# What follows one of these only says which: the head of `history of cancer in mother` stands before it.
PREPOSITIONS = frozenset({
    "of", "at", "in", "for", "by", "with", "from", "during", "after", "before", "since", "on",
    "bei", "bij", "von", "van",
})  # fmt: skip


@dataclass(frozen=True)
class Meaning:
    """What a name says, where that is written, and how plainly it says so (0 to 1)."""

    concept: Concept
    sure: float
    guideline: str = "common"
    others: tuple[Concept, ...] = ()  # what else the name holds, for values that are not what the head says


def meaning(name: str) -> Meaning | None:
    """What a column name says; None where it says nothing.

    >>> for name in ("DM__BRTHDTC", "tel2", "drug_name", "email_count", "Vorname", "batch_no", "v12"):
    ...     said = meaning(name)
    ...     print(name, "->", said and said.concept.name)
    DM__BRTHDTC -> date of birth
    tel2 -> telephone
    drug_name -> medication
    email_count -> something said about an e-mail address
    Vorname -> personal name
    batch_no -> the running of the study, not a person
    v12 -> None
    """
    read = phrases(name)
    if all(phrase.tagged("placeholder") or phrase.bare for phrase in read):
        return None
    concepts = [phrase for phrase in read if phrase.entry and phrase.entry.concept]
    if concepts and (place := _of_residence(concepts, read)):
        return place
    return _of_concepts(concepts, read) if concepts else _of_words(read) or _of_hints(read)


def meaning_of(name: str, label: str | None) -> Meaning | None:
    """What the name says, or the label where it says so more plainly. A label is a sentence, read less surely."""
    by_name, by_label = meaning(name), meaning(label) if label else None
    if by_label is None or by_label.sure <= HINT or (by_name is not None and by_name.sure >= by_label.sure):
        return by_name
    return replace(by_label, sure=by_label.sure * FROM_LABEL)


def _of_concepts(concepts: Sequence[Phrase], read: Sequence[Phrase]) -> Meaning:
    """A name that holds concepts. Its head decides, unless what stands beside it takes the meaning away."""
    head = _head(concepts, read)
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
    if concept.role is Role.SENSITIVE and not concept.identifying and read[-1].tagged("key"):
        return Meaning(KEY_OF_A_RECORD, min(sure, KEY), "HIPAA", (concept, *beside))
    return Meaning(concept, sure, head.entry.guideline if head.entry else "common", beside)


def _head(concepts: Sequence[Phrase], read: Sequence[Phrase]) -> Phrase:
    """The date, the coordinates or the age if there are any, else the last that no preposition stands before.

    A residence only says whose place another is.
    """
    placed = [phrase for phrase in concepts if not phrase.tagged("residence")] or concepts
    turn = next((p.place for p in read if p.text in PREPOSITIONS and p.place > placed[0].place), len(read))
    before = [phrase for phrase in placed if phrase.place < turn]
    if len(before) > 1 and before[-1].text in PLACED and _concept(before[-2]).role is Role.SENSITIVE:
        before.pop()
    leading = [phrase for phrase in concepts if _concept(phrase).leading]
    numbers = [phrase for phrase in concepts if _concept(phrase).hipaa is Hipaa.NATIONAL]  # whose it is follows
    return (leading or numbers or [before[-1]])[0]


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
    """A name without a concept of its own: `name`, `subject_no`, `batch_no`, `dose_unit`.

    Only a thing that shows itself to be none of a person is called so: `status`, `type` and `source` say nothing.
    """
    if any(phrase.entry is None for phrase in read):
        return _of_unknown_words(read)
    if any(phrase.tagged("edition") or _shown(phrase) for phrase in read):
        # The key of a payment is of nobody in a list of payments, and of a person among theirs.
        return Meaning(ADMINISTRATIVE, THING if read[-1].tagged("key") else ADMINISTERED)
    if len(read) > 1 and read[-1].tagged("notation"):
        return Meaning(ADMINISTRATIVE, ADMINISTERED)
    if _counts_people(read) or _headed_by_a_statement(read):
        return Meaning(ADMINISTRATIVE, SAID_ABOUT)
    return _of_counted_events(read) or _of_a_key(read) or _of_words_alone(read)


def _of_counted_events(read: Sequence[Phrase]) -> Meaning | None:
    """How often something was done to a person: `n_visits`, `exam_count`. The number of one is something else."""
    several = any(phrase.tagged("record") and phrase.text.endswith("s") for phrase in read[1:])
    first = read[0].tagged("number", "about_first") and read[0].text not in CODES and several
    if first or (read[-1].text in COUNTS and any(phrase.tagged("record") for phrase in read)):
        return Meaning(vocabulary().entries["lengthofstay"].concept or ADMINISTRATIVE, PARTLY)
    return None


def _of_a_key(read: Sequence[Phrase]) -> Meaning | None:
    """The key of what happened to a person, or another number: `appointment_id`, `subject_no`."""
    if read[-1].tagged("key") and any(phrase.tagged("record") for phrase in read):
        return Meaning(KEY_OF_A_RECORD, KEY, "HIPAA")
    numbered = any(phrase.tagged("key", "number") for phrase in read)
    return _of_a_number(read) if numbered and not _named(read) else None


def _of_words_alone(read: Sequence[Phrase]) -> Meaning | None:
    """Words that mean something when nothing else is said, and those who give care."""
    alone = [phrase for phrase in read if phrase.entry and phrase.entry.alone]
    rest = [phrase for phrase in read if phrase not in alone and not phrase.silent]
    head = (_named(read) or alone)[-1].entry if alone else None
    if head and head.alone and all(phrase.tagged("person", "staff", "key", "number") for phrase in rest):
        hint = (head.hint,) if head.hint else ()
        return Meaning(head.alone, HINT if hint else ALONE, head.guideline, hint)
    if rest and all(phrase.tagged("staff") for phrase in rest):
        return Meaning(vocabulary().entries["providerid"].concept or ADMINISTRATIVE, ALONE)
    return None


def _named(read: Sequence[Phrase]) -> list[Phrase]:
    """The words with a meaning when alone that are not only about whom or which."""
    alone = [phrase for phrase in read if phrase.entry and phrase.entry.alone]
    return [phrase for phrase in alone if not phrase.tagged("person", "staff", "noise") and not _numbers(phrase, read)]


def _counts_people(read: Sequence[Phrase]) -> bool:
    """Whether people are counted: `patient_count`."""
    return read[-1].tagged("metadata") and any(phrase.tagged("person", "people") for phrase in read)


def _headed_by_a_statement(read: Sequence[Phrase]) -> bool:
    """Whether something is said about what would name a person if it stood alone: `photo_count`, `account_type`."""
    named = [p for p in read if p.entry and not p.entry.hint and not p.tagged("person", "staff", "noise")]
    alone = [p.entry.alone for p in named if p.entry and len(p.text) > SHORT]
    return any(concept and concept.role is Role.DIRECT for concept in alone) and _headed(read)


def _shown(phrase: Phrase) -> bool:
    """Whether a word is of the running of the study or of goods, whatever stands beside it: `batch`, `filename`."""
    return phrase.tagged("thing", "system") and not phrase.tagged("vague")


def _of_unknown_words(read: Sequence[Phrase]) -> Meaning | None:
    """A name with words that are not known may still number a thing, or say how a value is written: `acme_order_nr`."""
    if any(phrase.tagged("edition") for phrase in read) or read[-1].tagged("notation"):
        return Meaning(ADMINISTRATIVE, ALONE)
    things = [phrase for phrase in read if phrase.tagged("thing")]
    numbered = any(phrase.tagged("number") for phrase in read) or (any(map(_shown, things)) and read[-1].tagged("key"))
    numbers = any(phrase.text.endswith(NUMBERS) for phrase in things)
    if things and (numbered or numbers) and not any(phrase.tagged("person") for phrase in read):
        return Meaning(ADMINISTRATIVE, ALONE if numbers else HINT)
    return None


def _of_hints(read: Sequence[Phrase]) -> Meaning | None:
    """Words that mean other things as well: `na`, sodium or not available. One tips; two that agree say more."""
    hints = [phrase.entry for phrase in read if phrase.entry and phrase.entry.hint]
    if not hints:
        return None
    plainest = next((entry for entry in reversed(hints) if entry.hint and entry.hint.name != SOME), hints[-1])
    concept = plainest.hint or ADMINISTRATIVE
    agreed = [entry for entry in hints if entry.hint and entry.hint.name != SOME and entry.hint.role is concept.role]
    unknown = any(phrase.entry is None for phrase in read)
    return Meaning(concept, AGREED if len(agreed) > 1 else FAINT if unknown else HINT, plainest.guideline)


def _of_a_number(read: Sequence[Phrase]) -> Meaning | None:
    """A number: of a subject, of who gave care, or of nobody knows what."""
    known, key = vocabulary().entries, any(phrase.tagged("key") for phrase in read)
    if any(phrase.tagged("people") for phrase in read) and not key:
        return Meaning(ADMINISTRATIVE, SAID_ABOUT)
    if any(phrase.tagged("person") for phrase in read):
        return Meaning(known["subjectidentifier"].concept or ADMINISTRATIVE, WHOLE, "HIPAA")
    if any(phrase.tagged("staff") for phrase in read):
        return Meaning(known["providerid"].concept or ADMINISTRATIVE, WHOLE)
    things = [phrase for phrase in read if phrase.tagged("thing")]
    if key or (things and any(phrase.text in REFERENCES for phrase in read)):
        recorded = not things or any(phrase.tagged("record") for phrase in things)
        return Meaning(KEY_OF_A_RECORD, KEY, "HIPAA") if recorded else None
    if any(phrase.text in ORDERS for phrase in things):
        return Meaning(ADMINISTRATIVE, ADMINISTERED)
    return Meaning(ADMINISTRATIVE, PARTLY) if things and not any(phrase.tagged("record") for phrase in things) else None


def _said_about(concept: Concept, head: Phrase, read: Sequence[Phrase]) -> bool:
    """Whether the name is of something else than the concept: how many, whether known, which version.

    The type, the status or the number of what a person has is still of that person: only an address, a number or a
    name is not there when something is said about it.
    """
    loud = [phrase for phrase in read if not phrase.silent or phrase.tagged("metadata", "notation")]
    about = ("metadata", "notation") if concept.identifying else ("notation",)
    if loud[-1].place != head.place and loud[-1].tagged(*about):
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
